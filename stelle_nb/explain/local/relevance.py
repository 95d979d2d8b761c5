"""Which concepts speak for a class rather than for the others, and how many of them to keep."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from jaxtyping import Float, Int

from stelle_nb.arguments import whole
from stelle_nb.errors import ExplanationError

Floats = npt.NDArray[np.floating[Any]]
Ints = npt.NDArray[np.intp]


def class_relevance(
    attributions: Float[Floats, "*case concept cls"], target: int
) -> Float[Floats, "*case concept"]:
    """How much more a concept adds to the target class than to the others on average; negative if less.

    A concept of positive relevance speaks for the class, one of negative relevance against it.

    Notes
    -----
    ``r_k = A_k - mean over k* != k of A_k*``. Section "Local explanations" of the paper takes its absolute
    value, which does not distinguish what speaks for a class from what speaks against it.

    Examples
    --------
    >>> class_relevance(np.array([[3.0, 1.0, 0.0], [1.0, 1.0, 1.0], [0.0, 2.0, 1.0]]), target=0).tolist()
    [2.5, 0.0, -1.5]
    """
    n_classes = attributions.shape[-1]
    others = (attributions.sum(-1) - attributions[..., target]) / (n_classes - 1)
    return np.asarray(attributions[..., target] - others)


def positive_share(relevance: Float[Floats, " concept"], chosen: Sequence[int] | Ints) -> float:
    """The share of all that speaks for the class, the sum of positive relevance, that the chosen ones carry.

    Examples
    --------
    >>> positive_share(np.array([3.0, -5.0, 1.0]), [0])
    0.75
    """
    return absolute_share(np.maximum(relevance, 0.0), chosen)


def absolute_share(relevance: Float[Floats, " concept"], chosen: Sequence[int] | Ints) -> float:
    """The share of what speaks for or against the class, by absolute relevance, that the chosen ones carry.

    Examples
    --------
    >>> absolute_share(np.array([3.0, -5.0, 2.0]), [0, 1])
    0.8
    """
    sizes = np.abs(relevance.astype(np.float64))
    total = float(sizes.sum())
    return min(1.0, float(sizes[list(chosen)].sum()) / total) if total else 0.0


def select_concepts(
    relevance: Float[Floats, " concept"], *, gamma: int | None = None, gamma_t: float = 0.8
) -> Int[Ints, " chosen"]:
    """The concepts that speak for the class, most relevant first; among equals, the lower number first.

    Concepts of relevance 0 and below are never taken.

    Parameters
    ----------
    gamma
        At most how many of those that support the class; None to let ``gamma_t`` decide.
    gamma_t
        The smallest number of concepts is taken that carries this share of all positive relevance.

    Examples
    --------
    >>> select_concepts(np.array([1.0, 6.0, 3.0, -9.0]), gamma_t=0.8).tolist()
    [1, 2]
    >>> select_concepts(np.array([1.0, 6.0, -3.0]), gamma=3).tolist()
    [1, 0]
    """
    check_gammas(gamma=gamma, gamma_t=gamma_t)
    order = np.argsort(-relevance, kind="stable")[: int((relevance > 0).sum())]
    if gamma is not None or not len(order):
        return order[:gamma]
    reached = np.cumsum(relevance[order], dtype=np.float64)
    # the last sum may fall short of gamma_t = 1 by rounding, so the share refers to that sum
    return order[: int(np.searchsorted(reached, gamma_t * reached[-1] * (1 - 1e-12))) + 1]


def check_gammas(*, gamma: Any = None, gamma_t: Any = 0.8, gamma_l: Any = 0.0, gamma_g: Any = 0.0) -> None:
    """Reject gammas outside their ranges."""
    if gamma is not None:
        way = "It counts concepts; leave it out to let gamma_t choose how many."
        whole(gamma, "gamma", least=1, most=math.inf, error=ExplanationError, way=way)
    if not _is_number(gamma_t) or not 0 < gamma_t <= 1:
        raise ExplanationError(
            f"gamma_t must lie in (0, 1], got {gamma_t!r}. Use gamma=5 to ask for a fixed number of concepts."
        )
    for name, value in (("gamma_l", gamma_l), ("gamma_g", gamma_g)):
        if not _is_number(value) or not 0 <= value < 1:
            raise ExplanationError(f"{name} must lie in [0, 1), got {value!r}. 0 asks for full separation.")


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number)) and not isinstance(value, bool)
