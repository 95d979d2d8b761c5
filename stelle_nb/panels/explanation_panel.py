"""The explanation panel: why this class, why not that one, and what a whole class has in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, final

import ipywidgets
import numpy as np
import numpy.typing as npt
import pandas as pd

from stelle_nb.depict.class_names import class_name
from stelle_nb.errors import PanelError
from stelle_nb.explain.explanation import Explanation, percent
from stelle_nb.explain.local.local_clause import Gammas
from stelle_nb.explain.local.local_explanation import LocalExplanation
from stelle_nb.markup import render
from stelle_nb.panels.base import guarded
from stelle_nb.panels.parts.chosen_data import Part
from stelle_nb.panels.parts.explanation_view import ExplanationView, class_facts, local_facts
from stelle_nb.panels.parts.steps import StepButtons, steps_html, with_steps
from stelle_nb.panels.session_panel import SessionPanel
from stelle_nb.panels.widgets.case_picker import CasePicker
from stelle_nb.panels.widgets.chart_view import ChartView
from stelle_nb.panels.widgets.controls import dropdown, row
from stelle_nb.panels.widgets.export import Export
from stelle_nb.panels.widgets.panel_words import frame_html, witness_text
from stelle_nb.plots.interactive.explanations.class_explanation_chart import middle_case
from stelle_nb.rewrite import Trace, simplify
from stelle_nb.semantics.robustness import robustness

Level = Literal["case", "class"]
_LEVELS: list[tuple[str, Level]] = [("this case", "case"), ("the whole class", "class")]
_N_CHANCES = 30  # classes with a row of their own


@final
@dataclass(frozen=True, slots=True)
class ExplanationState:
    """What is explained.

    Parameters
    ----------
    level
        One case, or the whole class.
    part, case
        Which case.
    target
        The class to argue for; None for the one that is predicted for the case.
    step
        For a whole class: how many steps of the simplification of its formula are done.
    """

    level: Level = "case"
    part: Part = "test"
    case: int = 0
    target: Any = None
    step: int = 0


@final
class ExplanationPanel(SessionPanel[ExplanationState]):
    """Read why the model predicts a class for a case, why not another, or what makes a class.

    Its parameters are those of every panel of a session, see
    :class:`~stelle_nb.panels.session_panel.SessionPanel`.
    """

    title = "Why this class?"
    help = (
        "For one case: the prediction, and the reasons for it, each with its share of what speaks for the "
        "class. The score sheet shows what every formula of the card adds to the lead over the next class. "
        "Below, the reasons are drawn on the signals: green is what a formula asks for, and the ring marks "
        "the sample that decides. Choose another class under 'why' to read what speaks for it instead. For "
        "a whole class: what its training cases have in common and the others lack, and step by step how "
        "its formula was simplified."
    )

    explanation: Explanation | None = None
    trace: Trace | None = None  # of the formula of a class

    def _first_state(self) -> ExplanationState:
        return ExplanationState(part=self.session.parts[0])

    def _build(self) -> list[Any]:
        self.picker = CasePicker(self.session)
        self.level = dropdown("explain", "One case, or what all cases of its class have in common.", _LEVELS)
        self.shown = ExplanationView()
        self.before, self.after, self.step = ipywidgets.HTML(), ipywidgets.HTML(), ipywidgets.HTML()
        self.buttons = StepButtons(self, self._go, lambda: 0 if self.trace is None else len(self.trace))
        title = ipywidgets.HTML("<strong>How this formula becomes shorter</strong>")
        self.steps = ipywidgets.VBox([title, self.buttons.view, self.step])
        self.level.observe(self._on_change, "value")
        self.picker.observe(self._on_change)
        part, case, target = self.picker.widgets
        left, right = ipywidgets.VBox([part, case]), ipywidgets.VBox([self.level, target])
        return [
            row(left, right),
            self.before,
            self.shown.text,
            self.shown.chart,
            self.after,
            self.steps,
        ]

    def _set_controls(self, state: ExplanationState) -> None:
        if state.level not in dict(_LEVELS).values():
            raise PanelError(f"level must be 'case' or 'class', got {state.level!r}.")
        self.picker.set(state.part, state.case, state.target)
        self.level.value = state.level

    @guarded
    def _on_change(self, _: Any) -> None:
        self.change(**self.picker.fields(), level=self.level.value, step=0)

    @guarded
    def _go(self, step: int) -> None:
        self.change(step=step)

    def _show(self, state: ExplanationState) -> None:
        self.before.value, self.trace = "", None
        self.steps.layout.display = "none"
        if state.level == "case":
            self._show_case(state)
        else:
            self._show_class(state)

    def _show_case(self, state: ExplanationState) -> None:
        found = self.session.explain(state.part, state.case, state.target, Gammas())
        unseen = self.session.on_unseen(found, state.part, state.case)
        self.shown.show(found, local_facts(found, unseen), found.case, has_sheet=True)
        probabilities = self.session.probabilities(state.part)[state.case]
        table = _chances(self.session.classes, probabilities)
        self.after.value = render(
            "panels/templates/explanation.html",
            decided=witness_text(found),
            parts_html=_parts_html(found),
            chances_html=frame_html(table),
        )
        self.explanation = found

    def _show_class(self, state: ExplanationState) -> None:
        label = state.target
        if label is None:
            label = self.session.predictions(state.part)[state.case]
        if not self.session.knows_class(label, 0.0):
            # what was shown before answers another question
            self.explanation, self.after.value = None, ""
            self.shown.clear()
            self._describe_later(label, 0.0, self.before)
            return
        found = self.session.explain_class(label, 0.0)
        X, y = self.session.cases("train")
        is_own = np.array([one == label for one in y.tolist()])
        example = middle_case(np.asarray(robustness(found.formula, X.copy())), is_own)
        self.shown.show(found, class_facts(found), None if example is None else X[example])
        drawn = "" if example is None else f"<p>Drawn on training case {example}.</p>"
        clauses = "Alternatives" if found.needed == 1 else "Conditions"
        rows = "What the score card says about this class" if found.card else clauses
        self.after.value = f"{drawn}<strong>{rows}</strong>{frame_html(found._table())}"
        self.explanation = found
        self._show_steps(found, state.step)

    def _show_steps(self, found: Explanation, step: int) -> None:
        """How the formula of a class was simplified; if it never was, the steps start from its negation."""
        is_own = len(found.trace) > 0
        self.trace = trace = found.trace if is_own else simplify(with_steps(found.formula))
        if not 0 <= step <= len(trace):
            raise PanelError(f"step must lie from 0 to {len(trace)}, got {step!r}.")
        start = "The formula before it was simplified" if is_own else "The same formula, as a negation"
        self.step.value = steps_html(trace, step, found.wording, self.session.dataset, start)
        self.buttons.show(step)
        self.steps.layout.display = None

    def _subject(self) -> Explanation | None:
        return self.explanation

    def _exports(self) -> list[Export]:
        """While a class formula is being computed, only the code can be saved."""
        return [each for each in super()._exports() if self.explanation or each.name == "Python code"]

    def _still(self) -> tuple[str, ChartView | None]:
        return self.shown.text.value + self.after.value, self.shown.chart


def _parts_html(found: LocalExplanation) -> str:
    """The whole score sheet as a table, or the conditions of a model without a card."""
    if found.sheet is None:
        return f"<strong>Conditions</strong>{frame_html(found.to_frame().drop(columns='concept'))}"
    return f"<details><summary>Score sheet as a table</summary>{frame_html(found._table())}</details>"


def _chances(classes: Sequence[Any], probabilities: npt.NDArray[np.float64]) -> pd.DataFrame:
    """The probability of each class; if there are many, the likeliest, and all others in one row."""
    order = np.argsort(-probabilities, kind="stable")
    shown, rest = sorted(order[:_N_CHANCES].tolist()), order[_N_CHANCES:]
    rows = [(class_name(classes[k]), percent(float(probabilities[k]))) for k in shown]
    if len(rest):
        rows.append((f"{len(rest)} others", percent(float(probabilities[rest].sum()))))
    return pd.DataFrame(rows, columns=["class", "probability"])
