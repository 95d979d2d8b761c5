"""The tools to change a signal by hand, the same in every panel that has a signal editor."""

from __future__ import annotations

from typing import Any, Literal

import ipywidgets

from stelle_nb.errors import PanelError
from stelle_nb.panels.widgets.controls import button, checkbox, count_slider, row
from stelle_nb.panels.widgets.signal_editor import SignalEditor

Tool = Literal["drag", "draw"]
MOST_NEIGHBOURS = 20


class HandTools:
    """A row of tools, and the way between them and the fields ``tool``, ``reach`` and ``all_channels``.

    Attributes
    ----------
    view
        The row.
    reset
        The button that undoes all changes.
    """

    def __init__(self) -> None:
        self.tool = ipywidgets.ToggleButtons(
            options=[("drag points", "drag"), ("draw", "draw")],
            tooltips=["A point follows the pointer.", "The signal follows the pointer."],
            style={"button_width": "auto"},
        )
        self.reach = count_slider(
            "neighbours", "How many samples on each side move with a point.", low=0, high=MOST_NEIGHBOURS
        )
        self.all_channels = checkbox("all channels", "Show channels that the formula does not use.")
        self.reset = button("undo all changes", "Put the signal back as it was.")
        tools = [self.tool, self.reach, self.all_channels, self.reset]
        self.view = row(*tools)

    def set(
        self, editor: SignalEditor, tool: Tool, reach: int, all_channels: bool, *, has_edits: bool
    ) -> None:
        """Show the settings and pass them to the editor."""
        if tool not in ("drag", "draw"):
            raise PanelError(f"tool must be 'drag' or 'draw', got {tool!r}.")
        if not 0 <= reach <= MOST_NEIGHBOURS:
            raise PanelError(f"reach must lie from 0 to {MOST_NEIGHBOURS}, got {reach!r}.")
        self.tool.value, self.reach.value, self.all_channels.value = tool, reach, all_channels
        editor.mode, editor.reach = tool, reach
        self.reset.disabled = not has_edits

    def fields(self) -> dict[str, Any]:
        """The settings of the tools."""
        return {
            "tool": self.tool.value,
            "reach": int(self.reach.value),
            "all_channels": bool(self.all_channels.value),
        }

    def observe(self, callback: Any) -> None:
        """Call when the user sets a tool."""
        for control in (self.tool, self.reach, self.all_channels):
            control.observe(callback, "value")
