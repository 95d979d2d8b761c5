"""The division matrix: which clause sets which case of a class apart from all cases of the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from jaxtyping import Bool, Float

from stelle_nb.explain.local.clause import ConceptClause

Floats = npt.NDArray[np.floating[Any]]
Bools = npt.NDArray[np.bool_]


def division_matrix(
    own: Float[Floats, "own clause"], opponents: Float[Floats, "opponent clause"]
) -> Bool[Bools, "own clause"]:
    """Where the robustness of a case lies outside the range of the other classes.

    Parameters
    ----------
    own, opponents
        Robustness of the clauses on the cases of the class and on all others.

    Notes
    -----
    ``D_ij = 1`` if ``rho(phi_j, x_i)`` is not in ``[min, max]`` of ``rho(phi_j, .)`` over the opponents:
    section "Global explanations" of the paper.

    Examples
    --------
    >>> own, opponents = np.array([[0.5], [-0.5], [-3.0]]), np.array([[-2.0], [-0.1]])
    >>> division_matrix(own, opponents).ravel().tolist()
    [True, False, True]
    """
    lowest, highest = opponents.min(0), opponents.max(0)
    return np.asarray((own < lowest) | (own > highest))


def clause_values(
    robustness: Float[Floats, "case concept"], clauses: Sequence[ConceptClause]
) -> Float[Floats, "case clause"]:
    """Robustness of clauses from that of the concepts: no formula is evaluated anew."""
    if not clauses:
        return np.empty((len(robustness), 0), dtype=robustness.dtype)
    return np.stack([clause.values(robustness) for clause in clauses], axis=1)
