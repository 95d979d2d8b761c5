"""The class formulas as a classifier of their own: the class whose formula is most robust wins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Float
from torch import Tensor

from stelle_nb.arguments import positive, validate_types
from stelle_nb.data.basis import SignalBasis, signal_values, with_signals
from stelle_nb.data.units import to_standardised
from stelle_nb.errors import ExplanationError
from stelle_nb.explain.classes.card_method import CONFIG
from stelle_nb.explain.classes.card_search import at_least, chances_of
from stelle_nb.explain.classes.class_explanation import ClassExplanation
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.printing.ascii import signal_text
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Atom
from stelle_nb.logic.traversal import transform
from stelle_nb.logic.weighted_sum import WeightedSum, signals_of
from stelle_nb.metrics.shares import as_list, as_series, check_lengths
from stelle_nb.model.card.scorecard import Scorecard
from stelle_nb.semantics import robustness
from stelle_nb.semantics.arrays import check_channels, check_formulas
from stelle_nb.semantics.derived import settling_time

Scale = Mapping[Signal, float]
"""From what an atom or a track speaks of to its unit."""


@validate_types(ExplanationError)
def signal_scale(formulas: Mapping[Any, Formula], X_train: Any) -> dict[Signal, float]:
    """The deviation of each signal of the formulas over the training cases: the unit of robustness.

    A change or an average does not vary as its channel does, so each signal has a unit of its own. That of a
    constant one is 1.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> formulas = {"high": parse("x0 >= 3"), "high for long": parse("mean(x0, 2) >= 3")}
    >>> list(signal_scale(formulas, np.array([[[0.0, 4.0]]])).values())
    [2.0, 1.0]
    """
    signals, x = _signals_and_cases(list(formulas.values()), X_train)
    if not signals:
        return {}
    deviations = SignalBasis.fit(x, signals).standardiser.scale
    return dict(zip(signals, deviations.tolist(), strict=True))


@validate_types(ExplanationError)
def formula_units(
    formulas: Mapping[Any, Formula], X_train: Any, *, scale: Scale | None = None
) -> dict[Any, float]:
    """The deviation of each formula's robustness over the training cases, 1 for a constant one.

    Parameters
    ----------
    scale
        The unit of each signal, if robustness is to be taken in these units.
    """
    values = _robustness(list(formulas.values()), X_train, scale)  # (case, class)
    with np.errstate(invalid="ignore"):  # true and false are infinitely robust
        spread = values.std(axis=0)
    is_usable = np.isfinite(spread) & (spread > 0)
    return dict(zip(formulas, np.where(is_usable, spread, 1.0).tolist(), strict=True))


@validate_types(ExplanationError)
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
        The unit of each signal that the formulas speak of, such as their :func:`signal_scale` on the training
        cases: values, thresholds and tolerances are divided by it.
    units
        What each formula's robustness is divided by, such as its :func:`formula_units` with the same scale.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> formulas = {"a": parse("x0 >= 0"), "b": parse("x1 >= 0")}
    >>> X = np.array([[[1.0], [20.0]]])
    >>> scale = {Signal(0): 1.0, Signal(1): 100.0}
    >>> predict_by_formulas(formulas, X), predict_by_formulas(formulas, X, scale=scale)
    (['b'], ['a'])
    """
    if not formulas:
        raise ExplanationError("A classifier needs a formula for each class, got none.")
    labels = list(formulas)
    values = _robustness(list(formulas.values()), X, scale)  # (case, class)
    if units is not None:
        values = values / np.array([units[label] for label in labels])
    return [labels[k] for k in values.argmax(axis=1).tolist()]


def predict_by_chances(explained: Mapping[Any, ClassExplanation], card: Scorecard, X: Any) -> list[Any]:
    """For each case the class whose formula is most likely to hold; the first one if several are.

    The most robust formula is decided by a single one of its conditions. Here all of them count: each holds
    with a chance that rises with its degree, as in the search for the formulas, see
    :func:`stelle_nb.explain.classes.card_search.chances_of`.

    Parameters
    ----------
    explained
        From the label of a class to its explanation, read off the card.
    X
        Cases ``(n_cases, n_channels, n_timepoints)``.
    """
    labels, degrees = list(explained), card.degrees(X)
    chances = np.stack([_chance(each, degrees) for each in explained.values()], axis=1)  # (case, class)
    return [labels[k] for k in chances.argmax(axis=1).tolist()]


def _chance(
    found: ClassExplanation, degrees: Float[npt.NDArray[np.float64], "case formula"]
) -> Float[npt.NDArray[np.float64], " case"]:
    used = [entry for entry in found.card if entry.is_used]
    sides = np.array([1.0 if entry.points > 0 else -1.0 for entry in used])
    conditions = degrees[:, [entry.number for entry in used]] * sides
    needed = len(used) if len(found.clauses) == 1 else found.needed
    return at_least(chances_of(conditions, CONFIG.softness))[:, needed]


@validate_types(ExplanationError)
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
        formulas, X = _in_units(formulas, X, scale)
    return np.asarray(robustness(formulas, X), dtype=np.float64)


def _in_units(formulas: list[Formula], X: Any, scale: Scale) -> tuple[list[Formula], Any]:
    """Formulas and cases in which every signal is derived from a channel of its own, in its own unit.

    Dividing the channel divides its changes and averages as well, also those after the end of the cases.
    """
    signals, x = _signals_and_cases(formulas, X)
    if not signals:
        return formulas, X  # true or false, whatever the cases
    units = np.array([_unit(signal, scale) for signal in signals])
    own = {signal: replace(signal, channel=i, zscore=False) for i, signal in enumerate(signals)}
    courses = signal_values(x, [Signal(signal.channel, zscore=signal.zscore) for signal in signals])
    renamed = (with_signals(formula, own.__getitem__) for formula in formulas)
    in_units = (to_standardised(formula, units, np.zeros_like(units)) for formula in renamed)
    formulas = [transform(formula, _averaged) for formula in in_units]
    return formulas, courses / units[:, None]


def _averaged(node: Formula) -> Formula:
    """A sum as the weighted average of its signals, whatever its weights add up to."""
    match node:
        case Atom(WeightedSum() as quantity, _, threshold):
            whole = quantity.absolute_weight
            return replace(node, signal=quantity.scaled(1 / whole), threshold=threshold / whole)
        case _:
            return node


def _unit(signal: Signal, scale: Scale) -> float:
    name = signal_text(signal, f"x{signal.channel}")
    if signal not in scale:
        raise ExplanationError(
            f"scale must have a unit for each signal of the formulas, got none for {name}. "
            "Use signal_scale(formulas, X_train)."
        )
    return positive(scale[signal], f"The unit of {name}", error=ExplanationError)


def _signals_and_cases(
    formulas: list[Formula], X: Any
) -> tuple[list[Signal], Float[npt.NDArray[np.float64], "case channel time"]]:
    """What the formulas speak of, in order, and the cases, which have all of it."""
    x = as_series(X)
    quantities = check_formulas(formulas)
    check_channels(quantities, torch.from_numpy(x))
    settling_time(quantities)  # refuses what looks back too far
    return sorted({signal for quantity in quantities for signal in signals_of(quantity)}), x
