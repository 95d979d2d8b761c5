"""A panel that looks at a session: when the model changes, what it shows follows."""

from __future__ import annotations

from stelle_nb.panels.base import Panel, State, guarded
from stelle_nb.panels.session import Session


class SessionPanel(Panel[State]):
    """A panel of a data set and a model of it.

    Attributes
    ----------
    session
        What the panel looks at; panels with the same session show the same model.
    """

    def __init__(self, session: Session, state: State) -> None:
        self.session = session
        super().__init__(state)
        session.follow(self._on_model)

    @guarded
    def _on_model(self) -> None:
        self._forget()
        self._show_again()

    def _forget(self) -> None:
        """Drop what was derived from the model that was there before."""

    def close(self) -> None:
        """Take the panel from the page and follow the session no longer."""
        self.session.leave(self._on_model)
        super().close()
