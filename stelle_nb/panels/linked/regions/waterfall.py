"""The score sheet as a waterfall: what each formula adds to the lead of a class over its rival."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from stelle_nb.depict.regions import Case
from stelle_nb.depict.wording import Wording
from stelle_nb.explain.explanation import percent
from stelle_nb.explain.local.local_explanation import LocalExplanation
from stelle_nb.explain.local.printing.points_text import decimals_of, signed
from stelle_nb.explain.local.sheet import Contribution, ScoreSheet
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.idioms import BY_NAME, Words, recognise
from stelle_nb.logic.syntax import Track
from stelle_nb.panels.linked.regions.marks import band_json, bands_of, deciding_of, key_of

Group = Literal["for", "against", "none"]
N_OPEN = 3  # rows of each side that are open, whether they are reasons or not
CLEAR, BARE = 0.75, 0.25  # degrees
_NOTHING = 1e-9  # of the largest row


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A formula of the card, and what it does here.

    Parameters
    ----------
    number
        On the card.
    glyph, course
        The small picture of its idiom; for a shape, the points of its course.
    words, when, sentence
        A few words, the time that they are about, and both in full.
    holds, degree, clearly
        Whether the case satisfies it, how clearly, and this in words.
    points, text
        What it adds to the lead, and the same as text.
    begin, end
        Where its bar lies: the lead before it and after it.
    group
        Whether it speaks for the class, for the rival, or makes no difference between them.
    is_open
        Whether it has a line of its own unless the reader asks for all.
    reason
        Its number among the reasons that the explanation puts into words, counted from 1 down the sheet; 0
        if it is none of them.
    rows, bands, deciding
        What to draw on which signals.
    """

    number: int
    glyph: str
    course: list[float]
    words: str
    when: str
    sentence: str
    holds: bool
    degree: float
    clearly: str
    points: float
    text: str
    begin: float
    end: float
    group: Group
    is_open: bool
    reason: int
    rows: list[str]
    bands: list[dict[str, Any]]
    deciding: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class Waterfall:
    """All rows, from the start of every case to the lead.

    Parameters
    ----------
    kind
        ``"points"`` of a score card; ``"shares"`` of a model that adds up too many concepts for one.
    start, margin
        The lead before the first row and after the last one.
    decimals
        Of all points.
    """

    kind: Literal["points", "shares"]
    rows: list[SheetRow]
    start: float
    start_text: str
    margin: float
    margin_text: str
    decimals: int
    note: str


Drawing = tuple[list[dict[str, Any]], dict[str, Any] | None]
"""What to draw of a formula on a case: its bands, and the sample that decides."""


def card_sheet(
    why: LocalExplanation,
    sheet: ScoreSheet,
    rival: Any,
    chosen: int | None = None,
    drawn: dict[Formula, Drawing] | None = None,
) -> Waterfall:
    """The waterfall of a score card: rows for the class, then rows for the rival, the largest first.

    Parameters
    ----------
    chosen
        Number of the formula that is drawn, too, if its row is not open.
    drawn
        A cache of what to draw of each formula on this case.
    """
    known: dict[Formula, Drawing] = {} if drawn is None else drawn
    lead = sheet.against(rival)
    start, margin = sheet.start(rival), sheet.start(rival) + float(lead.sum())
    decimals = decimals_of([start, margin, *lead.tolist()])
    shown = {part.number for part in why.conjuncts if part.is_reason}
    order = ordered(lead.tolist(), shown)
    told = [j for j, _, _ in order if j in shown]
    reasons = {j: place for place, j in enumerate(told, start=1)}
    total, rows = start, []
    for j, group, is_open in order:
        part, points = sheet.contributions[j], float(lead[j])
        if is_open or j == chosen:
            if part.formula not in known:
                known[part.formula] = _drawing(part.formula, why.case)
            drawing = known[part.formula]
        else:
            drawing = [], None
        row = _row(why, part.formula, part.number, reasons.get(j, 0), drawing)
        rows.append(
            SheetRow(
                **row,
                holds=part.holds,
                degree=round(part.degree, 4),
                clearly=clearly(part),
                points=points,
                text=signed(points, decimals),
                begin=total,
                end=total + points,
                group=group,
                is_open=is_open,
            )
        )
        total += points
    return Waterfall(
        "points", rows, start, signed(start, decimals), margin, signed(margin, decimals), decimals, ""
    )


def concept_sheet(why: LocalExplanation, note: str) -> Waterfall:
    """The shown concepts of a model without a card, each with its share of what speaks for the class."""
    relevance = why.relevance
    whole = float(relevance.sum()) / (why.relevance_share or 1.0)
    total, rows = 0.0, []
    for place, part in enumerate(why.conjuncts, start=1):
        share = part.relevance / whole if whole else 0.0
        row = _row(why, part.formula, part.number, place, _drawing(part.formula, why.case))
        rows.append(
            SheetRow(
                **row,
                holds=True,
                degree=1.0,
                clearly="holds",
                points=share,
                text=percent(share),
                begin=total,
                end=total + share,
                group="for",
                is_open=True,
            )
        )
        total += share
    return Waterfall("shares", rows, 0.0, "", total, percent(why.relevance_share), 0, note)


