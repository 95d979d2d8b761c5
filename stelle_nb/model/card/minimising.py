"""Minimising a smooth convex function of a matrix: SciPy's L-BFGS in double precision."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Loss = Callable[[Floats], tuple[float, Floats]]
"""The value of a function at a matrix, and its gradient there."""

MAX_STEPS = 2000


def minimise(loss: Loss, start: Floats, *, smallest_gain: float = 1e-12) -> Floats:
    """The matrix at which the loss is smallest, found from a start.

    Where the gradient is 0 at the start, the start itself is returned.

    Parameters
    ----------
    smallest_gain
        Stop when a step lowers the loss by less than this share of it. Stopped earlier, processors that round
        differently would end with different points.

    Examples
    --------
    >>> minimise(lambda x: (float(((x - 2) ** 2).sum()), 2 * (x - 2)), np.zeros((2, 1))).round(6).tolist()
    [[2.0], [2.0]]
    """
    from scipy.optimize import minimize

    def flat(values: Floats) -> tuple[float, Floats]:
        value, gradient = loss(values.reshape(start.shape))
        return value, np.ascontiguousarray(gradient).ravel()

    found = minimize(
        flat, start.ravel(), jac=True, method="L-BFGS-B",
        options={"maxiter": MAX_STEPS, "maxcor": 20, "ftol": smallest_gain, "gtol": 1e-8},
    )  # fmt: skip
    return np.asarray(found.x, dtype=np.float64).reshape(start.shape)
