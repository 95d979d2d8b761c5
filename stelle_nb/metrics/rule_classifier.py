"""The class formulas as a classifier of their own: the class whose formula is most robust wins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from jaxtyping import Float
from torch import Tensor

from stelle_nb.arguments import kind_door
from stelle_nb.data.cases import Series
from stelle_nb.data.preprocess import Standardiser
from stelle_nb.data.units import to_standardised
from stelle_nb.errors import ExplanationError
from stelle_nb.logic.formula import Formula
from stelle_nb.metrics.shares import as_list, as_series, check_lengths
from stelle_nb.semantics import robustness

Scale = Float[npt.NDArray[np.float64], " channel"]


@kind_door(ExplanationError)
def channel_scale(X_train: Series) -> Scale:
    """The deviation of each channel over the training cases, 1 for a constant one: the unit of robustness."""
    return Standardiser.fit(as_series(X_train)).scale


@kind_door(ExplanationError)
def formula_units(
    formulas: Mapping[Any, Formula], X_train: Any, *, scale: Scale | None = None
) -> dict[Any, float]:
    """The deviation of each formula's robustness over the training cases, 1 for a constant one.

    Parameters
    ----------
    scale
        The unit of each channel, if robustness is to be taken in these units.
    """
    values = _robustness(list(formulas.values()), X_train, scale)  # (case, class)
    with np.errstate(invalid="ignore"):  # true and false are infinitely robust
        spread = values.std(axis=0)
    is_usable = np.isfinite(spread) & (spread > 0)
    return dict(zip(formulas, np.where(is_usable, spread, 1.0).tolist(), strict=True))


@kind_door(ExplanationError)
def predict_by_formulas(
    formulas: Mapping[Any, Formula],
    X: Any,
    *,
    scale: Scale | None = None,
    units: Mapping[Any, float] | None = None,
) -> list[Any]:
    """For each case the class whose formula has the largest robustness; the first one if several have.

    Formulas about different channels, or about changes and averages of them, can be compared only in common
    units. Without any, the numbers are compared as they are.

    Parameters
    ----------
    formulas
        From the label of a class to its formula.
    X
        Cases ``(n_cases, n_channels, n_timepoints)``.
    scale
        The unit of each channel, such as :func:`channel_scale` of the training cases.
    units
        What each formula's robustness is divided by, such as its :func:`formula_units` with the same scale.

    Examples
    --------
    >>> from stelle_nb.logic.parser import parse
    >>> formulas = {"a": parse("x0 >= 0"), "b": parse("x1 >= 0")}
    >>> X = np.array([[[1.0], [20.0]]])
    >>> predict_by_formulas(formulas, X), predict_by_formulas(formulas, X, scale=np.array([1.0, 100.0]))
    (['b'], ['a'])
    """
    if not formulas:
        raise ExplanationError("A classifier needs a formula for each class, got none.")
    labels = list(formulas)
    values = _robustness(list(formulas.values()), X, scale)  # (case, class)
    if units is not None:
        values = values / np.array([units[label] for label in labels])
    return [labels[k] for k in values.argmax(axis=1).tolist()]


@kind_door(ExplanationError)
def formula_accuracy(
    formulas: Mapping[Any, Formula],
    X: Any,
    y: Any,
    *,
    scale: Scale | None = None,
    units: Mapping[Any, float] | None = None,
) -> float:
    """Share of cases for which the class whose formula is most robust is the right one.

    Parameters are those of :func:`predict_by_formulas`.
    """
    check_lengths(X, y=y)
    answers = predict_by_formulas(formulas, X, scale=scale, units=units)
    return float(np.mean([answer == truth for answer, truth in zip(answers, as_list(y), strict=True)]))


def _robustness(
    formulas: list[Formula], X: Any, scale: Scale | None
) -> Float[npt.NDArray[np.float64], "case cls"]:
    X = X.detach() if isinstance(X, Tensor) else X
    if scale is not None:
        nowhere = np.zeros(len(scale))
        formulas = [to_standardised(formula, scale, nowhere) for formula in formulas]
        X = as_series(X) / np.asarray(scale)[:, None]
    return np.asarray(robustness(formulas, X), dtype=np.float64)
