"""The benchmark of concepts runs and reports what it measured beside its targets."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stelle_nb.bench import concept_times


def test_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    concept_times.main(["--sizes", "20", "100", "--loads", "1", "--json", str(tmp_path / "figures.json")])
    figures = json.loads((tmp_path / "figures.json").read_text())
    assert [row["n_concepts"] for row in figures["generation"]] == [20, 100]
    assert all(row["cpu_seconds"] > 0 for row in [*figures["generation"], figures["loading"]])
    assert figures["growth_exponent"] == concept_times.growth_exponent(figures["generation"])
    printed = capsys.readouterr().out
    assert f"within {concept_times.TARGET_GENERATION:g} s" in printed and "shipped set loads in" in printed


def test_growth_exponent() -> None:
    rows = [{"n_concepts": n, "cpu_seconds": 3.0 * n**1.5} for n in (10, 20, 80)]
    assert concept_times.growth_exponent(rows) == pytest.approx(1.5)
    assert concept_times.growth_exponent(rows[:1]) is None
