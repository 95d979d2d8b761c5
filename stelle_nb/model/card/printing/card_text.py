"""Score cards as text that people read and edit.

The grammar; blank lines may stand anywhere::

    card     = "stelle_nb scorecard 1"   header ...   columns   row ...      each on lines of its own
    header   = "classes: "   JSON list of the labels                         required
             | "bias: "      one number for each class                       0 if left out
             | "sharpness: " number                                          1 if left out
             | "channels: "  JSON list of the names of the channels
             | "units: "     JSON list of the units of the channels, null for an unknown one
             | "step: "      number, the time from one sample to the next
             | "unit: "      JSON text, the unit of time
             | "fidelity: "  number, the agreement with a teacher on unseen cases
             | "edits: "     whole number, how often the card was changed by hand
    columns  = "sentence | formula | reach | points"
    row      = sentence "|" formula "|" reach "|" points
    sentence = a comment: anything without a bar; the formula decides
    formula  = what parse() reads, with the names of the channels; bars may stand in it
    reach    = a positive number
    points   = one number for each class, in the order of classes, separated by blanks

A label or name may hold any character: JSON escapes quotes, line breaks and the like. A channel whose name is
not unique or does not fit on a line is called by its number inside formulas. Numbers are exact.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from stelle_nb.arguments import shortened
from stelle_nb.errors import ModelError, StelleError
from stelle_nb.model.card.card_checks import (
    check_channels_known,
    entered_classes,
    entered_fidelity,
    entered_names,
    entered_step,
    entered_unit,
    entered_units,
)
from stelle_nb.model.card.printing.card_words import formula_text, read_formula
from stelle_nb.model.card.scorecard import Scorecard

if TYPE_CHECKING:
    from stelle_nb.logic.formula import Formula

TITLE = "stelle_nb scorecard 1"
COLUMNS = "sentence | formula | reach | points"
HEADERS = ("channels", "units", "step", "unit", "fidelity", "edits", "sharpness", "classes", "bias")

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_Lines = list[tuple[int, str]]


def card_to_text(card: Scorecard) -> str:
    """The card, exactly; :func:`card_from_text` reads it back."""
    headers = {
        "channels": None if card.channel_names is None else literal(list(card.channel_names)),
        "units": None if card.units is None else literal(list(card.units)),
        "step": None if card.step is None else number_text(card.step),
        "unit": None if card.unit is None else literal(card.unit),
        "fidelity": None if card.fidelity is None else number_text(card.fidelity),
        "edits": str(card.n_edits) if card.n_edits else None,
        "sharpness": number_text(card.sharpness),
        "classes": literal(list(card.classes)),
        "bias": _numbers_text(card.bias),
    }
    lines = [f"{name}: {headers[name]}" for name in HEADERS if headers[name] is not None]
    rows = [
        f"{_comment(said)} | {formula_text(formula, card.channel_names)} | {number_text(reach)} | "
        f"{_numbers_text(points)}"
        for said, formula, reach, points in zip(
            card.sentences, card.formulas, card.reach, card.points, strict=True
        )
    ]
    return "\n".join([TITLE, *lines, "", COLUMNS, *rows, ""])


def literal(value: Any) -> str:
    """The value as JSON on one line; what cannot be seen is escaped."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in text)


def number_text(value: float) -> str:
    """The number exactly, integers without a point.

    Examples
    --------
    >>> number_text(2.0), number_text(-0.25), number_text(1e-7)
    ('2', '-0.25', '1e-07')
    """
    return repr(float(value)).removesuffix(".0")


def card_from_text(text: str) -> Scorecard:
    """Read a card; errors name the line."""
    if not isinstance(text, str):
        raise ModelError(f"from_text() reads text, got {shortened(text)}. Pass what to_text() returned.")
    numbered = enumerate(text.removeprefix("\ufeff").split("\n"), start=1)
    lines = [(n, line.strip()) for n, line in numbered if line.strip()]
    heads, rows = _divided(lines)
    found = _headers(heads)
    n_classes = len(found["classes"])
    found.setdefault("bias", [0.0] * n_classes)
    formulas, reaches, points = zip(
        *(_row(n, line, found.get("channel_names"), n_classes) for n, line in rows), strict=True
    )
    for (n, _), formula in zip(rows, formulas, strict=True):
        with _at(n):
            check_channels_known([formula], found.get("units"), "units")
    return Scorecard(formulas, np.array(points), np.array(reaches), **found)


