"""Formulas as English sentences: that of an idiom where there is one, else a description of the tree.

In the latter, negations are moved inwards first ("not always below" becomes "at some time at or above"),
which does not change meaning or robustness and makes the sentence shorter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from stelle_nb.errors import NotAFormulaError
from stelle_nb.logic import idioms
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.idioms import Words
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.printing.notation import checked_digits, checked_names, checked_units
from stelle_nb.logic.printing.phrases import EnglishClause, Mood, Phrases, SignalBand, joined
from stelle_nb.logic.printing.time_words import Clock
from stelle_nb.logic.syntax import (
    Always,
    And,
    AtLeast,
    Atom,
    Eventually,
    Implies,
    Not,
    Or,
    Relation,
    Truth,
    Tube,
    Until,
)
from stelle_nb.logic.traversal import walk
from stelle_nb.logic.weighted_sum import Quantity, WeightedSum

_NUMBERS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
_COMPLEMENT: dict[Relation, Relation] = {">=": "<", ">": "<=", "<=": ">", "<": ">="}


def to_english(
    formula: Formula,
    channel_names: Sequence[str] | None = None,
    step: float | None = None,
    unit: str | None = None,
    digits: int | None = None,
    units: Sequence[str | None] | None = None,
) -> str:
    """The formula as a sentence.

    Parameters
    ----------
    channel_names
        What to call the channels instead of x0, x1, ….
    step, unit
        Time from one sample to the next, such as ``0.1`` and ``"s"``; without them, times are samples.
    digits
        Significant digits of thresholds and weights. By default numbers are written exactly: fewer digits
        may make the formula false for the data that it was made for.
    units
        Of the channels' values, None for a channel without one: ``stays above 2.2 rad/s``.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> to_english(parse("F[300,400] x0 >= 2.156"), ["gyro x"], step=0.1, unit="s")
    'Between 30 and 40 s, gyro x reaches 2.156.'
    >>> to_english(parse("G[0,20] (x0 > 1 -> F[0,5] x1 < 0)"))
    'From sample 0 to 20, whenever x0 is above 1, x1 falls below 0 at some time within the next 5 samples.'
    >>> to_english(parse("G[30,30] sum(0.6*mean(x0, 11)@10, -x1) > 1"), step=0.1, unit="s")
    '0.6 times the average of x0 from 1 to 2 s, minus the value of x1 at 3 s, is above 1.'
    """
    clock = Clock(step, unit)
    phrases = Phrases(checked_names(channel_names), clock, checked_digits(digits), checked_units(units))
    text = _Writer(phrases).clause(formula, later=False).text
    first = len(text) - len(text.lstrip("("))
    return f"{text[:first]}{text[first].upper()}{text[first + 1 :]}."


class _Writer:
    """Puts formulas into words; ``later`` means at a time mentioned before, otherwise at the start."""

    def __init__(self, phrases: Phrases) -> None:
        self.phrases = phrases
        self.clock = phrases.clock
        self.words = Words(phrases.names, self.clock.step, self.clock.unit, phrases.units, phrases.digits)

    def clause(self, formula: Formula, *, later: bool) -> EnglishClause:
        said = None if later else idioms.clause(formula, self.words)
        if said is not None:
            return EnglishClause.of_idiom(said)
        formula = _positive(formula)
        if not later and _is_momentary(formula):
            return self.at(formula, 0, later=False)
        match formula:
            case Truth(value):
                return EnglishClause("always" if value else "never")
            case Atom():
                return self.state(formula, "is")
            case And() | Or():
                return self.joined(formula, later=later)
            case Implies(left, right):
                premise, conclusion = (self.clause(part, later=later).enclosed() for part in (left, right))
                text = f"{premise.after('if')}, {conclusion.after('then')}"
                return EnglishClause(text, False, True, premise.semicolons or conclusion.semicolons, True)
            case Always(child, interval):
                return self.always(_positive(child), interval, later=later)
            case Eventually(child, interval):
                return self.eventually(_positive(child), interval, later=later)
            case Until():
                return self.until(formula, later=later)
            case AtLeast(count, parts):
                return self.counted(count, parts, later=later)
            case Tube():
                return self.tube(formula, later=later)
            case Not(Tube() as tube):
                return self.no_tube(tube, later=later)
            case Not(child):
                denied = self.clause(child, later=later)
                return denied.inside(denied.after("it is not the case that"))
            case _:
                raise NotAFormulaError(
                    f"A formula was expected, got {formula!r}. Use parse() to convert text."
                )

    def state(self, part: Atom | SignalBand, mood: Mood, now: int | None = None) -> EnglishClause:
        return EnglishClause(
            self.phrases.state(part, mood, now), commas=self.phrases.has_commas(part.signal, now)
        )

    def joined(self, formula: And | Or, *, later: bool, nested: bool = False) -> EnglishClause:
        """The parts of an And or Or; inside one of the other kind, a word holds them together."""
        word = "and" if isinstance(formula, And) else "or"
        clauses = []
        for part in _parts(formula) if later else _conditions(formula):
            if isinstance(part, SignalBand):
                clause = self.state(part, "is")
            elif isinstance(part, And | Or) and (later or not self.is_whole(part)):
                clause = self.joined(part, later=later, nested=True)
            else:
                clause = self.clause(part, later=later)
            clauses.append(clause.enclosed())
        whole = joined(clauses, word)
        if nested and not whole.leads and len(clauses) > 1 and (word == "or" or len(clauses) == 2):
            text = f"either {whole.text}" if word == "or" else f"both {whole.text}"
            return whole._replace(text=text, is_pair=True)
        return whole

    def is_whole(self, formula: Formula) -> bool:
        """Whether the formula is put into one phrase, not a list of its parts."""
        return _is_momentary(formula) or idioms.recognise(formula) is not None

    def counted(self, count: int, parts: Sequence[Formula], *, later: bool) -> EnglishClause:
        if len(parts) == 1:
            return self.clause(parts[0], later=later)
        number = _NUMBERS[len(parts)]
        if count < len(parts):
            these = f"at least {_NUMBERS[count]} of these {number} {'holds' if count == 1 else 'hold'}"
        else:
            these = "both of these hold" if count == 2 else f"all {number} of these hold"
        said = [self.clause(part, later=later).enclosed().text for part in parts]
        listing = "; ".join(f"({i}) {text}" for i, text in enumerate(said, start=1))
        return EnglishClause(f"{these}: {listing}", semicolons=True)

    def always(self, child: Formula, interval: Interval, *, later: bool) -> EnglishClause:
        if interval.start == interval.end:
            return self.at(child, interval.start, later=later)
        when = self.clock.during(interval, later=later)
        if steady := _states(child, And):
            body = joined([self.state(part, "stays") for part in steady], "and")
            return body.inside(f"{body.text} {when}") if later and len(steady) == 1 else body.dated(when)
        if isinstance(child, Implies):
            premise, conclusion = (self.clause(part, later=True) for part in (child.left, child.right))
            text = f"{premise.enclosed().after('whenever')}, {conclusion.text}"
            return EnglishClause(text, semicolons=premise.semicolons or conclusion.semicolons).dated(when)
        when = self.clock.sometime("every", interval, later=later)
        return self.clause(child, later=True).dated(f"at {when}")

    def eventually(self, child: Formula, interval: Interval, *, later: bool) -> EnglishClause:
        if interval.start == interval.end:
            return self.at(child, interval.start, later=later)
        when = f"at {self.clock.sometime('some', interval, later=later)}"
        if reached := _states(child, Or):
            body = joined([self.state(part, "gets") for part in reached], "or")
            return body.inside(f"{body.text} {when}") if later and len(reached) == 1 else body.dated(when)
        return self.clause(child, later=True).dated(when)

    def at(self, child: Formula, sample: int, *, later: bool) -> EnglishClause:
        if isinstance(child, Atom) and not later and sample and _looks_back(child.signal):
            return self.state(child, "is", sample)
        return self.clause(child, later=True).dated(self.clock.at(sample, later=later))

    def until(self, formula: Until, *, later: bool) -> EnglishClause:
        interval, left = formula.interval, _positive(formula.left)
        is_at_once = interval.start == interval.end
        if is_at_once:
            end = self.clock.at(interval.start, later=later).removeprefix("at ") + ","
        else:
            end = self.clock.sometime("some", interval, later=later)
        right = self.clause(formula.right, later=True)
        stretch = f"until (and including) {end} {right.after('when')}"
        if isinstance(left, Atom):
            held = self.state(left, "stays")
            body = right.inside(f"{held.text} {stretch}", commas=held.commas or is_at_once)
            return body if later else body.dated("from the start")
        start = "then" if later else "the start"
        held = self.clause(left, later=True)
        whole = held.dated(f"at every time from {start} {stretch}")
        return whole._replace(semicolons=held.semicolons or right.semicolons)

    def tube(self, tube: Tube, *, later: bool) -> EnglishClause:
        interval = tube.interval
        if interval.start == interval.end:
            when = self.clock.at(interval.start, later=later)
        else:
            when = f"at {self.clock.sometime('some', interval, later=later)}"
        return EnglishClause(self.phrases.course(tube, "{subject} {verb}s")).dated(when)

    def no_tube(self, tube: Tube, *, later: bool) -> EnglishClause:
        interval = tube.interval
        if interval.start == interval.end:
            when = self.clock.at(interval.start, later=later)
            return EnglishClause(self.phrases.course(tube, "{subject} does not {verb}")).dated(when)
        when = self.clock.sometime("no", interval, later=later)
        text = f"at {when} does {self.phrases.course(tube, '{subject} {verb}')}"
        return EnglishClause(text, leads=True, commas=any(len(track.points) > 1 for track in tube.tracks))


def _positive(formula: Formula) -> Formula:
    """An equal formula without negation in front, except before Until and Tube."""
    match formula:
        case Not(Not(child)):
            return _positive(child)
        case Not(Truth(value)):
            return Truth(not value)
        case Not(Atom(signal, relation, threshold)):
            return Atom(signal, _COMPLEMENT[relation], threshold)
        case Not(And(left, right)):
            return Or(Not(left), Not(right))
        case Not(Or(left, right)):
            return And(Not(left), Not(right))
        case Not(Implies(left, right)):
            return And(left, Not(right))
        case Not(AtLeast(count, parts)):
            return AtLeast(len(parts) - count + 1, tuple(Not(part) for part in parts))
        case Not(Always(child, interval)):
            return Eventually(Not(child), interval)
        case Not(Eventually(child, interval)):
            return Always(Not(child), interval)
        case Until(Truth(True), right, interval):
            return Eventually(right, interval)
        case _:
            return formula


def _is_momentary(formula: Formula) -> bool:
    """Whether the formula is about a single time."""
    timed = (Always, Eventually, Until, Tube)
    return not isinstance(formula, Truth) and not any(isinstance(node, timed) for _, node in walk(formula))


def _looks_back(quantity: Quantity) -> bool:
    """Whether this is a sum of values from several times, which are best given as clock times."""
    if not isinstance(quantity, WeightedSum):
        return False
    return any(term.delay or term.signal.window > 1 for term in quantity.terms)


def _parts(formula: And | Or) -> list[Formula | SignalBand]:
    """What a nested And or Or joins; in an And, two bounds of one signal become a band."""
    parts = list(_flattened(formula, type(formula)))
    return _with_bands(parts) if isinstance(formula, And) else [*parts]


def _conditions(formula: And | Or) -> list[Formula]:
    """What an And or Or at the start joins: idioms stay whole, even if negated or joined themselves."""
    found: list[Formula] = []
    waiting: list[Formula] = [formula.right, formula.left]
    while waiting:
        part = waiting.pop()
        if idioms.recognise(part) is None:
            part = _positive(part)
            if isinstance(part, type(formula)) and not _is_momentary(part):
                waiting += [part.right, part.left]
                continue
        found.append(part)
    return found


def _flattened(formula: Formula, kind: type[And] | type[Or]) -> Iterator[Formula]:
    waiting = [formula]
    while waiting:
        part = _positive(waiting.pop())
        if isinstance(part, kind):
            waiting += [part.right, part.left]
        else:
            yield part


def _with_bands(parts: list[Formula]) -> list[Formula | SignalBand]:
    found: list[Formula | SignalBand] = []
    for part in parts:
        partner = found[-1] if found else None
        if isinstance(part, Atom) and isinstance(partner, Atom) and (band := _band(partner, part)):
            found[-1] = band
        else:
            found.append(part)
    return found


def _band(one: Atom, other: Atom) -> SignalBand | None:
    if one.signal != other.signal or {one.relation, other.relation} != {">=", "<="}:
        return None
    lower, upper = (one, other) if one.relation == ">=" else (other, one)
    return (
        SignalBand(one.signal, lower.threshold, upper.threshold)
        if lower.threshold < upper.threshold
        else None
    )


def _states(formula: Formula, kind: type[And] | type[Or]) -> list[Atom | SignalBand]:
    """The comparisons that the formula joins, or none if it joins anything else."""
    parts = _parts(formula) if isinstance(formula, kind) else [formula]
    states = [part for part in parts if isinstance(part, Atom | SignalBand)]
    return states if len(states) == len(parts) else []
