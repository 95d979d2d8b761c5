"""The waterfall of a score sheet: its bars add up to the lead, whatever is summed in one row."""

from __future__ import annotations

from itertools import pairwise

import pytest

from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.errors import NoCardError, PlotError
from stelle_nb.estimator import StelleClassifier
from stelle_nb.explain.local.local_explanation import LocalExplanation
from stelle_nb.plots import plot_score_sheet
from tests.plots.conftest import data_of
from tests.plots.test_all_charts import with_sheet


@pytest.fixture
def why(dataset: SeriesDataset, classifier: StelleClassifier) -> LocalExplanation:
    return with_sheet(classifier.explain_local(dataset.X_train[:1])[0])


@pytest.mark.parametrize("n_rows", [1, 2, 3, 10])
def test_bars_add_up_to_the_lead(why: LocalExplanation, n_rows: int) -> None:
    rows = data_of(plot_score_sheet(why, n_rows=n_rows), "sheet")
    bars, lead = rows[:-1], rows[-1]
    assert lead["end"] == pytest.approx(why.margin) and lead["begin"] == 0
    assert sum(row["points"] for row in bars) == pytest.approx(why.margin)
    for before, after in pairwise(bars):
        assert after["begin"] == pytest.approx(before["end"])
    own = [row for row in bars if row["number"] is not None]
    assert len(own) == min(n_rows, 3) and len(bars) == 1 + len(own) + (n_rows < 3)
    assert [row["place"] for row in rows] == list(range(len(rows)))


def test_rows_say_what_holds_and_what_is_shown(why: LocalExplanation) -> None:
    rows = {row["number"]: row for row in data_of(plot_score_sheet(why), "sheet")}
    for part in why.contributions:
        row = rows[part.number]
        assert row["holds"] == ("holds" if part.holds else "fails")
        assert row["is_shown"] == (part.number in {each.number for each in why.shown})
        assert row["degree"] == part.degree
        assert (row["kind"] == "for") == (row["points"] >= 0)


def test_a_model_without_a_card_has_no_sheet(dataset: SeriesDataset, classifier: StelleClassifier) -> None:
    other = StelleClassifier("dense", n_concepts=60, random_state=0).fit(dataset.X_train, dataset.y_train)
    with pytest.raises(NoCardError, match="needs the explanation of a score card"):
        plot_score_sheet(other.explain_local(dataset.X_train[:1])[0])


def test_a_chart_has_a_row_at_least(why: LocalExplanation) -> None:
    with pytest.raises(PlotError, match="n_rows"):
        plot_score_sheet(why, n_rows=0)
