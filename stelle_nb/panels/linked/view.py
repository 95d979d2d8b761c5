"""The widget of the linked view: content goes in, wishes come out, and the page draws."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from importlib import resources
from typing import Any

import anywidget
import traitlets

_ASSETS = resources.files("stelle_nb.panels.linked").joinpath("assets")
_SCRIPTS = ("page", "glyphs", "case_list", "sheet_table", "signal_chart", "hand", "dials", "linked")
_CONTENT = ("heading", "cases", "shown", "status", "sharing", "note", "answered")


def _script() -> str:
    return "\n".join(_ASSETS.joinpath(f"{name}.js").read_text(encoding="utf-8") for name in _SCRIPTS)


class LinkedView(anywidget.AnyWidget):
    """Cases, one case, and what speaks for its class.

    It needs no other widget around it, so that it is shown wherever anywidget is.

    Attributes
    ----------
    heading
        ``name`` and ``summary`` of the data, its ``classes``, their natural ``order``, and the ``parts``.
    cases
        A :class:`~stelle_nb.panels.linked.regions.case_list.CaseList`.
    shown
        A :class:`~stelle_nb.panels.linked.content.CaseContent`.
    status
        Whether a model is being fitted: ``phase``, ``text`` and ``share``.
    sharing
        ``cases`` of which the chosen formula says the same, and ``text`` about them.
    note
        The outcome of the last wish, where the rest of the view does not show it.
    wish, answered
        What the reader last asked for; its ``n`` counts wishes, and the number of the last that was answered.
    """

    _esm = _script()
    _css = _ASSETS.joinpath("linked.css").read_text(encoding="utf-8")
    heading = traitlets.Dict().tag(sync=True)
    cases = traitlets.Dict().tag(sync=True)
    shown = traitlets.Dict().tag(sync=True)
    status = traitlets.Dict().tag(sync=True)
    sharing = traitlets.Dict().tag(sync=True)
    note = traitlets.Unicode().tag(sync=True)
    wish = traitlets.Dict({"n": 0}).tag(sync=True)
    answered = traitlets.Int(0).tag(sync=True)
    identity = traitlets.Unicode().tag(sync=True)

    def __init__(self, **options: Any) -> None:
        name = uuid.uuid4().hex
        self.on_drawn: Callable[[], None] = lambda: None
        super().__init__(model_id=name, identity=name, **options)
        self.on_msg(self._answer)

    def _answer(self, _: Any, content: Any, __: Any) -> None:
        """Send what is shown now to a page that was too busy to listen; a page reports what it has drawn."""
        if content == "what is shown?":
            self.send_state(list(_CONTENT))
        elif content == "drawn":
            self.on_drawn()
