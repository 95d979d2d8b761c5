"""Novelty: how foreign a case is to the training cases, as p-values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np
import numpy.typing as npt
import pandas as pd
from jaxtyping import Bool, Float

from stelle_nb.data.cases import Series
from stelle_nb.model.novelty.known_cases import KnownCases

LEVEL = 0.05  # share of familiar cases that may be called foreign

Floats = npt.NDArray[np.floating[Any]]


@final
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Novelty:
    """Which cases are unlike all training cases.

    Parameters
    ----------
    p_values
        For each case, the share of cases like the training ones that look at least as foreign: in (0, 1],
        small for foreign cases. With n training cases it is at least 1 / (n + 1).
    familiarity
        For each case, about 1 if it looks like the training cases, about 0 if it looks like noise, like
        channels in other units or in another order, or like nothing known.
    n_training
        Number of training cases that it was compared with.

    Examples
    --------
    >>> found = Novelty(np.array([0.4, 0.02]), np.array([0.8, 0.0]), n_training=49)
    >>> found.is_foreign.tolist(), found.level
    ([False, True], 0.05)
    """

    p_values: Float[Floats, " case"]
    familiarity: Float[Floats, " case"]
    n_training: int

    @property
    def level(self) -> float:
        """Share of familiar cases that are called foreign: 0.05, or 1 / (n + 1) if that is more."""
        return level_of(self.n_training)

    @property
    def is_foreign(self) -> Bool[npt.NDArray[np.bool_], " case"]:
        """Whether the p-value is at most :attr:`level`."""
        return np.asarray(self.p_values <= self.level)

    def to_frame(self) -> pd.DataFrame:
        """A row for each case."""
        return pd.DataFrame(
            {"p-value": self.p_values, "familiarity": self.familiarity, "foreign": self.is_foreign}
        )

    def __len__(self) -> int:
        return len(self.p_values)

    def __repr__(self) -> str:
        return (
            f"<Novelty of {len(self)} cases: {int(self.is_foreign.sum())} foreign at level {self.level:.2g}>"
        )


def level_of(n_training: int) -> float:
    """The largest p-value that counts as foreign: fewer than 19 training cases cannot tell 5 % apart.

    Examples
    --------
    >>> level_of(100), level_of(9)
    (0.05, 0.1)
    """
    return max(LEVEL, 1 / (n_training + 1))


def measure_novelty(known: KnownCases, X: Series) -> Novelty:
    """Compare cases with the training cases.

    Notes
    -----
    Every training case and the new case are compared by a regression that has seen neither of them.
    """
    asked, familiarity = known(X)
    return Novelty(p_values(known.left_out, asked), np.maximum(familiarity, 0.0), len(known.left_out))


def p_values(left_out: Float[Floats, " case"], asked: Float[Floats, "asked case"]) -> Float[Floats, " asked"]:
    """One more than the training cases that are no more familiar than the new case, over all of them.

    Parameters
    ----------
    left_out
        Familiarity of each training case to the regression without it.
    asked
        Familiarity of each new case to the same regressions.

    Notes
    -----
    If the new case is exchangeable with the training cases, ``p <= a`` has a probability of at most ``2 a``
    (Barber et al., Predictive inference with the jackknife+, Annals of Statistics 2021); measured, it is
    close to ``a``.

    Examples
    --------
    >>> p_values(np.array([0.2, 0.5, 0.9]), np.array([[0.6, 0.6, 0.6], [0.1, 0.1, 0.1]])).tolist()
    [0.75, 0.25]
    """
    n_below = (left_out[None] <= asked + 1e-6).sum(axis=1)
    return np.asarray((1 + n_below) / (len(left_out) + 1))
