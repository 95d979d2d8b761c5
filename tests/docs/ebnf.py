"""A grammar in extended Backus–Naur form: random sentences of it, and whether a text is one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any

MANY = 99
_SIGN = re.compile(r'"([^"]+)"|([a-z]+)|([=|,;{}()\[\]])')

Part = tuple[Any, ...]
"""("or", parts), ("and", parts), ("many", part), ("maybe", part), ("sign", text) or ("rule", name)."""


@dataclass(eq=False)
class Grammar:
    """Rules by name; a name without a rule is a class of words."""

    rules: dict[str, Part]
    words: dict[str, Sequence[str]]
    _ends: dict[tuple[int, int], frozenset[int]] = field(default_factory=dict)

    def sentence(self, start: str, random: Random, depth: int = 12) -> list[str]:
        """Words of a random sentence; below some depth the shortest ways are taken."""
        return self._drawn(("rule", start), random, depth)

    def _drawn(self, part: Part, random: Random, depth: int) -> list[str]:
        draw = partial(self._drawn, random=random, depth=depth)
        match part:
            case ("sign", text):
                return [text]
            case ("rule", name) if name in self.words:
                return [random.choice(self.words[name])]
            case ("rule", name):
                return self._drawn(self.rules[name], random, depth - 1)
            case ("and", parts):
                return [word for each in parts for word in draw(each)]
            case ("or", parts):
                return draw(random.choice(parts) if depth > 0 else min(parts, key=self._least))
            case ("maybe", inner):
                return draw(inner) if depth > 0 and random.random() < 0.5 else []
            case ("many", inner):
                n = random.choice((0, 0, 1, 2)) if depth > 0 else 0
                return [word for _ in range(n) for word in draw(inner)]
        raise AssertionError(part)

    def __post_init__(self) -> None:
        self._shortest = dict.fromkeys(self.rules, MANY)
        while self._shortest != (found := {name: self._least(part) for name, part in self.rules.items()}):
            self._shortest = found

    def _least(self, part: Part) -> int:
        """How many words a part has at least, as far as it is known."""
        match part:
            case ("rule", name) if name in self.rules:
                return self._shortest[name]
            case ("and", parts):
                return min(MANY, sum(map(self._least, parts)))
            case ("or", parts):
                return min(map(self._least, parts))
            case ("maybe" | "many", _):
                return 0
        return 1

    def accepts(self, start: str, words: Sequence[tuple[str, str]]) -> bool:
        """Whether words, each with its kind, are a sentence."""
        self._ends.clear()
        return len(words) in self._reached(self.rules[start], 0, words)

    def _reached(self, part: Part, at: int, words: Sequence[tuple[str, str]]) -> frozenset[int]:
        """Where the part may end if it begins here."""
        key = id(part), at
        if key not in self._ends:
            self._ends[key] = frozenset(self._step(part, at, words))
        return self._ends[key]

    def _step(self, part: Part, at: int, words: Sequence[tuple[str, str]]) -> set[int]:
        match part:
            case ("rule", name) if name in self.rules:
                return set(self._reached(self.rules[name], at, words))
            case ("sign" | "rule", text):
                return {at + 1} if at < len(words) and text in words[at] else set()
            case ("or", parts):
                return {end for each in parts for end in self._reached(each, at, words)}
            case ("and", parts):
                ends = {at}
                for each in parts:
                    ends = {end for begin in ends for end in self._reached(each, begin, words)}
                return ends
            case ("maybe", inner):
                return {at, *self._reached(inner, at, words)}
            case ("many", inner):
                found, new = {at}, {at}
                while new:
                    new = {end for begin in new for end in self._reached(inner, begin, words)} - found
                    found |= new
                return found
        raise AssertionError(part)


def read_grammar(text: str, words: dict[str, Sequence[str]]) -> Grammar:
    """The rules of a text."""
    signs = [match.groups() for match in _SIGN.finditer(text)]
    rules: dict[str, Part] = {}
    while signs:
        name, equals = signs.pop(0)[1], signs.pop(0)[2]
        assert name and equals == "=", (name, equals)
        rules[name] = _alternatives(signs)
        assert signs.pop(0)[2] == ";"
    return Grammar(rules, words)


def _alternatives(signs: list[Any]) -> Part:
    found = [_sequence(signs)]
    while signs[0][2] == "|":
        signs.pop(0)
        found.append(_sequence(signs))
    return ("or", found) if len(found) > 1 else found[0]


def _sequence(signs: list[Any]) -> Part:
    found = [_factor(signs)]
    while signs[0][2] == ",":
        signs.pop(0)
        found.append(_factor(signs))
    return ("and", found) if len(found) > 1 else found[0]


def _factor(signs: list[Any]) -> Part:
    quoted, name, bracket = signs.pop(0)
    if quoted:
        return ("sign", quoted)
    if name:
        return ("rule", name)
    inner = _alternatives(signs)
    assert signs.pop(0)[2] == {"(": ")", "[": "]", "{": "}"}[bracket]
    return {"(": inner, "[": ("maybe", inner), "{": ("many", inner)}[bracket]
