"""Cards as HTML: everything is there, nothing is run, loaded or taken for mathematics."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from stelle_nb.errors import FileError
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.model.card.scorecard import Scorecard
from tests.model.card.strategies import cards

KNOWN = {"div", "style", "p", "b", "table", "thead", "tbody", "tr", "th", "td", "span"}


class Cells(HTMLParser):
    """The text of every cell, row by row, and every tag."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.tags: set[str] = set()
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.add(tag)
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.rows and ("td" in self.open or "th" in self.open):
            self.rows[-1][-1] += data


def test_a_card_shows_every_number_and_leaves_zeros_blank(card: Scorecard) -> None:
    head, bias, *rows = Cells(card._repr_html_()).rows
    assert head[1:] == ["rest", "walk", "run"] and bias[1:] == ["+0.5", "0", "\u22121"]
    assert [row[1:] for row in rows] == [["+2", "\u22121.5", ""], ["", "+3", "\u22120.25"], ["", "", ""]]
    for row, said in zip(rows, card.sentences, strict=True):
        assert row[0].startswith(said)
    assert "reach 0.8 g" in rows[0][0] and "\u2265 2.2" in rows[1][0]


@given(cards())
def test_user_text_is_escaped_and_shown(card: Scorecard) -> None:
    text = card._repr_html_()
    found = Cells(text)
    assert found.tags <= KNOWN and found.open == []
    assert found.rows[0][1:] == [str(label) for label in card.classes]
    assert [len(row) for row in found.rows] == [1 + card.n_classes] * (2 + card.n_formulas)


def test_nothing_is_taken_for_mathematics(card: Scorecard) -> None:
    odd = replace(card, classes=("$a$", r"\(b\)", "c"), channel_names=("$y$", "x"))
    text = odd._repr_html_()
    assert re.search(r'^<div class="[^"]*tex2jax_ignore', text)
    body = text.partition("</style>")[2]
    assert re.findall(r"[^>]\$|\$[^<]|[^>]\\|\\[^<]", body) == []


def test_a_page_loads_and_runs_nothing(card: Scorecard, tmp_path: Path) -> None:
    page = card.to_html()
    assert isinstance(page, str) and page.startswith("<!DOCTYPE html>")
    assert "default-src 'none'" in page and "<script" not in page
    assert not re.search(r"https?:|src=|@import|url\(", page)
    path = card.to_html(tmp_path / "card.html")
    assert isinstance(path, Path) and path.read_text(encoding="utf-8") == page
    with pytest.raises(FileError, match="cannot be written"):
        card.to_html(tmp_path / "nowhere" / "card.html")


def test_every_rule_of_the_style_is_about_the_card_alone(card: Scorecard) -> None:
    style = re.search(r"<style>(.*?)</style>", card._repr_html_(), re.S)
    assert style
    selectors = re.findall(r"([^{}@;]+)\{", re.sub(r"@media[^{]*\{", "", style[1]))
    each = [one.strip() for group in selectors for one in group.split(",") if one.strip()]
    assert each and all(".stelle-card" in one for one in each)


def many_classes() -> Scorecard:
    points = np.zeros((30, 26))
    points[np.arange(30), np.arange(30) % 26] = 1.25
    formulas = tuple(parse(f"G[{j},{j + 9}] (x0 >= 0.{j})") for j in range(30))
    labels = tuple(f"a class with the number {k}" for k in range(26))
    return Scorecard(
        formulas, points, np.ones(30), np.zeros(26), labels, channel_names=("left hand, upwards",)
    )


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1000, 420])
def test_a_browser_shows_it_in_any_width_and_theme(
    browser: Any, card: Scorecard, tmp_path: Path, scheme: str, width: int
) -> None:
    page = browser.new_page(color_scheme=scheme, viewport={"width": width, "height": 800})
    for shown in (card, many_classes()):
        page.goto(Path(shown.to_html(tmp_path / "card.html")).as_uri())
        assert not page.evaluate("document.documentElement.scrollWidth > window.innerWidth")
        box = page.locator("thead .what").bounding_box()
        page.evaluate("document.querySelector('.scroll').scrollLeft = 1e6")
        assert page.locator("thead .what").bounding_box()["x"] == box["x"]  # sentences stay in view
        assert page.locator("thead .cls").last.bounding_box()["x"] < width
        ink, paper = page.evaluate(
            "(({color, backgroundColor}) => [color, backgroundColor])"
            "(getComputedStyle(document.querySelector('.stelle-card')))"
        )
        brightness = [sum(map(int, re.findall(r"\d+", each)[:3])) for each in (ink, paper)]
        assert (brightness[0] < brightness[1]) == (scheme == "light")
    page.close()
