"""Charts as PNG pictures, small because notebooks store one with every chart."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import vl_convert
from PIL import Image

Pixels = npt.NDArray[np.uint8]  # (row, column, 4), or (colour, 4): red, green, blue, alpha

N_COLOURS = 128  # a palette may hold 256; more are not visible and enlarge the file
N_RARE = 16  # of them


def draw_png(spec: Mapping[str, Any], *, scale: float = 1.5) -> bytes:
    """A chart in Vega-Lite as a small picture on a transparent background; ``scale`` as for draw_pixels."""
    return with_few_colours(draw_pixels(spec, scale=scale))


def draw_pixels(spec: Mapping[str, Any], *, scale: float = 1.5) -> Pixels:
    """The pixels of a chart in Vega-Lite, in full colour, on a transparent background.

    Parameters
    ----------
    scale
        How many pixels one of the chart becomes.

    Notes
    -----
    Where a chart is translucent, vl-convert's own PNG has the right alpha, but clips each colour at it, which
    turns pale green grey. Over black the colours are right: each is multiplied by its alpha.
    """
    svg = vl_convert.vegalite_to_svg(dict(spec))
    clear = _pixels(vl_convert.svg_to_png(svg, scale=scale))
    black = svg.replace(">", '><rect width="100%" height="100%"/>', 1)
    over_black = _pixels(vl_convert.svg_to_png(black, scale=scale))
    alpha = clear[..., 3:].astype(np.uint16)
    colours = (over_black[..., :3].astype(np.uint16) * 255 + alpha // 2) // np.maximum(alpha, 1)
    pixels: Pixels = np.concatenate((colours.clip(max=255), alpha), axis=-1).astype(np.uint8)
    return pixels


def with_few_colours(pixels: Pixels) -> bytes:
    """A PNG with a palette of the most frequent colours; the others become the nearest of them.

    So areas and lines keep their colour, and only the soft edges of letters and lines are rounded. A few
    places are for colours that are rare but unlike all others, such as that of a class in a legend.
    """
    flat = np.ascontiguousarray(pixels).view(np.uint32).ravel()
    starts = np.flatnonzero(np.concatenate(([True], flat[1:] != flat[:-1])))  # charts are runs of one colour
    lengths = np.diff(starts, append=len(flat))
    colours, which = np.unique(flat[starts], return_inverse=True)
    n_pixels = np.bincount(which, weights=lengths)
    channels = colours.view(np.uint8).reshape(-1, 4)
    kept = _kept(channels, n_pixels)
    place = _nearest(channels, channels[kept]).astype(np.uint8)[which]
    image = Image.fromarray(np.repeat(place, lengths).reshape(pixels.shape[:2]))
    image.putpalette(channels[kept].tobytes(), "RGBA")
    stream = io.BytesIO()
    image.save(stream, format="png", optimize=True)
    return stream.getvalue()


def _kept(colours: Pixels, n_pixels: npt.NDArray[Any]) -> npt.NDArray[np.intp]:
    """The numbers of the colours in the palette; the last are those that would be missed most."""
    kept = np.argsort(-n_pixels, kind="stable")[:N_COLOURS]
    if len(colours) <= N_COLOURS:
        return kept
    kept, seen = kept[:-N_RARE], _as_seen(colours)
    missed = np.min([((seen - seen[one]) ** 2).sum(1) for one in kept], axis=0)
    for _ in range(N_RARE):
        kept = np.append(kept, np.argmax(missed * n_pixels))
        missed = np.minimum(missed, ((seen - seen[kept[-1]]) ** 2).sum(1))
    return kept


def reduced(png: bytes) -> bytes:
    """The picture with few colours, which takes a third of the space: vl-convert hardly compresses."""
    return with_few_colours(_pixels(png))


def _pixels(png: bytes) -> Pixels:
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGBA"))


def _nearest(colours: Pixels, palette: Pixels) -> npt.NDArray[np.intp]:
    """The place in the palette of what looks most like each colour: what is transparent looks alike."""
    a, b = _as_seen(colours), _as_seen(palette)
    return np.asarray(((b**2).sum(1) - 2 * a @ b.T).argmin(1))


def _as_seen(colours: Pixels) -> npt.NDArray[np.floating[Any]]:
    alpha = colours[:, 3:].astype(np.float32)
    return np.concatenate((colours[:, :3] * (alpha / 255), alpha), axis=1)
