"""What holds for every chart: valid, small, safe, legible on any page, and updatable."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import vl_convert

from stelle_nb import plots
from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.estimator import StelleClassifier
from stelle_nb.explain.local.local_explanation import Conjunct, LocalExplanation
from stelle_nb.explain.local.sheet import score_sheet
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.metrics import Deletion, Faithfulness, FaithfulnessRow, Intervention
from stelle_nb.model.card.scorecard import Scorecard
from stelle_nb.model.paper.history import EpochRow, History
from stelle_nb.plots import PlotChart
from stelle_nb.plots.theme import TEXT
from stelle_nb.rewrite import simplify
from tests.plots.conftest import HOSTILE, make_dataset, nodes_of, spec_of

PHI = parse("F[8,16] (x0 >= 3) & G[0,5] (x1 <= 4 | !(x0 > 9)) & tube[0,20](x1 ~ 0 0 +- 3; step 2)")
TEXTS = {"channel_names": make_dataset(2).channel_names, "step": 0.5, "unit": "s"}


def make_history(n_epochs: int = 30) -> History:
    rows = tuple(
        EpochRow(
            epoch=i + 1,
            loss=1 / (i + 1),
            watched_loss=None if i % 3 else 0.5,
            watched_accuracy=None if i % 3 else 0.9,
            temperature=1.0,
            locality=1.0,
            temperature_strength=1.0,
            locality_strength=1.0,
        )
        for i in range(n_epochs)
    )
    return History(rows=rows, best_epoch=7, ending="patience", watched="validation")


def with_sheet(why: LocalExplanation) -> LocalExplanation:
    """The explanation with a score sheet made by hand, for a model without one."""
    card = Scorecard(
        formulas=tuple(map(parse, ("F[8,16] (x0 >= 3)", "G[0,5] (x1 <= 4 | !(x0 > 9))", "G (x1 <= 1.5)"))),
        points=[[3, -1], [-0.5, 0.25], [0, 2]], reach=[1, 2, 1], bias=[0.5, 0], classes=(HOSTILE, "calm"),
    )  # fmt: skip
    sheet = score_sheet(card, card.degrees(why.case[None])[0], 0)
    conjuncts = tuple(
        Conjunct(part.formula, part.formula, j, 1.0, 0.5) for j, part in enumerate(sheet.contributions)
    )
    return replace(why, target=HOSTILE, sheet=sheet, conjuncts=conjuncts[:2])


def make_faithfulness(n_cases: int = 20) -> Faithfulness:
    rng = np.random.default_rng(0)
    rows = []
    for i in range(n_cases):
        deletion = Deletion(rng.random(), rng.random(), 1.0, rng.random() / 4, 1.0)
        change = Intervention(1.0, 1.0, rng.random() / 4, 2.0, 5)
        rows.append(FaithfulnessRow(i, HOSTILE, 1 + i % 4, 3.0, 5, deletion, change, change, 1.0))
    return Faithfulness(tuple(rows))


def make_charts(data: SeriesDataset, model: StelleClassifier) -> dict[str, Callable[[], PlotChart]]:
    X, y = data.X_train, data.y_train
    explain = model.explain_global
    results = pd.DataFrame({"method": [HOSTILE, "b"], "accuracy": [0.9, 0.8], "nodes": [3, 9]})
    return {
        "signals": lambda: plots.plot_signals(data),
        "local": lambda: plots.plot_local_explanation(model.explain_local(X[:1])[0]),
        "sheet": lambda: plots.plot_score_sheet(with_sheet(model.explain_local(X[:1])[0])),
        "class": lambda: plots.plot_class_explanation(explain()[HOSTILE], X=X, y=y),
        "robustness": lambda: plots.plot_robustness(PHI, X=X, y=y, **TEXTS),
        "tree": lambda: plots.plot_tree(PHI, case=X[0], **TEXTS),
        "traces": lambda: plots.plot_traces(PHI, case=X[0], **TEXTS),
        "steps": lambda: plots.plot_steps(simplify(~PHI), chosen=1, channel_names=data.channel_names),
        "cover": lambda: plots.plot_cover(explain()[HOSTILE], X=X, y=y),
        "confusion": lambda: plots.plot_confusion(y, y_pred=y[::-1]),
        "map": lambda: plots.plot_concept_map(model.concepts_, X=X, channel_names=data.channel_names),
        "history": lambda: plots.plot_history(make_history()),
        "tradeoff": lambda: plots.plot_tradeoff(results),
        "saliency": lambda: plots.plot_saliency(X[1] / 9, case=X[0], **TEXTS),
        "faithfulness": lambda: plots.plot_faithfulness(make_faithfulness()),
    }


NAMES = (
    *("signals", "local", "sheet", "class", "robustness", "tree", "traces"),
    *("steps", "cover", "confusion", "map", "history", "tradeoff", "saliency", "faithfulness"),
)


@pytest.fixture(scope="session")
def charts(dataset: SeriesDataset, classifier: StelleClassifier) -> dict[str, PlotChart]:
    return {name: make() for name, make in make_charts(dataset, classifier).items()}


@pytest.fixture(scope="session")
def many_charts(classifier: StelleClassifier) -> dict[str, PlotChart]:
    """The same on a thousand cases."""
    return {name: make() for name, make in make_charts(make_dataset(1000), classifier).items()}


def test_every_public_plot_function_is_among_them() -> None:
    found = {name for name in plots.__all__ if name.startswith("plot_")}
    shown = {
        "local": "local_explanation",
        "sheet": "score_sheet",
        "class": "class_explanation",
        "map": "concept_map",
    }
    assert found == {f"plot_{shown.get(name, name)}" for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_is_valid_vega_lite_whose_marks_draw_columns_that_exist(
    name: str, charts: dict[str, PlotChart]
) -> None:
    spec = spec_of(charts[name])
    datasets = spec["datasets"]
    columns = {column for rows in datasets.values() for row in rows for column in row}
    calculated = {node["as"] for node in nodes_of(spec["vconcat"]) if "calculate" in node}
    fields = {node["field"] for node in nodes_of(spec["vconcat"]) if isinstance(node.get("field"), str)}
    assert fields <= columns | calculated
    named = {node["name"] for node in nodes_of(spec["vconcat"]) if set(node) == {"name"}}
    assert named == set(datasets)


@pytest.mark.parametrize("version", ["5.8", "6.4"])  # JupyterLab's own, about, and that of Altair's widget
@pytest.mark.parametrize("name", NAMES)
def test_renders(name: str, version: str, charts: dict[str, PlotChart]) -> None:
    svg = vl_convert.vegalite_to_svg(charts[name].to_dict(), vl_version=version)
    assert svg.count("<path") + svg.count("<text") > 10
    assert "<img" not in svg


@pytest.mark.parametrize("name", NAMES)
def test_no_text_of_users_is_part_of_an_expression(name: str, charts: dict[str, PlotChart]) -> None:
    spec = charts[name].to_dict()
    code = [
        value
        for node in nodes_of(spec["vconcat"])
        for key, value in node.items()
        if key in ("expr", "calculate", "test", "filter", "labelExpr", "signal") and isinstance(value, str)
    ]
    for text in (HOSTILE, "script", "bad{", "pulse", "calm"):
        assert not any(text in expression for expression in code)
    assert not any(key in node for node in nodes_of(spec["vconcat"]) for key in ("href", "url"))


@pytest.mark.parametrize("name", ["local", "class", "confusion"])
def test_a_page_cannot_be_closed_by_a_label(name: str, charts: dict[str, PlotChart], tmp_path: Path) -> None:
    charts[name].save(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert HOSTILE not in page and "</script><b>" not in page
    assert "\\u003cimg src=x" in page
    assert 'src="http' not in page


@pytest.mark.parametrize("name", NAMES)
def test_suits_light_and_dark_pages(name: str, charts: dict[str, PlotChart]) -> None:
    spec = charts[name].to_dict()
    assert spec["config"]["background"] == "transparent"
    for part in ("axis", "header", "legend"):
        assert spec["config"][part]["labelColor"] == TEXT
    assert contrast(TEXT, "#ffffff") > 4.4 and contrast(TEXT, "#111111") > 4.1


@pytest.mark.parametrize("name", NAMES)
def test_a_thousand_cases_stay_small(name: str, many_charts: dict[str, PlotChart]) -> None:
    datasets = many_charts[name].to_dict()["datasets"]
    assert sum(len(rows) for rows in datasets.values()) < 5000
    assert len(json.dumps(datasets)) < 700_000
    points = sum(len(row.get("t", [0])) for rows in datasets.values() for row in rows)
    assert points < 20_000


def test_a_notebook_keeps_a_picture_and_needs_no_network(charts: dict[str, PlotChart]) -> None:
    bundle: dict[str, Any] = charts["tree"]._repr_mimebundle_()
    assert base64.b64decode(bundle["image/png"]).startswith(b"\x89PNG")
    json.dumps(bundle)  # marimo sends it as such
    assert bundle["application/vnd.vegalite.v5+json"]["datasets"]["tree"]
    assert "text/html" not in bundle


def test_data_hold_only_what_json_knows(charts: dict[str, PlotChart]) -> None:
    for chart in charts.values():
        json.dumps(chart.to_dict(), allow_nan=False)


def test_another_case_is_new_data_for_the_same_chart(
    dataset: SeriesDataset, classifier: StelleClassifier
) -> None:
    explanations = classifier.explain_local(dataset.X_train[:2])
    one, other = map(plots.plot_local_explanation, explanations)
    assert plots.local_explanation_data(explanations[1]) == other.to_dict()["datasets"]
    changed = plots.new_data(one, other)
    assert changed is not None and set(changed) == {"heading", "picture"}
    assert changed["picture"] == other.to_dict()["datasets"]["picture"]
    assert plots.new_data(one, plots.plot_tree(PHI)) is None


def contrast(one: str, other: str) -> float:
    """As WCAG 2 defines it."""
    bright, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    channels = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])
