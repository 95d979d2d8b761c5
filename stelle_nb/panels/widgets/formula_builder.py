"""Building a formula from menus: changes of one of its parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

import ipywidgets

from stelle_nb.errors import PanelError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Always, And, Atom, Eventually, Implies, Not, Or, Until
from stelle_nb.logic.traversal import Path, children, node_at, replace_at
from stelle_nb.panels.widgets.controls import button, dropdown, row

Action = Literal["compare", "always", "eventually", "and", "or", "until", "implies", "not", "take away"]
_SAID: dict[Action, str] = {
    "compare": "make it a comparison",
    "always": "always (G): it holds all the time",
    "eventually": "eventually (F): it holds at some time",
    "and": "and: a comparison holds as well",
    "or": "or: a comparison may hold instead",
    "until": "until: it holds until a comparison does",
    "implies": "implies: if it holds, a comparison does",
    "not": "not: it does not hold",
    "take away": "remove it",
}
_TIMED: tuple[Action, ...] = ("always", "eventually", "until")
_COMPARING: tuple[Action, ...] = ("compare", "and", "or", "until", "implies")


def build(formula: Formula, path: Path, action: Action, atom: Atom, window: Interval) -> tuple[Formula, Path]:
    """The formula with one part changed, and the path of the changed part.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> build(parse("F (x0 > 1)"), (0,), "and", Atom(1, "<", 2.0), Interval(0, 5))
    (parse('F (x0 > 1.0 & x1 < 2.0)'), (0,))
    >>> build(parse("F (x0 > 1 & x1 < 2)"), (0, 1), "take away", Atom(1, "<", 2.0), Interval(0, 5))
    (parse('F (x0 > 1.0)'), (0,))
    """
    if action not in get_args(Action):
        raise PanelError(f"action must be one of {get_args(Action)}, got {action!r}.")
    if action == "take away":
        return _taken_away(formula, path)
    part = node_at(formula, path)
    made: dict[Action, Formula] = {
        "compare": atom,
        "always": Always(part, window),
        "eventually": Eventually(part, window),
        "and": And(part, atom),
        "or": Or(part, atom),
        "until": Until(part, atom, window),
        "implies": Implies(part, atom),
        "not": Not(part),
    }
    return replace_at(formula, path, made[action]), path


def _taken_away(formula: Formula, path: Path) -> tuple[Formula, Path]:
    """An operator leaves its first part behind; a comparison leaves what it was joined with."""
    parts = children(node_at(formula, path))
    if parts:
        return replace_at(formula, path, parts[0]), path
    above = path[:-1]
    joined = children(node_at(formula, above)) if path else ()
    if len(joined) < 2:
        raise PanelError(
            "The only part of a formula cannot be removed. Make it another comparison, or choose the "
            "operator around it."
        )
    return replace_at(formula, above, joined[1 - path[-1]]), above


class FormulaBuilder:
    """The menus.

    Attributes
    ----------
    view
        All of them in a box.
    apply
        The button that does it.
    """

    def __init__(self) -> None:
        self.action = dropdown(
            "do", "What to do with the chosen part.", [(said, key) for key, said in _SAID.items()]
        )
        number = {"layout": {"width": "150px"}, "style": {"description_width": "80px"}}
        self.start = ipywidgets.BoundedIntText(
            0, min=0, max=10**6, description="from", tooltip="First sample of the window.", **number
        )
        self.end = ipywidgets.BoundedIntText(
            10, min=0, max=10**6, description="to", tooltip="Last sample of the window.", **number
        )
        self.is_open = ipywidgets.Checkbox(
            description="without end",
            tooltip="The window has no end.",
            indent=False,
            layout={"width": "110px"},
        )
        self.channel = dropdown("channel", "What is compared.", [])
        self.relation = ipywidgets.Dropdown(
            options=[("at least (≥)", ">="), ("at most (≤)", "<="), ("above (>)", ">"), ("below (<)", "<")],
            description="is",
            tooltip="How it is compared.",
            layout={"width": "210px"},
            style={"description_width": "80px"},
        )
        self.threshold = ipywidgets.FloatText(
            0.0, description="threshold", tooltip="What it is compared with.", **number
        )
        self.apply = button("apply", "Change the chosen part of the formula.")
        self.what = ipywidgets.HTML()
        for control in (self.action, self.is_open):
            control.observe(lambda _: self._enable(), "value")
        window = ipywidgets.HBox([self.start, self.end, self.is_open])
        compared = row(self.channel, self.relation, self.threshold)
        body = ipywidgets.VBox([self.what, ipywidgets.HBox([self.action, self.apply]), window, compared])
        self.view = ipywidgets.Accordion([body], titles=["Build it from menus"], selected_index=None)
        self._enable()

    def show(self, channel_names: Sequence[str], html: str) -> None:
        """Offer these channels; ``html`` says which part is chosen."""
        options = [(name, i) for i, name in enumerate(channel_names)]
        if list(self.channel.options) != options:
            self.channel.options = options
        self.what.value = html

    def build(self, formula: Formula, path: Path) -> tuple[Formula, Path]:
        """The action of the menus, applied to a part of a formula."""
        end = None if self.is_open.value else int(self.end.value)
        window = Interval(int(self.start.value), end) if self.action.value in _TIMED else Interval()
        atom = Atom(Signal(int(self.channel.value or 0)), self.relation.value, float(self.threshold.value))
        return build(formula, path, self.action.value, atom, window)

    def _enable(self) -> None:
        is_timed, compares = self.action.value in _TIMED, self.action.value in _COMPARING
        self.start.disabled = self.is_open.disabled = not is_timed
        self.end.disabled = not is_timed or bool(self.is_open.value)
        self.channel.disabled = self.relation.disabled = self.threshold.disabled = not compares
