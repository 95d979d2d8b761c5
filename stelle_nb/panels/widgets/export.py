"""What a panel shows, as files: pictures, formulas, data and code."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, final

from stelle_nb.depict.wording import Wording
from stelle_nb.files import draft_of, writing
from stelle_nb.logic.formula import Formula

if TYPE_CHECKING:
    from stelle_nb.explain.explanation import Explanation

Form = Literal["png", "svg", "pdf"]
MAX_LINK = 8_000_000  # bytes; a larger file is only written
_TYPES = {
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".pdf": "application/pdf",
    ".json": "application/json",
    ".html": "text/html",
}


class ExportableChart(Protocol):
    """A chart that can be drawn as a file, and what it shows in words."""

    @property
    def label(self) -> str: ...

    def png(self) -> bytes | None:
        """The picture in dots, or None if there is none."""

    def picture(self, form: Form) -> bytes | None:
        """The picture in another format, or None if there is none."""


@final
@dataclass(frozen=True, slots=True)
class NamedFormula:
    """A formula with the names of its channels."""

    formula: Formula
    wording: Wording


@final
@dataclass(frozen=True, slots=True, eq=False)
class Export:
    """A file that can be made.

    Parameters
    ----------
    name
        What to call its kind in a list.
    suffix
        How its name ends.
    make
        Gives its content.
    is_slow
        Whether this takes too long to wait for.
    """

    name: str
    suffix: str
    make: Callable[[], bytes | str]
    is_slow: bool = False


def picture_exports(picture: ExportableChart) -> list[Export]:
    """A chart as figures for texts and slides."""

    def draw(form: Form) -> Callable[[], bytes]:
        return lambda: picture.picture(form) or b""

    return [
        Export("PNG picture", ".png", draw("png")),
        Export("SVG picture", ".svg", draw("svg")),
        Export("PDF picture", ".pdf", draw("pdf")),
    ]


def formula_exports(said: NamedFormula | Explanation) -> list[Export]:
    """A formula for papers, programs and monitors."""
    as_page: list[Export] = []
    if not isinstance(said, NamedFormula):
        explanation, said = said, NamedFormula(said.formula, said.wording)
        as_json, latex = explanation.to_json, explanation.to_latex
        as_page = [Export("HTML page", ".html", explanation.page)]
    else:
        as_json, latex = _json_of(said), lambda: said.wording.latex(said.formula)
    return [
        Export("LaTeX formula", ".tex", lambda: f"{latex()}\n"),
        Export("JSON", ".json", as_json),
        Export("RTAMT formula", ".txt", lambda: f"{said.wording.rtamt(said.formula)}\n"),
        *as_page,
    ]


def _json_of(said: NamedFormula) -> Callable[[], str]:
    from stelle_nb.explain.document import wording_to_json, write_document

    formula, wording = said.formula, said.wording
    return lambda: write_document(
        "stelle_nb formula",
        {"formula": wording.ascii(formula), "english": wording.english(formula), **wording_to_json(wording)},
    )


def state_export(panel: Any) -> Export:
    """The state of a panel as data."""
    document = {"panel": type(panel).__name__, "state": {k: getattr(panel.state, k) for k in _fields(panel)}}
    return Export("JSON", ".json", lambda: json.dumps(document, ensure_ascii=False, default=str, indent=1))


def _fields(panel: Any) -> tuple[str, ...]:
    return tuple(type(panel.state).__dataclass_fields__)


def write_new(folder: Path, stem: str, suffix: str, content: bytes | str) -> Path:
    """Write a file atomically, under an unused name.

    Parameters
    ----------
    stem
        Made into a plain name; a number is added if it is taken.
    """
    name = re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-") or "export"
    number = 1
    with writing(folder / f"{name}{suffix}"):
        while True:
            target = folder / f"{name}{'' if number == 1 else f'-{number}'}{suffix}"
            try:
                target.touch(exist_ok=False)  # the name is taken from now on
                break
            except FileExistsError:
                number += 1
    try:
        with draft_of(target) as draft:
            draft.write_bytes(content.encode() if isinstance(content, str) else content)
    except BaseException:
        target.unlink(missing_ok=True)
        raise
    return target


def link_html(path: Path) -> str:
    """Where a file is, and a download link for users without access to that folder."""
    content = path.read_bytes()
    link = ""
    if len(content) <= MAX_LINK:
        kind = _TYPES.get(path.suffix, "text/plain")
        data = base64.b64encode(content).decode("ascii")
        name = escape(path.name, quote=True)
        link = f' <a download="{name}" href="data:{kind};base64,{data}">Download</a>'
    return f"Saved as <code>{escape(str(path))}</code>.{link}"
