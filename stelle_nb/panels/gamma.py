"""The gamma panel: how much of an explanation to show, under one's hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import ipywidgets

from stelle_nb.explain.local import Gammas
from stelle_nb.explain.local_explanation import LocalExplanation
from stelle_nb.panels.base import guarded
from stelle_nb.panels.case_picker import CasePicker
from stelle_nb.panels.chart_view import ChartView
from stelle_nb.panels.controls import checkbox, count_slider, row, show_number, slider
from stelle_nb.panels.explanation_view import ExplanationView, class_facts, local_facts
from stelle_nb.panels.session import Part
from stelle_nb.panels.session_panel import SessionPanel
from stelle_nb.panels.words import explanation_html

MAX_BUDGET = 40


@final
@dataclass(frozen=True, slots=True)
class GammaState:
    """A case and how much to say about it.

    Parameters
    ----------
    part, case
        Which case.
    target
        The class to argue for; None for the predicted one.
    gamma
        How many concepts to consider; None to let ``gamma_t`` decide.
    gamma_t, gamma_l
        As for :meth:`stelle_nb.StelleClassifier.explain_local`.
    gamma_g
        As for :meth:`stelle_nb.StelleClassifier.explain_global`; None to leave the formula of the class out.
    """

    part: Part = "test"
    case: int = 0
    target: Any = None
    gamma: int | None = None
    gamma_t: float = 0.8
    gamma_l: float = 0.0
    gamma_g: float | None = None

    @property
    def gammas(self) -> Gammas:
        """The three numbers, checked."""
        return Gammas(self.gamma, self.gamma_t, self.gamma_l)


@final
class GammaPanel(SessionPanel[GammaState]):
    """Tune the length of a local explanation and see formula, sentence and picture follow.

    Its parameters are those of every panel of a session, see
    :class:`~stelle_nb.panels.session_panel.SessionPanel`.
    """

    title = "How much to say"
    help = (
        "The model weighs thousands of short formulas, called concepts. An explanation joins a few that "
        "mattered for one case. gamma_t is the share of the model's relevance that is considered: more gives "
        "more concepts to choose from, and often a shorter explanation. gamma_l is what a condition must "
        "add, as the share of other classes' cases that it alone excludes: more makes it shorter. A budget "
        "sets the number of concepts instead. gamma_g is by how much the mistakes of a class formula may "
        "exceed the fewest, for a shorter one."
    )

    explanation: LocalExplanation | None = None

    def _first_state(self) -> GammaState:
        return GammaState(part=self.session.parts[0])

    def _build(self) -> list[Any]:
        self.picker = CasePicker(self.session)
        self.gamma_t = slider(
            "gamma_t", "Share of the model's relevance to carry.", low=0.05, high=1.0, step=0.05
        )
        self.gamma_l = slider("gamma_l", "What a condition must add to stay.", low=0.0, high=0.95, step=0.05)
        self.has_budget = checkbox("fixed budget", "Consider a fixed number of concepts instead of gamma_t.")
        self.budget = count_slider("budget", "How many concepts to consider.", low=1, high=MAX_BUDGET)
        self.has_class = checkbox("class formula", "Also show what the whole class has in common.")
        self.gamma_g = slider(
            "gamma_g",
            "How much worse the class formula may be, to be shorter.",
            low=0.0,
            high=0.5,
            step=0.05,
            live=False,
        )
        self.shown = ExplanationView()
        self.of_class = ipywidgets.HTML()
        sliders = (self.gamma_t, self.gamma_l, self.gamma_g, self.budget)
        for control in (*sliders, self.has_budget, self.has_class):
            control.observe(self._on_change, "value")
        self.picker.observe(self._on_change)
        tuning = [
            self.gamma_t,
            self.gamma_l,
            ipywidgets.HBox([self.budget, self.has_budget]),
            ipywidgets.HBox([self.gamma_g, self.has_class]),
        ]
        controls = row(ipywidgets.VBox(self.picker.widgets), ipywidgets.VBox(tuning))
        return [controls, self.shown.text, self.shown.chart, self.of_class]

    def _set_controls(self, state: GammaState) -> None:
        self.picker.set(state.part, state.case, state.target)
        show_number(self.gamma_t, state.gamma_t)
        show_number(self.gamma_l, state.gamma_l)
        self.has_budget.value = state.gamma is not None
        if state.gamma is not None:
            self.budget.max = max(MAX_BUDGET, state.gamma)
            self.budget.value = state.gamma
        self.has_class.value, self.gamma_g.disabled = state.gamma_g is not None, state.gamma_g is None
        if state.gamma_g is not None:
            show_number(self.gamma_g, state.gamma_g)
        self.budget.disabled, self.gamma_t.disabled = state.gamma is None, state.gamma is not None

    @guarded
    def _on_change(self, _: Any) -> None:
        budget = int(self.budget.value) if self.has_budget.value else None
        self.change(
            **self.picker.fields(),
            gamma=budget,
            gamma_t=round(self.gamma_t.value, 6),
            gamma_l=round(self.gamma_l.value, 6),
            gamma_g=round(self.gamma_g.value, 6) if self.has_class.value else None,
        )

    def _show(self, state: GammaState) -> None:
        found = self.session.explain(state.part, state.case, state.target, state.gammas)
        self.shown.show(found, local_facts(found), found.case)
        self.explanation = found
        self._show_class(found.target, state.gamma_g)

    def _show_class(self, label: Any, gamma_g: float | None) -> None:
        if gamma_g is None:
            self.of_class.value = ""
        elif self.session.knows_class(label, gamma_g):
            found = self.session.explain_class(label, gamma_g)
            self.of_class.value = explanation_html(found, class_facts(found))
        else:
            self._describe_later(label, gamma_g, self.of_class)

    def _subject(self) -> LocalExplanation | None:
        return self.explanation

    def _still(self) -> tuple[str, ChartView | None]:
        return self.shown.text.value + self.of_class.value, self.shown.chart
