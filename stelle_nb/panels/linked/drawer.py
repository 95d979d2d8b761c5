"""The drawer below the view: a tab for each single panel, which is made when it is first opened."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, get_args

import ipywidgets

from stelle_nb.panels.base import Panel, close_all

Tab = Literal["Tune", "Why", "Simplify", "Concepts", "Data", "Train", "What if", "Playground", "Edit"]
TABS: tuple[Tab, ...] = get_args(Tab)


class Drawer:
    """Tabs, of which none is open at first.

    Parameters
    ----------
    make
        Makes the panel of a tab.
    on_open
        Called with the tab that the reader opened.

    Attributes
    ----------
    tabs
        The widget.
    made
        The panels that exist, by tab.
    """

    def __init__(self, make: Callable[[Tab], Panel[Any]], on_open: Callable[[Tab | None], None]) -> None:
        self._make, self._on_open = make, on_open
        self.made: dict[Tab, Panel[Any]] = {}
        # the children of the tabs stay: a page that is given others may bring another tab to the front
        self._holders = {tab: ipywidgets.VBox() for tab in TABS}
        self.tabs = ipywidgets.Tab(list(self._holders.values()), titles=TABS, selected_index=None)
        self.tabs.observe(self._on_index, "selected_index")

    @property
    def tab(self) -> Tab | None:
        """The tab that is open."""
        index = self.tabs.selected_index
        return None if index is None else TABS[index]

    def open(self, tab: Tab | None) -> None:
        """Bring a tab to the front, or close the drawer."""
        self.tabs.selected_index = None if tab is None else TABS.index(tab)

    def panel(self, tab: Tab) -> Panel[Any]:
        """The panel of a tab; made now if need be."""
        if tab not in self.made:
            self.made[tab] = self._make(tab)
            self._put(tab, self.made[tab].view)
        return self.made[tab]

    def say(self, tab: Tab, text: str) -> None:
        """Show words in a tab whose panel cannot be made yet."""
        if tab not in self.made:
            self._put(tab, ipywidgets.HTML(text))

    def clear(self, keep: tuple[Tab, ...] = ()) -> dict[Tab, Panel[Any]]:
        """Take the panels out of their tabs, except for some; the caller closes them."""
        gone = {tab: panel for tab, panel in self.made.items() if tab not in keep}
        for tab in gone:
            del self.made[tab]
            self._put(tab, is_kept=True)
        return gone

    def _put(self, tab: Tab, *views: Any, is_kept: bool = False) -> None:
        holder = self._holders[tab]
        before, holder.children = holder.children, views
        if not is_kept:
            for view in before:
                close_all(view)

    def _on_index(self, _: Any) -> None:
        self._on_open(self.tab)
