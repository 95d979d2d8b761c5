"""The base class of all formulas, with the methods that each of them has."""

from __future__ import annotations

from collections.abc import Sequence


class Formula:
    """Any STL formula; its subclasses are in :mod:`stelle_nb.logic.syntax`.

    The methods are thin: each calls a function of :mod:`stelle_nb.logic`.
    """

    __slots__ = ()
    depth: int

    def __str__(self) -> str:
        from stelle_nb.logic.printing.ascii import to_ascii

        return to_ascii(self)

    def __repr__(self) -> str:
        return f"parse({str(self)!r})"

    def __and__(self, other: Formula) -> Formula:
        from stelle_nb.logic.syntax import And

        return And(self, other)

    def __or__(self, other: Formula) -> Formula:
        from stelle_nb.logic.syntax import Or

        return Or(self, other)

    def __invert__(self) -> Formula:
        from stelle_nb.logic.syntax import Not

        return Not(self)

    def __bool__(self) -> bool:
        raise TypeError(
            "A formula is neither true nor false by itself. Use satisfies(formula, X), or & | ~ to combine."
        )

    def implies(self, other: Formula) -> Formula:
        """``self -> other``."""
        from stelle_nb.logic.syntax import Implies

        return Implies(self, other)

    def always(self, start: int = 0, end: int | None = None) -> Formula:
        """``G[start,end] self``."""
        from stelle_nb.logic.interval import Interval
        from stelle_nb.logic.syntax import Always

        return Always(self, Interval(start, end))

    def eventually(self, start: int = 0, end: int | None = None) -> Formula:
        """``F[start,end] self``."""
        from stelle_nb.logic.interval import Interval
        from stelle_nb.logic.syntax import Eventually

        return Eventually(self, Interval(start, end))

    def until(self, other: Formula, start: int = 0, end: int | None = None) -> Formula:
        """``self U[start,end] other``."""
        from stelle_nb.logic.interval import Interval
        from stelle_nb.logic.syntax import Until

        return Until(self, other, Interval(start, end))

    @property
    def size(self) -> int:
        """Number of nodes, operators inside comparisons and points of tubes: every operator counts."""
        from stelle_nb.logic.traversal import size

        return size(self)

    @property
    def expanded_size(self) -> int:
        """Number of nodes once every tube and every count is expanded to plain STL."""
        from stelle_nb.logic.expansion import expanded_size

        return expanded_size(self)

    @property
    def channels(self) -> frozenset[int]:
        """Indices of the channels the formula uses."""
        from stelle_nb.logic.traversal import channels

        return channels(self)

    @property
    def horizon(self) -> float:
        """How many samples after the present can matter; ``inf`` for unbounded intervals.

        Z-scores aside, which depend on all samples of a case.
        """
        from stelle_nb.logic.traversal import horizon

        return horizon(self)

    def to_unicode(self, channel_names: Sequence[str] | None = None, digits: int | None = None) -> str:
        """The formula in symbols; numbers are exact unless ``digits`` says how many to keep."""
        from stelle_nb.logic.printing.unicode import to_unicode

        return to_unicode(self, channel_names=channel_names, digits=digits)

    def to_latex(self, channel_names: Sequence[str] | None = None, digits: int | None = None) -> str:
        """The formula as LaTeX mathematics, without dollar signs."""
        from stelle_nb.logic.printing.latex import to_latex

        return to_latex(self, channel_names=channel_names, digits=digits)

    def to_english(
        self,
        channel_names: Sequence[str] | None = None,
        step: float | None = None,
        unit: str | None = None,
        digits: int | None = None,
        units: Sequence[str | None] | None = None,
    ) -> str:
        """The formula as a sentence; with ``step`` and ``unit`` times are given in that unit.

        ``units`` are those of the channels' values.
        """
        from stelle_nb.logic.printing.english import to_english

        return to_english(self, channel_names, step, unit, digits, units)

    def to_rtamt(self) -> str:
        """The formula as RTAMT's discrete-time monitor reads it."""
        from stelle_nb.logic.printing.rtamt import to_rtamt

        return to_rtamt(self)

    def _repr_latex_(self) -> str:
        return f"${self.to_latex()}$"
