"""The text of a formula in pieces: what stays, and the numbers that can be moved."""

from __future__ import annotations

import math
from typing import Any

from stelle_nb.logic.parsing.tokens import tokenize
from stelle_nb.logic.printing.time_words import Clock

_SIGNS = {">=": "≥", "<=": "≤", "G": "□", "F": "◇", "&": "∧", "|": "∨", "!": "¬", "+-": "±"}


def pieces_of(text: str, reach: float, clock: Clock) -> list[dict[str, Any]]:
    """The pieces of a formula: joined, their ``text`` is the formula again.

    Parameters
    ----------
    text
        As a formula is printed: with a sign right before its number, and a point in every number that is not
        a count of samples.
    reach
        Of the formula: its thresholds move in steps of about a fiftieth of it.
    clock
        Says what a number of samples is in the unit of time.

    Returns
    -------
    list of dict
        ``text``, ``look`` on the page, and for numbers ``value``, ``step`` and a ``hint``.

    Examples
    --------
    >>> found = pieces_of("F[2,9] (x0 >= -1.5)", 1.0, Clock(0.1, "s"))
    >>> "".join(piece["text"] for piece in found)
    'F[2,9] (x0 >= -1.5)'
    >>> [(piece["value"], piece["step"]) for piece in found if "value" in piece]
    [(2, 1), (9, 1), (-1.5, 0.02)]
    >>> "".join(piece["look"] for piece in found)
    '◇[2,9] (x0 ≥ -1.5)'
    """
    found: list[dict[str, Any]] = []
    done = 0
    for token in tokenize(text):
        start, end = token.at, token.at + len(token.text)
        if token.kind == "-" and _is_sign(text, start):
            continue  # it goes with its number
        if token.kind == "number" and done < start and text[start - 1] == "-" and _is_sign(text, start - 1):
            start -= 1
        if start > done:
            found.append({"text": text[done:start], "look": text[done:start]})
        if token.kind == "number" and text[end : end + 1] != "*":  # the weights of a sum stay
            found.append(_number(text[start:end], reach, clock))
        elif token.text:
            look = _SIGNS.get(token.text, text[start:end])
            found.append({"text": text[start:end], "look": look})
        done = end
    return found


def _is_sign(text: str, at: int) -> bool:
    """Whether a minus belongs to the number after it; a difference is printed with spaces around it."""
    return text[at + 1 : at + 2] != " " and text[at - 1 : at] in ("", " ", "(", ",")


def _number(text: str, reach: float, clock: Clock) -> dict[str, Any]:
    if "." in text or "e" in text.lower():
        step = step_of(reach)
        return {"text": text, "look": _short(text), "value": float(text), "step": step, "hint": "value"}
    value = int(text)
    return {
        "text": text,
        "look": text,
        "value": value,
        "step": 1,
        "hint": f"sample {value}: {clock.moment(value)}",
    }


def _short(text: str) -> str:
    """Without the zero that marks a whole number as a value."""
    return text.removesuffix(".0") or text


def step_of(reach: float) -> float:
    """A fiftieth of a reach, as 1, 2 or 5 times a power of ten.

    Examples
    --------
    >>> step_of(1.0), step_of(0.37), step_of(260)
    (0.02, 0.005, 5.0)
    """
    rough = reach / 50
    power = 10.0 ** math.floor(math.log10(rough))
    best = max(times for times in (1, 2, 5) if times * power <= rough * (1 + 1e-9))
    return float(f"{best * power:.1g}")
