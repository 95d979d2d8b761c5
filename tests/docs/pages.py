"""The pages of the documentation, as their tests see them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(path for path in DOCS.rglob("*.md"))
_FENCE = re.compile(r"^```(python|text)\n(.*?)^```$", re.M | re.S)


@dataclass(frozen=True, slots=True)
class Block:
    """Code of a page, where it begins, and what the page says that it prints."""

    code: str
    line: int
    printed: str | None


def name_of(path: Path) -> str:
    return path.relative_to(DOCS).as_posix()


def blocks_of(path: Path) -> list[Block]:
    """The python blocks of a page; a text block right below one is what it prints."""
    text = path.read_text(encoding="utf-8")
    found: list[Block] = []
    end = -1
    for match in _FENCE.finditer(text):
        kind, body = match.groups()
        if kind == "python":
            found.append(Block(body, text.count("\n", 0, match.start()) + 2, None))
        elif found and not text[end : match.start()].strip():
            found[-1] = Block(found[-1].code, found[-1].line, body)
        end = match.end()
    return found
