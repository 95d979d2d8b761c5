"""The part of a score card that is about one class: what speaks for or against it, and how often."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np
import numpy.typing as npt
from jaxtyping import Bool, Float

from stelle_nb.arguments import whole
from stelle_nb.depict.wording import Wording
from stelle_nb.errors import ExplanationError
from stelle_nb.explain.document import finite_from_json
from stelle_nb.logic.formula import Formula

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.floating[Any]]


@final
@dataclass(frozen=True, slots=True)
class CardEntry:
    """What one formula of a score card means for a class.

    Parameters
    ----------
    number
        Of the formula on the card, counted from 0.
    formula
        As it stands on the card.
    points
        For the class, less the mean of its points for the other classes: above 0 it speaks for the class.
    in_class, elsewhere
        Share of the training cases of the class, and of the others, for which it holds.
    is_used
        Whether the formula of the class contains it, or its negation if it speaks against the class.
    unseen_in_class, unseen_elsewhere
        The same shares of unseen cases; None if unknown, or if there is no such case.
    """

    number: int
    formula: Formula
    points: float
    in_class: float
    elsewhere: float
    is_used: bool = False
    unseen_in_class: float | None = None
    unseen_elsewhere: float | None = None

    @property
    def speaks(self) -> str:
        """``"for"`` or ``"against"`` the class."""
        return "for" if self.points > 0 else "against"


def relative_points(points: Float[Floats, "formula cls"], target: int) -> Float[Floats, " formula"]:
    """Points for a class less the mean of those for the other classes.

    Examples
    --------
    >>> relative_points(np.array([[10.0, 0.0, 0.0], [1.0, 2.0, 4.0]]), 0)
    array([10., -2.])
    """
    others = np.delete(points, target, axis=1)
    return np.asarray(points[:, target] - others.mean(axis=1))


def card_part(
    formulas: Iterable[Formula],
    points: Float[Floats, " formula"],
    holds: Bool[Bools, "case formula"],
    is_own: Bool[Bools, " case"],
) -> tuple[CardEntry, ...]:
    """The formulas that speak for a class, strongest first, then those that speak against it.

    Parameters
    ----------
    points
        Relative ones; formulas with none are left out.
    holds
        Which training case satisfies which formula.
    """
    in_class, elsewhere = holds[is_own].mean(0).tolist(), holds[~is_own].mean(0).tolist()
    entries = [
        CardEntry(j, formula, float(points[j]), in_class[j], elsewhere[j])
        for j, formula in enumerate(formulas)
        if points[j] != 0
    ]
    return tuple(sorted(entries, key=lambda entry: (entry.points < 0, -abs(entry.points), entry.number)))


def with_unseen(
    entries: Iterable[CardEntry], holds: Bool[Bools, "case entry"], is_own: Bool[Bools, " case"]
) -> tuple[CardEntry, ...]:
    """The entries with the shares of unseen cases for which they hold."""
    own, others = _shares(holds[is_own]), _shares(holds[~is_own])
    return tuple(
        replace(entry, unseen_in_class=a, unseen_elsewhere=b)
        for entry, a, b in zip(entries, own, others, strict=True)
    )


def _shares(holds: Bool[Bools, "case entry"]) -> list[float | None]:
    return holds.mean(0).tolist() if len(holds) else [None] * holds.shape[1]


def entry_to_json(entry: CardEntry, wording: Wording) -> dict[str, Any]:
    """An entry as plain values, for :func:`entry_from_json`."""
    return {
        "number": entry.number,
        "formula": wording.ascii(entry.formula),
        "points": entry.points,
        "in_class": entry.in_class,
        "elsewhere": entry.elsewhere,
        "is_used": entry.is_used,
        "unseen_in_class": entry.unseen_in_class,
        "unseen_elsewhere": entry.unseen_elsewhere,
    }


def entry_from_json(value: dict[str, Any], read: Callable[[str], Formula]) -> CardEntry:
    """The entry that was written."""
    unseen = {
        name: None if value[name] is None else finite_from_json(value[name])
        for name in ("unseen_in_class", "unseen_elsewhere")
    }
    return CardEntry(
        number=whole(value["number"], "number", error=ExplanationError),
        formula=read(value["formula"]),
        points=finite_from_json(value["points"]),
        in_class=finite_from_json(value["in_class"]),
        elsewhere=finite_from_json(value["elsewhere"]),
        is_used=value["is_used"] is True,
        **unseen,
    )
