"""What of a formula can be moved on the signal: thresholds, and the ends of windows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from stelle_nb.depict.scene import Scene
from stelle_nb.errors import PanelError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.syntax import Always, Atom, Eventually, Tube, Until
from stelle_nb.logic.traversal import Path, children, node_at, replace_at
from stelle_nb.logic.weighted_sum import Quantity
from stelle_nb.panels.widgets.signal_content import id_path, path_id


@dataclass(frozen=True, slots=True)
class MovableWindow:
    """The times at which a signal is looked at, and the operator whose interval sets them.

    Parameters
    ----------
    path
        Where in the formula the operator is.
    quantity
        The signal.
    interval
        Of the operator.
    before, after
        Samples that other operators, and the shape, add to the start and to the end of the interval;
        ``after`` is None if they know no end.
    """

    path: Path
    quantity: Quantity
    interval: Interval
    before: int
    after: int | None

    @property
    def start(self) -> int:
        """The first sample that is looked at."""
        return self.interval.start + self.before

    @property
    def end(self) -> int | None:
        """The last one; None if there is none."""
        is_open = self.interval.end is None or self.after is None
        return None if is_open else self.interval.end + self.after  # type: ignore[operator]


def find_windows(formula: Formula) -> list[MovableWindow]:
    """The windows of a formula in reading order.

    Of several operators around a signal, the outermost sets the window, unless other signals inside it have
    more operators around them, or fewer. The left side of an until has no window of its own.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> [window] = find_windows(parse("F[3,9] G[0,5] x0 >= 1"))
    >>> window.path, window.start, window.end
    ((), 3, 14)
    >>> first, then = find_windows(parse("F[3,9] (x0 >= 1 & F[1,2] x1 >= 1)"))
    >>> then.path, then.start, then.end
    ((0, 1), 4, 11)
    """
    leaves = list(_leaves(formula, _Leaf()))
    found = [
        _window(leaf, quantity, leaves) for leaf in leaves if leaf.around for quantity in leaf.quantities
    ]
    return list({(each.path, each.quantity): each for each in found}.values())


def moved_by_hand(formula: Formula, moved: Mapping[str, Any]) -> Formula:
    """The formula after a threshold, or one end of a window, was moved on the signal.

    Parameters
    ----------
    moved
        As the signal editor sends it.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> formula = parse("F[3,9] G[0,5] x0 >= 1")
    >>> print(moved_by_hand(formula, {"id": "00", "value": 2.5}))
    F[3,9] G[0,5] (x0 >= 2.5)
    >>> print(moved_by_hand(formula, {"id": "root", "edge": "end", "value": 15}))
    F[3,15] G[0,5] (x0 >= 1.0)
    """
    path = id_path(moved["id"].removeprefix("root"))
    node, edge, new = node_at(formula, path), moved.get("edge"), moved["value"]
    match node:
        case Atom() if edge is None:
            return replace_at(formula, path, Atom(node.signal, node.relation, float(new)))
        case Always() | Eventually() | Until() | Tube() if edge is not None:
            bounds = (int(new), node.interval.end) if edge == "start" else (node.interval.start, int(new))
            return replace_at(formula, path, replace(node, interval=Interval(*bounds)))
    kind = "threshold" if edge is None else "window"
    raise PanelError(f"There is no {kind} at {path!r} of this formula any more.")


def windows_json(formula: Formula, scene: Scene, *, is_free: bool) -> list[dict[str, Any]]:
    """The windows for the page.

    Parameters
    ----------
    scene
        Where the signals of the formula are drawn.
    is_free
        Whether the ends can be moved.

    Returns
    -------
    list of dict
        Of each window ``start`` and ``end`` on the signal; ``first`` and ``last`` are the samples between
        which each of them can be moved, or None if it cannot, and ``before`` and ``after`` are to be
        subtracted from them to get the bounds of the interval with the path ``id``.
    """
    rows, last = {row.quantity: row for row in scene.rows}, scene.n_timepoints - 1
    found: list[dict[str, Any]] = []
    for window in find_windows(formula):
        if window.quantity not in rows or window.start > last:
            continue
        row = rows[window.quantity]
        end = last if window.end is None else min(window.end, last)
        latest = last if window.interval.end is None else window.interval.end + window.before
        earliest = last + 1 if window.after is None else window.interval.start + window.after
        found.append(
            {
                "id": path_id(window.path) or "root",
                "key": row.key,
                "name": row.name,
                "start": window.start,
                "end": end,
                "first": [window.before, min(latest, last)],
                "last": None if earliest > last else [earliest, last],
                "before": window.before,
                "after": window.after,
                "is_free": is_free,
            }
        )
    return found


@dataclass(frozen=True, slots=True)
class _Leaf:
    """An atom or a shape, and on the way to it, where in the formula we are.

    Parameters
    ----------
    quantities
        What it is about.
    around
        The operators around it, each with its place in the formula: their intervals add up to the window.
        There are none where a window cannot be moved.
    reach
        Samples from the start of a shape to its last point.
    """

    path: Path = ()
    quantities: tuple[Quantity, ...] = ()
    around: tuple[tuple[Path, Interval], ...] = ()
    reach: int = 0
    is_movable: bool = True

    def part(self, number: int) -> _Leaf:
        return replace(self, path=(*self.path, number))

    def inside(self, interval: Interval) -> _Leaf:
        return replace(self, around=(*self.around, (self.path, interval))) if self.is_movable else self

    def fixed(self) -> _Leaf:
        """The same without a window of its own, as on the left side of an until."""
        return replace(self, around=(), is_movable=False)


def _leaves(node: Formula, here: _Leaf) -> Iterator[_Leaf]:
    match node:
        case Atom():
            yield replace(here, quantities=(node.signal,))
        case Tube():
            signals = tuple(track.signal for track in node.tracks)
            yield replace(here.inside(node.interval), quantities=signals, reach=node.reach)
        case Always(part, interval) | Eventually(part, interval):
            yield from _leaves(part, here.inside(interval).part(0))
        case Until(left, right, interval):
            yield from _leaves(left, here.fixed().part(0))
            yield from _leaves(right, here.inside(interval).part(1))
        case _:
            for i, part in enumerate(children(node)):
                yield from _leaves(part, here.part(i))


def _window(leaf: _Leaf, quantity: Quantity, leaves: list[_Leaf]) -> MovableWindow:
    path, interval = next((each for each in leaf.around if _is_alone(each[0], leaf, leaves)), leaf.around[-1])
    others = [other for place, other in leaf.around if place != path]
    ends = [other.end for other in others]
    after = None if None in ends else leaf.reach + sum(end or 0 for end in ends)
    return MovableWindow(path, quantity, interval, sum(other.start for other in others), after)


def _is_alone(path: Path, leaf: _Leaf, leaves: list[_Leaf]) -> bool:
    """Whether all that is inside an operator is inside as many operators as the leaf.

    This does not depend on any bound, so that a window keeps its operator while one drags.
    """
    inside = [other for other in leaves if other.path[: len(path)] == path]
    return all(len(other.around) == len(leaf.around) for other in inside)
