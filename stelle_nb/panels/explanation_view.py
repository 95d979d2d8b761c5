"""An explanation in words and as a picture, changed where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import ipywidgets

from stelle_nb.explain.class_explanation import ClassExplanation
from stelle_nb.explain.explanation import Explanation, nodes_text, percent
from stelle_nb.explain.figure import n_samples
from stelle_nb.explain.local_explanation import LocalExplanation
from stelle_nb.explain.regions import Case
from stelle_nb.explain.wording import Wording
from stelle_nb.panels.chart_view import ChartView, bare_spec
from stelle_nb.panels.words import explanation_html
from stelle_nb.plots.chart import finish
from stelle_nb.plots.heading import Heading
from stelle_nb.plots.local_explanation import PICTURE, picture_chart
from stelle_nb.plots.picture import picture_rows

_HEIGHT = 180


class ExplanationView:
    """Text above, picture below.

    Attributes
    ----------
    text, chart
        The two widgets.
    """

    def __init__(self) -> None:
        self.text = ipywidgets.HTML()
        self.chart = ChartView()

    def clear(self) -> None:
        """Show nothing."""
        self.text.value = ""
        self.chart.clear()

    def show(self, explanation: Explanation, facts: Mapping[str, str], case: Case | None) -> None:
        """Show an explanation, drawn on a case."""
        self.text.value = explanation_html(explanation, facts)
        if not explanation.channels:  # true or false: there is nothing to draw
            self.chart.clear()
            return
        alternatives = (
            [clause.formula for clause in explanation.clauses]
            if isinstance(explanation, ClassExplanation)
            else []
        )
        background = explanation.background
        n = n_samples(background) if case is None else case.shape[1]
        rows = picture_rows(
            explanation.formula,
            explanation.target,
            case,
            background,
            explanation.wording,
            alternatives=alternatives,
        )
        label = f"{explanation.title} {explanation.to_english()}"
        self.chart.draw(picture_spec(explanation.wording, n), {PICTURE: rows}, label)


@lru_cache(maxsize=8)
def picture_spec(wording: Wording, n_timepoints: int) -> dict[str, Any]:
    """The chart of all explanations of a data set; Altair takes a second to write it."""
    body = picture_chart(wording, n_timepoints, _HEIGHT)
    return bare_spec(finish(Heading(""), body, data={PICTURE: []}, description=""))


def local_facts(explanation: LocalExplanation) -> dict[str, str]:
    """What a reader wants to know of a local explanation first."""
    target = explanation.target
    nodes = nodes_text(explanation.formula)
    return {
        "predicted": f"{explanation.prediction}; {target} has {percent(explanation.probability)}",
        "separates": f"excludes {percent(explanation.separability)} of the training cases of other classes",
        "covers": f"holds for {percent(explanation.coverage)} of the training cases of {target}",
        "length": f"{nodes} nodes; {explanation.considered} concepts were considered",
    }


def class_facts(explanation: ClassExplanation) -> dict[str, str]:
    """What a reader wants to know of a class explanation first."""
    n_own, n_others = explanation.n_own, explanation.n_opponents
    n, nodes = len(explanation.clauses), nodes_text(explanation.formula)
    return {
        "covers": f"holds for {percent(explanation.recall)} of the {n_own} training cases of the class",
        "separates": f"excludes {percent(explanation.specificity)} of {n_others} training cases of others",
        "length": f"{nodes} nodes in {n} alternative{'s' * (n != 1)}"
        if explanation.needed == 1
        else f"{nodes} nodes in {n} conditions, of which {explanation.needed} have to hold",
    }
