"""Which concepts speak for a class rather than for the others, and how many of them to keep."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
from jaxtyping import Float, Int

from stelle_nb.arguments import whole
from stelle_nb.errors import ExplanationError

Floats = npt.NDArray[np.floating[Any]]


def class_relevance(
    attributions: Float[Floats, "*case concept cls"], target: int
) -> Float[Floats, "*case concept"]:
    """How much more, or less, a concept adds to the target class than to the others on average.

    Notes
    -----
    ``r_k = |A_k - mean over k* != k of A_k*|``, the relevance of section "Local explanations" of the paper.

    Examples
    --------
    >>> class_relevance(np.array([[3.0, 1.0, 0.0], [1.0, 1.0, 1.0]]), target=0).tolist()
    [2.5, 0.0]
    """
    n_classes = attributions.shape[-1]
    others = (attributions.sum(-1) - attributions[..., target]) / (n_classes - 1)
    return np.asarray(np.abs(attributions[..., target] - others))


def select_concepts(
    relevance: Float[Floats, " concept"], *, gamma: int | None = None, gamma_t: float = 0.8
) -> Int[npt.NDArray[np.intp], " chosen"]:
    """The most relevant concepts, most relevant first.

    Parameters
    ----------
    gamma
        How many; None to let ``gamma_t`` decide.
    gamma_t
        The smallest number of concepts is taken that carries this share of all relevance.

    Examples
    --------
    >>> select_concepts(np.array([1.0, 6.0, 3.0]), gamma_t=0.8).tolist()
    [1, 2]
    """
    check_gammas(gamma=gamma, gamma_t=gamma_t)
    order = np.argsort(-relevance, kind="stable")
    if gamma is not None:
        return order[:gamma]
    reached = np.cumsum(relevance[order], dtype=np.float64)
    # the last sum may fall short of gamma_t = 1 by rounding, so the share is asked of what was summed
    enough = int(np.searchsorted(reached, gamma_t * reached[-1] * (1 - 1e-12))) + 1
    return order[: min(enough, int((relevance > 0).sum())) or 1]


def check_gammas(*, gamma: Any = None, gamma_t: Any = 0.8, gamma_l: Any = 0.0, gamma_g: Any = 0.0) -> None:
    """Refuse gammas outside their ranges."""
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
