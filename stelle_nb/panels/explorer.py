"""The explorer: all panels of a data set, linked, so that a choice in one shows in all."""

from __future__ import annotations

from dataclasses import dataclass, replace
from html import escape
from typing import Any, Literal, final, get_args

import ipywidgets

from stelle_nb.arguments import brief_list
from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.errors import PanelError, StelleError
from stelle_nb.estimator.classifier import StelleClassifier
from stelle_nb.estimator.report import report_html
from stelle_nb.estimator.report_content import gather
from stelle_nb.panels.base import Panel, guarded
from stelle_nb.panels.chart_view import ChartView
from stelle_nb.panels.concepts import ConceptsPanel
from stelle_nb.panels.dataset import DatasetPanel, DatasetState
from stelle_nb.panels.explanation import ExplanationPanel
from stelle_nb.panels.export import Export
from stelle_nb.panels.gamma import GammaPanel, GammaState
from stelle_nb.panels.playground import PlaygroundPanel
from stelle_nb.panels.selection import Choice, Selection
from stelle_nb.panels.session import Part, Session
from stelle_nb.panels.simplifier import SimplifierPanel
from stelle_nb.panels.training import TrainingPanel
from stelle_nb.panels.what_if import WhatIfPanel

Tab = Literal["Tune", "Why", "Simplify", "Concepts", "Data", "Train", "What if", "Playground"]


@final
@dataclass(frozen=True, slots=True)
class ExplorerState:
    """What is explored.

    Parameters
    ----------
    tab
        The panel in front.
    part, case, target
        The case, and the class to argue for; None for the predicted one.
    gamma_t, gamma_l, gamma, gamma_g
        How much to say about it, see :class:`~stelle_nb.panels.GammaState`.
    """

    tab: Tab = "Tune"
    part: Part = "test"
    case: int = 0
    target: Any = None
    gamma_t: float = 0.8
    gamma_l: float = 0.0
    gamma: int | None = None
    gamma_g: float | None = None


