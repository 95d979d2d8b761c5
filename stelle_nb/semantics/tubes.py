"""How well signals follow the shape of a tube, from every starting time."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Tube
from stelle_nb.semantics.windows import shifted


def following(tube: Tube, value_of: Callable[[Signal], Tensor]) -> Tensor:
    """Tolerance minus largest deviation for a shape that begins at each sample."""
    worst: Tensor | None = None
    for track in tube.tracks:
        x = value_of(track.signal)
        for i, point in enumerate(track.points, start=track.first_offset):
            later = shifted(x, i * tube.step)
            deviation = (later - x - point if track.is_relative else later - point).abs()
            margin = track.delta - deviation
            worst = margin if worst is None else torch.minimum(worst, margin)
    assert worst is not None
    return worst
