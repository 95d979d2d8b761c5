"""Which formulas are at least as hard to satisfy as others, decided from their text alone.

The order is sound and incomplete: a yes is a proof, a no is not.
"""

from __future__ import annotations

from stelle_nb.logic.interval import Interval
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
from stelle_nb.logic.traversal import children
from stelle_nb.logic.weighted_sum import Quantity


def entails(strong: Formula, weak: Formula) -> bool:
    """Whether the robustness of ``strong`` is never the larger one, on any signal and at any time.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> entails(parse("G[0,9] x0 >= 2"), parse("F[3,20] (x0 >= 1 | x1 <= 0)"))
    True
    """
    return _Order().below(strong, weak)


def overlap(one: Interval, other: Interval) -> bool:
    """Whether two intervals have a sample in common."""
    first, second = (one, other) if one.start <= other.start else (other, one)
    return first.end is None or second.start <= first.end


def bounds(formula: Formula, positive: bool = True) -> frozenset[tuple[Quantity, bool]]:
    """The signals and sums a formula uses, each with whether it should be large (both for tubes).

    A formula entails another one only if they have a bound in common or contain a constant.
    """
    match formula:
        case Atom(signal):
            return frozenset({(signal, formula.is_lower_bound is positive)})
        case Tube(tracks):
            return frozenset((track.signal, large) for track in tracks for large in (True, False))
        case Not(child):
            return bounds(child, not positive)
        case Implies(left, right):
            return bounds(left, not positive) | bounds(right, positive)
        case _:
            return frozenset().union(*(bounds(part, positive) for part in children(formula)))


class _Order:
    """One question, with the answers to its sub-questions."""

    def __init__(self) -> None:
        self.known: dict[tuple[int, int], bool] = {}  # by identity: both formulas outlive the question

    def below(self, p: Formula, q: Formula) -> bool:
        if isinstance(p, Atom) and isinstance(q, Atom):
            return _tighter(p, q)
        key = id(p), id(q)
        if key not in self.known:
            self.known[key] = p == q or self._decide(p, q)
        return self.known[key]

    def _decide(self, p: Formula, q: Formula) -> bool:
        # These two splits lose nothing, so they come first.
        if isinstance(q, And):
            return self.below(p, q.left) and self.below(p, q.right)
        if isinstance(p, Or):
            return self.below(p.left, q) and self.below(p.right, q)
        match p, q:
            case (Truth(False), _) | (_, Truth(True)):
                return True
            case Tube(), Tube():
                return _inside(p, q)
            case Not(one), Not(other):
                return self.below(other, one)
            case Implies(a, b), Implies(c, d):
                return self.below(c, a) and self.below(b, d)
            case AtLeast(), AtLeast() if self._counted_below(p, q):
                return True
            case _:
                return self._from_strong(p, q) or self._to_weak(p, q)

    def _from_strong(self, p: Formula, q: Formula) -> bool:
        """Whether a part required by ``p`` implies ``q``."""
        match p:
            case And(left, right):
                return self.below(left, q) or self.below(right, q)
            case AtLeast(count, parts):
                # enough of them that any choice of ``count`` parts holds one
                return sum(self.below(part, q) for part in parts) > len(parts) - count
            case Always(child, interval):
                return self._always_below(child, interval, q)
            case Eventually(child, interval):
                return self._eventually_below(child, interval, q)
            case Until(left, right, interval):
                return (
                    self._always_below(left, Interval(0, interval.start), q)
                    or self._eventually_below(right, interval, q)
                    or (isinstance(q, Until) and self._until_below(p, q))
                )
            case _:
                return False

    def _to_weak(self, p: Formula, q: Formula) -> bool:
        """Whether ``p`` implies something that implies ``q``."""
        match q:
            case Or(left, right):
                return self.below(p, left) or self.below(p, right)
            case AtLeast(count, parts):
                return sum(self.below(p, part) for part in parts) >= count
            case Eventually(child, interval):
                return 0 in interval and self.below(p, child)
            case Until(left, right, interval):
                return 0 in interval and self.below(p, left) and self.below(p, right)
            case Implies(left, right):
                return self.below(p, right) or (isinstance(p, Not) and self.below(left, p.child))
            case _:
                return False

    def _counted_below(self, p: AtLeast, q: AtLeast) -> bool:
        """Whether each part of one count is enough for that at the same place of the other."""
        in_place = len(p.parts) == len(q.parts) and p.count >= q.count
        return in_place and all(self.below(mine, other) for mine, other in zip(p.parts, q.parts, strict=True))

    def _always_below(self, child: Formula, interval: Interval, q: Formula) -> bool:
        match q:
            case Always(other, inner) if inner in interval and self.below(child, other):
                return True
            case Eventually(other, window) if overlap(interval, window) and self.below(child, other):
                return True
            case _:
                return 0 in interval and self.below(child, q)

    def _eventually_below(self, child: Formula, interval: Interval, q: Formula) -> bool:
        return isinstance(q, Eventually) and interval in q.interval and self.below(child, q.child)

    def _until_below(self, p: Until, q: Until) -> bool:
        return p.interval in q.interval and self.below(p.left, q.left) and self.below(p.right, q.right)


def _tighter(p: Atom, q: Atom) -> bool:
    if p.signal != q.signal or p.is_lower_bound is not q.is_lower_bound:
        return False
    if p.threshold == q.threshold:  # equal robustness; the strict one is the stronger at the boundary
        return p.relation == q.relation or p.relation in ("<", ">")
    return (p.threshold > q.threshold) is p.is_lower_bound


def _inside(p: Tube, q: Tube) -> bool:
    """Whether every track of ``q`` is the beginning of an equally or more exact one of ``p``."""
    return (
        p.step == q.step
        and p.interval in q.interval
        and all(
            any(
                (mine.signal, mine.is_relative) == (track.signal, track.is_relative)
                and mine.delta <= track.delta
                and mine.points[: len(track.points)] == track.points
                for mine in p.tracks
            )
            for track in q.tracks
        )
    )
