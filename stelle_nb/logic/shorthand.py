"""What can be asked of a formula with a dot: Python operators, measures and notations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stelle_nb.logic.syntax import Formula


class FormulaMethods:
    """Thin methods that hand over to the functions of :mod:`stelle_nb.logic`."""

    __slots__ = ()

    def __and__(self: Formula, other: Formula) -> Formula:
        from stelle_nb.logic.syntax import And

        return And(self, other)

    def __or__(self: Formula, other: Formula) -> Formula:
        from stelle_nb.logic.syntax import Or

        return Or(self, other)

    def __invert__(self: Formula) -> Formula:
        from stelle_nb.logic.syntax import Not

        return Not(self)

    def __bool__(self) -> bool:
        raise TypeError(
            "A formula is neither true nor false by itself. Use satisfies(formula, X), or & | ~ to combine."
        )

    def implies(self: Formula, other: Formula) -> Formula:
        """``self -> other``."""
        from stelle_nb.logic.syntax import Implies

        return Implies(self, other)

    def always(self: Formula, start: int = 0, end: int | None = None) -> Formula:
        """``G[start,end] self``."""
        from stelle_nb.logic.interval import Interval
        from stelle_nb.logic.syntax import Always

        return Always(self, Interval(start, end))

    def eventually(self: Formula, start: int = 0, end: int | None = None) -> Formula:
        """``F[start,end] self``."""
        from stelle_nb.logic.interval import Interval
        from stelle_nb.logic.syntax import Eventually

        return Eventually(self, Interval(start, end))

    def until(self: Formula, other: Formula, start: int = 0, end: int | None = None) -> Formula:
        """``self U[start,end] other``."""
        from stelle_nb.logic.interval import Interval
        from stelle_nb.logic.syntax import Until

        return Until(self, other, Interval(start, end))

    @property
    def size(self: Formula) -> int:
        """Number of nodes; a tube counts one plus its points."""
        from stelle_nb.logic.traversal import size

        return size(self)

    @property
    def expanded_size(self: Formula) -> int:
        """Number of nodes once every tube is written out as plain STL."""
        from stelle_nb.logic.tube import expanded_size

        return expanded_size(self)

    @property
    def channels(self: Formula) -> frozenset[int]:
        """Indices of the channels the formula speaks of."""
        from stelle_nb.logic.traversal import channels

        return channels(self)

    @property
    def horizon(self: Formula) -> float:
        """How many samples after the present can matter; ``inf`` for unbounded intervals."""
        from stelle_nb.logic.traversal import horizon

        return horizon(self)

    def to_unicode(self: Formula, channel_names: Sequence[str] | None = None, digits: int | None = 4) -> str:
        """The formula in symbols, thresholds rounded to ``digits`` significant digits."""
        from stelle_nb.logic.unicode import to_unicode

        return to_unicode(self, channel_names=channel_names, digits=digits)

    def to_latex(self: Formula, channel_names: Sequence[str] | None = None, digits: int | None = 4) -> str:
        """The formula as LaTeX mathematics, without dollar signs."""
        from stelle_nb.logic.latex import to_latex

        return to_latex(self, channel_names=channel_names, digits=digits)

    def to_english(
        self: Formula,
        channel_names: Sequence[str] | None = None,
        step: float | None = None,
        unit: str | None = None,
        digits: int | None = 3,
    ) -> str:
        """The formula as a sentence; with ``step`` and ``unit`` times are given in that unit."""
        from stelle_nb.logic.english import to_english

        return to_english(self, channel_names=channel_names, step=step, unit=unit, digits=digits)

    def to_rtamt(self: Formula) -> str:
        """The formula as RTAMT's discrete-time monitor reads it."""
        from stelle_nb.logic.rtamt import to_rtamt

        return to_rtamt(self)

    def _repr_latex_(self: Formula) -> str:
        return f"${self.to_latex()}$"
