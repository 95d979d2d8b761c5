"""Narrowing windows to the samples that decide on given signals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from stelle_nb.logic.interval import Interval
from stelle_nb.logic.syntax import Always, Eventually, Formula, Tube, Until
from stelle_nb.logic.traversal import Path, walk
from stelle_nb.rewrite.engine import Engine
from stelle_nb.rewrite.judge import Judge
from stelle_nb.rewrite.rule import Rule, proposal

Windowed = Always | Eventually | Until | Tube


@proposal("later start")
def later_start(formula: Formula) -> Formula | None:
    """On none of the given signals do the first samples of the window decide."""
    if not isinstance(formula, Windowed) or formula.interval.start == formula.interval.end:
        return None
    return replace(formula, interval=Interval(formula.interval.start + 1, formula.interval.end))


@proposal("earlier end")
def earlier_end(formula: Formula) -> Formula | None:
    """On none of the given signals do the last samples of the window decide."""
    if not isinstance(formula, Windowed) or formula.interval.end in (None, formula.interval.start):
        return None
    return replace(formula, interval=Interval(formula.interval.start, formula.interval.end - 1))


WINDOW_RULES: tuple[Rule, ...] = (later_start, earlier_end)
"""Each trims one sample; :func:`narrow_windows` finds by bisection how often they may be applied."""


def narrow_windows(engine: Engine, judge: Judge) -> None:
    """Trim every window, first its start and then its end, as far as the signals allow."""
    while (narrower := _first(engine.formula, judge)) is not None:
        engine.apply(*narrower, judge.guarantee)


def _first(formula: Formula, judge: Judge) -> tuple[Rule, Path, Formula] | None:
    for path, node in walk(formula):
        if isinstance(node, Windowed):
            narrower = _narrower(formula, path, node, judge)
            if narrower is not None:
                return narrower
    return None


def _narrower(
    formula: Formula, path: Path, node: Windowed, judge: Judge
) -> tuple[Rule, Path, Formula] | None:
    start, end = node.interval.start, node.interval.end
    latest = max(start, judge.n_settled - 1) if end is None else end

    def agrees(interval: Interval) -> bool:
        return judge.first(formula, [(path, replace(node, interval=interval))]) is not None

    later = _furthest(start, latest, lambda s: agrees(Interval(s, end)))
    if later > start:
        return later_start, path, replace(node, interval=Interval(later, end))
    sooner = -_furthest(-latest, -start, lambda e: agrees(Interval(start, -e)))
    if sooner != end:
        return earlier_end, path, replace(node, interval=Interval(start, sooner))
    return None


def _furthest(low: int, high: int, holds: Callable[[int], bool]) -> int:
    """The last number from ``low`` on that ``holds``, which is true at ``low`` and once false stays so."""
    while low < high:
        middle = (low + high + 1) // 2
        if holds(middle):
            low = middle
        else:
            high = middle - 1
    return low
