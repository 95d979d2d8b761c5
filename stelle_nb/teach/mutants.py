"""Mutants: the formulas that a formula is misread as because of a misconception."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from stelle_nb.arguments import validate_types
from stelle_nb.errors import TeachError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.syntax import Always, And, Atom, Eventually, Implies, Or, Truth, Until
from stelle_nb.logic.traversal import Path, children, rebuild, replace_at, transform, walk
from stelle_nb.teach.misconceptions import Key

TOUCH = 1e-6  # how much more than its threshold a strict atom is believed to ask for
_SHIFTS = ((0, -1), (1, 0), (0, 1), (-1, 0), (1, 1), (-1, -1), (1, -1), (-1, 1))


@dataclass(frozen=True, slots=True)
class Mutant:
    """A formula as misread because of a misconception."""

    misconception: Key
    formula: Formula


@validate_types(TeachError)
def mutants(formula: Formula, n_timepoints: int) -> list[Mutant]:
    """The wrong readings of a formula on signals of ``n_timepoints`` samples, each once.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> for mutant in mutants(parse("F[3,3] x0 > 1"), 10)[-2:]:
    ...     print(mutant.misconception, mutant.formula)
    always_eventually G[3,3] (x0 > 1.0)
    strict F[3,3] (x0 >= 1.000001)
    """
    found: dict[Formula, Mutant] = {}
    for key, misread in _READINGS.items():
        for other in misread(formula, n_timepoints):
            if other != formula and other not in found:
                found[other] = Mutant(key, other)
    return list(found.values())


def windows(formula: Formula) -> Iterator[tuple[Path, Formula, Interval]]:
    """Every node with the samples, counted from the start, at which it is evaluated."""
    waiting: list[tuple[Path, Formula, Interval]] = [((), formula, Interval(0, 0))]
    while waiting:
        path, node, here = waiting.pop()
        yield path, node, here
        for i, part in enumerate(children(node)):
            there = here
            if isinstance(node, Always | Eventually):
                there = here + node.interval
            elif isinstance(node, Until):
                there = here + (node.interval if i else Interval(0, node.interval.end))
            waiting.append(((*path, i), part, there))


def _off_by_one(formula: Formula, _: int) -> Iterator[Formula]:
    def moved(node: Formula, by: tuple[int, int]) -> Formula:
        if not isinstance(node, Always | Eventually | Until) or node.interval.end is None:
            return node
        start, end = node.interval.start + by[0], node.interval.end + by[1]
        return replace(node, interval=Interval(start, end)) if 0 <= start <= end else node

    for by in _SHIFTS:
        for path, node in walk(formula):
            yield replace_at(formula, path, moved(node, by))
        yield transform(formula, lambda node, by=by: moved(node, by))  # type: ignore[misc]


def _swapped(node: Formula) -> Formula:
    match node:
        case Always(child, interval):
            return Eventually(child, interval)
        case Eventually(child, interval):
            return Always(child, interval)
        case _:
            return node


def _always_eventually(formula: Formula, _: int) -> Iterator[Formula]:
    for path, node in walk(formula):
        yield replace_at(formula, path, _swapped(node))
    yield transform(formula, _swapped)


def _nested_windows(formula: Formula, _: int) -> Iterator[Formula]:
    for path, node in walk(formula):
        if not isinstance(node, Always | Eventually):
            continue
        child = node.child
        if isinstance(child, Always | Eventually | Until):
            yield replace_at(formula, path, child)
            # times written as they stand on the axis
            absolute = replace(child, interval=node.interval + child.interval)
            yield replace_at(formula, path, replace(node, child=absolute))
        if isinstance(child, Always | Eventually):
            yield replace_at(formula, path, replace(node, child=child.child))
        if isinstance(child, And | Or | Implies) and isinstance(child.right, Always | Eventually | Until):
            # what is asked once, from the start, can be taken out of the outer operator
            outer = _swapped(node) if isinstance(child, Implies) else node
            yield replace_at(formula, path, replace(child, left=rebuild(outer, (child.left,))))


def _until_left(formula: Formula, _: int) -> Iterator[Formula]:
    for path, node in walk(formula):
        if isinstance(node, Until):
            for other in _until_readings(node):
                yield replace_at(formula, path, other)


def _until_readings(node: Until) -> Iterator[Formula]:
    left, right, interval = node.left, node.right, node.interval
    start, end = interval.start, interval.end
    reached = Eventually(right, interval)
    yield reached
    yield And(left, reached)
    yield And(Always(left, Interval(0, end)), reached)
    if start > 0:
        inside = Until(left, right, Interval(0, None if end is None else end - start))
        yield Eventually(inside, Interval(start, start))
    # the left side up to the sample before: one step earlier, with the right side at the next sample
    if end is None or end > 0:
        before = Interval(max(0, start - 1), None if end is None else end - 1)
        earlier = Until(left, Eventually(right, Interval(1, 1)), before)
        yield Or(right, earlier) if start == 0 else earlier


def _strict(formula: Formula, _: int) -> Iterator[Formula]:
    def demanding(node: Formula) -> Formula:
        match node:
            case Atom(signal, ">", threshold):
                return Atom(signal, ">=", threshold + TOUCH)
            case Atom(signal, "<", threshold):
                return Atom(signal, "<=", threshold - TOUCH)
            case _:
                return node

    yield transform(formula, demanding)


def _past_end(formula: Formula, n_timepoints: int) -> Iterator[Formula]:
    for path, node, here in windows(formula):
        if not isinstance(node, Always | Eventually | Until):
            continue
        if (here + node.interval).start >= n_timepoints:
            yield replace_at(formula, path, Truth(isinstance(node, Always)))


def _implication(formula: Formula, _: int) -> Iterator[Formula]:
    for path, node in walk(formula):
        if isinstance(node, Implies):
            yield replace_at(formula, path, And(node.left, node.right))
            yield replace_at(formula, path, Implies(node.right, node.left))


# Where two misconceptions give the same reading, the first here is named: special before general.
_READINGS: dict[Key, Callable[[Formula, int], Iterator[Formula]]] = {
    "past_end": _past_end,
    "until_left": _until_left,
    "implication": _implication,
    "nested_windows": _nested_windows,
    "off_by_one": _off_by_one,
    "always_eventually": _always_eventually,
    "strict": _strict,
}
