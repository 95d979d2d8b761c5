"""Pictures of charts have the colours that a browser shows."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as hs
from PIL import Image

from stelle_nb.logic.parsing.parser import parse
from stelle_nb.plots import plot_tree
from stelle_nb.plots.png import N_COLOURS, draw_png, with_few_colours


def pixels_of(picture: bytes) -> npt.NDArray[np.uint8]:
    return np.asarray(Image.open(io.BytesIO(picture)).convert("RGBA"))


def chart_of(opacity: float) -> dict[str, Any]:
    """A square of pale green that fills its chart."""
    mark = {"type": "rect", "fill": "#009E73", "opacity": opacity, "x": 0, "y": 0, "width": 20, "height": 20}
    size = {"width": 20, "height": 20, "padding": 0, "view": {"stroke": None}, "background": None}
    return {"data": {"values": [{}]}, "mark": mark, **size}


@pytest.mark.parametrize("opacity", [0.2, 0.55, 1.0])
def test_what_is_translucent_keeps_its_colour(opacity: float) -> None:
    red, green, blue, alpha = pixels_of(draw_png(chart_of(opacity), scale=1))[10, 10].tolist()
    assert alpha == round(255 * opacity)
    assert red == 0 and abs(green - 0x9E) <= 3 and abs(blue - 0x73) <= 3


def test_the_ground_is_transparent() -> None:
    assert pixels_of(draw_png({**chart_of(0.2), "padding": 10}, scale=1))[2, 2, 3] == 0


def as_seen(pixels: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64]:
    """Colours by their alpha: those that can hardly be seen are alike."""
    alpha = pixels[..., 3:].astype(float)
    return np.concatenate((pixels[..., :3] * alpha / 255, alpha), axis=-1)


@given(hs.integers(1, N_COLOURS), hs.integers(0, 2**32 - 1))
def test_a_picture_that_a_palette_can_hold_is_kept_as_it_looks(n_colours: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    colours = rng.integers(0, 256, (n_colours, 4), dtype=np.uint8)
    pixels = colours[rng.integers(0, n_colours, (20, 30))]
    small = pixels_of(with_few_colours(pixels))
    assert np.abs(as_seen(small) - as_seen(pixels)).max() < 1


def test_areas_keep_their_colour_and_edges_become_what_is_nearest() -> None:
    pixels = np.zeros((100, 100, 4), dtype=np.uint8)
    pixels[:50] = (0, 158, 115, 51)  # the pale green of what a formula asks for
    edges = np.random.default_rng(0).normal((213, 94, 0, 130), 6, (10, 100, 4))
    pixels[60:70] = edges.clip(0, 255).astype(np.uint8)
    small = pixels_of(with_few_colours(pixels))
    apart = np.abs(as_seen(small) - as_seen(pixels)).max(-1)
    assert np.array_equal(small[:50], pixels[:50]) and apart[50:60].max() == apart[70:].max() == 0
    assert 0 < apart[60:70].mean() < 8  # of 255
    assert len(np.unique(small.reshape(-1, 4), axis=0)) <= N_COLOURS


def test_a_chart_saved_to_a_stream_has_the_colours_of_one_saved_to_a_file(tmp_path: Path) -> None:
    chart = plot_tree(parse("F[0,9] x0 >= 1"))
    stream = io.BytesIO()
    chart.save(stream, format="png")
    chart.save(tmp_path / "chart.png")
    assert stream.getvalue() == (tmp_path / "chart.png").read_bytes()


def test_a_small_mark_keeps_its_colour_among_many_soft_edges() -> None:
    rng = np.random.default_rng(0)
    pixels = rng.integers((200, 80, 0, 255), (232, 112, 32, 256), (100, 100, 4)).astype(np.uint8)
    pixels[80:85, 80:95] = (0, 114, 178, 255)  # the swatch of a class in a legend
    pixels[:40] = (0, 158, 115, 255)  # like it, but not it
    small = pixels_of(with_few_colours(pixels))
    assert np.array_equal(small[80:85, 80:95], pixels[80:85, 80:95])
    assert len(np.unique(small.reshape(-1, 4), axis=0)) <= N_COLOURS
