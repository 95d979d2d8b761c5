"""The benchmark of concepts runs, and its targets are met with room to spare."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stelle_nb.bench import concepts


def test_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    concepts.main(["--sizes", "100", "1000", "--loads", "1", "--json", str(tmp_path / "figures.json")])
    figures = json.loads((tmp_path / "figures.json").read_text())
    assert [row["n_concepts"] for row in figures["generation"]] == [100, 1000]
    assert figures["generation"][1]["cpu_seconds"] < concepts.TARGET_GENERATION
    assert figures["loading"]["cpu_seconds"] < concepts.TARGET_LOADING
    assert 0.3 < figures["growth_exponent"] < 2.5
    assert "shipped set loads in" in capsys.readouterr().out


def test_growth_exponent() -> None:
    rows = [{"n_concepts": n, "cpu_seconds": 3.0 * n**1.5} for n in (10, 20, 80)]
    assert concepts.growth_exponent(rows) == pytest.approx(1.5)
    assert concepts.growth_exponent(rows[:1]) is None
