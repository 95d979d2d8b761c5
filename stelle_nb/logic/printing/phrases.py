"""Phrases of a sentence, a signal and what it does, and how clauses are joined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from stelle_nb.logic.idioms.saying import Said
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.printing.notation import channel_name, quantity_unit, rounded, with_unit
from stelle_nb.logic.printing.time_words import Clock
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Atom, Relation, Track, Tube
from stelle_nb.logic.weighted_sum import Quantity, Term, WeightedSum

NEGLIGIBLE = 1e-3  # of the width of a shape

Mood = Literal["is", "stays", "gets"]
"""When a comparison holds: at one time, throughout a window, or at some time of it."""

_PREDICATES: dict[tuple[Mood, Relation], str] = {
    ("is", ">="): "is at least {}",
    ("is", ">"): "is above {}",
    ("is", "<="): "is at most {}",
    ("is", "<"): "is below {}",
    ("stays", ">="): "stays at or above {}",
    ("stays", ">"): "stays above {}",
    ("stays", "<="): "stays at or below {}",
    ("stays", "<"): "stays below {}",
    ("gets", ">="): "reaches {}",
    ("gets", ">"): "rises above {}",
    ("gets", "<="): "falls to {}",
    ("gets", "<"): "falls below {}",
}


@dataclass(frozen=True, slots=True)
class SignalBand:
    """A signal between two bounds: two atoms joined."""

    signal: Quantity
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Phrases:
    """Puts comparisons and shapes into words, with the names and units of channels."""

    names: tuple[str, ...] | None
    clock: Clock
    digits: int | None
    units: tuple[str | None, ...] | None = None

    def state(self, part: Atom | SignalBand, mood: Mood, now: int | None = None) -> str:
        """``gyro x stays above 2.16``; with a sample ``now``, a sum states the times of its terms."""
        subject = self.subject(part.signal, now)
        if self.has_commas(part.signal, now):
            subject += ","  # the terms stand between commas, so the last one needs its second
        if isinstance(part, SignalBand):
            return (
                f"{subject} {mood} between {self._number(part.low)} and {self._value(part.high, part.signal)}"
            )
        return (
            f"{subject} {_PREDICATES[mood, part.relation].format(self._value(part.threshold, part.signal))}"
        )

    def has_commas(self, quantity: Quantity, now: int | None = None) -> bool:
        """Whether the terms of a quantity are listed with commas between them."""
        is_sum = isinstance(quantity, WeightedSum) and len(quantity.terms) > 1
        return is_sum and (now is not None or quantity.memory > 0)

    def subject(self, quantity: Quantity, now: int | None = None) -> str:
        """``gyro x``, ``the change of gyro x over 0.5 s``, ``0.6 times gyro x minus 0.4 times gyro y``."""
        if isinstance(quantity, Signal):
            return self._signal(quantity)
        said = [self._term(term, now) for term in quantity.terms]
        first = ("minus " if quantity.terms[0].weight < 0 else "") + said[0]
        others = zip(quantity.terms[1:], said[1:], strict=True)
        joined = [f"{'minus' if term.weight < 0 else 'plus'} {text}" for term, text in others]
        return (", " if self.has_commas(quantity, now) else " ").join([first, *joined])

    def _term(self, term: Term, now: int | None) -> str:
        """``0.6 times gyro x 2 s earlier``, or ``at 3 s``; the sign is left to the sum."""
        factor = self._number(abs(term.weight))
        times = "" if factor in ("1", "1.0") else f"{factor} times "
        if now is None:
            return times + self._signal(term.signal) + self._earlier(term)
        if term.signal.is_raw and not times:
            times = "the value of "  # a sentence that began with a name would change its first letter
        return times + self._dated(term.signal, max(0, now - term.delay))

    def _earlier(self, term: Term) -> str:
        """`` 2 s earlier``; after the time of an average or change, `` as of 2 s earlier``."""
        if not term.delay:
            return ""
        return f"{'' if term.signal.is_raw else ' as of'} {self.clock.length(term.delay)} earlier"

    def _signal(self, signal: Signal) -> str:
        if signal.window == 1:
            return self._change(signal, self._lag(signal))
        return self._average(signal, f"over the last {self.clock.length(signal.window)}")

    def _dated(self, signal: Signal, at: int) -> str:
        """``the average of gyro x from 1.7 to 3 s``, ``the change of gyro x from 2.5 to 3 s``."""
        if signal.window == 1:
            return self._change(signal, self._span(at - signal.lag, at))
        return self._average(signal, self._span(at - signal.window + 1, at))

    def _average(self, signal: Signal, when: str) -> str:
        change = self._change(signal, self._lag(signal))
        return f"the average {when} of {change}" if signal.lag else f"the average of {change} {when}"

    def _change(self, signal: Signal, when: str) -> str:
        name = channel_name(signal.channel, self.names)
        name = f"the z-score of {name}" if signal.zscore else name
        change = "absolute change" if signal.absolute else "change"
        return f"the {change} of {name} {when}" if signal.lag else " ".join(filter(None, (name, when)))

    def _lag(self, signal: Signal) -> str:
        return f"over {self.clock.length(signal.lag)}" if signal.lag else ""

    def _span(self, start: int, end: int) -> str:
        """When the samples of a term are; before the start there are none."""
        window = Interval(max(0, start), end)
        if window.start == window.end:
            return self.clock.at(end, later=False)
        return self.clock.during(window, later=False)

    def course(self, tube: Tube, form: str) -> str:
        """``gyro x begins to follow the shape …``; ``form`` holds the first subject and verb."""
        first, *others = tube.tracks
        verb, shape = self._shape(first, tube.step)
        said = [form.format(subject=self.subject(first.signal), verb=verb) + f" {shape}"]
        for track in others:
            verb, shape = self._shape(track, tube.step)
            said.append(f"{self.subject(track.signal)} {verb}s {shape}")
        return " while ".join(said)

    def _shape(self, track: Track, step: int) -> tuple[str, str]:
        """The verb and what follows it."""
        unit = quantity_unit(track.signal, self.units)
        tolerance = f"within {with_unit(self._number(track.delta), unit)}"
        every = f"(one point every {self.clock.unit_length(step)})"
        if track.is_relative:
            changes = with_unit(", ".join(map(self._signed, self._said(track))), unit)
            if len(track.points) == 1:
                return "change", f"by {changes} over the next {self.clock.length(step)} ({tolerance})"
            return "begin", f"to follow the changes {changes} from its value at that time {every} {tolerance}"
        points = with_unit(", ".join(map(self._number, self._said(track))), unit)
        if len(track.points) == 1:
            return "come", f"{tolerance} of {points}"
        return "begin", f"to follow the shape {points} {every} {tolerance}"

    def _said(self, track: Track) -> list[float]:
        """The points of a shape; negligible ones become zero unless all digits are kept."""
        least = 0.0 if self.digits is None else NEGLIGIBLE * track.delta
        return [point if abs(point) >= least else 0.0 for point in track.points]

    def _value(self, value: float, quantity: Quantity) -> str:
        """A value with the unit of its quantity; of a sum, with the unit that all its channels have."""
        return with_unit(self._number(value), quantity_unit(quantity, self.units))

    def _number(self, value: float) -> str:
        return rounded(value, self.digits)

    def _signed(self, value: float) -> str:
        text = self._number(value)
        return text if text.startswith("-") or text in ("0", "0.0") else f"+{text}"


def listed(texts: Sequence[str], word: str, mark: str | None = None) -> str:
    """The texts joined by a word.

    Parameters
    ----------
    mark
        What stands between them: "," or ";"; left out, nothing between two texts and commas between more.

    Examples
    --------
    >>> listed(["a", "b"], "or"), listed(["a", "b", "c"], "and"), listed(["a, b", "c"], "and", ";")
    ('a or b', 'a, b, and c', 'a, b; and c')
    """
    if len(texts) == 1:
        return texts[0]
    mark = ("" if len(texts) == 2 else ",") if mark is None else mark
    return f"{f'{mark} '.join(texts[:-1])}{mark} {word} {texts[-1]}"


class EnglishClause(NamedTuple):
    """A clause without capital letter and full stop, and the punctuation in it.

    Channel names may contain anything, so this cannot be determined from the text.

    Parameters
    ----------
    leads
        Whether it begins with a time and a comma.
    commas, semicolons
        Whether it contains such marks.
    is_condition
        Whether it begins with "if".
    is_pair
        Whether it begins with "either" or "both".
    when
        The time that it begins with, if neighbours may share it.
    """

    text: str
    leads: bool = False
    commas: bool = False
    semicolons: bool = False
    is_condition: bool = False
    is_pair: bool = False
    when: str = ""

    @classmethod
    def of_idiom(cls, said: Said) -> EnglishClause:
        """The clause of an idiom."""
        leads = bool(said.when)
        when = said.when if said.shares_time else ""
        return cls(said.text, leads, leads or said.commas, said.semicolons, when=when)

    def after(self, word: str) -> str:
        """The clause as it continues after a word such as "if"."""
        return f"{word}, {self.text}" if self.leads else f"{word} {self.text}"

    def inside(self, text: str, *, leads: bool = False, commas: bool = False) -> EnglishClause:
        """A larger clause that this one is a part of."""
        has_commas = leads or commas or self.commas or self.leads
        return EnglishClause(text, leads, has_commas, self.semicolons)

    def dated(self, when: str) -> EnglishClause:
        """The clause after a time."""
        return self.inside(f"{when}, {self.text}", leads=True)

    def enclosed(self) -> EnglishClause:
        """The clause, in parentheses if it would be ambiguous without them."""
        if not (self.semicolons or self.is_condition):
            return self
        return EnglishClause(f"({self.text})", False, self.commas, self.semicolons)


def joined(clauses: Sequence[EnglishClause], word: str) -> EnglishClause:
    """The clauses joined by a word; by semicolons if they contain commas that could be misread."""
    clauses = _with_shared_times(clauses, word)
    if len(clauses) == 1:
        return clauses[0]
    semicolons = any(clause.commas or clause.semicolons for clause in clauses)
    commas = len(clauses) > 2 or any(clause.is_pair for clause in clauses)
    text = listed([clause.text for clause in clauses], word, ";" if semicolons else "," * commas)
    return EnglishClause(text, clauses[0].leads, commas or semicolons, semicolons)


def _with_shared_times(clauses: Sequence[EnglishClause], word: str) -> list[EnglishClause]:
    """Neighbours at the same time become one: "from 3 to 4 s, x0 stays above 1 and x1 stays below 2"."""
    found: list[EnglishClause] = []
    for clause in clauses:
        if found and clause.when and found[-1].when == clause.when:
            rest = clause.text.removeprefix(f"{clause.when}, ")
            found[-1] = found[-1]._replace(text=f"{found[-1].text} {word} {rest}")
        else:
            found.append(clause)
    return found
