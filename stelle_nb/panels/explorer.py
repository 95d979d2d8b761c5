"""The explorer: one linked view of a data set and its model, and all single panels in a drawer below it."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING, Any, final

import ipywidgets

from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.depict.class_names import class_name
from stelle_nb.errors import PanelError
from stelle_nb.panels.base import Panel, guarded
from stelle_nb.panels.linked.drawer import Tab
from stelle_nb.panels.linked.explorer_state import ExplorerState, check_explorer_state
from stelle_nb.panels.linked.fitting import refusal, status_json, waiting_json
from stelle_nb.panels.linked.links import Links
from stelle_nb.panels.linked.opening import given_to
from stelle_nb.panels.linked.presenter import Presenter, known_of_class, look_for_class
from stelle_nb.panels.linked.shelf import Shelf
from stelle_nb.panels.linked.still import StillPicture, still_html
from stelle_nb.panels.linked.view import LinkedView
from stelle_nb.panels.parts.chosen_data import dataset_code
from stelle_nb.panels.parts.dataset_state import DatasetState
from stelle_nb.panels.parts.training_run import FirstTraining, RunStatus, TrainingRun
from stelle_nb.panels.shared_selection import Selection
from stelle_nb.panels.widgets.export import Export, ExportableChart

if TYPE_CHECKING:  # the data are shown before models and explanations are imported
    from stelle_nb.estimator.classifier import StelleClassifier
    from stelle_nb.explain.local.local_explanation import LocalExplanation
    from stelle_nb.panels.dataset_panel import DatasetPanel
    from stelle_nb.panels.linked.regions.dials import OfClass
    from stelle_nb.panels.session import Session

__all__ = ["Explorer", "ExplorerState", "explore"]

REST = 1.5  # seconds at most in which the page can draw the data before a fit takes the processor
_WAITING = "<p>This opens when the model is fitted; the line at the top shows the progress.</p>"


@final
class Explorer(Panel[ExplorerState], Shelf):
    """A linked view of one data set, and all panels of it; see :func:`explore`.

    Attributes
    ----------
    linked
        The view: cases, one case, and what speaks for its class. It can be shown alone.
    gamma, explanation, simplifier, concepts, data, training, what_if, playground, edit
        The panels of the drawer. Each is made when it is first opened or asked for.
    selection
        What is chosen in all of them.
    """

    title = "Explorer"
    help = (
        "Choose a case on the left, with the mouse or the arrow keys; wrong predictions come first. The "
        "middle shows what the model says and why. On the right, each formula of the score card adds points "
        "for the class or for its rival; choose one to see it in the signal, and which cases share it. "
        "Choose a bar to make its class the rival. In the tabs below, 'Tune' and 'Why' show explanations in "
        "full, 'Simplify' how a formula is shortened, 'Concepts' the model's vocabulary, and 'Data' what "
        "it was trained on; 'Train' trains another model, 'What if' changes the case, 'Playground' lets you "
        "try formulas, and 'Edit' changes the score card by hand. What you choose in one tab is chosen in "
        "all. Another data set gets a model of its own, fitted in the background."
    )

    def __init__(
        self,
        dataset: SeriesDataset | str | Session,
        classifier: Any = None,
        *,
        state: ExplorerState | None = None,
    ) -> None:
        found, given, self._other = given_to(dataset, classifier)
        self._session: Session | None = None
        self._run: TrainingRun | None = None
        self._is_closed = False
        self._unfit: tuple[DatasetState, Exception] | None = None  # what could not be fitted, and why
        self._first = found, given
        super().__init__(ExplorerState(part="test" if found.n_test else "train") if state is None else state)
        heading, linked, summary, tabs, exports, error = self.view.children
        self.view.children = (linked, error, summary, tabs, exports, heading)
        self.view.layout.max_width = "none"
        if given is None:
            self.fit()

    @property
    def session(self) -> Session:
        """The data and the model; while the first model is being fitted, this waits for it."""
        if self._session is None and self._run is not None:
            self._run.join()
        if self._session is None:
            raise PanelError(
                "There is no model: fitting it was cancelled or failed. Use explorer.fit() to begin again."
            )
        return self._session

    @property
    def linked(self) -> LinkedView:
        """The view."""
        return self._presenter.view

    @property
    def tabs(self) -> ipywidgets.Tab:
        """The tabs of the drawer."""
        return self._links.drawer.tabs

    @property
    def selection(self) -> Selection:
        """What is chosen in all panels."""
        return self._links.selection

    @property
    def _panels(self) -> tuple[Panel[Any], ...]:
        """Those of the session that were made; they go with it."""
        return tuple(panel for tab, panel in self._links.drawer.made.items() if tab != "Data")

    def _panel(self, tab: Tab) -> Any:
        if tab != "Data":
            _ = self.session  # waits for the first model
        with self.lock, self.setting():
            return self._links.drawer.panel(tab)

    def to_code(self) -> str:
        state = f"state=st.panels.{self.state!r}"
        if self._session is None:
            return f"{dataset_code(self._links.dataset)}\nexplorer = st.explore(dataset, {state})\nexplorer"
        return f"{self._session.to_code()}\nexplorer = st.explore(dataset, classifier, {state})\nexplorer"

    def fit(self) -> None:
        """Fit a first model in the background, unless one is there or under way."""
        if self._session is not None or (self._run is not None and self._run.is_running):
            return
        dataset = self._links.dataset
        first = FirstTraining(dataset, self._other)
        self._run = TrainingRun(first, dataset, on_status=self._tell, on_end=self._end)
        self._tell(self._run.status)
        self._run.start(REST)

    def cancel(self) -> None:
        """Stop fitting the first model; the data stay in sight."""
        if self._run is not None and self._run.is_running:
            self._run.cancel()
            self._tell(self._run.status)

    def flip(self) -> None:
        """Look for a small change of the case after which the model predicts the rival; it is then shown."""
        session, state = self.session, self._state
        if self._worker is not None:
            raise PanelError("The explorer is busy in the background. Ask again when it is done.")

        def look() -> None:
            found = self._presenter.flip(session, state)
            with self.lock:
                if replace(self._state, edits=state.edits, tab=state.tab) == state:  # else it is out of date
                    self._state = replace(self._state, edits=found)

        self._later(look)

    def change(self, **changes: Any) -> None:
        """Set some fields of the state; another case is shown as it was measured."""
        if any(
            changes.get(name, was) != was
            for name, was in (("part", self._state.part), ("case", self._state.case))
        ):
            changes.setdefault("edits", ())
        self.linked.note = ""
        super().change(**changes)

    def wait(self, timeout: float | None = None) -> None:
        """Wait until work in the background is done."""
        if self._run is not None:
            self._run.join(timeout)
        super().wait(timeout)

    def _tell(self, status: RunStatus) -> None:
        if not self._is_closed:
            is_stopping = self._run is not None and self._run.is_cancelled
            self.linked.status = status_json(status, is_stopping=is_stopping)

    def _end(self, status: RunStatus, fitted: StelleClassifier | None) -> None:
        """Show the first model; called on the thread of its training."""
        if self._is_closed:
            return
        if fitted is None:
            self._tell(status)
            return
        from stelle_nb.panels.session import Session

        with self.lock:
            guarded(type(self)._begin)(self, Session(self._links.dataset, fitted, self._other))

    def _begin(self, session: Session) -> None:
        with self.setting():
            self._open(session)
        self._show_again()

    def _build(self) -> list[Any]:
        dataset, session = self._first
        self.summary = ipywidgets.HTML()
        self.exports.form.description = "save all as"  # each tab has such a list of its own
        self._presenter = Presenter(dataset)
        self._links = Links(dataset, lambda: self._state, self._note, self._fit_later, self._on_tab)
        self.linked.observe(self._on_wish, "wish")
        self.linked.on_drawn = lambda: None if self._run is None else self._run.hurry()
        if session is None:
            self._summarise()
        else:
            self._open(session)
        return [self.linked, self.summary, self.tabs]

    def _open(self, session: Session) -> None:
        """Look at a session; panels that were made before are made of it."""
        if self._session is not None:
            self._session.leave(self._on_model)
        self._session = session
        self._presenter.read(session)
        self._links.open(session)
        session.follow(self._on_model)
        self._summarise()

    def _summarise(self) -> None:
        text = self._links.dataset.name if self._session is None else self._session.summary()
        self.summary.value = f"<strong>{escape(text)}</strong>"

    @guarded
    def _on_model(self) -> None:
        """Show the new model; the other panels follow it by themselves."""
        self._presenter.read(self.session)
        self._state = replace(self._state, row=None)
        self._summarise()
        self._show_again()
        self._links.bring_formula(self._links.formula)

    def _on_wish(self, change: Any) -> None:
        try:
            guarded(type(self)._grant)(self, change["new"])
        finally:
            self.linked.answered = change["new"].get("n", 0)

    def _grant(self, wish: dict[str, Any]) -> None:
        if wish.get("do") == "cancel":
            self.cancel()
        elif wish.get("do") == "fit":
            self.fit()
        elif wish.get("do") == "flip":
            self.flip()
        elif wish.get("do") == "back":
            self.change(edits=())
        elif changes := self._presenter.fields(wish, self._state):
            self.change(**changes)

    def close(self) -> None:
        """Remove the explorer from the page; a training that is under way is cancelled."""
        self._is_closed = True
        if self._run is not None:
            self._run.cancel()
        if self._session is not None:
            self._session.leave(self._on_model)
        for panel in tuple(self._links.drawer.made.values()):
            panel.close()
        super().close()

    def _set_controls(self, state: ExplorerState) -> None:
        check_explorer_state(state, self._session, self._presenter.reader.parts)
        self._links.drawer.open(state.tab)

    def _show(self, state: ExplorerState) -> None:
        self._presenter.show(state, self._of_class(state))
        if state.tab is not None and (self._session is not None or state.tab == "Data"):
            self._links.drawer.panel(state.tab)
        elif state.tab is not None:
            self._links.drawer.say(state.tab, _WAITING)
        if self._session is not None:
            self._links.formula = None if self._presenter.why is None else self._presenter.why.before
            self._links.show(state)

    def _of_class(self, state: ExplorerState) -> OfClass | None:
        """What is known of the whole class; it is looked for in the background."""
        session, gamma_g = self._session, state.gamma_g
        if session is None or gamma_g is None:
            return None
        from stelle_nb.panels.linked.regions.dials import OfClass

        label = state.target
        if label is None:
            label = session.predictions(state.part)[state.case : state.case + 1].tolist()[0]
        found = known_of_class(session, label, gamma_g)
        if found is None:
            self._later(lambda: look_for_class(session, label, gamma_g))
        return found or OfClass(f"Looking for what {class_name(label)} has in common …")

    def _on_tab(self, tab: Tab | None) -> None:
        guarded(type(self)._open_tab)(self, tab)

    def _open_tab(self, tab: Tab | None) -> None:
        self.change(tab=tab)

    def _note(self, **fields: Any) -> None:
        """Keep the state and the view in step with a panel, which shows it already."""
        if any(getattr(self._state, name) != value for name, value in fields.items()):
            self.change(**fields)

    def _fit_later(self) -> None:
        """Fit a model to the data set that the reader chose."""
        self.report(None)
        self.cancel()
        name = self.data.dataset.name
        self.summary.value = f"Fitting a model to {escape(name)} …"
        self.linked.status = waiting_json(name)
        self._later(self._fit)

    def _fit(self) -> None:
        """Fit a model to the set that is chosen, and to the next if another is by then."""
        from stelle_nb.panels.session import Session

        while (dataset := self.data.dataset_of(chosen := self.data.state)) is not self._links.dataset:
            before = self._session
            try:
                session = Session.open(dataset)
                with self.lock, self.setting():
                    self._open(session)
                    self._state = ExplorerState(self._state.tab, session.parts[0])
                    self._links.given = chosen
            except Exception as error:
                with self.lock, self.setting():
                    if self._session is not before and before is not None:  # its panels could not be made
                        self._open(before)
                    self._unfit = chosen, error
                return

    def _show_again(self) -> None:
        unfit, self._unfit = self._unfit, None
        data: DatasetPanel | None = self._links.made("Data")
        is_refused = unfit is not None and data is not None and data.dataset is data.dataset_of(unfit[0])
        if is_refused:
            self.data.state = replace(self._links.given, part=self._state.part, case=self._state.case)
        self._summarise()
        super()._show_again()
        if data is not None and data.dataset is not self._links.dataset:
            self._fit_later()  # chosen while other work was ending
        elif unfit is not None and is_refused:
            raise refusal(self.data.dataset_of(unfit[0]), *unfit, self._links.dataset.name) from unfit[1]

    def _subject(self) -> LocalExplanation | None:
        return self._presenter.why

    def _exports(self) -> list[Export]:
        report = [Export("HTML report", ".html", self._report, is_slow=True)]
        return [*(report if self._session is not None else []), *super()._exports()]

    def _report(self) -> str:
        from stelle_nb.estimator.report import report_html
        from stelle_nb.estimator.report_content import gather

        return report_html(gather(self.session.classifier, self.session.dataset))

    def _still(self) -> tuple[str, ExportableChart | None]:
        content = self._presenter.content
        if content is None:
            return "", None
        name, known = self._links.dataset.name, self._session
        return still_html(content, known.summary() if known else name), StillPicture(content, name)

    def _ipython_display_(self) -> None:
        if self._run is not None:
            self._run.prepare()  # while the picture is compressed and the page draws
        super()._ipython_display_()

    def _display_(self) -> LinkedView:
        """What marimo shows, which has no boxes of ipywidgets: the view alone."""
        return self.linked


def explore(
    dataset: SeriesDataset | str | Session = "BasicMotions",
    classifier: Any = None,
    *,
    state: ExplorerState | None = None,
) -> Explorer:
    """Open a data set and a model of it: why each case gets its class, and what speaks against it.

    The cases and their signals are there at once. All single panels are in a drawer below, linked: a case,
    class or formula chosen in one is chosen in all.

    Parameters
    ----------
    dataset
        A data set, or the name of one.
    classifier
        Fitted to it; left out, one is fitted in the background, and the view is filled in when it is ready.
        Any other classifier with ``classes_`` and ``predict_proba`` or ``predict`` is imitated by a score
        card: the view says how often both agree, and marks the cases on which they do not.
    state
        What to show first.
    """
    return Explorer(dataset, classifier, state=state)
