"""What local and class explanations have in common: a formula, its origin and its printed forms."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

import pandas as pd

from stelle_nb.data.html import as_written
from stelle_nb.depict.background import Background
from stelle_nb.depict.page import page
from stelle_nb.depict.regions import Case
from stelle_nb.depict.rows import all_rows
from stelle_nb.depict.scene import Scene, make_scene
from stelle_nb.depict.wording import Wording
from stelle_nb.files import write_text
from stelle_nb.logic.formula import Formula
from stelle_nb.markup import render
from stelle_nb.rewrite import Trace


class Explanation(ABC):
    """A formula that explains a class.

    Attributes
    ----------
    target
        Label of the class.
    trace
        How the formula was simplified: ``trace.steps``.
    wording
        Names of channels, step and unit of time.
    background
        A few cases of each class, for the background of drawings.
    """

    __slots__ = ()
    target: Any
    trace: Trace
    wording: Wording
    background: Background

    @property
    def formula(self) -> Formula:
        """The explanation, in the channels, units and samples of the data: ``robustness(formula, X)``."""
        return self.trace.result

    @property
    def before(self) -> Formula:
        """The formula before it was simplified: the chosen concepts, negated and shifted."""
        return self.trace.formula

    @property
    def size(self) -> int:
        """Number of nodes, of operators inside comparisons and of points of tubes."""
        return self.formula.size

    @property
    def expanded_size(self) -> int:
        """Number of nodes once tubes are expanded to plain STL."""
        return self.formula.expanded_size

    @property
    def channels(self) -> frozenset[int]:
        """Indices of the channels that the formula uses."""
        return self.formula.channels

    @property
    def channel_names(self) -> tuple[str, ...] | None:
        """What the channels are called; None to call them x0, x1, …."""
        return self.wording.channel_names

    @property
    def step(self) -> float | None:
        """Time from one sample to the next."""
        return self.wording.step

    @property
    def unit(self) -> str | None:
        """Unit of time."""
        return self.wording.unit

    @property
    def units(self) -> tuple[str | None, ...] | None:
        """Units of the channels' values; None where they are unknown."""
        return self.wording.units

    def to_english(self) -> str:
        """The formula as a sentence."""
        return self.wording.english(self.formula)

    def to_unicode(self) -> str:
        """The formula in symbols."""
        return self.wording.unicode(self.formula)

    def to_latex(self) -> str:
        """The formula as LaTeX mathematics, without dollar signs."""
        return self.wording.latex(self.formula)

    def to_rtamt(self) -> str:
        """The formula as RTAMT's discrete-time monitor reads it."""
        return self.formula.to_rtamt()

    @abstractmethod
    def to_frame(self) -> pd.DataFrame:
        """A table of the parts, one row for each."""

    def _table(self) -> pd.DataFrame:
        """The table that pages show."""
        return self.to_frame()

    @abstractmethod
    def to_json(self) -> str:
        """All of it as JSON, for ``from_json``."""

    @abstractmethod
    def facts(self) -> dict[str, str]:
        """The measures and the origin of the explanation, as text by name."""

    @property
    @abstractmethod
    def title(self) -> str:
        """The question that is answered."""

    @abstractmethod
    def _front(self) -> tuple[Case | None, str]:
        """The case to draw in front, and what to call it."""

    @property
    def alternatives(self) -> tuple[Formula, ...]:
        """The formulas that it consists of, each to be drawn with its number; none if it is drawn as one."""
        return ()

    def scene(self, case: Case | None, **options: Any) -> Scene:
        """What to draw of the formula on a case; the options are those of :func:`make_scene`."""
        given = {"background": self.background, **options}
        return make_scene(
            self.formula,
            self.wording,
            case=case,
            target=self.target,
            alternatives=self.alternatives,
            **given,
        )

    def page_scene(self, background: Background | None = None) -> Scene:
        """What a page draws: all channels of the formula, and the case that stands for it in front."""
        case, caption = self._front()
        behind = self.background if background is None else background
        return self.scene(case, rows=all_rows(self.formula), caption=caption, background=behind)

    def page(self) -> str:
        """The report that :meth:`to_html` writes."""
        return page(
            title=self.title,
            formula=self.to_unicode(),
            english=self.to_english(),
            table=self._table(),
            facts=self.facts(),
            exact=self.wording.ascii(self.formula),
            scene=self.page_scene(),
        )

    def to_html(self, path: str | os.PathLike[str]) -> Path:
        """Write a self-contained interactive report that needs no network."""
        return write_text(path, self.page())

    def __str__(self) -> str:
        facts = "\n".join(f"  {name}: {value}" for name, value in self.facts().items())
        return f"{self.title}\n{self.to_english()}\n{self.to_unicode()}\n{facts}"

    def _repr_html_(self) -> str:
        return as_written(render("explain/templates/explanation.html", why=self, table=self._table()))


def percent(share: float) -> str:
    """A share in percent; anything less than all is never written as 100 %.

    Examples
    --------
    >>> percent(1.0), percent(0.9996), percent(2 / 3), percent(float("nan"))
    ('100 %', '99.9 %', '66.7 %', '-')
    """
    if share != share:
        return "-"
    shown = 100.0 * share
    near = min(shown, 99.9) if share < 1 else shown
    return f"{max(near, 0.1) if share > 0 else 0:.3g} %"


def nodes_text(formula: Formula) -> str:
    """The size of a formula in words, and that in plain STL where it differs.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> nodes_text(parse("x0 > 1")), nodes_text(parse("tube[0,5](x0 ~ 0 1 +- 0.5)"))
    ('1 node', '3 nodes (9 in plain STL)')
    """
    size, _, plain = size_text(formula).partition(" ")
    return f"{size} node{'' if size == '1' else 's'} {plain}".rstrip()


def size_text(formula: Formula) -> str:
    """The size of a formula as a number, and that in plain STL where it differs."""
    size, expanded = formula.size, formula.expanded_size
    return str(size) if size == expanded else f"{size} ({expanded} in plain STL)"
