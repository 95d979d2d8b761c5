"""How far so many of several clauses hold, and what is left for one more to decide."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from jaxtyping import Float

Floats = npt.NDArray[np.floating[Any]]


def quorum_margin(margins: Float[Floats, "case clause"], needed: int) -> Float[Floats, " case"]:
    """How far each case lies above the boundary of what holds where ``needed`` of the clauses do.

    Examples
    --------
    >>> quorum_margin(np.array([[3.0, 1.0, 2.0]]), 2).tolist()
    [2.0]
    """
    return np.asarray(np.sort(margins, axis=1)[:, -needed])


def room_for_one_more(
    margins: Float[Floats, "case clause"], needed: int
) -> tuple[Float[Floats, " case"], Float[Floats, " case"]]:
    """Between which margins one clause more decides, if ``needed`` of all have to hold.

    With a further clause of margin m the whole has ``max(min(m, least), most)``: it cannot exceed the
    ``needed - 1``-th largest of the others, nor fall below their ``needed``-th largest.

    Returns
    -------
    tuple
        ``least`` and ``most``; infinite where the others leave all to the clause.

    Examples
    --------
    >>> [bound.tolist() for bound in room_for_one_more(np.array([[3.0, 1.0]]), 2)]
    [[3.0], [1.0]]
    """
    n_cases, n = margins.shape
    ordered = np.sort(margins, axis=1)
    everything = np.full(n_cases, np.inf, margins.dtype)
    most = ordered[:, n - needed] if needed <= n else -everything
    least = ordered[:, n - needed + 1] if needed > 1 else everything
    return least, most


def n_joints(clause_lengths: list[int], needed: int) -> int:
    """Nodes that join so many literals: and within clauses, and between these or, and, or a count.

    Examples
    --------
    >>> n_joints([2, 1], 1), n_joints([1, 1, 1], 3), n_joints([1, 1, 1], 2)
    (2, 2, 1)
    """
    n = len(clause_lengths)
    return sum(clause_lengths) - n + (max(0, n - 1) if needed in (1, n) else 1)
