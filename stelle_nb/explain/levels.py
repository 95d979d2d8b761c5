"""What literals do wrong at each of their levels, alone or joined with what stands already."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from jaxtyping import Bool, Float

from stelle_nb.explain.judging import Judges
from stelle_nb.explain.literals import Literals

Floats = npt.NDArray[np.floating[Any]]

BLOCK = 2**17  # values that a second-level cache holds with what is computed from them
LANES = 64  # literals side by side that keep vector units busy


def level_losses(
    literals: Literals,
    judges: Judges,
    *,
    cases: Bool[npt.NDArray[np.bool_], " case"] | None = None,
    least: Float[Floats, " case"] | None = None,
    most: Float[Floats, " case"] | None = None,
) -> Float[Floats, "level literal"]:
    """The loss of each literal at each level, a few literals at a time.

    Parameters
    ----------
    judges
        Of the chosen cases.
    cases
        The cases that count; all if left out.
    least, most
        Margins, on all cases, of what the literal is joined with by and, and then by or.
    """
    losses = np.empty_like(literals.levels)
    n_cases, n_literals = literals.values.shape
    width = LANES * max(1, BLOCK // (LANES * max(1, n_cases)))
    chosen = slice(None) if cases is None else cases
    for start in range(0, n_literals, width):
        some = slice(start, start + width)
        values = literals.values[chosen, some]
        for k, level in enumerate(literals.levels[:, some]):
            margins = values - level
            if least is not None:
                np.minimum(margins, least[chosen, None], out=margins)
            if most is not None:
                np.maximum(margins, most[chosen, None], out=margins)
            losses[k, some] = judges.loss(margins)
    return losses
