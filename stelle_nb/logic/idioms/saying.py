"""Clauses about signals: when something happens, to what, and what."""

from __future__ import annotations

from dataclasses import dataclass

from stelle_nb.logic.idioms.canonical import is_point
from stelle_nb.logic.idioms.words import Words
from stelle_nb.logic.interval import Interval


@dataclass(frozen=True, slots=True)
class Said:
    """A clause without capital letter and full stop.

    Parameters
    ----------
    when
        The time that it begins with, such as ``from 3 to 4 s``; empty if the time is elsewhere in it.
    what
        The rest of the clause.
    brief
        The clause in a few words, without the time.
    commas, semicolons
        Whether the sentence puts such marks into ``what``. Channel names may contain them, too, so
        this cannot be determined from the text.
    is_closed
        Whether a neighbour at the same time would be misread as a part of it.
    """

    when: str
    what: str
    brief: str
    commas: bool = False
    semicolons: bool = False
    is_closed: bool = False

    @property
    def shares_time(self) -> bool:
        """Whether neighbours at the same time may follow it without repeating the time."""
        return bool(self.when) and not (self.commas or self.semicolons or self.is_closed)

    @property
    def text(self) -> str:
        """The whole clause."""
        return f"{self.when}, {self.what}" if self.when else self.what

    @property
    def sentence(self) -> str:
        """The clause as a sentence."""
        return f"{self.text[0].upper()}{self.text[1:]}."


def throughout(
    words: Words, interval: Interval, subject: str, verb: str, rest: str, *, negated: bool
) -> Said:
    """What a signal does at every time of the interval, or fails to do.

    Parameters
    ----------
    interval
        All the time that the formula depends on, so that the sentence is true of exactly this time.
    verb
        Its base form, such as ``stay`` or ``be``.
    rest
        What follows the verb.
    """
    predicate = f"{without(verb) if negated else third_person(verb)} {rest}"
    when = words.every(interval)
    if negated and words.covers(interval):
        when = "over the whole signal"
    return _said(when, f"{subject} {predicate}")


def once(words: Words, interval: Interval, subject: str, verb: str, rest: str, *, negated: bool) -> Said:
    """What a signal does at some time of the interval, or never does; see :func:`throughout`."""
    positive = f"{subject} {third_person(verb)} {rest}"
    if not negated:
        return _said(words.some(interval), positive)
    if is_point(interval):
        return throughout(words, interval, subject, verb, rest, negated=True)
    never = f"{subject} never {third_person(verb)} {rest}"
    if words.is_open(interval):
        does = f"is {subject}" if verb == "be" else f"does {subject} {verb}"
        return Said("", f"{words.some(interval, 'no')} {does} {rest}", never)
    return _said(words.some(interval), never)


def side(above: bool) -> str:
    """On which side of a level a channel is."""
    return "above" if above else "below"


def arrival(above: bool) -> tuple[str, str]:
    """The verb for getting to a level, and the word before the level."""
    return ("reach", "") if above else ("fall", "to ")


def third_person(verb: str) -> str:
    """``stays``, ``reaches``, ``is``."""
    if verb == "be":
        return "is"
    first, *others = verb.split(" ")
    return " ".join([first + ("es" if first.endswith("ch") else "s"), *others])


def without(verb: str) -> str:
    """``does not stay``, ``is not``."""
    return "is not" if verb == "be" else f"does not {verb}"


def _said(when: str, what: str) -> Said:
    return Said(when, what, what)
