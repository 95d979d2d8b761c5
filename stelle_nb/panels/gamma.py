"""The gamma panel: choose how long an explanation is, and see it follow."""

from __future__ import annotations

from dataclasses import dataclass, replace
from html import escape
from typing import Any, final

import ipywidgets

from stelle_nb.depict.class_names import class_name
from stelle_nb.explain.local.local_clause import Gammas
from stelle_nb.explain.local.local_explanation import LocalExplanation
from stelle_nb.explain.local.reasons import MAX_SHOWN
from stelle_nb.panels.base import guarded
from stelle_nb.panels.linked.regions.dials import LENGTH, MOST_G, OF_CLASS, SEPARATING, separating_dial
from stelle_nb.panels.parts.chosen_data import Part
from stelle_nb.panels.parts.explanation_view import ExplanationView, class_facts, local_facts
from stelle_nb.panels.session_panel import SessionPanel
from stelle_nb.panels.widgets.case_picker import CasePicker
from stelle_nb.panels.widgets.chart_view import ChartView
from stelle_nb.panels.widgets.controls import checkbox, count_slider, row, show_number, slider
from stelle_nb.panels.widgets.panel_words import explanation_html

_GAMMA = "How many formulas to show, or how many concepts to consider."
_GAMMA_T = "Share of what speaks for the class that the explanation has to carry."
_GAMMA_L = "Share of cases of other classes that a condition must exclude, beyond the others, to stay."
_GAMMA_G = "How much of the class its formula may miss in order to be shorter."
MAX_BUDGET = 40  # concepts of a model without a card
_EXTREMES = 0.0, MOST_G


