"""Links between the panels of the drawer: what is selected in one is selected in all that exist."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.errors import PanelError
from stelle_nb.logic.formula import Formula
from stelle_nb.panels.base import Panel
from stelle_nb.panels.linked.drawer import Drawer, Tab
from stelle_nb.panels.linked.explorer_state import ExplorerState
from stelle_nb.panels.parts.dataset_state import DatasetState
from stelle_nb.panels.shared_selection import PanelSelection, Selection

if TYPE_CHECKING:  # a panel is imported when it is made
    from stelle_nb.panels.dataset_panel import DatasetPanel
    from stelle_nb.panels.gamma import GammaState
    from stelle_nb.panels.session import Session
    from stelle_nb.panels.simplifier import SimplifierPanel
    from stelle_nb.panels.what_if import WhatIfPanel, WhatIfState

_GAMMAS = ("gamma_t", "gamma_l", "gamma", "gamma_g")


class Links:
    """The panels that were made, and what is chosen in all of them.

    Parameters
    ----------
    dataset
        What is explored.
    state
        Gives the state of the explorer.
    note
        Called with fields of the state that a panel has changed.
    on_data
        Called when the reader chooses another data set.
    on_tab
        Called with the tab that the reader opened.

    Attributes
    ----------
    session
        The model that panels are made of; None while there is none.
    formula
        The explanation that is shown, before it was simplified.
    """

    def __init__(
        self,
        dataset: SeriesDataset,
        state: Callable[[], ExplorerState],
        note: Callable[..., None],
        on_data: Callable[[], None],
        on_tab: Callable[[Tab | None], None],
    ) -> None:
        self.dataset = dataset
        self.session: Session | None = None
        self.formula: Formula | None = None
        self._state, self._note, self._on_other_data = state, note, on_data
        self._is_linking = False
        self.drawer = Drawer(self._make, on_tab)
        self.given = DatasetState(part="test" if dataset.n_test else "train")  # what the model is of
        self._start(self.given.part)

    def open(self, session: Session) -> None:
        """Make the panels that were made before of another session."""
        outdated = self.drawer.clear(keep=("Data",))
        self.session, self.dataset, self.formula = session, session.dataset, None
        self._start(session.parts[0])
        try:
            for tab in outdated:
                self.drawer.panel(tab)
        finally:
            for panel in outdated.values():
                panel.close()
        self._bring_data(part=session.parts[0], case=0)

    def _start(self, part: Any) -> None:
        self.selection = Selection(PanelSelection(part=part))
        self.selection.follow(self._spread)

    def show(self, state: ExplorerState) -> None:
        """Show a state in every panel that shows another."""
        tuning = self.drawer.made.get("Tune")
        if tuning is not None and tuning.state != state.tuning:
            with self._linking():
                tuning.state = state.tuning
        self.selection.select(part=state.part, case=state.case, target=state.target, formula=self.formula)
        if (what_if := self.made("What if")) is not None:
            with self._linking():
                self._bring_edits(what_if)

    def bring_formula(self, formula: Formula | None) -> None:
        """Show a formula where it is simplified."""
        panel: SimplifierPanel | None = self.made("Simplify")
        if formula is None or panel is None:
            return
        text = panel.text_of(self._with_steps(formula))
        if text != panel.state.formula:
            panel.change(formula=text, step=0, use_data=False)

    def _with_steps(self, formula: Formula) -> Formula:
        """An explanation with steps to go; what the reader chose by hand stays as it is."""
        from stelle_nb.panels.parts.steps import with_steps

        return with_steps(formula) if formula == self.formula else formula

    def _make(self, tab: Tab) -> Panel[Any]:
        """The panel of a tab, in step with what is chosen; it follows every choice and reports its own."""
        if tab == "Data":
            return self._make_data()
        if self.session is None:
            raise PanelError(f"The tab {tab!r} needs a model, and there is none yet. Use explorer.fit().")
        session, where = self.session, self._where(self.session)
        make: dict[Tab, Callable[[Session, dict[str, Any]], Panel[Any]]] = {
            "Tune": self._make_tuning,
            "Why": self._make_why,
            "Simplify": self._make_simplifier,
            "Concepts": self._make_concepts,
            "Train": self._make_training,
            "What if": self._make_what_if,
            "Playground": self._make_playground,
            "Edit": self._make_editor,
        }
        return make[tab](session, where)

    def _where(self, session: Session) -> dict[str, Any]:
        """The case that is shown, or the first one of a set that is about to be shown."""
        state = self._state()
        is_here = state.part in session.parts and 0 <= state.case < len(session.cases(state.part)[1])
        if not is_here or (state.target is not None and state.target not in session.classes):
            return {"part": session.parts[0], "case": 0, "target": None}
        return {"part": state.part, "case": state.case, "target": state.target}

    def _make_tuning(self, session: Session, where: dict[str, Any]) -> Panel[Any]:
        from stelle_nb.panels.gamma import GammaPanel

        panel = GammaPanel(session, state=replace(self._state().tuning, **where))
        panel.on_state.append(self._on_gamma)
        return panel

    def _make_why(self, session: Session, where: dict[str, Any]) -> Panel[Any]:
        from stelle_nb.panels.explanation_panel import ExplanationPanel, ExplanationState

        panel = ExplanationPanel(session, state=ExplanationState(**where))
        panel.on_state.append(lambda new: self._select(new, target=new.target))
        return panel

    def _make_simplifier(self, session: Session, _: dict[str, Any]) -> Panel[Any]:
        from stelle_nb.panels.simplifier import SimplifierPanel

        chosen = self.selection.choice.formula
        formula = self.formula if chosen is None else chosen
        return SimplifierPanel(None if formula is None else self._with_steps(formula), session.dataset)

    def _make_concepts(self, session: Session, where: dict[str, Any]) -> Panel[Any]:
        from stelle_nb.panels.concepts_panel import ConceptsPanel

        panel = ConceptsPanel(session)
        _bring(panel, part=where["part"], case=where["case"])
        panel.on_state.append(lambda new: self._select(new, formula=panel.formula))
        return panel

    def _make_training(self, session: Session, _: dict[str, Any]) -> Panel[Any]:
        from stelle_nb.panels.training_panel import TrainingPanel

        return TrainingPanel(session)

    def _make_what_if(self, session: Session, where: dict[str, Any]) -> Panel[Any]:
        from stelle_nb.panels.what_if import WhatIfPanel

        panel = WhatIfPanel(session)
        panel.show_case(**where)
        self._bring_edits(panel)
        panel.on_state.append(self._on_what_if)
        return panel

    def _make_playground(self, session: Session, where: dict[str, Any]) -> Panel[Any]:
        from stelle_nb.panels.playground import PlaygroundPanel

        panel = PlaygroundPanel(session)
        panel.show_case(part=where["part"], case=where["case"])
        return panel

    def _make_editor(self, session: Session, where: dict[str, Any]) -> Panel[Any]:
        from stelle_nb.panels.editor import EditPanel

        panel = EditPanel(session)
        panel.show_case(part=where["part"], case=where["case"])
        panel.on_state.append(self._select)
        return panel

    def _make_data(self) -> Panel[Any]:
        from stelle_nb.panels.dataset_panel import DatasetPanel

        state = self._state()
        panel = DatasetPanel(self.dataset, state=replace(self.given, part=state.part, case=state.case))
        self.given = panel.state
        panel.on_state.append(self._on_data)
        return panel

    def _on_gamma(self, state: GammaState) -> None:
        if not self._is_linking:
            fields = {name: getattr(state, name) for name in _GAMMAS}
            self._note(part=state.part, case=state.case, target=state.target, **fields)

    def _on_what_if(self, state: WhatIfState) -> None:
        self._select(state, target=state.target)
        if not self._is_linking:
            self._note(edits=state.edits)

    def _bring_edits(self, panel: WhatIfPanel) -> None:
        now, state = panel.state, self._state()
        if (now.part, now.case) == (state.part, state.case) and now.edits != state.edits:
            panel.change(edits=state.edits, flip=False)

    def _on_data(self, state: DatasetState) -> None:
        panel: DatasetPanel | None = self.made("Data")
        if panel is not None and panel.dataset is not self.dataset:
            self._on_other_data()
        elif self.session is None:
            self._note(part=state.part, case=state.case)
        else:
            self._select(state)

    def _select(self, state: Any, **changes: Any) -> None:
        if not self._is_linking:
            self.selection.select(part=state.part, case=state.case, **changes)

    def _spread(self, choice: PanelSelection) -> None:
        """Show a choice in every panel that shows another."""
        case: dict[str, Any] = {"part": choice.part, "case": choice.case}
        made = self.drawer.made
        with self._linking():
            for tab in ("Tune", "Why"):
                if tab in made:
                    _bring(made[tab], **case, target=choice.target)
            if "Concepts" in made:
                _bring(made["Concepts"], **case)
            self._bring_data(**case)
            if (what_if := self.made("What if")) is not None:
                what_if.show_case(**case, target=choice.target)
            showing: tuple[Tab, ...] = ("Playground", "Edit")
            for tab in showing:
                if (panel := self.made(tab)) is not None:
                    panel.show_case(**case)
            self.bring_formula(choice.formula)
        self._note(**case, target=choice.target)

    def _bring_data(self, **case: Any) -> None:
        """Show a case in the data tab, unless it has gone ahead to a set that is still to be fitted."""
        panel: DatasetPanel | None = self.made("Data")
        if panel is not None and panel.dataset is self.dataset:
            _bring(panel, **case)

    def made(self, tab: Tab) -> Any:
        """The panel of a tab, or None if it was not made yet."""
        return self.drawer.made.get(tab)

    @contextmanager
    def _linking(self) -> Iterator[None]:
        """While panels are brought into step, their changes are not reported as choices."""
        was, self._is_linking = self._is_linking, True
        try:
            yield
        finally:
            self._is_linking = was


def _bring(panel: Panel[Any], **fields: Any) -> None:
    if any(getattr(panel.state, name) != value for name, value in fields.items()):
        panel.change(**fields)
