"""The benchmark of uncertainty: what it measures on recorded data, and the tables it writes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from stelle_nb.bench import uncertainty
from stelle_nb.bench.reports.uncertainty_report import UncertaintyFigure, read_figures, report, write_figures
from stelle_nb.bench.uncertainty import coverage_figures, main
from stelle_nb.data import SeriesDataset
from stelle_nb.errors import BenchError


def test_novelty_is_measured_once_and_reported(
    uea: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "found.csv"
    arguments = ["--data", str(uea), "--datasets", "BM", "--resamples", "1", "--fits", "0", "--out", str(out)]
    main(arguments)
    found = {figure.condition: figure.value for figure in read_figures(out)}
    assert found["undisturbed"] <= 0.1 and found["standard normal noise"] == 1
    page = out.with_suffix(".md").read_text()
    assert "| standard normal noise | 100.0 |" in page and "--datasets BM" in page
    monkeypatch.setattr(uncertainty, "novelty_figures", list)  # what is known is not measured again
    main(arguments)
    assert {figure.condition: figure.value for figure in read_figures(out)} == found


def test_coverage_of_a_small_set() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 1, 20)), np.array(["a", "b"] * 20)
    X[y == "b", 0, 5:10] += 3
    ds = SeriesDataset.from_arrays(X[:20], y[:20], X[20:], y[20:])
    found = {(each.condition, each.what): each.value for each in coverage_figures(ds, 0, 2)}
    for coverage in uncertainty.COVERAGES:
        condition = f"refits {coverage:g}"
        assert found[condition, "never empty"] >= found[condition, "covered"]
        assert 0 <= found[condition, "size"] <= 2


def test_rows_are_read_as_written_and_strange_files_refused(tmp_path: Path) -> None:
    rows = [
        UncertaintyFigure("coverage", "BasicMotions", r, "refits 0.9", "covered", 0.9 + r / 100)
        for r in (1, 0)
    ]
    write_figures(tmp_path / "rows.csv", rows)
    assert read_figures(tmp_path / "rows.csv") == sorted(rows, key=lambda row: row.resample)
    assert read_figures(tmp_path / "none.csv") == []
    assert "90.5 ± 0.5" in report(rows, "python")
    (tmp_path / "rows.csv").write_text("a,b\n")
    with pytest.raises(BenchError, match="columns"):
        read_figures(tmp_path / "rows.csv")
