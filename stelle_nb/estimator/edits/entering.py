"""Validation of the arguments of an edit: formulas, classes, channels, points and reach."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from stelle_nb.arguments import as_index, brief_list, positive, shortened
from stelle_nb.errors import ModelError, NotAFormulaError
from stelle_nb.explain.targets import class_number
from stelle_nb.logic.formula import Formula
from stelle_nb.model.card.printing.card_words import read_formula
from stelle_nb.model.card.scorecard import Scorecard


def entered_formula(given: Any, names: Sequence[str] | None, n_channels: int) -> Formula:
    """A formula about channels that the training cases have, from itself or its text."""
    formula = (
        read_formula(given, None if names is None else tuple(names)) if isinstance(given, str) else given
    )
    if not isinstance(formula, Formula):
        raise NotAFormulaError(
            f"A formula or its text was expected, got {shortened(given)}. Try 'F[0,9] (x0 >= 1)'."
        )
    if not formula.channels or max(formula.channels) >= n_channels:
        found = f"channel {max(formula.channels)}" if formula.channels else "none"
        raise ModelError(
            f"A formula must use channels from 0 to {n_channels - 1}, got {found}. "
            "channel_names lists what they are called, if they have names."
        )
    return formula


def entered_class(cls: Any, classes: Sequence[Any]) -> int | None:
    """The number of a class; None for all of them."""
    if cls is None:
        return None
    if (k := class_number(cls, list(classes))) is None:
        raise ModelError(
            f"cls must be one of the classes {brief_list(list(classes))}, got {shortened(cls)}. "
            "Leave it out for all of them."
        )
    return k


def entered_channels(given: Any, names: Sequence[str] | None, n_channels: int) -> list[int]:
    """Numbers of channels that are given by number or name.

    Examples
    --------
    >>> entered_channels(["turn", 0], ("bend", "turn"), 2), entered_channels(1, None, 2)
    ([1, 0], [1])
    """
    known = list(names or ())
    listed = list(given) if isinstance(given, Sequence) and not isinstance(given, str) else [given]
    found = [known.index(each) if each in known else as_index(each) for each in listed]
    if not found or any(c is None or not 0 <= c < n_channels for c in found):
        named = f" or be one of {brief_list(known)}" if known else ""
        raise ModelError(
            f"Each channel must be a number from 0 to {n_channels - 1}{named}, got {shortened(given)}. "
            "Leave channels out to allow all."
        )
    return [c for c in found if c is not None]


def check_free(j: int, locked: tuple[int, ...], done: str) -> None:
    """Reject changes of a locked formula."""
    if j in locked:
        raise ModelError(f"Formula {j} is locked and cannot be {done}. Use unlocked({j}) first.")


def entered_reach(reach: Any) -> float | None:
    """A positive number, or None if it was omitted."""
    way = "Leave it out to compute it from the training cases."
    return None if reach is None else positive(reach, "reach", error=ModelError, way=way)


def with_row(card: Scorecard, j: int, row: Any) -> Any:
    """The points of a card with those of one formula as given."""
    given = np.asarray(row)
    if given.dtype.kind not in "fiu" or given.shape != (card.n_classes,):
        raise ModelError(
            f"points must hold one number for each of the {card.n_classes} classes, got {shortened(row)}."
        )
    points = card.points.copy()
    points[j] = given
    return points
