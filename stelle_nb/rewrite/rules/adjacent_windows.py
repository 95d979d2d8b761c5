"""Rules about several windows side by side in one conjunction or disjunction."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace

from stelle_nb.logic.interval import Interval
from stelle_nb.logic.syntax import Always, And, Eventually, Formula, Or, Tube, Until
from stelle_nb.rewrite.chain import Chain, dual, edited, identity, joined, members
from stelle_nb.rewrite.rule import law
from stelle_nb.rewrite.rules.temporal import NOW


@dataclass(frozen=True, slots=True)
class _Window:
    """A member of a chain seen as ``F`` or ``G`` of something in a window."""

    index: int
    content: Formula
    interval: Interval

    def over(self, operator: type[Always | Eventually], interval: Interval) -> Formula:
        if operator is Eventually and isinstance(self.content, Tube) and self.content.interval == NOW:
            return replace(self.content, interval=interval)
        return operator(self.content, interval)


@law("joined windows")
def joined_windows(formula: Formula) -> Formula | None:
    """Always in two windows that touch is always in their union.

    Eventually in one or in the other is eventually in their union.
    """
    if not isinstance(formula, And | Or):
        return None
    operator = _operator(type(formula))
    changes: dict[int, Formula | None] = {}
    for group in _grouped(formula, operator):
        for run, union in _runs(group):
            first, *rest = sorted(window.index for window in run)
            changes |= {**dict.fromkeys(rest), first: run[0].over(operator, union)}
    return edited(formula, changes) if changes else None


@law("window inside window")
def window_inside_window(formula: Formula) -> Formula | None:
    """In the smaller of two windows, eventually is harder to satisfy and always is easier.

    So next to the smaller window, the larger one adds nothing: to a conjunction of eventually formulas, or
    to a disjunction of always formulas.
    """
    if not isinstance(formula, And | Or):
        return None
    idle: dict[int, None] = {}
    for group in _grouped(formula, _operator(dual(type(formula)))):
        for larger in group:
            rivals = [w for w in group if w is not larger and w.index not in idle]
            if any(rival.interval in larger.interval for rival in rivals):
                idle[larger.index] = None
    return edited(formula, idle) if idle else None


@law("shared window")
def shared_window(formula: Formula) -> Formula | None:
    """G p & G q over the same window is G (p & q).

    In the same way, F p | F q over the same window is F (p | q).
    """
    if not isinstance(formula, And | Or):
        return None
    groups: dict[Hashable, list[tuple[int, Always | Eventually]]] = {}
    for i, part in enumerate(members(formula)):
        if isinstance(part, Always | Eventually) and (
            isinstance(part, _operator(type(formula))) or part.interval.start == part.interval.end
        ):
            groups.setdefault((type(part), part.interval), []).append((i, part))
    changes: dict[int, Formula | None] = {}
    for (first, example), *rest in groups.values():
        if rest:
            inner = joined(type(formula), [example.child, *(part.child for _, part in rest)])
            changes |= {**{i: None for i, _ in rest}, first: replace(example, child=inner)}
    return edited(formula, changes) if changes else None


@law("shared until")
def shared_until(formula: Formula) -> Formula | None:
    """Two untils that share a side and the window are one until.

    (p U q) | (p U r) is p U (q | r), with the same left side; (p U r) & (q U r) is (p & q) U r, since the
    earlier of the two ends serves both.
    """
    if not isinstance(formula, And | Or):
        return None
    groups: dict[Hashable, list[tuple[int, Until]]] = {}
    for i, part in enumerate(members(formula)):
        if isinstance(part, Until):
            side = part.left if isinstance(formula, Or) else part.right
            groups.setdefault((part.interval, identity(side)), []).append((i, part))
    changes: dict[int, Formula | None] = {}
    for (first, example), *rest in groups.values():
        if not rest:
            continue
        untils = [example, *(until for _, until in rest)]
        if isinstance(formula, Or):
            merged = replace(example, right=joined(Or, [until.right for until in untils]))
        else:
            merged = replace(example, left=joined(And, [until.left for until in untils]))
        changes |= {**{i: None for i, _ in rest}, first: merged}
    return edited(formula, changes) if changes else None


def _operator(kind: type[Chain]) -> type[Always | Eventually]:
    """The operator that a chain of the given kind passes through."""
    return Always if kind is And else Eventually


def _grouped(chain: Chain, operator: type[Always | Eventually]) -> list[list[_Window]]:
    """The members of a chain that are windows of the same content, two or more of each."""
    groups: dict[Hashable, list[_Window]] = {}
    for i, part in enumerate(members(chain)):
        window = _as_window(i, part, operator)
        groups.setdefault(identity(window.content), []).append(window)
    return [group for group in groups.values() if len(group) > 1]


def _as_window(index: int, part: Formula, operator: type[Always | Eventually]) -> _Window:
    match part:
        case Tube(_, _, interval) if operator is Eventually:
            return _Window(index, replace(part, interval=NOW), interval)  # a tube is eventually a tube now
        case Always(child, interval) | Eventually(child, interval) if (
            isinstance(part, operator) or interval.start == interval.end
        ):
            return _Window(index, child, interval)
        case _:
            return _Window(index, part, NOW)


def _runs(group: list[_Window]) -> list[tuple[list[_Window], Interval]]:
    """Windows whose samples follow each other without a gap, with their union."""
    runs: list[tuple[list[_Window], Interval]] = []
    for window in sorted(group, key=lambda w: w.interval.start):
        if runs:
            run, union = runs[-1]
            if union.end is None or window.interval.start <= union.end + 1:
                ends = union.end, window.interval.end
                end = None if None in ends else max(e for e in ends if e is not None)
                runs[-1] = ([*run, window], Interval(union.start, end))
                continue
        runs.append(([window], window.interval))
    return [(run, union) for run, union in runs if len(run) > 1]
