"""Long work reports, and stops when it is told to."""

from __future__ import annotations

import io

import pytest

from stelle_nb.errors import Cancelled
from stelle_nb.progress import ProgressBar, as_progress


def test_nothing_is_reported_by_default(capsys: pytest.CaptureFixture[str]) -> None:
    for quiet in (None, False):
        as_progress(quiet)(1, 2)
    assert capsys.readouterr() == ("", "")


def test_true_draws_a_bar_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    report = as_progress(True, "training")
    report(0, 4)
    report(4, 4)
    out, err = capsys.readouterr()
    assert out == ""
    assert "training" in err
    assert "4/4" in err
    assert err.endswith("\n")


@pytest.mark.parametrize("answer", [None, True, 0, ""])
def test_only_false_cancels(answer: object) -> None:
    as_progress(lambda done, total: answer)(1, 2)  # type: ignore[arg-type, return-value]
    with pytest.raises(Cancelled, match="after 1 of 2"):
        as_progress(lambda done, total: False)(1, 2)


def test_a_bar_says_what_is_left() -> None:
    stream = io.StringIO()
    bar = ProgressBar("x", stream=stream, min_wait=0.0)
    bar(0, 10)
    bar._bar.start_t -= 30.0  # as if half a minute had passed
    bar(3, 10)
    assert "3/10 [00:30<01:10" in stream.getvalue()


def test_a_bar_is_not_drawn_too_often() -> None:
    stream = io.StringIO()
    bar = ProgressBar(stream=stream, min_wait=1000.0)
    for done in range(101):
        bar(done, 100)
    assert stream.getvalue().count("\r") == 2  # the first and the last


def test_nothing_to_do() -> None:
    stream = io.StringIO()
    ProgressBar(stream=stream)(0, 0)
    assert stream.getvalue().endswith("\n")
