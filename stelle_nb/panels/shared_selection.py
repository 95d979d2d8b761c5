"""The selection shared by the panels of an exploration: what is selected in one is selected in all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, final

from stelle_nb.logic.formula import Formula
from stelle_nb.panels.parts.chosen_data import Part


@final
@dataclass(frozen=True, slots=True)
class PanelSelection:
    """A case, a class and a formula.

    Parameters
    ----------
    part, case
        A case of the data set.
    target
        Label of the class in question; None for the predicted one.
    formula
        The formula in question, if any.
    """

    part: Part = "test"
    case: int = 0
    target: Any = None
    formula: Formula | None = None


@final
class Selection:
    """One selection and its followers.

    Examples
    --------
    >>> selection = Selection()
    >>> selection.follow(lambda choice: print("now case", choice.case))
    >>> selection.select(case=3)
    now case 3
    >>> selection.select(case=3)
    """

    def __init__(self, choice: PanelSelection | None = None) -> None:
        self._choice = PanelSelection() if choice is None else choice
        self._followers: list[Callable[[PanelSelection], None]] = []

    @property
    def choice(self) -> PanelSelection:
        """What is chosen now."""
        return self._choice

    def follow(self, callback: Callable[[PanelSelection], None]) -> None:
        """Call with every new choice."""
        self._followers.append(callback)

    def select(self, **changes: Any) -> None:
        """Choose something else; re-selecting notifies no one."""
        choice = replace(self._choice, **changes)
        if choice == self._choice:
            return
        self._choice = choice
        for callback in tuple(self._followers):
            callback(choice)
