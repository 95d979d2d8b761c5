"""The course of a shape in words: it rises, peaks, dips or stays level, how fast, and near which values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from stelle_nb.logic.idioms.saying import third_person
from stelle_nb.logic.idioms.words import Words
from stelle_nb.logic.syntax import Track

Direction = Literal[-1, 0, 1]

LEVEL = 0.12  # of the range of a shape: smaller changes do not count
RATIO = 2.0  # ratio of slopes above which one is called steep, the other slow
RETURN = 0.25  # of the range: this close to its start, a shape has come back


class Move(NamedTuple):
    """A piece of a shape that goes one way."""

    direction: Direction
    start: float
    end: float
    n_steps: int

    @property
    def size(self) -> float:
        return abs(self.end - self.start)

    @property
    def slope(self) -> float:
        return self.size / self.n_steps


def moves(track: Track) -> list[Move]:
    """The pieces of a shape; within its tolerance it is level."""
    points = (0.0, *track.points) if track.is_relative else track.points
    width = max(points) - min(points)
    if width <= track.delta:
        return [Move(0, points[0], points[-1], len(points) - 1)] if len(points) > 1 else []
    found: list[Move] = []
    for start, end in pairwise(points):
        change = end - start
        direction: Direction = 0 if abs(change) <= LEVEL * width else 1 if change > 0 else -1
        found.append(Move(direction, start, end, 1))
    return _without_ripples(_merged(_merged(_without_pauses(_merged(found)))), track.delta)


def _without_ripples(pieces: list[Move], delta: float) -> list[Move]:
    """The pieces without moves within the tolerance, which a signal of that shape need not make.

    The smallest goes first; between two moves the same way it becomes a part of them, elsewhere level.
    """
    found = pieces
    while small := [i for i, piece in enumerate(found) if piece.direction and piece.size <= delta]:
        i = min(small, key=lambda j: found[j].size)
        before, after = found[i - 1 : i], found[i + 1 : i + 2]
        ways = {piece.direction for piece in (*before, *after)}
        direction = ways.pop() if before and after and len(ways) == 1 else 0
        found = _merged([*found[:i], found[i]._replace(direction=direction), *found[i + 1 :]])
    if any(piece.direction for piece in found):
        return found
    start, end, n_steps = pieces[0].start, pieces[-1].end, sum(piece.n_steps for piece in pieces)
    return [Move(1 if end > start else -1, start, end, n_steps)] if abs(end - start) > delta else pieces


def _merged(pieces: Sequence[Move]) -> list[Move]:
    found: list[Move] = []
    for piece in pieces:
        if found and found[-1].direction == piece.direction:
            last = found.pop()
            piece = Move(piece.direction, last.start, piece.end, last.n_steps + piece.n_steps)
        found.append(piece)
    return found


def _without_pauses(pieces: list[Move]) -> list[Move]:
    """A short level piece between two moves in the same direction belongs to them."""
    found = list(pieces)
    for i in range(1, len(found) - 1):
        before, piece, after = found[i - 1 : i + 2]
        if not piece.direction and piece.n_steps == 1 and before.direction == after.direction:
            found[i] = piece._replace(direction=before.direction)
    return found


def course(
    track: Track,
    words: Words,
    *,
    n_numbers: int,
    finite: bool = True,
    negated: bool = False,
    paced: bool = True,
) -> str:
    """What the channel does, such as ``rises steeply to about 2, then falls to -1``.

    Parameters
    ----------
    n_numbers
        How many values may be named; with none, level pieces are left out, too.
    finite
        ``rises``, or ``rise`` as after "does not".
    negated
        Whether "not" or "never" stands before it, so that its pieces have to be held together by "and".
    paced
        Whether to say where it is steep or slow.
    """
    pieces = moves(track)
    if not n_numbers and any(piece.direction for piece in pieces):
        pieces = _merged([piece for piece in pieces if piece.direction])
    if not pieces:
        return f"{_verb('come', finite)} near {_near(track.points[0], track, words)}"
    if len(pieces) == 1:
        return _single(pieces[0], track, words, n_numbers, finite, paced)
    if len(pieces) == 2 and all(piece.direction for piece in pieces) and _comes_back(pieces):
        return _bump(pieces, track, words, n_numbers, finite)
    said, left = [], n_numbers
    paces = _paces(pieces) if paced else [""] * len(pieces)
    for i, (piece, pace) in enumerate(zip(pieces, paces, strict=True)):
        if _is_plateau(pieces, i):  # part of the phrase for the rise before it
            continue
        value = ""
        if left and (piece.direction or (i == 0 and not track.is_relative)):
            value = _value(piece, track, words, is_first=left == n_numbers)
            left -= 1
        verb = _verb({1: "rise", -1: "fall", 0: "stay"}[piece.direction], finite) + pace
        if _is_plateau(pieces, i + 1):
            value = (
                f"{value} to a plateau"
                if track.is_relative
                else f" to a plateau{value.replace(' to', ' at')}"
            )
        elif not piece.direction and not value:
            value = " level"
        said.append(verb + value)
    *first, last = said
    if not negated:
        return f"{', '.join(first)}, then {last}"
    return f"{', '.join(first)}{',' if len(first) > 1 else ''} and then {last}"


def _is_plateau(pieces: Sequence[Move], i: int) -> bool:
    """Whether the piece is level between a rise and a fall."""
    is_inside = 0 < i < len(pieces) - 1
    return is_inside and [piece.direction for piece in pieces[i - 1 : i + 2]] == [1, 0, -1]


def _comes_back(pieces: Sequence[Move]) -> bool:
    levels = [pieces[0].start, *(piece.end for piece in pieces)]
    return abs(levels[-1] - levels[0]) <= RETURN * (max(levels) - min(levels))


def _bump(pieces: list[Move], track: Track, words: Words, n_numbers: int, finite: bool) -> str:
    """``dips from about 1 to -2 and back``, ``peaks at about 3``: one verb for two moves."""
    first, _ = pieces
    up = first.direction > 0
    if n_numbers > 1 and not track.is_relative:
        levels = _from_to(first, track, words)
        return f"{_verb('rise' if up else 'dip', finite)} {levels} and back"
    verb = _verb("peak" if up else "dip", finite)
    if not n_numbers:
        return verb
    if track.is_relative:
        by = f"by about {_near(abs(first.end), track, words)} and back"
        return f"{_verb('rise' if up else 'dip', finite)} {by}"
    return f"{verb} {'at' if up else 'to'} about {_near(first.end, track, words)}"


def _single(piece: Move, track: Track, words: Words, n_numbers: int, finite: bool, paced: bool) -> str:
    if not piece.direction:
        stays = _verb("stay", finite)
        if track.is_relative or not n_numbers:
            return f"{stays} level"
        middle = math.fsum(track.points) / len(track.points)
        return f"{stays} near {_near(middle, track, words)}"
    verb = _verb("rise" if piece.direction > 0 else "fall", finite) + (_bend(track) if paced else "")
    if track.is_relative or n_numbers < 2:
        return verb + _value(piece, track, words, is_first=True) if n_numbers else verb.rstrip(",")
    return f"{verb} {_from_to(piece, track, words)}"


def _value(piece: Move, track: Track, words: Words, *, is_first: bool) -> str:
    """``to about 2``, ``by about 2`` in a relative shape, ``near 2`` where it is level."""
    about = "about " if is_first else ""
    if not piece.direction:
        return f" near {_near(piece.start, track, words)}"
    if track.is_relative:
        return f" by {about}{_near(abs(piece.end - piece.start), track, words)}"
    return f" to {about}{_near(piece.end, track, words)}"


def _from_to(piece: Move, track: Track, words: Words) -> str:
    start = _near(piece.start, track, words, bare=True)
    return f"from about {start} to {_near(piece.end, track, words)}"


def _near(value: float, track: Track, words: Words, *, bare: bool = False) -> str:
    """A value of the shape, no finer than its tolerance; ``bare`` without its unit."""
    value = round(value, math.ceil(-math.log10(0.2 * track.delta or track.delta))) + 0.0
    return words.number(value) if bare else words.value(value, track.signal.channel)


def _paces(pieces: Sequence[Move]) -> list[str]:
    """``steeply`` and ``slowly`` for the extremes, where slopes differ by much."""
    slopes = [piece.slope for piece in pieces if piece.direction]
    steep, slow = max(slopes), min(slopes)
    if len(pieces) > 3 or steep < RATIO * slow:
        return [""] * len(pieces)
    named = {steep: " steeply", slow: " slowly"}
    return [named.get(piece.slope, "") if piece.direction else "" for piece in pieces]


def _bend(track: Track) -> str:
    """Whether a shape that goes one way begins slowly or ends so."""
    points = (0.0, *track.points) if track.is_relative else track.points
    if len(points) < 3:
        return ""
    half = (len(points) - 1) // 2
    first, second = abs(points[half] - points[0]), abs(points[-1] - points[-1 - half])
    if max(first, second) < 1.5 * RATIO * min(first, second):
        return ""
    return " steeply, then slowly," if first > second else " slowly, then steeply,"


def _verb(base: str, finite: bool) -> str:
    return third_person(base) if finite else base
