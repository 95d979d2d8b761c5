"""Templates are counted and listed by an enumeration of their own."""

from __future__ import annotations

from itertools import product

import pytest

from stelle_nb.concepts import ParameterGrid, templates
from stelle_nb.concepts.sampling.templates import is_reduced
from stelle_nb.errors import ConceptError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.syntax import Always, And, Atom, Eventually, Not, Or, Until


def _words(n_nodes: int, n_channels: int) -> set[str]:
    """Every template in Polish notation, sides of ``&`` and ``|`` sorted, by brute force over all words."""
    atoms = [f"{relation}{channel}" for channel in range(n_channels) for relation in "<>"]
    arity = dict.fromkeys(atoms, 0) | dict.fromkeys("FG!", 1) | dict.fromkeys("&|U", 2)
    found = set()
    for word in product(arity, repeat=n_nodes):
        tree, rest = _tree(list(word), arity)
        if tree is not None and not rest:
            found.add(str(tree))
    return found


def _tree(word: list[str], arity: dict[str, int]) -> tuple[object, list[str]]:
    if not word:
        return None, []
    head, rest = word[0], word[1:]
    parts: list[object] = []
    for _ in range(arity[head]):
        part, rest = _tree(rest, arity)
        if part is None:
            return None, []
        parts.append(part)
    return (head, *(sorted(parts, key=str) if head in "&|" else parts)), rest


def _as_tree(phi: Formula) -> object:
    match phi:
        case Atom(signal, relation):
            return (f"{relation[0]}{signal.channel}",)
        case Not(child):
            return ("!", _as_tree(child))
        case Eventually(child):
            return ("F", _as_tree(child))
        case Always(child):
            return ("G", _as_tree(child))
        case And(left, right):
            return ("&", *sorted((_as_tree(left), _as_tree(right)), key=str))
        case Or(left, right):
            return ("|", *sorted((_as_tree(left), _as_tree(right)), key=str))
        case Until(left, right):
            return ("U", _as_tree(left), _as_tree(right))
    raise AssertionError(phi)


@pytest.mark.parametrize(("n_channels", "max_nodes"), [(1, 5), (2, 4), (3, 3)])
def test_are_those_of_an_independent_enumeration(n_channels: int, max_nodes: int) -> None:
    for m, same_size in enumerate(templates(max_nodes, n_channels), start=1):
        assert {phi.size for phi in same_size} == {m}
        trees = [str(_as_tree(phi)) for phi in same_size]
        assert len(trees) == len(set(trees))
        assert set(trees) == _words(m, n_channels)


def test_counts_of_the_paper() -> None:
    assert [len(same_size) for same_size in templates(5, 1)] == [2, 6, 28, 132, 698]
    assert [len(same_size) for same_size in templates(3, 3)] == [6, 18, 132]


@pytest.mark.parametrize("wrong", [(0, 1), (9, 1), (5, 0), (5, 4)])
def test_out_of_range(wrong: tuple[int, int]) -> None:
    with pytest.raises(ConceptError, match="5 nodes"):
        templates(*wrong)


def test_reduced_templates() -> None:
    for text in ("!(x0 >= 0 U x0 <= 0)", "F G x0 >= 0", "x0 >= 0 & F x0 <= 0"):
        assert is_reduced(parse(text))
    for text in (
        "!(x0 >= 0)",
        "!!(x0 >= 0 U x0 <= 0)",
        "F F x0 >= 0",
        "F !G x0 >= 0",
        "!(x0 >= 0 & x0 <= 0)",
    ):
        assert not is_reduced(parse(text))


@pytest.mark.parametrize("wrong", [((), (0, 1)), ((1.0, 0.0), (0, 1)), ((0.0,), (1, 2)), ((0.0,), (0, 5, 5))])
def test_wrong_grids(wrong: tuple[tuple[float, ...], tuple[int, ...]]) -> None:
    with pytest.raises(ConceptError, match="increase"):
        ParameterGrid(*wrong)
