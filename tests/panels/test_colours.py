"""A colour means the same wherever explanations are drawn: explorer, still picture, charts, score cards."""

from __future__ import annotations

import colorsys
import re
from importlib import resources
from itertools import combinations

from stelle_nb.panels.linked import still
from stelle_nb.panels.widgets.chart_view import INK, ChartView, recoloured
from stelle_nb.plots import theme
from stelle_nb.plots.scene_rows import COLOURS

ROLES = ("class", "rival", "held", "failed")
Palette = dict[str, str]


def hue(colour: str) -> float:
    """In degrees."""
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return 360 * colorsys.rgb_to_hls(red, green, blue)[0]


def apart(one: str, other: str) -> float:
    turn = abs(hue(one) - hue(other))
    return min(turn, 360 - turn)


def style(package: str, *path: str) -> str:
    return resources.files(package).joinpath(*path).read_text(encoding="utf-8")


def blocks(sheet: str, names: Palette) -> list[Palette]:
    """The colours of each theme of a style sheet, by role."""
    found = {
        role: re.findall(rf"--{name}: (#[0-9a-f]{{6}})", sheet, re.IGNORECASE) for role, name in names.items()
    }
    themes = zip(*found.values(), strict=True)
    return [dict(zip(found, each, strict=True)) for each in themes]


def palettes() -> list[Palette]:
    explorer = blocks(
        style("stelle_nb.panels.linked", "assets", "linked.css"), {role: f"stl-{role}" for role in ROLES}
    )
    card = blocks(style("stelle_nb.model.card.printing", "card.css"), {"class": "for", "rival": "against"})
    charts = {"class": theme.OWN, "rival": theme.RIVAL, "held": theme.HOLDS, "failed": theme.FAILS}
    assert len(explorer) == 4 and len(card) == 4
    return [*explorer, *card, charts]


def test_a_role_has_one_colour_everywhere() -> None:
    first, *others = palettes()
    for other in others:
        assert {role: apart(first[role], colour) < 20 for role, colour in other.items()} == dict.fromkeys(
            other, True
        )


def test_no_two_roles_share_a_colour() -> None:
    for palette in palettes():
        for one, other in combinations(palette.values(), 2):
            assert apart(one, other) > 30
    assert theme.CASE not in (theme.OWN, theme.RIVAL, theme.HOLDS, theme.FAILS)


def test_the_still_picture_has_the_colours_of_the_light_explorer() -> None:
    drawn = {role: getattr(still, f"_{role.upper()}") for role in ROLES}
    assert drawn == palettes()[0]


def test_in_charts_of_panels_the_case_has_the_ink_of_the_page_and_a_class_keeps_its_colour() -> None:
    classes = {"domain": list("abcdef"), "range": theme.colours_of(list("abcdef"))}
    roles = {"domain": list(COLOURS), "range": list(COLOURS.values())}
    spec = {
        "layer": [{"color": {"scale": each}} for each in (classes, roles)],
        "color": {"value": theme.CASE},
    }
    assert theme.CASE in classes["range"]
    inked = recoloured(spec, INK)
    ranges = [layer["color"]["scale"]["range"] for layer in inked["layer"]]
    assert ranges == [classes["range"], [INK, *roles["range"][1:]]] and inked["color"] == {"value": INK}
    assert recoloured(inked, theme.CASE) == spec


def test_a_saved_picture_of_a_chart_has_no_ink_of_a_page() -> None:
    view = ChartView()
    lines = [{"t": 0, "y": 0}, {"t": 1, "y": 1}]
    scales = {"x": {"field": "t", "type": "quantitative"}, "y": {"field": "y", "type": "quantitative"}}
    mark = {"type": "line", "color": INK}
    view.draw({"data": {"name": "some"}, "mark": mark, "encoding": scales}, {"some": lines}, "a line")
    picture = (view.picture("svg") or b"").decode()
    assert INK not in picture and theme.CASE.lower() in picture.lower()