@final
@dataclass(frozen=True, slots=True)
class GammaState:
    """A case and the extent of its explanation.

    Parameters
    ----------
    part, case
        Which case.
    target
        The class to argue for; None for the predicted one.
    gamma
        How many formulas of a score card to show, or how many concepts of another model to consider; None to
        let ``gamma_t`` decide.
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
        """The three numbers, validated."""
        return Gammas(self.gamma, self.gamma_t, self.gamma_l)


@final
class GammaPanel(SessionPanel[GammaState]):
    """Tune the length of a local explanation and see formula, sentence and picture follow.

    Its parameters are those of every panel of a session, see
    :class:`~stelle_nb.panels.session_panel.SessionPanel`.
    """

    title = "How long should the explanation be?"
    help = (
        "A score card adds up points for a few formulas. An explanation shows those that speak for the "
        "class, the most relevant first. gamma_t is the share of what speaks for the class that they have "
        "to carry: a larger share shows more formulas. A fixed number sets how many are shown instead. "
        "gamma_l is the share of the training cases of other classes that a formula must exclude beyond the "
        "others to stay: a larger share shows fewer. gamma_g is the share of a class that its formula may "
        "miss in order to be shorter. A model without a card weighs thousands of formulas, called concepts: "
        "there gamma_t and the fixed number set how many are considered, and a few of these are shown."
    )

    explanation: LocalExplanation | None = None

    def _first_state(self) -> GammaState:
        return GammaState(part=self.session.parts[0])

    def _build(self) -> list[Any]:
        self.picker = CasePicker(self.session)
        self.gamma_t = slider("gamma_t", _GAMMA_T, low=0.05, high=1.0, step=0.05)
        self.gamma_l = slider("gamma_l", _GAMMA_L, low=0.0, high=0.95, step=0.05)
        self.has_budget = checkbox("fixed number", "A fixed number of formulas instead of gamma_t.")
        self.budget = count_slider("gamma", _GAMMA, low=1, high=self._most())
        self.has_class = checkbox("class formula", "Also show what the whole class has in common.")
        self.gamma_g = slider(
            "gamma_g",
            _GAMMA_G,
            low=0.0,
            high=0.5,
            step=0.05,
            live=False,
        )
        self.shown = ExplanationView()
        self.of_class, self.idle = ipywidgets.HTML(), ipywidgets.HTML()
        sliders = (self.gamma_t, self.gamma_l, self.gamma_g, self.budget)
        for control in (*sliders, self.has_budget, self.has_class):
            control.observe(self._on_change, "value")
        self.picker.observe(self._on_change)
        tuning = [
            row(self.gamma_t, _ends(LENGTH)),
            row(self.gamma_l, _ends(SEPARATING)),
            row(self.budget, self.has_budget),
            row(self.gamma_g, self.has_class, _ends(OF_CLASS)),
            self.idle,
        ]
        controls = row(ipywidgets.VBox(self.picker.widgets), ipywidgets.VBox(tuning))
        return [controls, self.shown.text, self.shown.chart, self.of_class]

    def _set_controls(self, state: GammaState) -> None:
        self.picker.set(state.part, state.case, state.target)
        show_number(self.gamma_t, state.gamma_t)
        show_number(self.gamma_l, state.gamma_l)
        self.has_budget.value = state.gamma is not None
        if state.gamma is not None:
            self.budget.max = max(self._most(), state.gamma)
            self.budget.value = state.gamma
        self.has_class.value, self.gamma_g.disabled = state.gamma_g is not None, state.gamma_g is None
        if state.gamma_g is not None:
            show_number(self.gamma_g, state.gamma_g)
        self.budget.disabled, self.gamma_t.disabled = state.gamma is None, state.gamma is not None
        self.budget.tooltip = "Tick 'fixed number' to use it." if state.gamma is None else _GAMMA
        self.gamma_t.tooltip = _GAMMA_T if state.gamma is None else "Untick 'fixed number' to use it."
        self.gamma_g.tooltip = "Tick 'class formula' to use it." if state.gamma_g is None else _GAMMA_G

    def _most(self) -> int:
        """The largest number of formulas that makes a difference."""
        card = self.session.card
        return MAX_BUDGET if card is None else min(MAX_SHOWN, card.n_formulas)

    def _forget(self) -> None:
        most, gamma = self._most(), self._state.gamma
        self._state = replace(self._state, gamma=None if gamma is None else min(gamma, most))
        with self.setting():
            self.budget.max = most

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
        found = self._explain(state, state.gammas)
        unseen = self.session.on_unseen(found, state.part, state.case)
        self.shown.show(found, local_facts(found, unseen), found.case)
        self.explanation = found
        self._show_class(found.target, state.gamma_g)
        self._show_idle(found, state)

    def _show_idle(self, found: LocalExplanation, state: GammaState) -> None:
        """Disable what can change nothing here, and say why."""
        label, idle = found.target, dict[Any, str]()
        if found.sheet is not None and len(found.sheet.speaking_for) < 2:
            few = f"No more than one formula speaks for {class_name(label)} here: there is nothing to choose."
            idle |= {self.gamma_t: few, self.budget: few}
        nothing = separating_dial(found, lambda asked: self._explain(state, asked)).disabled
        self.gamma_l.disabled, self.gamma_l.tooltip = nothing != "", nothing or _GAMMA_L
        if nothing:
            idle[self.gamma_l] = nothing
        if state.gamma_g is not None and self._is_fixed(label):
            idle[self.gamma_g] = "Here it changes nothing: giving up cases makes the formula no shorter."
        for control, why in idle.items():
            control.disabled, control.tooltip = True, why
        lines = dict.fromkeys(idle.values())
        names = {why: [each.description for each in idle if idle[each] == why] for why in lines}
        self.idle.value = "<br>".join(f"{escape(', '.join(names[why]))}: {escape(why)}" for why in lines)

    def _is_fixed(self, label: Any) -> bool | None:
        """Whether giving up cases leaves the formula of a class as it is; None if that is not known yet."""
        session = self.session
        if not all(session.knows_class(label, each) for each in _EXTREMES):
            return None
        whole, least = (session.explain_class(label, each).formula for each in _EXTREMES)
        return whole == least

    def _explain(self, state: GammaState, gammas: Gammas) -> LocalExplanation:
        return self.session.explain(state.part, state.case, state.target, gammas)

    def _show_class(self, label: Any, gamma_g: float | None) -> None:
        if gamma_g is None:
            self.of_class.value = ""
        elif self.session.knows_class(label, gamma_g):
            found = self.session.explain_class(label, gamma_g)
            self.of_class.value = explanation_html(found, class_facts(found))
            if self._is_fixed(label) is None:
                self._later(lambda: [self.session.explain_class(label, each) for each in _EXTREMES])
        else:
            self._describe_later(label, gamma_g, self.of_class)

    def _file_stem(self) -> str:
        return f"explanation-{self.state.part}-{self.state.case}"

    def _subject(self) -> LocalExplanation | None:
        return self.explanation

    def _still(self) -> tuple[str, ChartView | None]:
        return self.shown.text.value + self.of_class.value, self.shown.chart


def _ends(words: tuple[str, str]) -> ipywidgets.Label:
    """What the ends of a slider mean."""
    return ipywidgets.Label(" … ".join(words))
