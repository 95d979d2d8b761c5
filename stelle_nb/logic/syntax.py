"""The syntax tree of Signal Temporal Logic: frozen values, one class per kind of node.

The meaning of formulas is in :mod:`stelle_nb.semantics`, their notation in
:mod:`stelle_nb.logic.printing`. Nodes only hold their parts: every operation on formulas is a
function elsewhere.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Literal, final

from stelle_nb.arguments import whole
from stelle_nb.errors import FormulaError
from stelle_nb.logic.formula import Formula as Formula
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.signal import Signal, as_signal, truth_value
from stelle_nb.logic.weighted_sum import Quantity, WeightedSum

Relation = Literal["<=", "<", ">=", ">"]
RELATIONS: tuple[Relation, ...] = ("<=", "<", ">=", ">")
MIRRORED: dict[Relation, Relation] = {"<=": ">=", "<": ">", ">=": "<=", ">": "<"}

ALL_TIME = Interval()
MAX_DEPTH = 200  # keeps every recursive function here far from the interpreter's own limit
MAX_COUNTED = 12  # parts that are counted: more are hard to keep in mind, and expand to thousands of nodes


@final
@dataclass(frozen=True, slots=True, repr=False)
class Truth(Formula):
    """``true`` or ``false``: robustness plus or minus infinity."""

    value: bool = True
    depth: int = field(default=1, init=False, compare=False)


@final
@dataclass(frozen=True, slots=True, repr=False)
class Atom(Formula):
    """A signal, or a weighted sum of signals, compared with a threshold, such as ``x0 >= 0.3``.

    An integer stands for the channel of that index. Strict and non-strict relations have
    the same robustness; both are kept because they read differently.
    """

    signal: Quantity
    relation: Relation
    threshold: float
    depth: int = field(default=1, init=False, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.signal, WeightedSum):
            object.__setattr__(self, "signal", as_signal(self.signal))
        if str(self.relation) not in RELATIONS:
            raise FormulaError(f"A relation must be one of {', '.join(RELATIONS)}, got {self.relation!r}.")
        object.__setattr__(self, "threshold", _finite("A threshold", self.threshold))

    @property
    def is_lower_bound(self) -> bool:
        """Whether larger values of the signal satisfy the atom better."""
        return self.relation in (">=", ">")


@final
@dataclass(frozen=True, slots=True, repr=False)
class Not(Formula):
    """The child does not hold."""

    child: Formula
    depth: int = field(default=0, init=False, compare=False)

    def __post_init__(self) -> None:
        _grow(self, self.child)


@final
@dataclass(frozen=True, slots=True, repr=False)
class And(Formula):
    """Both sides hold."""

    left: Formula
    right: Formula
    depth: int = field(default=0, init=False, compare=False)

    def __post_init__(self) -> None:
        _grow(self, self.left, self.right)


@final
@dataclass(frozen=True, slots=True, repr=False)
class Or(Formula):
    """At least one side holds."""

    left: Formula
    right: Formula
    depth: int = field(default=0, init=False, compare=False)

    def __post_init__(self) -> None:
        _grow(self, self.left, self.right)


@final
@dataclass(frozen=True, slots=True, repr=False)
class Implies(Formula):
    """If the left side holds, so does the right one."""

    left: Formula
    right: Formula
    depth: int = field(default=0, init=False, compare=False)

    def __post_init__(self) -> None:
        _grow(self, self.left, self.right)


@final
@dataclass(frozen=True, slots=True, repr=False)
class AtLeast(Formula):
    """At least ``count`` of the parts hold: "two of these three".

    Its robustness is the ``count``-th largest of theirs, so that one part may fail, however badly, if
    enough others hold: :func:`stelle_nb.logic.expansion.expand` writes it with And and Or.
    """

    count: int
    parts: tuple[Formula, ...]
    depth: int = field(default=0, init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "parts", _items("parts", self.parts))
        if not 1 <= len(self.parts) <= MAX_COUNTED:
            raise FormulaError(
                f"AtLeast takes 1 to {MAX_COUNTED} parts, got {len(self.parts)}. Join some with & or |."
            )
        count = whole(self.count, "The count of AtLeast", least=1, most=len(self.parts), error=FormulaError)
        object.__setattr__(self, "count", count)
        _grow(self, *self.parts)


@final
@dataclass(frozen=True, slots=True, repr=False)
class Always(Formula):
    """The child holds at every sample of the interval (globally, G)."""

    child: Formula
    interval: Interval = ALL_TIME
    depth: int = field(default=0, init=False, compare=False)

    def __post_init__(self) -> None:
        _check_interval(self.interval)
        _grow(self, self.child)


@final
@dataclass(frozen=True, slots=True, repr=False)
class Eventually(Formula):
    """The child holds at some sample of the interval (finally, F)."""

    child: Formula
    interval: Interval = ALL_TIME
    depth: int = field(default=0, init=False, compare=False)

    def __post_init__(self) -> None:
        _check_interval(self.interval)
        _grow(self, self.child)


@final
@dataclass(frozen=True, slots=True, repr=False)
class Until(Formula):
    """The right side holds at some sample of the interval, the left one from now up to and including it."""

    left: Formula
    right: Formula
    interval: Interval = ALL_TIME
    depth: int = field(default=0, init=False, compare=False)

    def __post_init__(self) -> None:
        _check_interval(self.interval)
        _grow(self, self.left, self.right)


@final
@dataclass(frozen=True, slots=True)
class Track:
    """The shape of one signal inside a tube: points, each to be met within ``delta``.

    An absolute track has its points at offsets ``0, step, 2 step, …`` of the tube. The points of
    a relative track are changes since the tube's first sample, at offsets ``step, 2 step, …``.
    """

    signal: Signal
    points: tuple[float, ...]
    delta: float
    is_relative: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "signal", as_signal(self.signal))
        points = tuple(_finite("A point of a tube", point) for point in _items("points", self.points))
        object.__setattr__(self, "is_relative", truth_value("is_relative", self.is_relative))
        if not points:
            raise FormulaError("A track needs at least one point, got none.")
        object.__setattr__(self, "points", points)
        object.__setattr__(self, "delta", _finite("The tolerance of a tube", self.delta))
        if self.is_relative and self.signal.lag:
            raise FormulaError(
                "A relative track must follow a channel or its average, got a lagged difference."
            )

    @property
    def first_offset(self) -> int:
        """Index of the first point in steps: 0, or 1 for a relative track."""
        return int(self.is_relative)


@final
@dataclass(frozen=True, slots=True, repr=False)
class Tube(Formula):
    """At some sample of the interval the signals begin to follow the given shapes.

    Its robustness is the tolerance minus the largest deviation from the shape, at the best
    starting time: :func:`stelle_nb.logic.expansion.expand` writes it as plain STL of equal robustness.

    Parameters
    ----------
    tracks
        One for each signal involved.
    step
        Samples between neighbouring points.
    interval
        Where the shape may begin.
    """

    tracks: tuple[Track, ...]
    step: int = 1
    interval: Interval = ALL_TIME
    depth: int = field(default=1, init=False, compare=False)

    def __post_init__(self) -> None:
        _check_interval(self.interval)
        object.__setattr__(self, "tracks", _as_tracks(self.tracks))
        step = whole(self.step, "The step of a tube", least=1, most=math.inf, error=FormulaError)
        object.__setattr__(self, "step", step)

    @property
    def n_points(self) -> int:
        """Number of points in all tracks."""
        return sum(len(track.points) for track in self.tracks)

    @property
    def reach(self) -> int:
        """Samples from the start of the shape to its last point."""
        return self.step * max(len(track.points) - 1 + track.first_offset for track in self.tracks)


def _items(what: str, values: Any) -> tuple[Any, ...]:
    try:
        return tuple(values)
    except TypeError:
        raise FormulaError(f"{what} must be a list, got {values!r}.") from None


def _as_tracks(values: Any) -> tuple[Track, ...]:
    tracks = _items("tracks", values)
    if not tracks or not all(isinstance(track, Track) for track in tracks):
        raise FormulaError(f"A tube needs one Track or more, got {values!r}.")
    return tracks


def _finite(what: str, value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise FormulaError(f"{what} must be a finite number, got {value!r}.") from None
    if not math.isfinite(number):
        raise FormulaError(
            f"{what} must be a finite number, got {value!r}. Use true or false for a bound that never binds."
        )
    return number


def _grow(parent: Formula, *children: Any) -> None:
    for child in children:
        if not isinstance(child, Formula):
            raise FormulaError(
                f"A part of a formula must be a formula, got {child!r}. Use parse() to convert text."
            )
    depth = 1 + max(child.depth for child in children)
    if depth > MAX_DEPTH:
        raise FormulaError(
            f"A formula may be nested at most {MAX_DEPTH} deep, got {depth}. "
            "Join many parts with conjunction() or disjunction(), which build balanced trees."
        )
    object.__setattr__(parent, "depth", depth)


def _check_interval(interval: object) -> None:
    if not isinstance(interval, Interval):
        raise FormulaError(
            f"The interval of an operator must be an Interval, got {interval!r}. Write Interval(0, 10)."
        )