def _divided(lines: _Lines) -> tuple[_Lines, _Lines]:
    """The header lines and the rows, neither of them empty."""
    n, first = lines[0] if lines else (1, "")
    if first != TITLE:
        raise ModelError(f"Line {n}: a card must begin with {TITLE!r}, got {shortened(first)}.")
    at = next((i for i, (_, line) in enumerate(lines) if _squeezed(line) == _squeezed(COLUMNS)), None)
    last = lines[-1][0]
    if at is None:
        raise ModelError(f"Line {last}: a card must have the line {COLUMNS!r} above its formulas, got none.")
    if at == len(lines) - 1:
        raise ModelError(f"Line {last}: a card must have at least one formula below {COLUMNS!r}, got none.")
    return lines[1:at], lines[at + 1 :]


def _headers(lines: _Lines) -> dict[str, Any]:
    """The fields of a card that stand above its rows."""
    given: dict[str, tuple[int, str]] = {}
    for n, line in lines:
        name, colon, value = line.partition(":")
        name = name.strip()
        if not colon or name not in HEADERS:
            known = ", ".join(HEADERS)
            raise ModelError(f"Line {n}: a header must be one of {known} and a colon, got {shortened(line)}.")
        if name in given:
            raise ModelError(f"Line {n}: the header {name!r} is already given in line {given[name][0]}.")
        given[name] = n, value.strip()
    if "classes" not in given:
        raise ModelError('The header "classes" is missing. Add a line such as classes: ["rest", "walk"].')
    found: dict[str, Any] = {}

    def read(name: str, field: str, convert: Callable[[str], Any]) -> None:
        if name in given:
            n, value = given[name]
            with _at(n):
                found[field] = convert(value)

    read("classes", "classes", lambda text: entered_classes(_json_list(text)))
    read("channels", "channel_names", lambda text: entered_names(_json_list(text)))
    read("units", "units", lambda text: entered_units(_json_list(text), found.get("channel_names")))
    read("step", "step", lambda text: entered_step(_number(text, "step")))
    read("unit", "unit", lambda text: entered_unit(_json(text)))
    read("sharpness", "sharpness", lambda text: _positive(text, "sharpness"))
    read("fidelity", "fidelity", lambda text: entered_fidelity(_number(text, "fidelity")))
    read("edits", "n_edits", _count)
    read("bias", "bias", lambda text: _numbers(text, "bias", len(found["classes"])))
    return found


def _row(
    n: int, line: str, names: tuple[str, ...] | None, n_classes: int
) -> tuple[Formula, float, list[float]]:
    _, _, rest = line.partition("|")
    columns = rest.rsplit("|", 2)
    if len(columns) < 3:
        raise ModelError(
            f"Line {n}: a row must have the four columns {COLUMNS!r}, got {line.count('|') + 1}: "
            f"{shortened(line)}."
        )
    formula, reach, points = (column.strip() for column in columns)
    with _at(n):
        return (
            read_formula(formula, names),
            _positive(reach, "reach"),
            _numbers(points, "points", n_classes),
        )


@contextmanager
def _at(n: int) -> Iterator[None]:
    try:
        yield
    except StelleError as error:
        raise ModelError(f"Line {n}: {error}") from error


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ModelError(f'JSON was expected, such as "s", got {shortened(text)}: {error}.') from error


def _json_list(text: str) -> list[Any]:
    found = _json(text)
    if not isinstance(found, list):
        raise ModelError(f'A JSON list was expected, such as ["rest", "walk"], got {shortened(text)}.')
    return [_as_tuple(each) for each in found]


def _as_tuple(value: Any) -> Any:
    return tuple(map(_as_tuple, value)) if isinstance(value, list) else value


def _number(text: str, name: str) -> float:
    plain = text.replace("\u2212", "-")  # the minus sign of word processors
    if not _NUMBER.fullmatch(plain):
        raise ModelError(f"{name} must be a number such as -1.5, got {shortened(text)}.")
    value = float(plain)
    if value in (float("inf"), -float("inf")):
        raise ModelError(f"{name} must be finite, got {shortened(text)}.")
    return value


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise ModelError(f"edits must be an integer such as 2, got {shortened(text)}.")
    return int(text)


def _positive(text: str, name: str) -> float:
    value = _number(text, name)
    if value <= 0:
        raise ModelError(f"{name} must be positive, got {text}.")
    return value


def _numbers(text: str, name: str, n: int) -> list[float]:
    values = [_number(each, name) for each in text.split()]
    if len(values) != n:
        raise ModelError(
            f"{name} must hold a number for each of the {n} classes, got {len(values)}: {shortened(text)}."
        )
    return values


def _numbers_text(values: Iterable[float]) -> str:
    return " ".join(map(number_text, values))


def _comment(said: str) -> str:
    """The sentence without what would end its column or its line."""
    plain = "".join(char if char.isprintable() else " " for char in said.replace("|", "¦"))
    return " ".join(plain.split())


def _squeezed(line: str) -> str:
    return "".join(line.split())
