"""Clauses of a sentence and how they are joined, by what punctuation they hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from stelle_nb.logic.idioms.saying import Said
from stelle_nb.logic.printing.phrases import listed


class EnglishClause(NamedTuple):
    """A clause without capital and full stop, and what punctuation of its own it holds.

    Names of channels may hold anything, so that this cannot be seen from the text.

    Parameters
    ----------
    leads
        Whether it begins with a time and a comma.
    commas, semicolons
        Whether it holds such marks.
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
        """The clause as continuation of a word such as "if"."""
        return f"{word}, {self.text}" if self.leads else f"{word} {self.text}"

    def inside(self, text: str, *, leads: bool = False, commas: bool = False) -> EnglishClause:
        """A larger clause that this one is a part of."""
        has_commas = leads or commas or self.commas or self.leads
        return EnglishClause(text, leads, has_commas, self.semicolons)

    def dated(self, when: str) -> EnglishClause:
        """The clause after a time."""
        return self.inside(f"{when}, {self.text}", leads=True)

    def enclosed(self) -> EnglishClause:
        """The clause in parentheses if its own structure would blur that around it."""
        if not (self.semicolons or self.is_condition):
            return self
        return EnglishClause(f"({self.text})", False, self.commas, self.semicolons)


def joined(clauses: Sequence[EnglishClause], word: str) -> EnglishClause:
    """The clauses joined by a word; by semicolons where commas inside them would mislead."""
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
