"""The row of a panel that saves what is shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, final

import ipywidgets

from stelle_nb.errors import PanelError
from stelle_nb.panels.widgets.controls import button, dropdown, row, show_options
from stelle_nb.panels.widgets.export import Export, link_html, write_new


@final
class ExportMenu:
    """A list of formats, a button, and where the file is.

    Parameters
    ----------
    offers
        What can be saved now.
    stem
        What to call a file now, without its ending.
    on_save
        Called when the button is pressed.

    Attributes
    ----------
    view
        The widget.
    """

    def __init__(
        self, offers: Callable[[], Sequence[Export]], stem: Callable[[], str], on_save: Callable[[Any], None]
    ) -> None:
        self._offers, self._stem = offers, stem
        self.form = dropdown("save as", "The kind of file to write.", [])
        self.form.layout.width = "240px"
        self.go = button("Save", "Write a file into the folder of the notebook")
        self.saved = ipywidgets.HTML()
        self.go.on_click(on_save)
        self.view = row(self.form, self.go, self.saved)
        self.view.add_class("stelle-export")

    def refresh(self) -> None:
        """List what can be saved now."""
        names = [offer.name for offer in self._offers()]
        chosen = self.form.value if self.form.value in names else names[0]
        show_options(self.form, [(name, name) for name in names], chosen)

    @property
    def chosen(self) -> Export:
        """The selected format."""
        return self.find(str(self.form.value))

    def find(self, name: str) -> Export:
        """The export of that name; one that is not available now is rejected."""
        offers = {offer.name: offer for offer in self._offers()}
        if name not in offers:
            raise PanelError(f"There is nothing to save as {name!r} now. Choose one of {list(offers)}.")
        return offers[name]

    def write(self, export: Export, folder: Path | None = None) -> Path:
        """Write the file and show where it is."""
        self.saved.value = "Saving …"
        try:
            path = write_new(folder or Path.cwd(), self._stem(), export.suffix, export.make())
            self.saved.value = link_html(path)
        except BaseException:
            self.saved.value = ""
            raise
        return path