def ordered(lead: list[float], reasons: set[int]) -> list[tuple[int, Group, bool]]:
    """Every formula once: its number, its group, and whether it is open.

    Of each side the open ones come first, by size; what makes no difference comes last.

    Examples
    --------
    >>> ordered([1.0, -2.0, 0.0, 4.0, 0.5, 0.25], {4})
    [(3, 'for', True), (0, 'for', True), (4, 'for', True), (5, 'for', False), (1, 'against', True), \
(2, 'none', False)]
    """
    least = _NOTHING * max(map(abs, lead), default=0.0)
    found: list[tuple[int, Group, bool]] = []
    sides: tuple[tuple[Group, float], ...] = (("for", 1.0), ("against", -1.0))
    for group, sign in sides:
        members = sorted(
            (j for j, x in enumerate(lead) if sign * x > least), key=lambda j: (-sign * lead[j], j)
        )
        is_open = {j: place < N_OPEN or j in reasons for place, j in enumerate(members)}
        found += [(j, group, True) for j in members if is_open[j]]
        found += [(j, group, False) for j in members if not is_open[j]]
    found += [(j, "none", False) for j, x in enumerate(lead) if abs(x) <= least]
    return found


def clearly(part: Contribution) -> str:
    """Whether the case satisfies a formula, and how clearly, in two words."""
    verb, size = ("holds" if part.holds else "fails"), abs(part.degree)
    return f"{verb} clearly" if size >= CLEAR else f"barely {verb}" if size < BARE else verb


def _row(
    why: LocalExplanation, formula: Formula, number: int, reason: int, drawing: Drawing
) -> dict[str, Any]:
    """What does not depend on points."""
    bands, deciding = drawing
    return {
        **spoken_parts(formula, why.wording, why.case.shape[1]),
        "number": number,
        "reason": reason,
        "rows": list(dict.fromkeys(band["row"] for band in bands)),
        "bands": bands,
        "deciding": deciding,
    }


def _drawing(formula: Formula, case: Case) -> Drawing:
    found = deciding_of(formula, case)
    deciding = None if found is None else {"row": key_of(found.row), "t": found.t}
    return [band_json(band) for band in bands_of(formula, case)], deciding


@lru_cache(maxsize=2048)  # the formulas of a card are said again for every case
def spoken_parts(formula: Formula, wording: Wording, n_timepoints: int) -> Mapping[str, Any]:
    """A formula in words, and its glyph."""
    words = Words(
        wording.channel_names, wording.step, wording.unit, wording.units, digits=3, n_timepoints=n_timepoints
    )
    match = recognise(formula)
    if match is None:
        text = wording.english(formula)
        text = typeset(text, wording)
        return {"glyph": "formula", "course": [], "words": text.rstrip("."), "when": "", "sentence": text}
    idiom = BY_NAME[match.idiom]
    told = idiom.clause(match, words)
    return {
        "glyph": idiom.glyph,
        "course": _course(match.tracks[0]) if match.tracks else [],
        "words": typeset(told.brief, wording),
        "when": typeset(told.when, wording),
        "sentence": typeset(told.sentence, wording),
    }


def typeset(text: str, wording: Wording) -> str:
    """Text with the sign for minus, and numbers that stay on the line of their unit.

    Examples
    --------
    >>> typeset("stays above -0.3 for 2 s", Wording(step=0.1, unit="s")).split()[2:]
    ['−0.3', 'for', '2', 's']
    """
    units = "|".join(re.escape(unit) for unit in {wording.unit, *(wording.units or ())} if unit)
    signed_text = re.sub(r"(?<![\w.])-(?=\d)", "\N{MINUS SIGN}", text)
    return (
        re.sub(rf"(?<=\d) (?=(?:{units})(?!\w))", "\N{NO-BREAK SPACE}", signed_text) if units else signed_text
    )


def _course(track: Track) -> list[float]:
    """The course of a shape from 0 to 1; what varies less than its tolerance looks level.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> steep, level = (parse(f"tube(x0 ~ 0 4 2 +- {delta})").tracks[0] for delta in (1.0, 4.0))
    >>> _course(steep), _course(level)
    ([0.0, 1.0, 0.5], [0.25, 0.75, 0.5])
    """
    points = np.array((0.0, *track.points) if track.is_relative else track.points)
    span = max(float(np.ptp(points)), 2 * track.delta) or 1.0
    middle = (points.min() + points.max()) / 2
    scaled: list[float] = np.round((points - middle) / span + 0.5, 3).tolist()
    return scaled
