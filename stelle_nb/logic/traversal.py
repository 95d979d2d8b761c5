"""Walking, measuring and rebuilding formulas."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from stelle_nb.errors import FormulaError, NotAFormulaError
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import (
    Always,
    And,
    AtLeast,
    Atom,
    Eventually,
    Formula,
    Implies,
    Not,
    Or,
    Truth,
    Tube,
    Until,
)
from stelle_nb.logic.weighted_sum import Quantity, WeightedSum, map_signals, signals_of, size_of

Path = tuple[int, ...]
"""Which child to take at each node from the root on; ``()`` is the root itself."""


def children(formula: Formula) -> tuple[Formula, ...]:
    """The direct parts of a formula, left before right."""
    match formula:
        case Truth() | Atom() | Tube():
            return ()
        case Not(child) | Always(child) | Eventually(child):
            return (child,)
        case And(left, right) | Or(left, right) | Implies(left, right) | Until(left, right):
            return (left, right)
        case AtLeast(_, parts):
            return parts
        case _:
            raise NotAFormulaError(f"A formula was expected, got {formula!r}. Use parse() to convert text.")


def rebuild(formula: Formula, parts: tuple[Formula, ...]) -> Formula:
    """The same node with other parts."""
    match formula, parts:
        case ((Truth() | Atom() | Tube()), ()):
            return formula
        case Not(old), (child,):
            return formula if child is old else Not(child)
        case (Always(old, interval) | Eventually(old, interval)) as node, (child,):
            return node if child is old else type(node)(child, interval)
        case (And(a, b) | Or(a, b) | Implies(a, b)) as node, (left, right):
            return node if left is a and right is b else type(node)(left, right)
        case Until(a, b, interval), (left, right):
            return formula if left is a and right is b else Until(left, right, interval)
        case AtLeast(count, old), _ if len(parts) == len(old):
            unchanged = all(new is part for new, part in zip(parts, old, strict=True))
            return formula if unchanged else AtLeast(count, parts)
        case _:
            raise TypeError(f"{type(formula).__name__} cannot be rebuilt over {len(parts)} parts.")


def walk(formula: Formula) -> Iterator[tuple[Path, Formula]]:
    """Every node with its path, parents before children, left before right."""
    waiting: list[tuple[Path, Formula]] = [((), formula)]
    while waiting:
        path, node = waiting.pop()
        yield path, node
        waiting.extend(((*path, i), part) for i, part in reversed(list(enumerate(children(node)))))


def nodes(formula: Formula) -> Iterator[Formula]:
    """Every node without its path, which is faster; in the order of :func:`walk`."""
    waiting = [formula]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(children(node)))


def node_at(formula: Formula, path: Path) -> Formula:
    """The sub-formula at a path."""
    for i in path:
        parts = children(formula)
        if not 0 <= i < len(parts):
            raise FormulaError(f"There is no node at path {path!r}. Paths of a formula are listed by walk().")
        formula = parts[i]
    return formula


def replace_at(formula: Formula, path: Path, new: Formula) -> Formula:
    """The formula with the node at ``path`` replaced by ``new``."""
    if not path:
        return new
    node_at(formula, path)
    parts = list(children(formula))
    parts[path[0]] = replace_at(parts[path[0]], path[1:], new)
    return rebuild(formula, tuple(parts))


def transform(formula: Formula, change: Callable[[Formula], Formula]) -> Formula:
    """Apply ``change`` to every node from the leaves up."""
    return change(rebuild(formula, tuple(transform(part, change) for part in children(formula))))


def size(formula: Formula) -> int:
    """Size of a formula: every operator counts.

    A mean, a change, an absolute value, z-scores and a delay count one each, as does each further term of a
    sum and each point of a tube; ``rel`` is a change.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> size(parse("F[3,4] (x0 >= 1)")), size(parse("F[3,4] (abs(x0 - x0@5) >= 1)"))
    (2, 4)
    >>> size(parse("G[3,4] (sum(x0, -x1) >= 1)")), size(parse("tube(x0 ~ 1 2 3 +- 1, rel(x1) ~ 1 2 +- 1)"))
    (3, 7)
    """
    return sum(1 + _n_further(node) for node in nodes(formula))


def _n_further(node: Formula) -> int:
    match node:
        case Tube(tracks):
            return node.n_points + sum(size_of(track.signal) + track.is_relative for track in tracks)
        case Atom(quantity):
            return size_of(quantity)
        case _:
            return 0


def quantities(formula: Formula) -> tuple[Quantity, ...]:
    """Every signal and every weighted sum of signals that is compared with something, in reading order."""
    found: dict[Quantity, None] = {}
    for node in nodes(formula):
        match node:
            case Atom(quantity):
                found[quantity] = None
            case Tube(tracks):
                found.update((track.signal, None) for track in tracks)
    return tuple(found)


def signals(formula: Formula) -> frozenset[Signal]:
    """Every signal, raw or derived, that the formula uses, those of sums included."""
    return frozenset(signal for quantity in quantities(formula) for signal in signals_of(quantity))


def channels(formula: Formula) -> frozenset[int]:
    """Indices of the channels the formula uses."""
    return frozenset(signal.channel for signal in signals(formula))


def horizon(formula: Formula) -> float:
    """How many samples after the present can matter; ``inf`` for unbounded intervals."""
    match formula:
        case Truth() | Atom():
            return 0
        case Tube(_, _, interval):
            return _end(interval) + formula.reach
        case Always(child, interval) | Eventually(child, interval):
            return _end(interval) + horizon(child)
        case Until(left, right, interval):
            return _end(interval) + max(horizon(left), horizon(right))
        case Not() | And() | Or() | Implies() | AtLeast():
            return max(horizon(part) for part in children(formula))
        case _:
            raise NotAFormulaError(f"A formula was expected, got {formula!r}. Use parse() to convert text.")


def conjunction(parts: Iterable[Formula]) -> Formula:
    """All parts joined by And in a balanced tree; ``true`` if there are none."""
    return _joined(And, _listed(parts), Truth(True))


def disjunction(parts: Iterable[Formula]) -> Formula:
    """All parts joined by Or in a balanced tree; ``false`` if there are none."""
    return _joined(Or, _listed(parts), Truth(False))


def conjuncts(formula: Formula) -> list[Formula]:
    """The parts of nested conjunctions, from left to right."""
    return _flattened(And, formula)


def disjuncts(formula: Formula) -> list[Formula]:
    """The parts of nested disjunctions, from left to right."""
    return _flattened(Or, formula)


def rescale_time(formula: Formula, factor: float) -> Formula:
    """The formula with every interval, lag and step stretched by ``factor`` and rounded to samples.

    This adapts concept sets, which are made for one length of signal, to others.
    """

    def stretched(node: Formula) -> Formula:
        match node:
            case Atom(quantity):
                return replace(node, signal=_stretched(quantity, factor))
            case Tube(tracks, step, interval):
                tracks = tuple(replace(t, signal=_stretched_signal(t.signal, factor)) for t in tracks)
                return Tube(tracks, max(1, round(step * factor)), interval.rescaled(factor))
            case Always(_, interval) | Eventually(_, interval) | Until(_, _, interval):
                return replace(node, interval=interval.rescaled(factor))
            case _:
                return node

    return transform(formula, stretched)


def _stretched(quantity: Quantity, factor: float) -> Quantity:
    stretched = map_signals(quantity, lambda signal: _stretched_signal(signal, factor))
    if not isinstance(stretched, WeightedSum):
        return stretched
    return WeightedSum(tuple(replace(t, delay=round(t.delay * factor)) for t in stretched.terms))


def _stretched_signal(signal: Signal, factor: float) -> Signal:
    lag = max(1, round(signal.lag * factor)) if signal.lag else 0
    # a signal that is not an average must not become one
    window = max(1, round(signal.window * factor)) if signal.window > 1 else 1
    return replace(signal, lag=lag, window=window)


def _end(interval: Interval) -> float:
    return math.inf if interval.end is None else interval.end


def _listed(parts: Iterable[Formula]) -> list[Formula]:
    try:
        listed = list(parts)
    except TypeError:
        listed = [parts]  # type: ignore[list-item]  # no list, and said to be no formula below
    for part in listed:
        if not isinstance(part, Formula):
            raise NotAFormulaError(f"A formula was expected, got {part!r}. Use parse() to convert text.")
    return listed


def _joined(kind: type[And] | type[Or], parts: list[Formula], empty: Formula) -> Formula:
    if len(parts) <= 1:
        return parts[0] if parts else empty
    if len(parts) <= 16:  # left-leaning, as text without parentheses is read
        joined = parts[0]
        for part in parts[1:]:
            joined = kind(joined, part)
        return joined
    half = len(parts) // 2
    return kind(_joined(kind, parts[:half], empty), _joined(kind, parts[half:], empty))


def _flattened(kind: type[And] | type[Or], formula: Formula) -> list[Formula]:
    if not isinstance(formula, kind):
        return [formula]
    return _flattened(kind, formula.left) + _flattened(kind, formula.right)
