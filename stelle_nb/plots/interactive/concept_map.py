"""A map of concepts: formulas that behave alike lie close together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Float

from stelle_nb.arguments import validate_types
from stelle_nb.concepts.concept_set import ConceptSet
from stelle_nb.depict.wording import Wording
from stelle_nb.errors import PlotError
from stelle_nb.estimator.validation import enter_series
from stelle_nb.kernels.formula_kernel import formula_kernel
from stelle_nb.kernels.signature import signatures
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.syntax import Always, And, AtLeast, Atom, Eventually, Implies, Not, Or, Tube, Until
from stelle_nb.plots.chart import PlotChart, Rows, finish
from stelle_nb.plots.heading import Heading
from stelle_nb.plots.interactive.explanations.class_explanation_chart import shortened
from stelle_nb.plots.lines import short
from stelle_nb.plots.theme import TEXT, WIDTH, Body, colours_of, names_of, ordered_names

MAP = "concept map"
MAX_CONCEPTS = 1500
_KINDS: dict[type[Formula], str] = {
    Always: "always",
    Eventually: "at some time",
    Until: "until",
    Tube: "shape",
    And: "and, or",
    Or: "and, or",
    Implies: "and, or",
    AtLeast: "and, or",
    Atom: "comparison",
}


@validate_types(PlotError)
def plot_concept_map(
    concepts: ConceptSet | Sequence[Formula],
    *,
    X: Any = None,
    relevance: Any = None,
    classes: Sequence[Any] | None = None,
    channel_names: Sequence[str] | None = None,
    n_draws: int = 300,
    random_state: int = 0,
) -> PlotChart:
    """Show formulas in the plane that captures most of their differences by the formula kernel.

    Parameters
    ----------
    concepts
        Formulas; if there are more than 1500, only the most relevant, or the first, are shown.
    X
        Cases on which behaviour is compared; random trajectories of the base measure if left out. Formulas in
        the units of a data set need its cases.
    relevance
        How much each concept matters, axes (concept,) or (concept, class): it sets the size of points, and
        with classes their colour, which otherwise shows the outermost operator.
    classes
        Labels of the second axis of ``relevance``.
    channel_names
        What to call the channels instead of x₀, x₁, ….
    n_draws, random_state
        Number and seed of the trajectories.
    """
    formulas = list(concepts)
    if X is not None:
        X = enter_series(X)
    weights = _checked_relevance(relevance, len(formulas), classes)
    kept = _most_relevant(weights, len(formulas))
    formulas, weights = [formulas[i] for i in kept], None if weights is None else weights[kept]
    kernel = _kernel(formulas, X, n_draws, random_state)
    places, shares = project(kernel)
    names = [str(label) for label in (() if classes is None else classes)]
    rows = _rows(
        formulas, places, weights, names, Wording(None if channel_names is None else tuple(channel_names))
    )
    groups = names_of(names) if names else ordered_names(row["group"] for row in rows)
    where = "random trajectories" if X is None else f"{len(X)} cases"
    text = (
        f"Neighbours behave alike on {where}. The plane shows {100 * sum(shares):.0f} % of the differences."
    )
    of_all = "" if len(formulas) == len(concepts) else f" of {len(concepts)}"
    heading = Heading(f"A map of {len(formulas)}{of_all} concepts", text=text)
    return finish(
        heading,
        _chart(groups, by_class=bool(names), has_weights=weights is not None),
        data={MAP: rows},
        description="Map of concepts by the formula kernel",
    )


def project(kernel: Float[npt.NDArray[np.float64], "concept concept"]) -> tuple[Any, tuple[float, float]]:
    """Principal components of the points whose scalar products are given: places ``(concept, 2)`` and shares.

    Examples
    --------
    >>> places, shares = project(np.array([[1.0, -1.0], [-1.0, 1.0]]))
    >>> np.abs(places).round(6).tolist(), [round(share, 6) for share in shares]
    ([[1.0, 0.0], [1.0, 0.0]], [1.0, 0.0])
    """
    centred = kernel - kernel.mean(0) - kernel.mean(1, keepdims=True) + kernel.mean()
    lengths, axes = np.linalg.eigh((centred + centred.T) / 2)
    lengths, axes = np.clip(lengths[::-1], 0, None), axes[:, ::-1]
    # an axis may point either way; its largest entry is made positive so that maps can be compared
    signs = np.sign(axes[np.abs(axes).argmax(0), np.arange(axes.shape[1])])
    found = axes * signs * np.sqrt(lengths)
    places = np.zeros((len(kernel), 2))
    places[:, : min(2, found.shape[1])] = found[:, :2]
    total = float(lengths.sum()) or 1.0
    return places, (float(lengths[0]) / total, float(lengths[1]) / total if len(lengths) > 1 else 0.0)


def _kernel(formulas: list[Formula], X: Any, n_draws: int, random_state: int) -> Any:
    if X is None:
        return formula_kernel(formulas, n_draws=n_draws, random_state=random_state).numpy()
    cases = torch.tensor(np.array(X)[:n_draws])
    return formula_kernel(signatures(formulas, cases)).numpy()


def _checked_relevance(relevance: Any, n: int, classes: Sequence[Any] | None) -> Any:
    if relevance is None:
        if classes is not None:
            raise PlotError(
                "classes name the second axis of relevance, got classes alone. Pass relevance, too."
            )
        return None
    try:
        weights = np.abs(np.asarray(relevance, dtype=np.float64))
    except (TypeError, ValueError) as error:
        raise PlotError(f"relevance must hold numbers, one for each concept: {error}.") from error
    wanted = (n,) if classes is None else (n, len(classes))
    if weights.shape != wanted:
        raise PlotError(f"relevance must have the shape {wanted}, got {weights.shape}.")
    return weights if weights.ndim == 2 else weights[:, None]


def _most_relevant(weights: Any, n: int) -> Any:
    if n <= MAX_CONCEPTS or weights is None:
        return np.arange(min(n, MAX_CONCEPTS))
    return np.sort(np.argsort(-weights.max(1), kind="stable")[:MAX_CONCEPTS])


def _rows(formulas: list[Formula], places: Any, weights: Any, names: list[str], wording: Wording) -> Rows:
    rows: Rows = []
    for i, (formula, x, y) in enumerate(zip(formulas, short(places[:, 0]), short(places[:, 1]), strict=True)):
        group = names[int(weights[i].argmax())] if names else _kind(formula)
        weight = None if weights is None else float(weights[i].max())
        text = shortened(wording.unicode(formula), 120)
        rows.append({"number": i, "x": x, "y": y, "group": group, "weight": weight, "formula": text})
    return rows


def _kind(formula: Formula) -> str:
    while isinstance(formula, Not):
        formula = formula.child
    return _KINDS.get(type(formula), "constant")


def _chart(groups: list[str], *, by_class: bool, has_weights: bool) -> Body:
    axis = alt.Axis(labels=False, ticks=False, tickCount=5)
    title = "most relevant to" if by_class else "outermost operator"
    return (
        alt.Chart(alt.NamedData(MAP))
        .mark_circle(opacity=0.65, stroke=TEXT, strokeWidth=0.2)
        .encode(
            x=alt.X("x:Q", title="first component", axis=axis),
            y=alt.Y("y:Q", title="second component", axis=axis),
            color=alt.Color(
                "group:N",
                scale=alt.Scale(domain=groups, range=colours_of(groups)),
                legend=alt.Legend(title=title, orient="right"),
            ),
            size=alt.Size("weight:Q", legend=None, scale=alt.Scale(range=[12, 220]))
            if has_weights
            else alt.value(36),
            tooltip=[
                alt.Tooltip("formula:N", title="formula"),
                alt.Tooltip("group:N", title=title),
                alt.Tooltip("weight:Q", title="relevance"),
            ],
        )
        .properties(width=WIDTH - 170, height=380)
    )
