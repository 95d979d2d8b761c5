"""The simplifier panel: a formula becomes shorter step by step, with the reason for every step."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, final

import ipywidgets

from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.depict.wording import Wording
from stelle_nb.errors import PanelError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.panels.base import Panel, guarded
from stelle_nb.panels.parts.chosen_data import as_dataset, dataset_code
from stelle_nb.panels.parts.steps import StepButtons, steps_html
from stelle_nb.panels.widgets.chart_view import ChartView, bare_spec
from stelle_nb.panels.widgets.controls import checkbox, count_slider, row, text_field
from stelle_nb.panels.widgets.export import NamedFormula
from stelle_nb.plots.interactive.tree import TREE, plot_tree, tree_rows
from stelle_nb.rewrite import Trace, simplify


@final
@dataclass(frozen=True, slots=True)
class SimplifierState:
    """A formula and how far it is simplified.

    Parameters
    ----------
    formula
        As text.
    step
        How many steps are done; 0 shows the formula as it was.
    use_data
        Whether parts that decide nothing on the training cases are left out as well.
    """

    formula: str = "!(G[0,20] G[5,10] x0 <= 0.3)"
    step: int = 0
    use_data: bool = False


@final
class SimplifierPanel(Panel[SimplifierState]):
    """Step through the simplification of a formula, forward and back.

    Parameters
    ----------
    formula
        A formula or its text.
    dataset
        Whose training cases show that robustness stays the same; may be left out.
    state
        What to show first; it holds the formula, too.
    """

    title = "How a formula becomes shorter"
    help = (
        "Each step applies one rule to one part of the formula; the part is marked. A rule either holds on "
        "every signal, or was tried on the given ones, and the panel says which. With data, the robustness "
        "of the formula on every training case is compared before and after the step."
    )

    def __init__(
        self,
        formula: Formula | str | None = None,
        dataset: SeriesDataset | str | None = None,
        *,
        state: SimplifierState | None = None,
    ) -> None:
        self.dataset = None if dataset is None else as_dataset(dataset)
        ds = self.dataset
        self.wording = Wording() if ds is None else Wording.of(ds)
        self._known: tuple[tuple[str, bool], Trace] | None = None
        if state is None:
            state = SimplifierState() if formula is None else SimplifierState(self.text_of(formula))
        super().__init__(state)

    def text_of(self, formula: Formula | str) -> str:
        """A formula as the state holds it: by the names of the channels, which win when it is read."""
        return self.wording.ascii(formula) if isinstance(formula, Formula) else formula

    def to_code(self) -> str:
        state = f"state=st.panels.{self.state!r}"
        if self.dataset is None:
            return f"import stelle_nb as st\n\npanel = st.panels.SimplifierPanel({state})\npanel"
        code = dataset_code(self.dataset)
        return f"{code}\npanel = st.panels.SimplifierPanel(dataset=dataset, {state})\npanel"

    @property
    def trace(self) -> Trace:
        """The whole simplification."""
        state = self.state
        key = state.formula, state.use_data
        if self._known is None or self._known[0] != key:
            names = None if self.dataset is None else self.dataset.channel_names
            formula = parse(state.formula, channel_names=names)
            if state.use_data and self.dataset is None:
                raise PanelError("use_data needs a data set, got none. Pass dataset= to the panel.")
            X = self.dataset.X_train.copy() if state.use_data and self.dataset is not None else None
            self._known = key, simplify(formula, X)
        return self._known[1]

    def _build(self) -> list[Any]:
        self.formula = text_field("formula", "Type a formula and press Enter.")
        self.formula.layout.width, self.formula.layout.max_width = "740px", "calc(100% - 4px)"
        self.use_data = checkbox("use the data", "Also leave out what decides nothing on the training cases.")
        self.use_data.disabled = self.dataset is None
        self.step = count_slider("step", "Which step to show; 0 is the formula as it was.", low=0, high=0)
        self.buttons = StepButtons(self, self._go, lambda: len(self.trace))
        self.text = ipywidgets.HTML()
        self.chart = ChartView(can_shrink=False)  # its words would meet
        for control in (self.formula, self.use_data, self.step):
            control.observe(self._on_change, "value")
        return [self.formula, row(self.step, self.use_data), self.buttons.view, self.text, self.chart]

    def _set_controls(self, state: SimplifierState) -> None:
        n = len(self.trace)
        if not 0 <= state.step <= n:
            raise PanelError(f"step must lie from 0 to {n}, got {state.step!r}.")
        self.formula.value, self.use_data.value = state.formula, state.use_data
        self.step.max = n
        self.step.value = state.step
        self.step.disabled = n == 0
        self.buttons.show(state.step)

    @guarded
    def _on_change(self, _: Any) -> None:
        is_same = (self.formula.value, self.use_data.value) == (self.state.formula, self.state.use_data)
        step = int(self.step.value) if is_same else 0
        self.state = SimplifierState(self.formula.value, step, bool(self.use_data.value))

    @guarded
    def _go(self, step: int) -> None:
        self.change(step=step)

    def _show(self, state: SimplifierState) -> None:
        trace = self.trace
        formula = trace.formulas[state.step]
        path = trace.steps[state.step - 1].path if state.step else None
        self.text.value = steps_html(trace, state.step, self.wording, self.dataset)
        rows, n_hidden = tree_rows(formula, None, path, self.wording)
        hidden = f" {n_hidden} parts are left out." if n_hidden else ""
        self.chart.draw(
            _tree_spec(), {TREE: rows}, f"Syntax tree of {self.wording.unicode(formula)}.{hidden}"
        )

    def _subject(self) -> NamedFormula:
        return NamedFormula(self.trace.formulas[self.state.step], self.wording)

    def _still(self) -> tuple[str, ChartView | None]:
        return self.text.value, self.chart


@cache
def _tree_spec() -> dict[str, Any]:
    return bare_spec(plot_tree(parse("x0 >= 0")))