@final
class Explorer(Panel[ExplorerState]):
    """All panels of one data set; see :func:`explore`.

    Attributes
    ----------
    gamma, explanation, simplifier, concepts, data, training, what_if, playground
        The panels.
    selection
        What is chosen in all of them.
    """

    title = "Explorer"
    help = (
        "Choose a case and read why the model sees a class in it. 'Tune' sets how much is said, 'Why' shows "
        "the conditions one by one, 'Simplify' how the formula became short, 'Concepts' what the model knows "
        "to say, 'Data' what it was trained on, and 'Train' trains another. In 'What if' you change the case "
        "and see what the model makes of it; in 'Playground' you play with formulas. A choice in one shows "
        "in all. Another data set gets a model of its own, fitted in the background."
    )

    def __init__(
        self,
        dataset: SeriesDataset | str | Session,
        classifier: StelleClassifier | None = None,
        *,
        state: ExplorerState | None = None,
    ) -> None:
        self.session = Session.open(dataset, classifier)
        self._is_linking = False
        self._unfit: tuple[DatasetState, Exception] | None = None  # what could not be fitted, and why
        self._panels: tuple[Panel[Any], ...] = ()  # of the session; they go with it
        super().__init__(ExplorerState(part=self.session.parts[0]) if state is None else state)
        heading, *parts, exports, error = self.view.children
        self.view.children = (heading, error, *parts, exports)  # in sight, however tall the tab in front is

    def to_code(self) -> str:
        state = f"state=st.panels.{self.state!r}"
        return f"{self.session.to_code()}\nexplorer = st.explore(dataset, classifier, {state})\nexplorer"

    def _build(self) -> list[Any]:
        self.summary, self.tabs = ipywidgets.HTML(), ipywidgets.Tab()
        self.exports.form.description = "save all as"  # each tab has such a list of its own
        first = DatasetState(part=self.session.parts[0])
        self.data = DatasetPanel(self.session.dataset, state=first)
        self.data.on_state.append(self._on_data)
        self.tabs.observe(self._on_tab, "selected_index")
        self._open(self.session)
        self._fitted_data = self.data.state  # what the model is of
        return [self.summary, self.tabs]

    def _open(self, session: Session) -> None:
        """Make the panels of a session."""
        self.session.leave(self._on_model)
        outdated, self.session = self._panels, session
        self.selection = Selection(Choice(part=session.parts[0]))
        self.gamma, self.explanation = GammaPanel(session), ExplanationPanel(session)
        self.concepts = ConceptsPanel(session)
        self.simplifier = SimplifierPanel(self._formula_before(), session.dataset)
        self.training = TrainingPanel(session)
        self.what_if, self.playground = WhatIfPanel(session), PlaygroundPanel(session)
        self.gamma.on_state.append(self._on_gamma)
        self.explanation.on_state.append(lambda state: self._select(state, target=state.target))
        self.concepts.on_state.append(lambda state: self._select(state, formula=self.concepts.formula))
        self.what_if.on_state.append(lambda state: self._select(state, target=state.target))
        self.selection.follow(self._spread)
        session.follow(self._on_model)
        linked = (self.gamma, self.explanation, self.simplifier, self.concepts, self.data)
        shown = (*linked, self.training, self.what_if, self.playground)
        self._panels = tuple(panel for panel in shown if panel is not self.data)
        self.tabs.children = [panel.view for panel in shown]
        for i, name in enumerate(get_args(Tab)):
            self.tabs.set_title(i, name)
        self._bring_data(part=session.parts[0], case=0)
        self._summarise()
        for panel in outdated:
            panel.close()

    def _summarise(self) -> None:
        self.summary.value = f"<strong>{escape(self.session.summary())}</strong>"

    @guarded
    def _on_model(self) -> None:
        """Say how well the new model does; the other panels follow it by themselves."""
        self._summarise()
        if (formula := self._formula_before()) is not None:
            self.simplifier.change(formula=self.simplifier.text_of(formula), step=0, use_data=False)

    def close(self) -> None:
        """Take the explorer from the page; a training that is under way is cancelled."""
        self.session.leave(self._on_model)
        for panel in (*self._panels, self.data):
            panel.close()
        super().close()

    def _formula_before(self) -> Any:
        """The explanation before it was simplified: there is more to step through."""
        return None if self.gamma.explanation is None else self.gamma.explanation.before

    def _set_controls(self, state: ExplorerState) -> None:
        if state.tab not in get_args(Tab):
            raise PanelError(f"tab must be one of {get_args(Tab)}, got {state.tab!r}.")
        self.tabs.selected_index = get_args(Tab).index(state.tab)

    def _show(self, state: ExplorerState) -> None:
        wanted = GammaState(
            state.part,
            state.case,
            state.target,
            state.gamma,
            state.gamma_t,
            state.gamma_l,
            state.gamma_g,
        )
        if self.gamma.state != wanted:
            self.gamma.state = wanted  # the other panels follow it

    def _on_tab(self, _: Any) -> None:
        if self.is_setting or self.tabs.selected_index is None:
            return
        self.change(tab=get_args(Tab)[self.tabs.selected_index])

    def _on_gamma(self, state: GammaState) -> None:
        self._select(state, target=state.target, formula=self._formula_before())
        self._note(gamma_t=state.gamma_t, gamma_l=state.gamma_l, gamma=state.gamma, gamma_g=state.gamma_g)

    def _select(self, state: Any, **changes: Any) -> None:
        if not self._is_linking:
            self.selection.select(part=state.part, case=state.case, **changes)

    def _note(self, **fields: Any) -> None:
        """Keep the state in step with the panels, which show it already."""
        if self.is_setting:
            return
        with self.setting():
            self.change(**fields)

    def _spread(self, choice: Choice) -> None:
        """Show a choice in every panel that shows another."""
        self._is_linking = True
        try:
            case: dict[str, Any] = {"part": choice.part, "case": choice.case}
            _bring(self.gamma, **case, target=choice.target)
            _bring(self.explanation, **case, target=choice.target)
            _bring(self.concepts, **case)
            self._bring_data(**case)
            self.what_if.show_case(**case, target=choice.target)
            self.playground.show_case(**case)
            text = None if choice.formula is None else self.simplifier.text_of(choice.formula)
            if text not in (None, self.simplifier.state.formula):
                self.simplifier.change(formula=text, step=0, use_data=False)
        finally:
            self._is_linking = False
        self._note(**case, target=choice.target)

    def _bring_data(self, **case: Any) -> None:
        """Show a case in the data tab, unless it has gone ahead to a set that is still to be fitted."""
        if self.data.dataset is self.session.dataset:
            _bring(self.data, **case)

    def _on_data(self, state: DatasetState) -> None:
        if self.data.dataset is self.session.dataset:
            self._select(state)
        else:
            self._fit_later()

    def _fit_later(self) -> None:
        self.report(None)
        self.summary.value = f"Fitting a model to {escape(self.data.dataset.name)} …"
        self._later(self._fit)

    def _fit(self) -> None:
        """Fit a model to the set that is chosen, and to the next if another is by then."""
        while (dataset := self.data.dataset_of(chosen := self.data.state)) is not self.session.dataset:
            before = self.session
            try:
                session = Session.open(dataset)
                with self.lock, self.setting():
                    self._open(session)
                    self._state = ExplorerState(self._state.tab, session.parts[0])
                    self._fitted_data = chosen
            except Exception as error:
                with self.lock, self.setting():
                    if self.session is not before:  # its panels could not be made
                        self._open(before)
                    self._unfit = chosen, error
                return

    def _show_again(self) -> None:
        unfit, self._unfit = self._unfit, None
        is_refused = unfit is not None and self.data.dataset is self.data.dataset_of(unfit[0])
        if is_refused:
            self.data.state = replace(self._fitted_data, part=self._state.part, case=self._state.case)
        self._summarise()
        super()._show_again()
        if self.data.dataset is not self.session.dataset:  # chosen while other work was ending
            self._fit_later()
        elif unfit is not None and is_refused:
            raise self._refusal(*unfit) from unfit[1]

    def _refusal(self, chosen: DatasetState, error: Exception) -> PanelError:
        dataset = self.data.dataset_of(chosen)
        name = dataset.name
        place = f" ({chosen.source})" if chosen.source not in (name, "") else ""
        channels = "" if chosen.kept is None else f" with {brief_list(dataset.channel_names)} alone"
        kind = "" if isinstance(error, StelleError) else f"{type(error).__name__}: "
        return PanelError(
            f"No model could be fitted to {name}{place}{channels}: {kind}{error}\n"
            f"All tabs show {self.session.dataset.name} as before. Choose another data set in the tab 'Data'."
        )

    def _subject(self) -> Any:
        return self.gamma._subject()

    def _exports(self) -> list[Export]:
        return [
            Export("HTML report", ".html", self._report, is_slow=True),
            *super()._exports(),
        ]

    def _report(self) -> str:
        session = self.session
        return report_html(gather(session.classifier, session.dataset))

    def _still(self) -> tuple[str, ChartView | None]:
        text, chart = self.gamma._still()
        return f"<p>{self.summary.value}</p>{text}", chart


def explore(
    dataset: SeriesDataset | str | Session = "BasicMotions",
    classifier: StelleClassifier | None = None,
    *,
    state: ExplorerState | None = None,
) -> Explorer:
    """Open all panels on a data set, linked: a case, class or formula chosen in one is chosen in all.

    Parameters
    ----------
    dataset
        A data set, or the name of one.
    classifier
        Fitted to it; left out, one is fitted now.
    state
        What to show first.
    """
    return Explorer(dataset, classifier, state=state)


def _bring(panel: Panel[Any], **fields: Any) -> None:
    if any(getattr(panel.state, name) != value for name, value in fields.items()):
        panel.change(**fields)
