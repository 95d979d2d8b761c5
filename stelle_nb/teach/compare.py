"""Where two formulas differ, and which misconception explains it."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from stelle_nb.logic.formula import Formula
from stelle_nb.semantics.robustness import robustness
from stelle_nb.teach.item import Case, Cases, as_case
from stelle_nb.teach.judging_signals import Floats, probe_signals
from stelle_nb.teach.misconceptions import Key
from stelle_nb.teach.mutants import mutants

CLEAR = 1e-9  # robustness closer to zero decides nothing


def robustness_of(formula: Formula, X: Cases) -> Float[Floats, " case"]:
    """Robustness on cases in double precision."""
    return np.asarray(robustness(formula, X), dtype=np.float64)


def robustness_on(formula: Formula, case: Case) -> float:
    """Robustness on one case."""
    return float(robustness_of(formula, np.array([case], dtype=np.float64))[0])


def difference(one: Float[Floats, " case"], other: Float[Floats, " case"]) -> Float[Floats, " case"]:
    """How clearly two robustness values imply opposite verdicts; 0 where they agree.

    Examples
    --------
    >>> difference(np.array([1.0, 1.0, 0.0]), np.array([-0.5, 2.0, -1.0])).tolist()
    [0.5, 0.0, 0.0]
    """
    is_opposite = np.sign(one) * np.sign(other) < 0
    clarity = np.minimum(np.abs(one), np.abs(other))
    return np.where(is_opposite & (clarity > CLEAR), clarity, 0.0)


def clearest_difference(one: Formula, other: Formula, X: Cases) -> Case | None:
    """The case on which two formulas differ most clearly; None if they agree on all."""
    by = difference(robustness_of(one, X), robustness_of(other, X))
    return as_case(X[int(by.argmax())]) if by.any() else None


def are_equivalent(one: Formula, other: Formula, X: Cases) -> bool:
    """Whether two formulas give the same verdict on all cases."""
    return clearest_difference(one, other, X) is None


def judging_signals(formula: Formula, *others: Formula, n_channels: int, n_timepoints: int) -> Cases:
    """Signals that distinguish ``formula`` from its mutants and from ``others``; the same at every call."""
    seen = [formula, *others]
    return probe_signals(seen, n_channels, n_timepoints, np.random.default_rng(0))


def name_misconception(answer: Formula, right: Formula, X: Cases) -> Key | None:
    """The misconception whose reading of ``right`` is the answer; None if no reading is."""
    given = robustness_of(answer, X)
    for mutant in mutants(right, X.shape[2]):
        if not difference(given, robustness_of(mutant.formula, X)).any():
            return mutant.misconception
    return None


def name_on_case(formula: Formula, case: Case, *, holds: bool) -> Key | None:
    """The misconception that leads to the wrong verdict on a case."""
    for mutant in mutants(formula, len(case[0])):
        if (robustness_on(mutant.formula, case) >= 0) == holds:
            return mutant.misconception
    return None
