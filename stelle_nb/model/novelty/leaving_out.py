"""Kernel ridge regressions that each leave out one case, without fitting anything again."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from jaxtyping import Float

Floats = npt.NDArray[np.floating]


def leave_out_blocks(
    kernel: Float[Floats, "point point"],
    ridge: float | Float[Floats, " point"],
    targets: Float[Floats, "point answer"],
    n_cases: int,
) -> tuple[Float[Floats, "point answer case"], Float[Floats, "case block answer"]]:
    """Weights of the regression without each case, and its answers for the points of that case.

    Parameters
    ----------
    kernel
        Between points: those of one case after those of the other, the same number of each.
    ridge
        What is added to the diagonal.

    Notes
    -----
    With ``Q = (K + D)^-1`` the weights of all points are ``a = Q t``. Without block b they are
    ``a - Q[:, b] Q[b, b]^-1 a[b]``, and the answers for the block are ``t[b] - Q[b, b]^-1 a[b]``.
    """
    n = len(kernel)
    block = n // n_cases
    inverse = np.linalg.inv(kernel + np.diag(np.broadcast_to(ridge, n)))
    all_weights = inverse @ targets
    weights = np.empty((*targets.shape, n_cases))
    answers = np.empty((n_cases, block, targets.shape[1]))
    for i in range(n_cases):
        own = slice(i * block, (i + 1) * block)
        residual = np.linalg.solve(inverse[own, own], all_weights[own])
        weights[:, :, i] = all_weights - inverse[:, own] @ residual
        answers[i] = targets[own] - residual
    return weights, answers


def squared_distances(
    one: Float[Floats, "row feature"], other: Float[Floats, "column feature"]
) -> Float[Floats, "row column"]:
    """Between each row and each column; never below 0."""
    squares: Floats = (one * one).sum(axis=1)[:, None] + (other * other).sum(axis=1)
    return np.asarray(np.maximum(squares - 2 * (one @ other.T), 0))


def usual_distance(distances: Float[Floats, "case case"]) -> float:
    """The median squared distance of a case from its nearest neighbour; 1 if there is no other case."""
    if len(distances) < 2:
        return 1.0
    others = distances + np.diag(np.full(len(distances), np.inf))
    usual = float(np.median(others.min(axis=1)))
    return usual if usual > 0 else 1.0


def deviation_within(
    values: Float[Floats, "case feature"], labels: npt.NDArray[np.intp]
) -> Float[Floats, " feature"]:
    """Deviation within classes, at least a twentieth of that over all cases."""
    counts = np.bincount(labels)
    sums = np.stack([values[labels == k].sum(axis=0) for k in range(len(counts))])
    apart = values - (sums / np.maximum(counts, 1)[:, None])[labels]
    n_free = len(values) - int((counts > 0).sum())
    overall = values.std(axis=0)
    if n_free == 0:
        return np.asarray(overall)
    return np.asarray(np.maximum(np.sqrt((apart * apart).sum(axis=0) / n_free), overall / 20))
