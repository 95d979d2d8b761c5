"""A button that hands in an answer: the click sends what the browser shows at that moment."""

from __future__ import annotations

from collections.abc import Callable
from importlib import resources
from typing import Any

import anywidget
import ipywidgets
import traitlets

OnAnswer = Callable[[dict[str, Any]], None]


class AnswerButton(anywidget.AnyWidget):
    """A button whose click carries the values of other widgets.

    A browser holds back what is typed or drawn while the kernel is still busy with earlier keys, but sends a
    click at once. A plain button would therefore hand in an earlier answer.

    Parameters
    ----------
    description, tooltip
        Its text, and what it does.
    fields
        The widget and the trait of each value, by name.
    on_answer
        Called with the values by name.
    """

    _esm = resources.files("stelle_nb.teach").joinpath("answer_button.js").read_text(encoding="utf-8")
    description = traitlets.Unicode().tag(sync=True)
    tooltip = traitlets.Unicode().tag(sync=True)
    places: Any = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        description: str,
        tooltip: str,
        fields: dict[str, tuple[ipywidgets.Widget, str]],
        on_answer: OnAnswer,
    ) -> None:
        self._fields, self._on_answer = fields, on_answer
        places = {name: [widget.model_id, trait] for name, (widget, trait) in fields.items()}
        super().__init__(description=description, tooltip=tooltip, places=places)
        self.on_msg(self._on_message)

    def click(self) -> None:
        """Submit the values that the kernel has."""
        self._on_answer({name: getattr(widget, trait) for name, (widget, trait) in self._fields.items()})

    def _on_message(self, _: Any, content: dict[str, Any], __: Any) -> None:
        self._on_answer(content["given"])
