"""Pictures with a palette look like those they were made from."""

from __future__ import annotations

import io

import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as hs
from PIL import Image

from stelle_nb.plots.palette import N_COLOURS, with_few_colours


def as_png(pixels: npt.NDArray[np.uint8]) -> bytes:
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, format="png")
    return stream.getvalue()


def pixels_of(picture: bytes) -> npt.NDArray[np.uint8]:
    return np.asarray(Image.open(io.BytesIO(picture)).convert("RGBA"))


def as_seen(pixels: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64]:
    """Colours by their alpha: those that can hardly be seen are alike."""
    alpha = pixels[..., 3:].astype(float)
    return np.concatenate((pixels[..., :3] * alpha / 255, alpha), axis=-1)


@given(hs.integers(1, N_COLOURS), hs.integers(0, 2**32 - 1))
def test_a_picture_that_a_palette_can_hold_is_kept_as_it_looks(n_colours: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    colours = rng.integers(0, 256, (n_colours, 4), dtype=np.uint8)
    pixels = colours[rng.integers(0, n_colours, (20, 30))]
    small = pixels_of(with_few_colours(as_png(pixels)))
    assert np.abs(as_seen(small) - as_seen(pixels)).max() < 1


def test_areas_keep_their_colour_and_edges_become_what_is_nearest() -> None:
    pixels = np.zeros((100, 100, 4), dtype=np.uint8)
    pixels[:50] = (0, 158, 115, 51)  # the pale green of what a formula asks for
    edges = np.random.default_rng(0).normal((213, 94, 0, 130), 6, (10, 100, 4))
    pixels[60:70] = edges.clip(0, 255).astype(np.uint8)
    small = pixels_of(with_few_colours(as_png(pixels)))
    apart = np.abs(as_seen(small) - as_seen(pixels)).max(-1)
    assert np.array_equal(small[:50], pixels[:50]) and apart[50:60].max() == apart[70:].max() == 0
    assert 0 < apart[60:70].mean() < 8  # of 255
    assert len(np.unique(small.reshape(-1, 4), axis=0)) <= N_COLOURS
