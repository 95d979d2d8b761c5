"""A panel of a session: when the model changes, the panel follows."""

from __future__ import annotations

import time
from abc import abstractmethod
from pathlib import Path
from typing import Any

import ipywidgets

from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.estimator.classifier import StelleClassifier
from stelle_nb.panels.base import Panel, State, guarded
from stelle_nb.panels.session import Session
from stelle_nb.panels.widgets.panel_words import looking_for_html
from stelle_nb.progress import seconds_left


class SessionPanel(Panel[State]):
    """A panel of a data set and a model of it.

    Parameters
    ----------
    dataset
        A data set, the name of one, or a session that other panels share.
    classifier
        Fitted to it; left out, one is fitted now.
    state
        What to show first.

    Attributes
    ----------
    session
        The data and the model; panels with the same session show the same model.
    """

    def __init__(
        self,
        dataset: SeriesDataset | str | Session,
        classifier: StelleClassifier | None = None,
        *,
        state: State | None = None,
    ) -> None:
        self.session = Session.open(dataset, classifier)
        super().__init__(self._first_state() if state is None else state)
        self.session.follow(self._on_model)

    def to_code(self) -> str:
        name = type(self).__name__
        shown = f"panel = st.panels.{name}(dataset, classifier, state=st.panels.{self.state!r})"
        return f"{self.session.to_code()}\n{shown}\npanel"

    @abstractmethod
    def _first_state(self) -> State:
        """What to show if nothing was asked for."""

    @guarded
    def _on_model(self) -> None:
        self._forget()
        self._show_again()

    def _forget(self) -> None:
        """Drop what was derived from the previous model."""

    def _describe_later(self, label: Any, gamma_g: float, note: ipywidgets.HTML) -> None:
        """Look for the formula of a class in the background; the note says how far that is.

        Once the note shows something else, because another state was asked for, it is left alone.
        """
        began, what = time.monotonic(), looking_for_html(label)
        note.value = f"{what} …"

        def progress(done: int, total: int) -> None:
            left = seconds_left(done, total, time.monotonic() - began)
            with self.lock:
                if left is not None and note.value.startswith(what):
                    note.value = f"{what}: {100 * done // total} %, about {left:.0f} s left."

        self._later(lambda: self.session.explain_class(label, gamma_g, progress))

    def export(self, name: str, folder: str | Path | None = None) -> Path:
        """Save what the state asks for, as :meth:`Panel.export` does, once work in the background is done."""
        self.wait()
        return super().export(name, folder)

    def _repr_mimebundle_(self, *given: Any, **named: Any) -> dict[str, Any]:
        self.wait()  # what is saved with the notebook stays, so it must be complete
        return super()._repr_mimebundle_(*given, **named)

    def close(self) -> None:
        """Remove the panel from the page and stop following the session."""
        self.session.leave(self._on_model)
        super().close()
