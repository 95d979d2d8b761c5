"""What the built pages ask a browser to load, and where their links lead."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADING = {
    ("script", "src"),
    ("link", "href"),
    ("img", "src"),
    ("img", "srcset"),
    ("source", "src"),
    ("iframe", "src"),
    ("embed", "src"),
    ("object", "data"),
    ("video", "src"),
    ("audio", "src"),
    ("use", "href"),
    ("form", "action"),
}
_URL = re.compile(r"(?:url\(|@import)\s*['\"]?([^'\")\s;]+)")


@dataclass
class Page(HTMLParser):
    """The addresses and the names in a page."""

    path: Path
    loaded: set[str] = field(default_factory=set)
    links: set[str] = field(default_factory=set)
    ids: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if value and (tag, name) in LOADING:
                self.loaded.add(value)
            if value and name == "id":
                self.ids.add(value)
            if value and (tag, name) == ("a", "href"):
                self.links.add(value)
            if value and name == "style":
                self.loaded.update(_URL.findall(value))


def loaded_by_styles(folder: Path) -> dict[str, set[str]]:
    """What style sheets load, by their names; data that they hold themselves are not loaded."""
    found = {path.name: set(_URL.findall(path.read_text(encoding="utf-8"))) for path in folder.rglob("*.css")}
    return {name: {url for url in urls if not url.startswith(("data:", "#"))} for name, urls in found.items()}


def is_outside(url: str) -> bool:
    """Whether an address leads to another machine."""
    parts = urlsplit(url)
    return bool(parts.netloc) or parts.scheme not in ("", "data", "mailto")


def target_of(page: Path, link: str) -> tuple[Path, str]:
    """The file and the name in it that a link inside the site leads to."""
    parts = urlsplit(link)
    path = page if not parts.path else (page.parent / unquote(parts.path)).resolve()
    return path, unquote(parts.fragment)
