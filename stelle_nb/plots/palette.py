"""Pictures with a palette, a fraction of the size: notebooks store one with every chart."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image

Colours = npt.NDArray[np.uint8]  # (colour, 4)

N_COLOURS = 256  # as many as a palette holds


def with_few_colours(picture: bytes) -> bytes:
    """The same PNG in a palette of its most frequent colours; the others become the nearest of them.

    So areas and lines keep their colour exactly, and only the soft edges of letters and lines are rounded.
    """
    pixels = np.asarray(Image.open(io.BytesIO(picture)).convert("RGBA"))
    flat = np.ascontiguousarray(pixels).view(np.uint32).ravel()
    starts = np.flatnonzero(np.concatenate(([True], flat[1:] != flat[:-1])))  # charts are runs of one colour
    lengths = np.diff(starts, append=len(flat))
    colours, which = np.unique(flat[starts], return_inverse=True)
    n_pixels = np.bincount(which, weights=lengths)
    kept = np.argsort(-n_pixels, kind="stable")[:N_COLOURS]
    channels = colours.view(np.uint8).reshape(-1, 4)
    place = _nearest(channels, channels[kept]).astype(np.uint8)[which]
    small = Image.fromarray(np.repeat(place, lengths).reshape(pixels.shape[:2]))
    small.putpalette(channels[kept].tobytes(), "RGBA")
    stream = io.BytesIO()
    small.save(stream, format="png", optimize=True)
    return stream.getvalue()


def _nearest(colours: Colours, palette: Colours) -> npt.NDArray[np.intp]:
    """The place in the palette of what looks most like each colour: what is transparent looks alike."""
    a, b = _as_seen(colours), _as_seen(palette)
    return np.asarray(((b**2).sum(1) - 2 * a @ b.T).argmin(1))


def _as_seen(colours: Colours) -> npt.NDArray[np.floating[Any]]:
    alpha = colours[:, 3:].astype(np.float32)
    return np.concatenate((colours[:, :3] * (alpha / 255), alpha), axis=1)
