"""The grammar on the page about formulas is the one that the parser reads and the printers write."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given

from stelle_nb.errors import ParseError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.parsing.tokens import tokenize
from stelle_nb.testing import strategies as draw
from tests.docs.ebnf import Grammar, read_grammar
from tests.docs.pages import DOCS

WORDS = {
    "integer": ["0", "1", "3", "12"],
    "decimal": ["0.3", ".5", "1e-3", "2.5E2"],
    "channel": ["x0", "x_1"],
}
N_SENTENCES = 1500


def the_grammar() -> Grammar:
    page = (DOCS / "api" / "formulas.md").read_text(encoding="utf-8")
    return read_grammar(re.findall(r"^```ebnf\n(.*?)^```$", page, re.M | re.S)[0], WORDS)


GRAMMAR = the_grammar()


def words_of(text: str) -> list[tuple[str, str]]:
    """Each word as it is written, and what the grammar calls it."""
    kinds = {"name": "channel", "quoted": "channel"}
    found = []
    for token in tokenize(text)[:-1]:
        kind = kinds.get(token.kind, token.kind)
        if kind == "number":
            kind = "integer" if token.text.isdecimal() else "decimal"
        found.append((token.text, kind))
    return found


def test_every_name_has_a_rule_and_every_rule_is_used() -> None:
    def named(part: object) -> set[str]:
        if isinstance(part, tuple) and part[0] == "rule":
            return {part[1]}
        parts = part[1:] if isinstance(part, tuple) else part if isinstance(part, list) else ()
        return set().union(*map(named, parts)) if parts else set()

    used = set().union(*map(named, GRAMMAR.rules.values()))
    assert used - set(WORDS) == set(GRAMMAR.rules)


def test_the_parser_reads_every_sentence() -> None:
    """A sentence may break a rule about its values; it is never rejected for its form."""
    read, wrong = [], []
    for seed in range(N_SENTENCES):
        text = " ".join(GRAMMAR.sentence("formula", Random(seed)))
        try:
            read.append(parse(text))
        except ParseError as error:
            said = str(error)
            if "Expected" in said and "an integer of at least" not in said:
                wrong.append(said)
    assert wrong == []
    assert len(read) > N_SENTENCES / 10
    assert all(GRAMMAR.accepts("formula", words_of(str(phi))) for phi in read)


@given(draw.formulas(max_depth=4))
def test_every_printed_formula_is_a_sentence(phi: Formula) -> None:
    assert GRAMMAR.accepts("formula", words_of(str(phi)))


@pytest.mark.parametrize(
    "text", ["x0 >= 1 &", "G[1,2) x0 > 1", "x0", "F x0 > y > 1", "tube(x0 ~ +- 1)", "( )"]
)
def test_what_the_parser_rejects_is_no_sentence(text: str) -> None:
    with pytest.raises(ParseError):
        parse(text)
    assert not GRAMMAR.accepts("formula", words_of(text))
