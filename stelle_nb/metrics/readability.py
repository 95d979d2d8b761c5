"""How much there is to read in a formula, before and after it was shortened."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import pandas as pd

from stelle_nb.arguments import validate_types
from stelle_nb.errors import ExplanationError
from stelle_nb.logic.formula import Formula


@dataclass(frozen=True, slots=True)
class Readability:
    """Nodes and channels of a formula, and of the one that it was made from.

    Parameters
    ----------
    nodes_before, nodes
        Every operator counts: see :func:`stelle_nb.logic.traversal.size`.
    expanded_before, expanded
        Nodes once tubes are written out as plain STL.
    channels_before, channels
        Different channels spoken of.
    """

    nodes_before: int
    nodes: int
    expanded_before: int
    expanded: int
    channels_before: int
    channels: int

    def to_frame(self) -> pd.DataFrame:
        """One row."""
        return pd.DataFrame([asdict(self)])


@validate_types(ExplanationError)
def readability(after: Formula, before: Formula | None = None) -> Readability:
    """Count what a reader has to take in.

    Parameters
    ----------
    after
        The formula that is shown.
    before
        What it was before postprocessing; the same if left out.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> found = readability(parse("x0 >= 2"), parse("x0 >= 2 & (x0 >= 1 | x1 >= 1)"))
    >>> found.nodes_before, found.nodes, found.channels_before, found.channels
    (5, 1, 2, 1)
    """
    origin = after if before is None else before
    return Readability(
        nodes_before=origin.size,
        nodes=after.size,
        expanded_before=origin.expanded_size,
        expanded=after.expanded_size,
        channels_before=len(origin.channels),
        channels=len(after.channels),
    )
