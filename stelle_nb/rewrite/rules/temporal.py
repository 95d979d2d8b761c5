"""Rules about always and eventually, one inside the other or by themselves."""

from __future__ import annotations

from dataclasses import replace

from stelle_nb.logic.interval import Interval
from stelle_nb.logic.syntax import Always, Eventually, Formula, Tube
from stelle_nb.rewrite.rule import law

NOW = Interval(0, 0)


@law("window of now")
def window_of_now(formula: Formula) -> Formula | None:
    """A window that holds the present sample alone says nothing about time."""
    match formula:
        case Always(child, interval) | Eventually(child, interval) if interval == NOW:
            return child
    return None


@law("single sample")
def single_sample(formula: Formula) -> Formula | None:
    """In a window of a single sample, at some time and at every time are the same."""
    match formula:
        case Eventually(child, interval) if _is_point(interval):
            return Always(child, interval)
    return None


@law("nested windows")
def nested_windows(formula: Formula) -> Formula | None:
    """A step from one window into another of the same kind is one step: starts and ends add up."""
    match formula:
        case Always(Always(child, inner), outer):
            return Always(child, outer + inner)
        case Eventually(Eventually(child, inner), outer):
            return Eventually(child, outer + inner)
        case Eventually(Tube() as tube, outer):
            return replace(tube, interval=outer + tube.interval)
    return None


@law("moved window")
def moved_window(formula: Formula) -> Formula | None:
    """Looking from one fixed sample ahead only moves the window by that much."""
    match formula:
        case Always(Eventually(child, inner), outer) if _is_point(outer):
            return Eventually(child, outer + inner)
        case Eventually(Always(child, inner), outer) if _is_point(inner):
            return Eventually(child, outer + inner)
        case Always(Tube() as tube, outer) if _is_point(outer):
            return replace(tube, interval=outer + tube.interval)
    return None


def _is_point(interval: Interval) -> bool:
    return interval.start == interval.end
