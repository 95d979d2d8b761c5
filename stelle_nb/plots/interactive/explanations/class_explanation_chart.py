"""A class explanation drawn on an example, and the cases for which each part of it holds."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np

from stelle_nb.arguments import validate_types
from stelle_nb.errors import PlotError
from stelle_nb.estimator.validation import enter_series
from stelle_nb.explain.classes.class_explanation import ClassExplanation
from stelle_nb.explain.explanation import percent
from stelle_nb.logic.formula import Formula
from stelle_nb.plots.chart import PlotChart, finish
from stelle_nb.plots.heading import Heading
from stelle_nb.plots.interactive.explanations.local_explanation_chart import PICTURE, picture_chart
from stelle_nb.plots.interactive.robustness_chart import ROBUSTNESS, checked_labels, strip_layers, strip_rows
from stelle_nb.plots.parts import rows_of_parts
from stelle_nb.plots.scene_rows import scene_rows
from stelle_nb.plots.theme import GREY, OWN, Body
from stelle_nb.semantics.robustness import robustness

OWN_CASES, OTHER_CASES = "the class", "other classes"


@validate_types(PlotError)
def plot_class_explanation(
    explanation: ClassExplanation, *, X: Any, y: Any, row_height: int = 110
) -> PlotChart:
    """Show a class explanation on an example, and how clearly each part separates the class from others.

    The case in front is the median of the class's cases that satisfy the formula, by robustness. Below,
    each point is a case: right of zero the part covers it, left of zero it excludes it.

    Parameters
    ----------
    X, y
        Cases to evaluate ``(case, channel, time)``, and their labels: the training cases, or unseen ones.
    row_height
        Pixels for each signal.
    """
    X = enter_series(X)
    series, labels = np.array(X), checked_labels(X, y)
    is_own = np.array([label == explanation.target for label in labels])
    values = clause_values(explanation, series)
    whole = np.asarray(robustness(explanation.formula, series), dtype=np.float64)
    example = middle_case(whole, is_own)
    scene = explanation.scene(None if example is None else series[example])
    names = [OWN_CASES, OTHER_CASES]
    strips = strip_rows(values, [names[0] if own else names[1] for own in is_own], names)
    note = (
        f"Here the formula holds for {percent(_share(whole[is_own] >= 0))} of the class and excludes "
        f"{percent(_share(whole[~is_own] < 0))} of the others. Each point is a case; right of 0 it holds."
    )
    heading = Heading(explanation.title, explanation.to_unicode(), explanation.to_english(), note)
    return finish(
        heading,
        picture_chart(explanation.wording, series.shape[2], row_height),
        _strips(names),
        data={PICTURE: scene_rows(scene), ROBUSTNESS: strips},
        description="A class explanation on an example, and the cases that it covers and excludes",
    )


def clause_values(explanation: ClassExplanation, X: Any) -> dict[str, Any]:
    """The robustness of each alternative and of the whole, by their names in the chart."""

    def rho(formula: Formula) -> Any:
        return np.asarray(robustness(formula, X), dtype=np.float64)

    values = {
        f"({i}): {shortened(explanation.wording.unicode(clause.formula))}": rho(clause.formula)
        for i, clause in enumerate(explanation.clauses, start=1)
    }
    if len(values) < 2:
        return {"the formula": rho(explanation.formula)}
    enough = "any" if explanation.needed == 1 else f"at least {explanation.needed}"
    return {**values, f"{enough} of them: the whole formula": rho(explanation.formula)}


def shortened(text: str, n_letters: int = 84) -> str:
    """Text that fits into a line."""
    return text if len(text) <= n_letters else f"{text[: n_letters - 1]}…"


def middle_case(rho: Any, is_own: Any) -> int | None:
    """The case of the class with the median robustness among those that satisfy the formula."""
    held = np.flatnonzero(is_own & (rho >= 0))
    return int(held[np.argsort(rho[held], kind="stable")[len(held) // 2]]) if len(held) else None


def _share(flags: Any) -> float:
    return float(flags.mean()) if len(flags) else float("nan")


def _strips(names: list[str]) -> Body:
    colour = alt.Color("label:N", legend=None, scale=alt.Scale(domain=names, range=[OWN, GREY]))
    return strip_layers(names, colour, title=None).facet(row=rows_of_parts()).resolve_scale(x="independent")
