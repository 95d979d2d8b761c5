"""A chart whose signals, thresholds and windows can be moved with the mouse or the keyboard."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import anywidget
import numpy as np
import traitlets

from stelle_nb.depict.regions import Case
from stelle_nb.depict.wording import Wording
from stelle_nb.errors import PanelError
from stelle_nb.panels.widgets.export import Form
from stelle_nb.panels.widgets.scripts import script, style
from stelle_nb.plots.lines import time_title

Edit = tuple[int, int, float]
"""A channel, a sample and the value that was set there."""


class SignalEditor(anywidget.AnyWidget):
    """A chart of signals, and below them of robustness, on one axis of time.

    Moves of signals, thresholds and windows show at once; everything else comes from the kernel.

    Attributes
    ----------
    edits
        Samples that were changed by hand, as ``[channel, sample, value]``.
    moved
        The threshold that was moved last: its ``id`` and its new ``value``; ``done`` once it is let go, or
        when Enter is pressed on it. For the end of a window also which ``edge``; its ``value`` is a bound of
        the interval, and it is ``undone`` when Escape is pressed on it.
    rows
        The signals: ``key``, ``name``, ``channel`` (-1 if it cannot be moved) and ``values`` without edits.
    behind, thresholds, windows, shapes, marks
        What is drawn on the signal of the same ``key``.
    traces
        Robustness over time: ``name``, ``values``, and the sample ``t`` to ring.
    holds
        Stretches ``[first, last]`` to shade.
    legend
        What the looks mean: ``[look, words]``.
    mode, reach
        Whether the hand drags a point or draws; how many neighbours on each side go with a point.
    is_free
        Whether signals can be moved.
    """

    _esm = script("drawing", "editor_layout", "signal_editor")
    _css = style()
    rows: Any = traitlets.List().tag(sync=True)
    edits: Any = traitlets.List().tag(sync=True)
    moved = traitlets.Dict().tag(sync=True)
    behind: Any = traitlets.List().tag(sync=True)
    thresholds: Any = traitlets.List().tag(sync=True)
    windows: Any = traitlets.List().tag(sync=True)
    shapes: Any = traitlets.List().tag(sync=True)
    marks: Any = traitlets.List().tag(sync=True)
    traces: Any = traitlets.List().tag(sync=True)
    holds: Any = traitlets.List().tag(sync=True)
    legend: Any = traitlets.List().tag(sync=True)
    axis: Any = traitlets.Dict({"title": "sample", "step": None, "unit": None}).tag(sync=True)
    mode = traitlets.Enum(["drag", "draw"], "drag").tag(sync=True)
    reach = traitlets.Int(0).tag(sync=True)
    is_free = traitlets.Bool(True).tag(sync=True)
    label = traitlets.Unicode().tag(sync=True)

    def draw(self, edits: Iterable[Edit], wording: Wording, label: str, **content: Any) -> None:
        """Show content, with one message to the browser; only changes are sent."""
        with self.hold_sync():
            self.edits = [list(edit) for edit in edits]
            self.axis = {"title": time_title(wording), "step": wording.step, "unit": wording.unit}
            self.label = label
            for name, value in content.items():
                setattr(self, name, value)

    def png(self) -> bytes | None:
        """What is shown as a picture."""
        return self.picture("png")

    def picture(self, form: Form) -> bytes | None:
        """What is shown as a file of another format, or None if nothing is."""
        from stelle_nb.panels.widgets.editor_picture import draw_picture  # it needs matplotlib

        return draw_picture(self, form) if self.rows else None


def edited(base: Case, edits: Iterable[Edit]) -> Case:
    """A copy of a case with the edits applied.

    Examples
    --------
    >>> edited(np.zeros((1, 3)), [(0, 1, 2.5)]).tolist()
    [[0.0, 2.5, 0.0]]
    """
    signal = np.array(base, dtype=np.float64)
    for edit in edits:
        channel, t, value = _checked(edit, signal.shape)
        signal[channel, t] = value
    return signal


def edits_between(base: Case, signal: Case) -> tuple[Edit, ...]:
    """The edits that turn one case into another.

    Examples
    --------
    >>> edits_between(np.zeros((1, 3)), np.array([[0.0, 2.5, 0.0]]))
    ((0, 1, 2.5),)
    """
    places = zip(*np.nonzero(base != signal), strict=True)
    return tuple((int(c), int(t), float(signal[c, t])) for c, t in places)


def as_edits(sent: Any) -> tuple[Edit, ...]:
    """What the browser sent as edits of a state, each sample at most once."""
    found = {(int(channel), int(t)): float(value) for channel, t, value in sent}
    return tuple((channel, t, value) for (channel, t), value in sorted(found.items()))


def _checked(edit: Any, shape: tuple[int, ...]) -> Edit:
    try:
        channel, t, value = edit
        is_inside = 0 <= channel < shape[0] and 0 <= t < shape[1] and np.isfinite(value)
    except (TypeError, ValueError):
        is_inside = False
    if not is_inside:
        raise PanelError(
            f"An edit must be (channel, sample, value) with a channel below {shape[0]}, a sample below "
            f"{shape[1]} and a finite value, got {edit!r}."
        )
    return int(channel), int(t), float(value)
