"""Labelled controls with hints, uniform in every panel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ipywidgets
import traitlets

from stelle_nb.errors import PanelError

_STYLE = {"description_width": "80px"}
_WIDTH = "310px"  # two of them and a box to tick fit into a tab


def _described(name: str, hint: str) -> dict[str, Any]:
    return {"description": name, "tooltip": hint, "style": _STYLE, "layout": {"width": _WIDTH}}


def slider(name: str, hint: str, *, low: float, high: float, step: float, live: bool = True) -> Any:
    """A slider for a share; with ``live=False`` it reports its value on release."""
    more = {"step": step, "continuous_update": live, "readout_format": ".2f"}
    return ipywidgets.FloatSlider(value=low, min=low, max=high, **more, **_described(name, hint))


def count_slider(name: str, hint: str, *, low: int, high: int) -> Any:
    """A slider for an integer."""
    return ipywidgets.IntSlider(value=low, min=low, max=high, **_described(name, hint))


class ChoiceList(ipywidgets.Dropdown):  # type: ignore[misc]
    """A list in which None may be a choice like any other; a plain one would show nothing for it."""

    @traitlets.observe("value")
    def _propagate_value(self, change: Any) -> None:
        values = list(self._options_values)
        if change.new is None and None in values:
            self.index = values.index(None)
        else:
            super()._propagate_value(change)


def dropdown(name: str, hint: str, options: Sequence[tuple[str, Any]]) -> Any:
    """A list from which one is chosen."""
    return ChoiceList(options=list(options), **_described(name, hint))


def multi_list(name: str, hint: str) -> Any:
    """A list from which several are chosen: by clicks with Ctrl, or by Ctrl with arrow keys and space bar."""
    return ipywidgets.SelectMultiple(rows=4, **_described(name, hint))


def text_field(name: str, hint: str, *, placeholder: str = "") -> Any:
    """A line of text that takes effect on Enter."""
    return ipywidgets.Text(placeholder=placeholder, continuous_update=False, **_described(name, hint))


def row(*widgets: Any) -> Any:
    """Widgets in a row that wraps."""
    return ipywidgets.HBox(widgets, layout={"flex_flow": "row wrap"})


def checkbox(name: str, hint: str) -> Any:
    """A box to tick."""
    return ipywidgets.Checkbox(description=name, tooltip=hint, indent=False, layout={"width": "130px"})


def button(name: str, hint: str) -> Any:
    """A button as wide as its name."""
    return ipywidgets.Button(description=name, tooltip=hint, layout={"width": "auto"})


def show_options(control: Any, options: Sequence[tuple[str, Any]], value: Any) -> None:
    """Give a list other options and choose one, with one message to the browser."""
    with control.hold_sync():
        if list(control.options) != list(options):
            control.options = list(options)
        values = [chosen for _, chosen in options]
        if value is not None and value not in values:  # None also stands for no choice
            names = ", ".join(repr(name) for name, _ in options[:20])
            raise PanelError(f"{control.description} must be one of {names}, got {value!r}.")
        if (
            value is None and control.value is None and None in values
        ):  # otherwise the new index would go unnoticed
            control.index = values.index(None)
        control.value = value


def show_selection(control: Any, options: Sequence[tuple[str, Any]], values: Sequence[Any]) -> None:
    """Give a list with several choices other options and choices, with one message to the browser."""
    with control.hold_sync():
        if list(control.options) != list(options):
            control.options = list(options)
        control.value = tuple(values)


def show_number(control: Any, value: float) -> None:
    """Move a slider, but not by rounding errors: it would jump while being dragged."""
    if abs(control.value - value) > 1e-9:
        control.value = value
