"""The scaling study: exponents of known growth, and a report that holds what was measured."""

from __future__ import annotations

from pathlib import Path

import pytest

from stelle_nb.bench import scaling
from stelle_nb.bench.scaling import WORK, Size, exponent, extended, make_cases, measure


def test_exponents_are_those_of_the_growth() -> None:
    sizes = [10, 20, 40, 80]
    assert exponent(sizes, [0.5 * n**1.5 for n in sizes]) == pytest.approx(1.5)
    assert exponent([10, 10], [1.0, 1.0]) is None and exponent(sizes, [0.0, 1, 1, 1]) is None
    assert extended(sizes, [0.5 * n**2 for n in sizes], 800) == pytest.approx(0.5 * 800**2)
    assert extended(sizes, [1.0, 1.0, 1.0, 1.0], 800) == pytest.approx(10.0)  # never below linear


def test_cases_have_the_asked_sizes_and_every_class() -> None:
    size = Size(cases=12, samples=30, channels=2, classes=3, concepts=10)
    X, y = make_cases(size)
    assert X.shape == (12, 2, 30) and sorted(set(y.tolist())) == [0, 1, 2]
    costs = measure(size, WORK[:4])
    assert set(costs) == set(WORK[:4]) and min(costs.values()) >= 0


def test_the_command_reports_what_it_measured(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "scaling.md"
    scaling.main(["--axes", "samples", "--doublings", "1", "--work", WORK[0], "--out", str(out)])
    report = capsys.readouterr().out
    assert f"| {WORK[0]} |" in report and "| 100000 samples |" in report and "| 200 |" in report
    assert out.read_text() in report
    with pytest.raises(SystemExit):
        scaling.main(["--doublings", "0"])


def test_sizes_can_be_given_along_one_axis(capsys: pytest.CaptureFixture[str]) -> None:
    scaling.main(["--axes", "cases", "--sizes", "10", "20", "--work", WORK[0], "--variant", "scorecard"])
    page = capsys.readouterr().out
    assert "| 10 |" in page and "| 20 |" in page and "| 80 |" not in page and 'variant="scorecard"' in page
    for wrong in (["--axes", "cases", "samples"], ["--axes", "cases", "--sizes", "1"]):
        with pytest.raises(SystemExit):
            scaling.main(["--sizes", "10", *wrong])
