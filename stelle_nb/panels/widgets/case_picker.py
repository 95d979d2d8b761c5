"""Two lists to choose a case and the class to argue for."""

from __future__ import annotations

from typing import Any

from stelle_nb.depict.class_names import named_classes
from stelle_nb.panels.parts.chosen_data import PART_NAMES, Part
from stelle_nb.panels.session import Session
from stelle_nb.panels.widgets.controls import dropdown, show_options

PREDICTED = "the predicted class"


class CasePicker:
    """The lists, and the way between them and the fields ``part``, ``case`` and ``target`` of a state."""

    def __init__(self, session: Session) -> None:
        self.session = session
        parts = [(PART_NAMES[part], part) for part in session.parts]
        self.part = dropdown(
            "cases", "Unseen cases are more informative: the model was not trained on them.", parts
        )
        self.case = dropdown(
            "case",
            "The case to explain: its number and true class, and the predicted class if it is another.",
            [],
        )
        targets = [(PREDICTED, None), *named_classes(session.classes)]
        self.target = dropdown(
            "why", "The class to argue for: choose another than the predicted one to see why not.", targets
        )
        self.widgets = [self.part, self.case, self.target]

    def set(self, part: Part, case: int, target: Any) -> None:
        """Show what is chosen."""
        self.session.case(part, case)  # rejects a case that does not exist
        self.part.value = part
        show_options(self.case, self.session.case_names(part), case)
        self.target.value = target

    def fields(self) -> dict[str, Any]:
        """The values of the lists; another part begins with its first case."""
        X, _ = self.session.cases(self.part.value)
        case = self.case.value if self.case.value is not None and self.case.value < len(X) else 0
        return {"part": self.part.value, "case": case, "target": self.target.value}

    def observe(self, callback: Any) -> None:
        """Call when the user chooses."""
        for control in self.widgets:
            control.observe(callback, "value")
