"""Figures for print: the same data, no state of pyplot, names taken literally."""

from __future__ import annotations

import io
import warnings
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from stelle_nb import plots
from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.estimator import StelleClassifier
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.plots import figure_local_explanation, figure_robustness, figure_signals
from tests.plots.conftest import HOSTILE, SCRIPT


@pytest.fixture(scope="session")
def figures(dataset: SeriesDataset, classifier: StelleClassifier) -> dict[str, Figure]:
    names = {"channel_names": dataset.channel_names, "step": 0.5, "unit": "s"}
    return {
        "signals": figure_signals(dataset),
        "local": figure_local_explanation(classifier.explain_local(dataset.X_train[:1])[0]),
        "robustness": figure_robustness(
            parse("F[8,16] (x0 >= 3)"), X=dataset.X_train, y=dataset.y_train, **names
        ),
    }


@pytest.mark.parametrize("name", ["signals", "local", "robustness"])
@pytest.mark.parametrize("format", ["pdf", "svg"])
def test_writes_vector_graphics_with_any_name(name: str, format: str, figures: dict[str, Figure]) -> None:
    file = io.BytesIO()
    figures[name].savefig(file, format=format)  # a name taken as mathematics would raise here
    assert len(file.getvalue()) > 1000


def test_shows_names_as_they_are(figures: dict[str, Figure]) -> None:
    texts = [text.get_text().replace("\n", " ") for text in figures["signals"].findobj(Text)]
    assert HOSTILE in texts and "time (s)" in texts
    assert any(SCRIPT[:8] in text for text in texts)


def test_every_symbol_has_a_glyph(dataset: SeriesDataset) -> None:
    formula = parse("!(x0 >= 3 U[8,16] G[0,2] x0 <= 1) | F x0 < 2")
    figure = figure_robustness(formula, X=dataset.X_train, y=dataset.y_train)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a missing one is a warning
        figure.savefig(io.BytesIO(), format="png")


def test_the_case_is_drawn_whole(
    dataset: SeriesDataset, classifier: StelleClassifier, figures: dict[str, Figure]
) -> None:
    lines = [
        np.asarray(line.get_ydata(), dtype=float) for each in figures["local"].axes for line in each.lines
    ]
    [explanation] = classifier.explain_local(dataset.X_train[:1])
    rows = explanation.scene(explanation.case).rows
    assert rows
    for case in (np.asarray(row.case) for row in rows):
        assert any(len(line) == len(case) and np.allclose(line, case, atol=1e-3) for line in lines)


def test_nothing_imports_pyplot() -> None:
    modules = list(Path(plots.__file__).parent.rglob("*.py"))
    assert len(modules) > 10
    assert not [module.name for module in modules if "import matplotlib.pyplot" in module.read_text("utf-8")]
    assert not [module.name for module in modules if "matplotlib import pyplot" in module.read_text("utf-8")]
