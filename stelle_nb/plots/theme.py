"""Colours and text of all charts: safe for colour-blind readers, legible on light and on dark pages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

Body = Any  # a chart without heading and theme: Altair's types do not tell what its methods return

# Okabe and Ito's palette in an order that keeps neighbours apart; its black is unseen on dark pages, its
# yellow on light ones, so they are left out.
BLUE, ORANGE, GREEN, PURPLE, SKY, VERMILLION = (
    "#0072B2",
    "#E69F00",
    "#009E73",
    "#CC79A7",
    "#56B4E9",
    "#D55E00",
)
PALETTE = (BLUE, ORANGE, GREEN, PURPLE, SKY, VERMILLION)

TEXT = "#777777"  # 4.5 : 1 on white and 4.2 : 1 on JupyterLab's dark grey
GREY = "#999999"  # background
# A colour means the same in charts, in figures for print and in the explorer, which has shades of its own.
OWN, RIVAL = BLUE, ORANGE  # the class in question, and the class or the cases that it is distinguished from
CASE = VERMILLION  # the case in question; in the ink of the page wherever that is known
HOLDS, FAILS = GREEN, PURPLE  # robustness at least zero, below zero
WANTED, SHUNNED = GREEN, PURPLE  # what a formula asks for, and what it forbids
CHANGED = SKY  # the part of a formula that a step changes

WIDTH = 640  # of a whole chart: a notebook's column with room to spare
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', 'DejaVu Sans', sans-serif"
MONOSPACE = "ui-monospace, 'DejaVu Sans Mono', 'Liberation Mono', Menlo, Consolas, monospace"


def names_of(labels: Iterable[Any]) -> list[str]:
    """The different labels as text, in the order of their first appearance."""
    return list(dict.fromkeys(str(label) for label in labels))


def ordered_names(labels: Iterable[Any]) -> list[str]:
    """The different labels as text, numbers inside them in the order of their size.

    Examples
    --------
    >>> ordered_names(["class 10", "class 9", "calm", "class 10"])
    ['calm', 'class 9', 'class 10']
    """
    return sorted(names_of(labels), key=lambda name: [_as_number(part) for part in re.split(r"(\d+)", name)])


def _as_number(part: str) -> tuple[int, str]:
    return (int(part), "") if part.isdecimal() else (-1, part)


def colours_of(names: Sequence[str]) -> list[str]:
    """A colour for each name; after six they come again, so a chart also writes names beside them.

    Examples
    --------
    >>> colours_of(["run", "walk"])
    ['#0072B2', '#E69F00']
    """
    return [PALETTE[i % len(PALETTE)] for i in range(len(names))]


def config() -> dict[str, Any]:
    """The configuration that every chart has."""
    axis = {
        "labelColor": TEXT,
        "titleColor": TEXT,
        "domainColor": GREY,
        "tickColor": GREY,
        "gridColor": GREY,
        "gridOpacity": 0.25,
        "titleFontWeight": "normal",
        "labelFontSize": 11,
        "titleFontSize": 12,
        "labelLimit": 220,
    }
    header = {"labelColor": TEXT, "titleColor": TEXT, "labelFontSize": 12, "labelLimit": WIDTH}
    legend = {
        "labelColor": TEXT,
        "titleColor": TEXT,
        "titleFontWeight": "normal",
        "labelFontSize": 12,
        "titleFontSize": 12,
        "labelLimit": 300,
        "symbolOpacity": 1,
    }
    title = {"color": TEXT, "subtitleColor": TEXT, "anchor": "start", "fontSize": 12, "limit": WIDTH}
    return {
        "background": "transparent",
        "font": FONT,
        "view": {"stroke": None},
        "axis": axis,
        "header": header,
        "legend": legend,
        "title": title,
        "text": {"color": TEXT},
        "concat": {"spacing": 8},
        "facet": {"spacing": 10},
    }
