"""Which data are shown, as a frozen value that can be set and replayed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from stelle_nb.panels.parts.chosen_data import Part

IN_MEMORY = ""


@final
@dataclass(frozen=True, slots=True)
class DatasetState:
    """Which data are shown.

    Parameters
    ----------
    source
        Name of a data set, or path of a file or folder; empty for the data that the panel was given.
    part, case
        The chosen case.
    first_channel
        Number of the first channel that is drawn, counted among those that are kept; six are.
    kept
        Numbers of the channels that are kept; None for all. The others are left out of ``panel.dataset``.
    """

    source: str = IN_MEMORY
    part: Part = "train"
    case: int = 0
    first_channel: int = 0
    kept: tuple[int, ...] | None = None
