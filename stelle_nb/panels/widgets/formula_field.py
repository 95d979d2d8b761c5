"""A text field for formulas: names are completed, and errors are shown at their column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import anywidget
import traitlets

from stelle_nb.logic.parsing.tokens import quoted
from stelle_nb.panels.widgets.scripts import script, style

OPERATORS = (
    ("always", "G: at every time of a window"),
    ("eventually", "F: at some time of a window"),
    ("until", "U: the left side holds until the right one does"),
    ("and", "&: both sides hold"),
    ("or", "|: at least one side holds"),
    ("not", "!: the part does not hold"),
    ("implies", "->: if the left side holds, so does the right one"),
    ("atleast", "atleast(2; p, q, r): at least two of the parts hold"),
    ("diff", "diff(x0): the change from sample to sample"),
    ("mean", "mean(x0, 5): the average of the last 5 samples"),
    ("zscore", "zscore(x0): standard deviations from the mean of this signal"),
    ("tube", "tube(x0 ~ 0 1 0 +- 0.2): a shape to follow"),
)


class FormulaField(anywidget.AnyWidget):
    """A text field for formulas.

    Attributes
    ----------
    text
        Its text as it is typed.
    problem
        What is wrong with it; empty if nothing is.
    words
        What can be completed: the word to write, a hint, and the name by which it is found.
    label
        What the field is called.
    """

    _esm = script("formula_field")
    _css = style()
    text = traitlets.Unicode().tag(sync=True)
    problem = traitlets.Unicode().tag(sync=True)
    words: Any = traitlets.List().tag(sync=True)
    label = traitlets.Unicode("formula").tag(sync=True)

    def offer(self, channel_names: Sequence[str]) -> None:
        """Complete these names, and the words of the language."""
        names = [[quoted(name), f"channel {i}", name] for i, name in enumerate(channel_names)]
        self.words = [*names, *([word, hint, word] for word, hint in OPERATORS)]
