"""Single conditions to build the description of a class from: formulas, negated or not, and their levels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from jaxtyping import Bool, Float, Int

from stelle_nb.explain.pool import Pool
from stelle_nb.logic.formula import Formula

Floats = npt.NDArray[np.floating[Any]]
Bools = npt.NDArray[np.bool_]

TIGHT = ((0.02, 0.98), (0.1, 0.95), (0.3, 0.98), (0.5, 1.0))  # quantiles of the class and of the others
LOOSE = ((0.02, 0.9), (0.02, 0.6), (0.02, 0.3))
SLACK = 0.15  # deviations by which loose levels spare the class
FLOOR = 0.2  # of the deviation of all cases that counts as if within classes
CONSTANT = 1e-6  # deviations of a signal, within which rounding decides on which side of a boundary a case is
ALIKE = 0.95  # correlation from which on two literals say the same


@dataclass(frozen=True, slots=True, eq=False)
class Literals:
    """Formulas of a pool in deviations of their own, with levels that a boundary may be put at.

    Parameters
    ----------
    formulas, side
        What may be said, and -1 for a negated formula.
    values
        Signed robustness of labelled and imagined cases, in deviations.
    deviation
        Of the robustness within classes.
    levels
        Tight ones lie midway between the class and the others; loose ones keep nearly all of the class,
        for conditions that have to exclude only some of the others.
    costs, sizes
        What each costs to read, infinitely much where it says the same of all cases, and its nodes.
    """

    formulas: tuple[Formula, ...]
    side: Float[Floats, " literal"]
    values: Float[Floats, "case literal"]
    deviation: Float[Floats, " literal"]
    levels: Float[Floats, "level literal"]
    costs: Float[Floats, " literal"]
    sizes: Float[Floats, " literal"]

    @classmethod
    def of(cls, pool: Pool, is_own: Bool[Bools, " case"]) -> Literals:
        """Both sides of every formula; shapes are never negated.

        Parameters
        ----------
        is_own
            Which cases, the labelled and then the imagined ones, are of the class.
        """
        deviation = _deviation(pool)
        z = np.concatenate([pool.robustness, pool.imagined])
        costs = np.where(tells_cases_apart(z), pool.costs, np.inf).astype(pool.costs.dtype)
        z /= deviation
        negated = np.flatnonzero(~pool.is_shape)
        levels = _levels(z, negated, is_own)
        concept = np.concatenate([np.arange(len(pool.concepts)), negated])
        side = np.repeat([1, -1], [len(pool.concepts), len(negated)]).astype(z.dtype)
        z = np.concatenate([z, -z[:, negated]], axis=1)
        formulas = (*pool.concepts, *(pool.concepts[k] for k in negated.tolist()))
        return cls(
            formulas,
            side,
            z,
            deviation[concept],
            levels,
            costs[concept],
            pool.sizes[concept],
        )

    def take(self, some: Int[npt.NDArray[np.intp], " chosen"]) -> Literals:
        """Some of the literals."""
        return Literals(
            tuple(self.formulas[j] for j in some.tolist()), self.side[some], self.values[:, some],
            self.deviation[some], self.levels[:, some], self.costs[some], self.sizes[some],
        )  # fmt: skip

    def best(self, loss: Float[Floats, " literal"], n: int) -> list[int]:
        """Numbers of literals with little loss that do not say the same; few may be found."""
        chosen: list[int] = []
        for j in np.argsort(loss, kind="stable")[: 8 * n].tolist():
            if not np.isfinite(loss[j]) or len(chosen) == n:
                break
            if not any(_are_alike(self.values[:, j], self.values[:, k]) for k in chosen):
                chosen.append(j)
        return chosen

    def joined(self, other: Literals) -> Literals:
        """These literals and others about the same cases."""
        return Literals(
            self.formulas + other.formulas,
            *(
                np.concatenate([getattr(self, name), getattr(other, name)], axis=-1)
                for name in ("side", "values", "deviation", "levels", "costs", "sizes")
            ),
        )


def tells_cases_apart(robustness: Float[Floats, "case concept"]) -> Bool[Bools, " concept"]:
    """Which formulas are not the same for all cases; all of them if there is no such formula."""
    varies = np.ptp(robustness, axis=0) > CONSTANT
    return np.asarray(varies if varies.any() else ~varies)


def _deviation(pool: Pool) -> Float[Floats, " concept"]:
    """Of labelled cases from the mean of their class; and a part of the deviation of all cases.

    What a formula does to cases of the same class is what it may do to unseen ones. The further part keeps a
    few cases that happen to be equal from passing for certainty.
    """
    values = np.concatenate([pool.robustness, pool.imagined])
    squares = np.zeros(values.shape[1], values.dtype)
    classes = np.unique(pool.labels)
    for k in classes:
        own = pool.robustness[pool.labels == k]
        squares += len(own) * own.var(0)
    squares /= max(1, len(pool.labels) - len(classes))
    return np.asarray(np.sqrt(squares + FLOOR**2 * values.var(0)) + np.asarray(1e-6, values.dtype))


def _levels(
    z: Float[Floats, "case concept"],
    negated: Int[npt.NDArray[np.intp], " negated"],
    is_own: Bool[Bools, " case"],
) -> Float[Floats, "level literal"]:
    """Levels of the concepts and, from the other end of the same order, of those that are also negated."""
    own, others = np.sort(z[is_own], axis=0), np.sort(z[~is_own], axis=0)

    def at(ordered: Float[Floats, "case concept"], share: float) -> Float[Floats, " literal"]:
        # an order statistic: unlike an interpolated quantile it needs no more than the sorting
        k = round(share * (len(ordered) - 1))
        return np.concatenate([ordered[k], -ordered[-1 - k, negated]])

    between = [(at(own, low) + at(others, high)) / 2 for low, high in (*TIGHT, *LOOSE)]
    spared = [
        np.minimum(level, at(own, low) - SLACK)
        for level, (low, _) in zip(between[len(TIGHT) :], LOOSE, strict=True)
    ]
    return np.stack([*between[: len(TIGHT)], *spared]).astype(z.dtype)


def _are_alike(first: Float[Floats, " case"], second: Float[Floats, " case"]) -> bool:
    """Whether they rise and fall together; a constant says the same as anything."""
    a, b = first - first.mean(), second - second.mean()
    return bool(abs(a @ b) >= ALIKE * np.sqrt((a @ a) * (b @ b)))
