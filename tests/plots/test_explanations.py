"""Charts of explanations: what is drawn is what the formula says and what the data show."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import vl_convert

from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.depict.background import Background
from stelle_nb.depict.decisions import find_decisions
from stelle_nb.depict.labels import DECIDES
from stelle_nb.depict.regions import ASKED, find_regions
from stelle_nb.depict.scene import THIS, make_scene
from stelle_nb.depict.stretches import WEIGHED
from stelle_nb.depict.wording import Wording
from stelle_nb.errors import PlotError
from stelle_nb.estimator import StelleClassifier
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.traversal import disjuncts
from stelle_nb.plots import plot_class_explanation, plot_cover, plot_local_explanation
from stelle_nb.plots.chart import Rows
from stelle_nb.plots.print.print_explanation import figure_local_explanation
from stelle_nb.plots.scene_rows import OTHERS, OWN_CLASS, scene_rows
from stelle_nb.rewrite import Trace
from stelle_nb.semantics import robustness, witness
from tests.plots.conftest import HOSTILE, data_of

RAMP = np.arange(20.0)[None]  # one channel that counts samples
SECONDS = Wording(("pulse",), 0.5, "s")


def rows_of(text: str, wording: Wording = SECONDS, background: Background | None = None) -> Rows:
    """The data of a chart of a formula on the ramp."""
    return scene_rows(make_scene(parse(text), wording, case=RAMP, background=background, target="a"))


def labels_of(rows: Rows) -> list[str]:
    return [row["text"] for row in rows if row["kind"] == "label"]


def test_the_chart_shades_the_left_side_of_until_no_further() -> None:
    rows = rows_of("x0 <= 5 U[2,8] x0 >= 3")
    spans = [(row["t"], row["end"]) for row in rows if row["kind"] in ("above", "below")]
    asked = [row["text"] for row in rows if row["kind"] == "label" and row["role"] == ASKED]
    assert dict(zip(asked, spans, strict=True)) == {
        "until then ≤ 5": ([0.0], 2.0),
        "at some time ≥ 3": ([1.0], 4.0),
    }


def test_the_weakest_conjunct_decides() -> None:
    formula = parse("F[3,4] x0 >= 2 & G[5,9] x0 >= 4")
    other, whole = find_decisions(formula, RAMP)
    assert (other.time, other.robustness, other.is_whole) == (4, 2.0, False)
    assert (whole.time, whole.robustness, whole.is_whole) == (5, 1.0, True)
    found = witness(formula, RAMP)
    assert (found.time, found.value) == (whole.time, whole.robustness)


def test_a_derived_signal_has_a_row_of_its_own() -> None:
    text = "F[3,4] x0 >= 2 & G[5,9] diff(x0) >= 0.5"
    rows = rows_of(text)
    assert {row["signal"] for row in rows} == {"pulse", "the change of pulse over 0.5 s"}
    [change] = [row for row in rows if row["kind"] == "case" and row["signal"] != "pulse"]
    assert change["low"] == [0.0] + [1.0] * 19
    assert Signal(0, lag=1) in {region.signal for region in find_regions(parse(text), 20, RAMP)}


def test_a_sum_has_a_row_below_the_channels_whose_stretches_it_weighs() -> None:
    rows = rows_of("G[9,9] sum(2*mean(x0, 4)@3, -1*x0@4) >= 0.5 & F[3,4] diff(x0) >= 0.5")
    names = {row["place"]: row["signal"] for row in rows}
    assert [names[i] for i in sorted(names)] == [
        "pulse",
        "the change of pulse over 0.5 s",
        "the weighted sum of pulse",
    ]
    [case] = [row for row in rows if row["kind"] == "case" and row["signal"] == names[2]]
    assert case["low"][9] == 2 * np.mean([3, 4, 5, 6]) - 5
    long, short = [row for row in rows if row["kind"] == "weighed"]
    assert {long["signal"], short["signal"]} == {"pulse"} and (long["t"], long["end"]) == ([1.5], 3.0)
    words = [row for row in rows if row["kind"] == "label" and row["role"] == WEIGHED]
    assert [row["text"] for row in words] == ["× +2", "× −1"] and words[0]["level"] != words[1]["level"]
    assert [row["place"] for row in rows if row["kind"] == "decides"] in ([1], [2])


def test_charts_with_sums_can_be_drawn(dataset: SeriesDataset, classifier: StelleClassifier) -> None:
    formula = parse("G[9,9] sum(2*mean(x0, 4)@3, -1*x1@2) >= 0.5 | G[5,5] sum(1*x0, -1*x1@2) <= 9")
    trace = Trace(formula, formula, ())
    [local] = classifier.explain_local(dataset.X_train[:1])
    local = replace(local, trace=trace, background=classifier.background_)
    of_class = classifier.explain_global()[HOSTILE]
    parts = tuple(replace(of_class.clauses[0], formula=part) for part in disjuncts(formula))
    of_class = replace(of_class, clauses=parts, trace=trace, background=classifier.background_)
    for chart in (
        plot_local_explanation(local),
        plot_class_explanation(of_class, X=dataset.X_train, y=dataset.y_train),
    ):
        labels = [row for row in data_of(chart, "picture") if row["kind"] == "label"]
        assert {row["text"] for row in labels if row["role"] == WEIGHED} == {
            "sum 1: × +2",
            "sum 1: × −1",
            "sum 2: × +1",
            "sum 2: × −1",
        }
        assert "weighted sum 2" in vl_convert.vegalite_to_svg(chart.to_dict())
    assert figure_local_explanation(local).axes[-1].get_title(loc="left").startswith("weighted sum 2")


def test_times_are_in_the_unit_of_the_data() -> None:
    rows = rows_of("F[4,8] x0 >= 2")
    [bound] = [row for row in rows if row["kind"] == "above"]
    assert (bound["t"], bound["end"], bound["low"]) == ([2.0], 4.0, [2.0])
    [decides] = [row for row in rows if row["kind"] == "decides"]
    assert decides["label"] == "8 at 4 s" and decides["t"] == [4.0] and decides["low"] == [8.0]
    assert labels_of(rows) == ["at some time ≥ 2", "decides: 8 at 4 s"]


def test_a_threshold_far_from_the_signal_does_not_flatten_it() -> None:
    rows = rows_of("F[4,8] x0 <= 2000", Wording())
    [bound] = [row for row in rows if row["kind"] == "window"]
    assert labels_of(rows)[0] == "at some time ≤ 2000 (off the chart)"
    assert max(bound["low"] + bound["high"]) < 21


def test_a_thinned_background_keeps_its_time_and_derives_nothing() -> None:
    cases = np.arange(0, 20, 4, dtype=np.float32)[None, None]
    background = Background(cases, ("a",), (0,), stride=4)
    rows = rows_of("x0 >= 2 & diff(x0) >= 0", Wording(None, 0.5, "s"), background)
    [line] = [row for row in rows if row["kind"] == "behind"]
    assert line["t"] == [0.0, 2.0, 4.0, 6.0, 8.0] and line["low"] == [0.0, 4.0, 8.0, 12.0, 16.0]


def test_a_local_explanation_shows_the_case_its_class_and_others(
    dataset: SeriesDataset, classifier: StelleClassifier
) -> None:
    [explanation] = classifier.explain_local(dataset.X_train[:1])
    chart = plot_local_explanation(explanation)
    rows = data_of(chart, "picture")
    signals = {row["signal"] for row in rows}
    assert len([row for row in rows if row["kind"] == "case"]) == len(signals)
    assert {row["role"] for row in rows} == {THIS, OWN_CLASS, OTHERS, ASKED, DECIDES}
    for row in rows:
        if row["kind"] == "behind":
            assert (row["role"] == OWN_CLASS) == (row["label"] == HOSTILE)
    text = " ".join(row["text"] for row in data_of(chart, "heading"))
    assert explanation.title in text and explanation.to_english()[:30] in text


def test_a_formula_without_signals_still_has_a_chart() -> None:
    assert rows_of("true") == []


def test_a_class_explanation_counts_what_it_covers(
    dataset: SeriesDataset, classifier: StelleClassifier
) -> None:
    X, y = dataset.X_train, dataset.y_train
    explanation = classifier.explain_global()[HOSTILE]
    chart = plot_class_explanation(explanation, X=X, y=y)
    holds = robustness(explanation.formula, np.array(X)) >= 0
    counts = {row["label"]: row["text"] for row in data_of(chart, "robustness") if row["kind"] == "class"}
    own = y == HOSTILE
    assert counts["the class"] == f"{holds[own].sum()} of {own.sum()} hold"
    assert counts["other classes"] == f"{holds[~own].sum()} of {(~own).sum()} hold"


def test_a_class_without_a_formula_still_has_charts(
    dataset: SeriesDataset, classifier: StelleClassifier
) -> None:
    false = parse("false")
    nothing = replace(classifier.explain_global()["calm"], clauses=(), trace=Trace(false, false, ()))
    for plot in (plot_class_explanation, plot_cover):
        chart = plot(nothing, X=dataset.X_train, y=dataset.y_train)
        assert "calm" in vl_convert.vegalite_to_svg(chart.to_dict())


def test_cells_of_the_cover_agree_with_robustness(
    dataset: SeriesDataset, classifier: StelleClassifier
) -> None:
    X, y = dataset.X_train, dataset.y_train
    explanation = classifier.explain_global()["calm"]
    rows = data_of(plot_cover(explanation, X=X, y=y), "cover")
    holds = robustness(explanation.formula, np.array(X)) >= 0
    last = [row for row in rows if row["place"] == max(row["place"] for row in rows)]
    assert sorted(row["case"] for row in last) == list(range(len(y)))
    for row in last:
        is_own = row["label"] == "calm"
        wanted = ("covered", "missed") if is_own else ("covered by mistake", "excluded")
        assert row["cell"] == wanted[0 if holds[row["case"]] else 1]


def test_cases_and_labels_must_belong_together(dataset: SeriesDataset, classifier: StelleClassifier) -> None:
    explanation = classifier.explain_global()["calm"]
    with pytest.raises(PlotError, match="same cases"):
        plot_class_explanation(explanation, X=dataset.X_train, y=dataset.y_train[:-1])
