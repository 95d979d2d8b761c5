"""The concepts panel: browse the vocabulary of a model."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, final

import ipywidgets
import numpy as np

from stelle_nb.depict.class_names import named_classes
from stelle_nb.errors import PanelError
from stelle_nb.explain.explanation import nodes_text
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.printing.notation import rounded
from stelle_nb.logic.syntax import Always, And, AtLeast, Eventually, Implies, Or, Tube, Until
from stelle_nb.logic.traversal import walk
from stelle_nb.markup import render
from stelle_nb.model.card.printing.card_page import card_page
from stelle_nb.model.card.scorecard import Scorecard
from stelle_nb.panels.base import guarded
from stelle_nb.panels.parts.chosen_data import Part
from stelle_nb.panels.session_panel import SessionPanel
from stelle_nb.panels.widgets.chart_view import ChartView, bare_spec
from stelle_nb.panels.widgets.controls import count_slider, dropdown, row, show_options, text_field
from stelle_nb.panels.widgets.export import Export, NamedFormula
from stelle_nb.panels.widgets.panel_words import code_html
from stelle_nb.plots.interactive.robustness_chart import (
    ROBUSTNESS,
    highlighted_row,
    plot_robustness,
    strip_rows,
)
from stelle_nb.plots.theme import names_of
from stelle_nb.semantics.robustness import robustness

MAX_SHOWN = 200  # of a list; more are not readable
Operator = Literal["any", "always", "eventually", "until", "shape", "and, or"]
_KINDS: dict[type[Formula], Operator] = {
    Always: "always",
    Eventually: "eventually",
    Until: "until",
    Tube: "shape",
    And: "and, or",
    Or: "and, or",
    Implies: "and, or",
    AtLeast: "and, or",
}
_OPERATORS: list[tuple[str, Operator]] = [
    ("any", "any"),
    *((kind, kind) for kind in dict.fromkeys(_KINDS.values())),
]


@final
@dataclass(frozen=True, slots=True)
class ConceptsState:
    """Which concepts are listed, and the one that is shown.

    Parameters
    ----------
    text
        What the formula must contain, in symbols or words.
    operator, channel, max_size
        What it must contain, which channel it must use, and how long it may be; None and "any" leave it open.
    chosen
        Number of the concept that is shown.
    part, case
        The case on which it is judged.
    """

    text: str = ""
    operator: Operator = "any"
    channel: int | None = None
    max_size: int | None = None
    chosen: int = 0
    part: Part = "test"
    case: int = 0


@final
class ConceptsPanel(SessionPanel[ConceptsState]):
    """Browse the vocabulary of a model and see how clearly each class satisfies a formula.

    Its parameters are those of every panel of a session, see
    :class:`~stelle_nb.panels.session_panel.SessionPanel`.
    """

    title = "Concepts"
    help = (
        "Of a case, the model uses only how clearly it satisfies these formulas, called concepts. A score "
        "card has a few of them, each with points for every class; other models have thousands. Filter the "
        "list by operator, channel, size or text. Below, each point is a training case: to the right of 0 "
        "the formula holds for it, and the farther right, the more clearly. Click one to select it; the "
        "ring is the selected case. A good concept has one class on one side and the others on the other."
    )

    def _first_state(self) -> ConceptsState:
        return ConceptsState(part=self.session.parts[0])

    @property
    def formula(self) -> Formula:
        """The formula that is shown."""
        return self.session.concepts[self.state.chosen]

    @cached_property
    def matching_texts(self) -> list[str]:
        """Each concept in symbols, in the order of the model; a formula of a score card in words before."""
        wording, card = self.session.wording, self.session.card
        symbols = [wording.unicode(formula) for formula in self.session.concepts]
        if card is None:
            return symbols
        return [f"{said} {text}" for said, text in zip(card.sentences, symbols, strict=True)]

    @cached_property
    def _kinds(self) -> list[frozenset[Operator]]:
        return [
            frozenset(_KINDS[type(node)] for _, node in walk(formula) if type(node) in _KINDS)
            for formula in self.session.concepts
        ]

    @cached_property
    def _spec(self) -> dict[str, Any]:
        X, y = self.session.cases("train")
        return bare_spec(plot_robustness(self.formula, X=X, y=y))

    def matches(self, state: ConceptsState) -> list[int]:
        """Numbers of the concepts that pass the filter."""
        wanted = state.text.casefold()
        return [
            i
            for i, formula in enumerate(self.session.concepts)
            if (state.operator == "any" or state.operator in self._kinds[i])
            and (state.channel is None or state.channel in formula.channels)
            and (state.max_size is None or formula.size <= state.max_size)
            and (not wanted or wanted in self.matching_texts[i].casefold())
        ]

    def _forget(self) -> None:
        for name in ("matching_texts", "_kinds"):
            self.__dict__.pop(name, None)
        concepts = self.session.concepts
        self.largest = max(formula.size for formula in concepts)
        state = self._state
        size = None if state.max_size is None else min(state.max_size, self.largest)
        self._state = replace(state, max_size=size, chosen=min(state.chosen, len(concepts) - 1))
        with self.setting():
            self.size.max = self.largest

    def _build(self) -> list[Any]:
        ds, concepts = self.session.dataset, self.session.concepts
        self.largest = max(formula.size for formula in concepts)
        channels = [("any", None), *((name, i) for i, name in enumerate(ds.channel_names))]
        self.operator = dropdown("operator", "What the formula must contain.", _OPERATORS)
        self.channel = dropdown("channel", "A channel that it must use.", channels)
        self.size = count_slider("nodes up to", "How long it may be.", low=1, high=self.largest)
        self.words = text_field("contains", "Text of the formula; press Enter.", placeholder="for example ◇")
        self.listed = ipywidgets.Select(
            rows=8,
            description="formulas",
            tooltip="The formulas that pass the filter.",
            layout={"width": "750px", "max_width": "calc(100% - 4px)"},
        )
        self.listed.style.description_width = "80px"
        self.count, self.text, self.chart = ipywidgets.HTML(), ipywidgets.HTML(), ChartView()
        self.card = ipywidgets.HTML()
        for control in (self.operator, self.channel, self.size, self.words, self.listed):
            control.observe(self._on_change, "value")
        self.chart.on_click(self._on_click)
        left = ipywidgets.VBox([self.operator, self.channel])
        right = ipywidgets.VBox([self.size, self.words])
        return [self.card, row(left, right), self.count, self.listed, self.text, self.chart]

    def _set_controls(self, state: ConceptsState) -> None:
        n = len(self.session.concepts)
        if not 0 <= state.chosen < n:
            raise PanelError(f"chosen must lie from 0 to {n - 1}, got {state.chosen!r}.")
        self.session.case(state.part, state.case)
        self.operator.value, self.channel.value = state.operator, state.channel
        self.size.value = self.largest if state.max_size is None else state.max_size
        self.words.value = state.text
        found = self.matches(state)
        listed = found[:MAX_SHOWN]
        if state.chosen in found and state.chosen not in listed:
            listed = [state.chosen, *listed]
        chosen = state.chosen if state.chosen in listed else None
        show_options(self.listed, [(f"{i}: {self.matching_texts[i]}", i) for i in listed], chosen)
        first = f", the first {MAX_SHOWN} are listed" if len(found) > MAX_SHOWN else ""
        kind = "concepts" if self.session.card is None else "formulas of the score card"
        self.count.value = f"{len(found)} of {n} {kind} pass the filter{first}."

    @guarded
    def _on_change(self, _: Any) -> None:
        chosen = self.listed.value
        self.change(
            text=self.words.value,
            operator=self.operator.value,
            channel=self.channel.value,
            max_size=None if self.size.value == self.largest else int(self.size.value),
            chosen=self.state.chosen if chosen is None else int(chosen),
        )

    @guarded
    def _on_click(self, case: int) -> None:
        self.change(part="train", case=case)

    def _show(self, state: ConceptsState) -> None:
        formula, wording = self.formula, self.session.wording
        X, y = self.session.cases("train")
        values = np.asarray(robustness(formula, X.copy()), dtype=np.float64)
        here = float(robustness(formula, self.session.case(state.part, state.case).copy())[0])
        card = self.session.card
        self.card.value = "" if card is None else _card_html(card)
        self.text.value = render(
            "panels/templates/concept.html",
            state=state,
            sentence=self._said(state.chosen),
            symbols_html=code_html(wording.unicode(formula)),
            points=None if card is None else _points_text(card, state.chosen),
            size=nodes_text(formula),
            holds=here >= 0,
            robustness=rounded(here, 3),
        )
        names = names_of(sorted(set(y.tolist()), key=str))
        label = self.session.cases(state.part)[1][state.case]
        rows = [*strip_rows({"": values}, y.tolist(), names), highlighted_row(here, label)]
        self.chart.draw(self._spec, {ROBUSTNESS: rows}, f"Robustness of {wording.english(formula)} by class")

    def _said(self, number: int) -> str:
        """A formula as a sentence; that on the card if there is one."""
        card = self.session.card
        return self.session.wording.english(self.formula) if card is None else card.sentences[number]

    def _subject(self) -> NamedFormula:
        return NamedFormula(self.formula, self.session.wording)

    def _exports(self) -> list[Export]:
        """For a score card, also the card itself."""
        card = self.session.card
        return super()._exports() if card is None else [*super()._exports(), *_card_exports(card)]

    def _still(self) -> tuple[str, ChartView | None]:
        return self.text.value, self.chart


def _card_html(card: Scorecard) -> str:
    """The whole card, to be opened."""
    n = card.n_formulas
    title = f"The whole score card: {n} formula{'s' * (n != 1)} for {card.n_classes} classes"
    return f"<details><summary>{title}</summary>{card._repr_html_()}</details>"


def _points_text(card: Scorecard, number: int) -> str:
    """What one formula adds to the score of each class if it clearly holds."""
    points = dict(zip(card.classes, card.points[number].tolist(), strict=True))
    row = [f"{name} {_signed(points[label])}" for name, label in named_classes(card.classes) if points[label]]
    return ", ".join(row) or "none"


def _signed(points: float) -> str:
    return f"{points:+.3g}".replace("-", "\N{MINUS SIGN}")


def _card_exports(card: Scorecard) -> list[Export]:
    return [
        Export("score card as text", ".txt", card.to_text),
        Export("score card as JSON", ".json", card.to_json),
        Export("score card as HTML", ".html", lambda: card_page(card)),
    ]
