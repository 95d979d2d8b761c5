"""Charts of data, formulas and runs: the numbers in them are right."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as hs
from matplotlib.text import Text
from sklearn.decomposition import PCA

from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.errors import PlotError
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.traversal import walk
from stelle_nb.plots import (
    figure_signals,
    plot_concept_map,
    plot_confusion,
    plot_robustness,
    plot_saliency,
    plot_signals,
    plot_steps,
    plot_traces,
    plot_tradeoff,
    plot_tree,
)
from stelle_nb.plots.heading import Heading
from stelle_nb.plots.interactive.concept_map import project
from stelle_nb.plots.lines import short, thinned
from stelle_nb.rewrite import simplify
from stelle_nb.semantics import robustness, robustness_traces, witness
from tests.plots.conftest import HOSTILE, SCRIPT, data_of, make_dataset, nodes_of

PHI = parse("F[8,16] (x0 >= 3) & G[0,5] (x1 <= 4 | !(x0 > 9))")


@given(hs.lists(hs.floats(-1e6, 1e6), min_size=1, max_size=300), hs.integers(4, 50))
def test_thinning_keeps_ends_and_extremes_and_its_promise(values: list[float], n_points: int) -> None:
    series = np.array(values)
    kept = thinned(series, n_points)
    assert len(kept) <= max(n_points, min(len(series), n_points))
    assert kept[0] == 0 and kept[-1] == len(series) - 1 and (np.diff(kept) > 0).all()
    assert series[kept].min() == series.min() and series[kept].max() == series.max()


@given(hs.lists(hs.floats(-1e9, 1e9), min_size=1, max_size=30))
def test_rounding_is_finer_than_a_pixel(values: list[float]) -> None:
    largest = max(map(abs, values))
    assert np.allclose(short(values), values, rtol=0, atol=1e-4 * largest)


def test_bands_of_signals_are_quantiles(dataset: SeriesDataset) -> None:
    rows = data_of(plot_signals(dataset), "signals")
    [band] = [r for r in rows if r["kind"] == "band" and r["place"] == 0 and r["label"] == HOSTILE]
    own = dataset.X_train[dataset.y_train == HOSTILE, 0]
    assert band["t"] == dataset.times.tolist()
    for column, share in (("low", 0.1), ("middle", 0.5), ("high", 0.9)):
        assert np.allclose(band[column], np.quantile(own, share, axis=0), atol=1e-3)


def test_names_and_units_stand_at_the_axes(dataset: SeriesDataset) -> None:
    spec = plot_signals(dataset).to_dict()
    titles = [node["title"] for node in nodes_of(spec["vconcat"]) if "title" in node]
    assert "time (s)" in titles
    assert {SCRIPT, "pulse"} <= {title["text"] for title in titles if isinstance(title, dict)}


def test_units_of_values_stand_at_the_axes(dataset: SeriesDataset) -> None:
    given = replace(dataset, units=["m/s²", "V"])
    titles = [node.get("text") for node in nodes_of(plot_signals(given).to_dict()["vconcat"])]
    assert f"{SCRIPT} (m/s²)" in titles and "pulse (V)" in titles
    written = {text.get_text().replace("\n", " ") for text in figure_signals(given).findobj(Text)}
    assert "pulse (V)" in written


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"part": "test"}, "no test cases"),
        ({"part": "both"}, "'train', 'test' or 'all'"),
        ({"channels": [2]}, "from 0 to 1"),
        ({"classes": ["other"]}, "among"),
        ({"channels": []}, "one class and one channel"),
    ],
)
def test_what_is_not_there_cannot_be_shown(
    dataset: SeriesDataset, options: dict[str, object], message: str
) -> None:
    with pytest.raises(PlotError, match=message):
        plot_signals(dataset, **options)  # type: ignore[arg-type]


def test_robustness_of_each_case_is_drawn_and_counted(dataset: SeriesDataset) -> None:
    rows = data_of(plot_robustness(PHI, X=dataset.X_train, y=dataset.y_train), "robustness")
    rho = robustness(PHI, np.array(dataset.X_train))
    for row in rows:
        if row["kind"] == "case":
            assert row["value"] == pytest.approx(rho[row["case"]], abs=1e-3)
            assert row["label"] == dataset.y_train[row["case"]]
    assert sum(row["kind"] == "case" for row in rows) == len(rho)


def test_thinned_cases_keep_the_extremes() -> None:
    many = make_dataset(4000, n_timepoints=20)
    rows = data_of(plot_robustness(PHI, X=many.X_train, y=many.y_train), "robustness")
    rho = robustness(PHI, np.array(many.X_train))
    drawn = [row["value"] for row in rows if row["kind"] == "case"]
    assert len(drawn) <= 1200
    assert [min(drawn), max(drawn)] == pytest.approx([rho.min(), rho.max()], abs=1e-2)


def test_infinite_robustness_is_counted_but_not_drawn(dataset: SeriesDataset) -> None:
    rows = data_of(plot_robustness(parse("true"), X=dataset.X_train, y=dataset.y_train), "robustness")
    assert {row["kind"] for row in rows} == {"class"} and rows[0]["text"] == "12 of 12 hold"


def test_traces_are_those_of_every_part(dataset: SeriesDataset) -> None:
    case = dataset.X_train[0]
    rows = [row for row in data_of(plot_traces(PHI, case=case), "traces") if row["kind"] == "trace"]
    traces = robustness_traces(PHI, np.array(case)[None])
    assert len(rows) == len(traces) == len(list(walk(PHI)))
    for row, (path, _) in zip(rows, walk(PHI), strict=True):
        drawn = np.interp(np.arange(case.shape[1]), row["t"], row["value"])
        assert np.allclose(drawn, traces[path][0], atol=1e-3)
        signs = np.sign(row["value"])
        assert (signs[1:] * signs[:-1] >= 0).all()  # between two signs there is a zero


def test_long_traces_keep_their_peaks() -> None:
    case = np.zeros((1, 20_000))
    case[0, 12_345] = 7
    rows = data_of(plot_traces(parse("G x0 <= 9"), case=case), "traces")
    assert sum(len(row["t"]) for row in rows) < 5000
    [atom] = [row for row in rows if row["part"].endswith("x₀ ≤ 9") and row["kind"] == "trace"]
    assert min(atom["value"]) == 2 and atom["t"][atom["value"].index(2)] == 12_345


def test_rings_follow_the_witness(dataset: SeriesDataset) -> None:
    case = np.array(dataset.X_train[0])
    rings = [row for row in data_of(plot_traces(PHI, case=case), "traces") if row["kind"] == "decides"]
    chain = witness(PHI, case).chain
    assert sorted(ring["t"][0] for ring in rings) == sorted(time for _, time in chain)


def test_large_formulas_show_their_outer_parts(dataset: SeriesDataset) -> None:
    large = parse(" & ".join(f"F[0,{i}] x0 >= {i}" for i in range(1, 15)))
    chart = plot_traces(large, case=dataset.X_train[0])
    assert len({row["place"] for row in data_of(chart, "traces")}) == 16
    assert "left out" in " ".join(row["text"] for row in data_of(chart, "heading"))


def test_the_tree_has_every_node_its_value_and_the_deciding_path(dataset: SeriesDataset) -> None:
    case = np.array(dataset.X_train[0])
    rows = data_of(plot_tree(PHI, case=case, marked=(1,)), "tree")
    nodes = [row for row in rows if row["kind"] != "link"]
    assert len(nodes) == len(list(walk(PHI)))
    value = witness(PHI, case)
    assert nodes[0]["value"].split(" at ")[0] == f"{value.value:.3g}"
    decisive = [row["is_decisive"] for row in nodes]
    assert sum(decisive) == len(value.chain)
    # the value at the leaf that decides is the value of the whole, up to sign
    leaf = [row for row in nodes if row["is_decisive"] and row["kind"] == "leaf"]
    assert abs(float(leaf[0]["value"].split(" at ")[0])) == pytest.approx(abs(value.value), rel=0.01)
    assert [row["is_marked"] for row in nodes] == [path[:1] == (1,) for path, _ in walk(PHI)]


def test_no_two_leaves_share_a_line() -> None:
    rows = data_of(plot_tree(PHI), "tree")
    lines = [row["line"] for row in rows if row["kind"] == "leaf"]
    assert lines == [0, 1, 2] and all(row.get("value", "") == "" for row in rows)


@pytest.mark.parametrize(
    "text",
    [
        "G[10,150] F[0,120] (x0 >= 1)",
        "F[1,3] G[2,9] F[123,456] G[0,1000] (x0 >= 1 & F[20,80] x1 <= 2)",
        "G (x0 >= 1 -> F[100,190] G[0,5] (x1 >= 2 | x0 <= -1))",
    ],
)
def test_labels_of_nested_windows_do_not_overlap(text: str) -> None:
    """Labels are monospaced at 11 pixels, of which a character takes 0.6; values are smaller."""
    case = np.random.default_rng(0).normal(size=(2, 200))
    rows = data_of(plot_tree(parse(text), case=case, step=0.0625, unit="s"), "tree")
    parts = [row for row in rows if row["kind"] != "link"]
    for row in parts:
        later = [other["x"] for other in parts if other["line"] == row["line"] and other["x"] > row["x"]]
        if later:
            assert row["x"] - 6 + 0.6 * 11 * len(row["text"]) < min(later) - 6
            assert row["x"] + 6 + 0.5 * 10 * len(row["value"]) < min(later)


def test_steps_are_those_of_the_trace() -> None:
    trace = simplify(parse("!(x0 <= 1 | !F x1 > 2)"))
    rows = data_of(plot_steps(trace, chosen=2), "steps")
    assert [row["rule"] for row in rows] == ["start", *(step.rule.name for step in trace.steps)]
    assert [row["size"] for row in rows] == [phi.size for phi in trace.formulas]
    assert [row["number"] for row in rows if row["is_chosen"]] == [2]


def test_confusion_counts_pairs() -> None:
    rows = data_of(plot_confusion(["a", "a", "b"], y_pred=["a", "b", "b"]), "confusion")
    found = {(row["true"], row["predicted"]): (row["count"], row["share"], row["is_right"]) for row in rows}
    assert found == {("a", "a"): (1, 0.5, True), ("a", "b"): (1, 0.5, False), ("b", "b"): (1, 1.0, True)}
    with pytest.raises(PlotError, match="every case"):
        plot_confusion(["a"], y_pred=["a", "b"])
    with pytest.raises(PlotError, match="'b' is missing"):
        plot_confusion(["a", "b"], y_pred=["a", "b"], classes=["a"])


def test_the_best_are_those_that_nothing_beats() -> None:
    frame = pd.DataFrame({"method": list("abcd"), "nodes": [1, 5, 5, 9], "accuracy": [0.5, 0.9, 0.8, 0.9]})
    rows = data_of(plot_tradeoff(frame), "tradeoff")
    assert [row["name"] for row in rows if row["is_best"]] == ["a", "b"]
    with pytest.raises(PlotError, match="'size'"):
        plot_tradeoff(frame, cost="size")
    twice = pd.concat([frame, frame[:1].assign(method="a too")])
    labels = [row["label"] for row in data_of(plot_tradeoff(twice), "tradeoff")]
    assert labels[0] == "a, a too" and labels[-1] == ""


def test_the_map_is_that_of_principal_components() -> None:
    points = np.random.default_rng(0).normal(size=(30, 5))
    places, shares = project(points @ points.T)
    pca = PCA(2).fit(points)
    assert np.allclose(np.abs(places), np.abs(pca.transform(points)))
    assert np.allclose(shares, pca.explained_variance_ratio_)


def test_concepts_are_coloured_by_operator_or_class(dataset: SeriesDataset) -> None:
    formulas = [
        parse("F x0 >= 1"),
        parse("G x0 >= 1"),
        parse("!(x1 <= 0 U x0 > 1)"),
        parse("tube(x0 ~ 1 2 +- 1)"),
    ]
    rows = data_of(plot_concept_map(formulas, X=dataset.X_train), "concept map")
    assert [row["group"] for row in rows] == ["at some time", "always", "until", "shape"]
    relevance = np.array([[1, 2], [3, 0], [0, 1], [5, 4]])
    chart = plot_concept_map(formulas, X=dataset.X_train, relevance=relevance, classes=[HOSTILE, "calm"])
    assert [row["group"] for row in data_of(chart, "concept map")] == ["calm", HOSTILE, "calm", HOSTILE]
    with pytest.raises(PlotError, match="shape"):
        plot_concept_map(formulas, relevance=relevance[:3], classes=[HOSTILE, "calm"])


def test_a_heading_wraps_and_ends() -> None:
    lines = Heading("title", "x " * 800, "word " * 40).rows()
    assert max(len(line["text"]) for line in lines) <= 98
    assert [line["line"] for line in lines] == list(range(len(lines)))
    assert lines[-1]["text"].endswith("…") and len(lines) <= 13


def test_the_tree_shows_the_threshold_of_a_long_sum() -> None:
    text = "sum(0.123456*mean(x0, 13)@20, -0.456789*mean(x1, 10)@3, 0.25*x0@99) >= 0.2"
    leaf = data_of(plot_tree(parse(f"G[50,50] {text}"), case=np.zeros((2, 60))), "tree")[-1]
    assert leaf["text"] == "the weighted sum of x0 and x1 ≥ 0.2"


def test_saliency_marks_what_decides_and_leaves_out_channels_that_do_not() -> None:
    case = np.zeros((3, 20))
    found = np.zeros((3, 20))
    found[0, 4], found[2, 7], found[2, 8] = 2.0, -1.0, 0.001
    rows = data_of(plot_saliency(found, case=case), "saliency")
    assert {row["signal"] for row in rows} == {"x0", "x2"}
    marks = {
        (row["signal"], row["time"]): (row["role"], row["strength"]) for row in rows if row["strength"] > 0
    }
    assert marks == {
        ("x0", 4): ("speaks for the class", 1.0),
        ("x2", 7): ("speaks against it", 0.5),
    }


def test_saliency_of_a_long_case_keeps_its_strongest_sample() -> None:
    found = np.zeros((1, 30_000))
    found[0, 12_345] = 1.0
    rows = data_of(plot_saliency(found, case=np.zeros((1, 30_000))), "saliency")
    assert len(rows) < 2000
    assert [row["time"] for row in rows if row["strength"] > 0] == [12_345]


def test_a_case_in_which_nothing_decides_is_drawn() -> None:
    rows = data_of(plot_saliency(np.zeros((2, 5)), case=np.ones((2, 5))), "saliency")
    assert {row["signal"] for row in rows} == {"x0"} and not any(row["strength"] for row in rows)


def test_a_map_of_another_case_is_refused() -> None:
    with pytest.raises(PlotError, match=r"\(2, 5\) and \(2, 6\)"):
        plot_saliency(np.zeros((2, 5)), case=np.zeros((2, 6)))
