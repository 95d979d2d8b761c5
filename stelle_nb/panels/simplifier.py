"""The simplifier panel: a formula becomes shorter step by step, with the reason for every step."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cache
from html import escape
from typing import Any, final

import ipywidgets
import numpy as np

from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.depict.wording import Wording
from stelle_nb.errors import PanelError
from stelle_nb.explain.explanation import nodes_text
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.syntax import Not
from stelle_nb.logic.traversal import conjuncts, disjunction
from stelle_nb.panels.base import Panel, guarded
from stelle_nb.panels.session import as_dataset, dataset_code
from stelle_nb.panels.widgets.chart_view import ChartView, bare_spec
from stelle_nb.panels.widgets.controls import button, checkbox, count_slider, row, text_field
from stelle_nb.panels.widgets.export import NamedFormula
from stelle_nb.panels.widgets.panel_words import code_html, marked_html
from stelle_nb.plots.interactive.tree import TREE, plot_tree, tree_rows
from stelle_nb.rewrite import Trace, simplify
from stelle_nb.rewrite.trace import Step
from stelle_nb.semantics.robustness import robustness

PACE = 1.5  # seconds in which a step can be read
_KEPT = {
    "every signal": "keeps robustness on every signal, so it may be used on any data",
    "given signals": "keeps robustness on the given signals",
    "sign on given signals": "keeps on the given signals whether the formula holds",
}


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
        self.formula.layout.width, self.formula.layout.max_width = "740px", "100%"
        self.use_data = checkbox("use the data", "Also leave out what decides nothing on the training cases.")
        self.use_data.disabled = self.dataset is None
        self.step = count_slider("step", "Which step to look at; 0 is the formula as it was.", low=0, high=0)
        self.first = button("start", "Back to the formula as it was")
        self.back = button("◀ back", "One step back")
        self.forth = button("next ▶", "One step on")
        self.last = button("end", "On to the last step")
        self.play = button("play", "All steps, one after the other")
        self.text = ipywidgets.HTML()
        self.chart = ChartView()
        for control in (self.formula, self.use_data, self.step):
            control.observe(self._on_change, "value")
        self.first.on_click(lambda _: self._go(0))
        self.back.on_click(lambda _: self._go(max(0, self.state.step - 1)))
        self.forth.on_click(lambda _: self._go(min(len(self.trace), self.state.step + 1)))
        self.last.on_click(lambda _: self._go(len(self.trace)))
        self.play.on_click(lambda _: self._later(self._play))
        buttons = row(self.first, self.back, self.forth, self.last, self.play)
        return [self.formula, row(self.step, self.use_data), buttons, self.text, self.chart]

    def _set_controls(self, state: SimplifierState) -> None:
        n = len(self.trace)
        if not 0 <= state.step <= n:
            raise PanelError(f"step must lie from 0 to {n}, got {state.step!r}.")
        self.formula.value, self.use_data.value = state.formula, state.use_data
        self.step.max = n
        self.step.value = state.step
        self.step.disabled = n == 0
        self.first.disabled = self.back.disabled = state.step == 0
        self.last.disabled = self.forth.disabled = state.step == n
        self.play.disabled = n == 0

    @guarded
    def _on_change(self, _: Any) -> None:
        is_same = (self.formula.value, self.use_data.value) == (self.state.formula, self.state.use_data)
        step = int(self.step.value) if is_same else 0
        self.state = SimplifierState(self.formula.value, step, bool(self.use_data.value))

    @guarded
    def _go(self, step: int) -> None:
        self.change(step=step)

    def _play(self) -> None:
        """One step after the other, from the start if all are done; any other choice ends it."""
        with self.lock:
            if self.state.step == len(self.trace):
                self._go(0)
            shown = self.state
        while shown.step < len(self.trace):
            time.sleep(PACE)
            with self.lock:
                if self.state != shown:
                    return
                self._go(shown.step + 1)
                if self.state == shown:
                    return  # it could not be shown, and the panel says why
                shown = self.state

    def _show(self, state: SimplifierState) -> None:
        trace = self.trace
        formula = trace.formulas[state.step]
        size = nodes_text(formula) + (f", at first {trace.formula.size}" if state.step else "")
        if state.step == 0:
            words = f"<strong>The formula as it was</strong> ({_to_go(len(trace))})<br>"
            words += code_html(self.wording.unicode(formula))
            path = None
        else:
            step = trace.steps[state.step - 1]
            words, path = self._step_html(state.step, step), step.path
        sentence = escape(self.wording.english(formula))
        self.text.value = f"{words}<br>{sentence}<br>{escape(size)}"
        rows, n_hidden = tree_rows(formula, None, path, self.wording)
        hidden = f" {n_hidden} parts are left out." if n_hidden else ""
        self.chart.draw(
            _tree_spec(), {TREE: rows}, f"Syntax tree of {self.wording.unicode(formula)}.{hidden}"
        )

    def _step_html(self, number: int, step: Step) -> str:
        return (
            f"<strong>Step {number}: {escape(step.rule.name)}</strong><br>{escape(step.rule.explanation)}"
            f"<table><tr><th>before</th><td>{marked_html(step.before, step.path, self.wording)}</td></tr>"
            f"<tr><th>after</th><td>{marked_html(step.after, step.path, self.wording)}</td></tr>"
            f"<tr><th>guarantee</th><td>{escape(_KEPT[step.guarantee])}</td></tr>"
            f"<tr><th>on data</th><td>{escape(self._comparison(step))}</td></tr></table>"
        )

    def _comparison(self, step: Step) -> str:
        if self.dataset is None:
            return "no data were given"
        rho = np.asarray(robustness([step.before, step.after], self.dataset.X_train.copy()), dtype=np.float64)
        same = int((rho[:, 0] == rho[:, 1]).sum())
        held = [int((column >= 0).sum()) for column in rho.T]
        return (
            f"robustness is equal before and after on {same} of {len(rho)} training cases; "
            f"the formula holds for {held[0]} before and {held[1]} after"
        )

    def _subject(self) -> NamedFormula:
        return NamedFormula(self.trace.formulas[self.state.step], self.wording)

    def _still(self) -> tuple[str, ChartView | None]:
        return self.text.value, self.chart


def with_steps(formula: Formula) -> Formula:
    """The formula itself if a rule makes it shorter, else the same as "none of its opposites holds".

    Examples
    --------
    >>> short = parse("G[0,9] x0 <= 1 & F[2,3] x1 >= 2")
    >>> print(with_steps(short), "|", simplify(with_steps(short)).result == short)
    !(F[0,9] (x0 > 1.0) | G[2,3] (x1 < 2.0)) | True
    """
    if len(simplify(formula)):
        return formula
    return Not(disjunction(simplify(Not(part)).result for part in conjuncts(formula)))


def _to_go(n: int) -> str:
    if n == 0:
        return "no rule makes it shorter"
    return f"{n} step{'s' * (n != 1)} to go"


@cache
def _tree_spec() -> dict[str, Any]:
    return bare_spec(plot_tree(parse("x0 >= 0")))
