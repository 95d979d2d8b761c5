"""The parts of a formula as a tree, each with its robustness over time; one of them is chosen."""

from __future__ import annotations

from typing import Any

import anywidget
import numpy as np
import numpy.typing as npt
import traitlets

from stelle_nb.depict.regions import Case
from stelle_nb.depict.wording import Wording
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.traversal import Path, walk
from stelle_nb.panels.widgets.scripts import script, style
from stelle_nb.panels.widgets.signal_content import drawable, path_id
from stelle_nb.plots.interactive.tree import tree_rows
from stelle_nb.plots.lines import thinned

N_POINTS = 160  # of the small traces


class FormulaTree(anywidget.AnyWidget):
    """A tree to choose a part of a formula from.

    Attributes
    ----------
    nodes
        A row for each part: ``path``, ``depth``, ``text``, ``value``, ``holds``, ``is_decisive``, ``trace``.
    chosen
        The path of the chosen part, one digit for each step.
    """

    _esm = script("drawing", "formula_tree")
    _css = style()
    nodes: Any = traitlets.List().tag(sync=True)
    chosen = traitlets.Unicode().tag(sync=True)

    def draw(
        self,
        formula: Formula,
        signal: Case,
        wording: Wording,
        traces: dict[Path, npt.NDArray[np.float64]],
        chosen: Path,
    ) -> int:
        """Show a formula on a signal; returns how many parts are left out."""
        rows, n_hidden = tree_rows(formula, signal, None, wording)
        parts = [row for row in rows if row["kind"] != "link"]
        nodes = [
            {
                "path": path_id(path),
                "depth": len(path),
                "text": row["text"],
                "value": row["value"],
                "holds": row["holds"] == "holds",
                "is_decisive": row["is_decisive"],
                "trace": drawable(traces[path][thinned(traces[path], N_POINTS)]),
            }
            for row, (path, _) in zip(parts, walk(formula), strict=False)
        ]
        with self.hold_sync():
            self.nodes = nodes
            self.chosen = path_id(chosen)
        return n_hidden
