"""The frame of a chart: which values its axis spans, and which bounds are then off the chart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from stelle_nb.depict.regions import Region

MARGIN = 0.04  # share of the axis above and below what it must span

Frame = tuple[float, float]


def frame_of(known: npt.NDArray[np.floating[Any]], regions: Sequence[Region]) -> Frame:
    """The values that an axis spans: the signal's, and bounds near enough not to flatten it.

    A bound is near if it lies within the range of the signal above or below it.

    Parameters
    ----------
    known
        All values that are drawn; where there are none, the bounds alone decide.
    regions
        What a formula requires of this signal.

    Examples
    --------
    >>> from stelle_nb.depict.regions import find_regions
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> frame_of(np.array([0.0, 10.0]), find_regions(parse("x0 >= 20"), 2))
    (-0.8, 20.8)
    >>> frame_of(np.array([0.0, 10.0]), find_regions(parse("x0 >= 21"), 2))
    (-0.4, 10.4)
    """
    bounds = [value for region in regions for value in (*(region.low or ()), *(region.high or ()))]
    low, high = (
        (float(known.min()), float(known.max()))
        if known.size
        else (min(bounds, default=0.0), max(bounds, default=0.0))
    )
    reach = high - low
    near = [value for value in bounds if low - reach <= value <= high + reach]
    low, high = min([low, *near]), max([high, *near])
    margin = MARGIN * (high - low) or 1.0
    return low - margin, high + margin


def seen_in(frame: Frame, region: Region) -> Region:
    """A region as a chart with this frame shows it: off the chart if nothing of its bounds lies in it.

    Examples
    --------
    >>> from stelle_nb.depict.regions import find_regions
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> [seen_in((0.0, 9.0), region).words for region in find_regions(parse("x0 >= 5 & x0 <= 2000"), 2)]
    ['≥ 5', '≤ 2000 (off the chart)']
    """
    lowest = min(region.low if region.low is not None else region.high or (frame[0],))
    highest = max(region.high if region.high is not None else region.low or (frame[1],))
    return replace(region, is_off=highest < frame[0] or lowest > frame[1])
