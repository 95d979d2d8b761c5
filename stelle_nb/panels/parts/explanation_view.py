"""An explanation in words and as a picture, updated in place."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import ipywidgets

from stelle_nb.depict.class_names import class_name
from stelle_nb.depict.regions import Case
from stelle_nb.depict.wording import Wording
from stelle_nb.explain.classes.class_explanation import ClassExplanation
from stelle_nb.explain.classes.counts import Counts
from stelle_nb.explain.explanation import Explanation, nodes_text, percent
from stelle_nb.explain.local.local_explanation import LocalExplanation
from stelle_nb.explain.local.printing.local_words import against_words
from stelle_nb.explain.local.printing.novelty_words import novelty_facts
from stelle_nb.panels.widgets.chart_view import ChartView, bare_spec
from stelle_nb.panels.widgets.panel_words import explanation_html
from stelle_nb.plots.chart import finish
from stelle_nb.plots.heading import Heading
from stelle_nb.plots.interactive.explanations.local_explanation_chart import PICTURE, picture_chart
from stelle_nb.plots.scene_rows import scene_rows

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

    def show(
        self,
        explanation: Explanation,
        facts: Mapping[str, str],
        case: Case | None,
        *,
        has_sheet: bool = False,
    ) -> None:
        """Show an explanation, drawn on a case; for a score card with its score sheet, if wanted."""
        self.text.value = explanation_html(explanation, facts, has_sheet=has_sheet)
        if not explanation.channels:  # true or false: there is nothing to draw
            self.chart.clear()
            return
        scene = explanation.scene(case)
        label = f"{explanation.title} {explanation.to_english()}"
        spec = picture_spec(explanation.wording, scene.n_timepoints)
        self.chart.draw(spec, {PICTURE: scene_rows(scene)}, label)


@lru_cache(maxsize=8)
def picture_spec(wording: Wording, n_timepoints: int) -> dict[str, Any]:
    """The chart of all explanations of a data set; Altair takes a second to write it."""
    body = picture_chart(wording, n_timepoints, _HEIGHT)
    return bare_spec(finish(Heading(""), body, data={PICTURE: []}, description=""))


def local_facts(explanation: LocalExplanation, unseen: Counts | None = None) -> dict[str, str]:
    """The key facts of a local explanation, after the verdict and the reasons.

    Parameters
    ----------
    unseen
        How its formula divides unseen cases, if there are any.
    """
    target = class_name(explanation.target)
    against = {} if explanation.sheet is None else {"against": against_words(explanation)}
    separates = f"excludes {percent(explanation.separability)} of the training cases of other classes"
    covers = f"holds for {percent(explanation.coverage)} of the training cases of {target}"
    if unseen is not None:
        separates += f" and {percent(unseen.specificity)} of the unseen ones"
        covers += f" and {percent(unseen.recall)} of the unseen ones"
    return {
        **against,
        "separates": separates,
        "covers": covers,
        "length": f"{nodes_text(explanation.formula)}; {_let_in(explanation)}",
        **novelty_facts(explanation.novelty, explanation.is_foreign),
    }


def _let_in(explanation: LocalExplanation) -> str:
    """How much of what speaks for the class is shown."""
    n = explanation.considered
    if explanation.sheet is None:
        return f"{n} concept{'s were' if n != 1 else ' was'} considered"
    n_shown, n_for = len(explanation.shown), len(explanation.sheet.speaking_for)
    return f"{n_shown} of the {n_for} formulas that speak for {class_name(explanation.target)} are shown"


def class_facts(explanation: ClassExplanation) -> dict[str, str]:
    """The key facts of a class explanation."""
    covers = f"holds for {percent(explanation.recall)} of the {explanation.n_own} training cases of the class"
    n_others = explanation.n_opponents
    separates = f"excludes {percent(explanation.specificity)} of {n_others} training cases of others"
    if (unseen := explanation.unseen) is not None:
        covers += f", and for {percent(unseen.recall)} of {unseen.n_own} unseen ones"
        separates += f", and {percent(unseen.specificity)} of {unseen.n_opponents} unseen ones"
    return {"covers": covers, "separates": separates, "length": _length(explanation)}


def _length(explanation: ClassExplanation) -> str:
    n, nodes = len(explanation.clauses), nodes_text(explanation.formula)
    if explanation.needed > 1:
        return f"{nodes} in {n} conditions, of which at least {explanation.needed} must hold"
    if n == 1 and explanation.card:
        n = len(explanation.conjuncts)
        return f"{nodes} in {n} condition{'s' * (n != 1)}"
    return f"{nodes} in {n} alternative{'s' * (n != 1)}"
