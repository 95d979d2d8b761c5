"""The pictures of the pages: all their colours, and what their captions promise."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
from PIL import Image, ImageColor

import stelle_nb as st
from stelle_nb.plots.theme import GREY, TEXT

DOCS = Path(__file__).resolve().parents[2] / "docs"
EXPLORER = {
    "explorer-light": ("#1d2127", "#0068a8"),
    "explorer-dark": ("#eceff3", "#62b6f0"),
}  # ink and class
PICTURES = sorted([*DOCS.glob("img/*.png"), *DOCS.glob("pictures/*.png")])


def test_there_are_pictures() -> None:
    assert len(PICTURES) > 20


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_picture_has_its_true_colours(path: Path) -> None:
    """A palette of 64 or 128 colours shifts the shades of bands and text, and the theme's own colours."""
    with Image.open(path) as picture:
        assert picture.mode == "RGB"
        colours = {colour for _, colour in picture.getcolors(2**24)}
    wanted = EXPLORER.get(path.stem, (TEXT, GREY))
    assert {ImageColor.getrgb(colour) for colour in wanted} <= colours


@pytest.fixture(scope="module")
def take() -> ModuleType:
    """The script that takes the pictures of the panels."""
    spec = importlib.util.spec_from_file_location("take", DOCS / "img" / "take.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_step_of_a_formula_that_becomes_shorter_makes_it_shorter(take: ModuleType) -> None:
    names = ["accelerometer x", "gyroscope z"]
    steps = st.simplify(st.parse(take.LONG, channel_names=names)).steps
    sizes = [steps[0].before.size, *(step.after.size for step in steps)]
    assert sizes[take.STEP] < sizes[take.STEP - 1] and sizes[take.STEP] < sizes[0]
