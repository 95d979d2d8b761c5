"""The parts of a class explanation: alternatives, and the conditions that each joins by and."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
import numpy.typing as npt
from jaxtyping import Bool

from stelle_nb.depict.wording import Wording
from stelle_nb.explain.document import finite_from_json
from stelle_nb.logic.formula import Formula

Bools = npt.NDArray[np.bool_]


@final
@dataclass(frozen=True, slots=True)
class ClassConjunct:
    """One of the conditions that an alternative of a class explanation joins by and.

    Parameters
    ----------
    formula
        The condition, simplified.
    relevance
        How much it matters to the whole: by how much the share of training cases on the right side falls if
        it is left out.
    separability
        Share of the training cases of other classes that this condition alone excludes.
    """

    formula: Formula
    relevance: float
    separability: float


@final
@dataclass(frozen=True, slots=True)
class ClassClause:
    """One of the alternatives that a class explanation joins by or.

    Parameters
    ----------
    formula
        The alternative, simplified.
    covered
        Numbers of the training cases of the class that satisfy it; cases of updates continue the numbering.
    excluded
        Share of the training cases of other classes that it excludes.
    conjuncts
        Its conditions.
    """

    formula: Formula
    covered: tuple[int, ...]
    excluded: float
    conjuncts: tuple[ClassConjunct, ...]


def conjunct_relevance(
    holds: Sequence[Bool[Bools, "case conjunct"]], is_own: Bool[Bools, " case"], needed: int = 1
) -> list[list[float]]:
    """By how much the share of cases on the right side falls without each condition.

    An alternative without its only condition is left out, too.

    Parameters
    ----------
    holds
        For each alternative, which cases satisfy each of its conditions.
    needed
        How many of the alternatives have to hold.

    Examples
    --------
    >>> first, second = np.array([[1, 1], [1, 0], [0, 1]], bool), np.array([[0], [1], [0]], bool)
    >>> conjunct_relevance([first, second], np.array([True, True, False]))
    [[0.333..., 0.0], [0.333...]]
    """

    def right(alternatives: Sequence[Bool[Bools, "case conjunct"]]) -> float:
        satisfied = [each.all(1) for each in alternatives if each.shape[1]]
        return float(((np.sum(satisfied, axis=0) >= needed) == is_own).mean())

    def without(c: int, i: int) -> list[Bool[Bools, "case conjunct"]]:
        return [np.delete(each, i, axis=1) if k == c else each for k, each in enumerate(holds)]

    whole = right(holds)
    return [[whole - right(without(c, i)) for i in range(each.shape[1])] for c, each in enumerate(holds)]


def clause_to_json(clause: ClassClause, wording: Wording) -> dict[str, Any]:
    """A clause as plain values, for :func:`clause_from_json`."""
    return {
        "formula": wording.ascii(clause.formula),
        "covered": list(clause.covered),
        "excluded": clause.excluded,
        "conjuncts": [
            {
                "formula": wording.ascii(part.formula),
                "relevance": part.relevance,
                "separability": part.separability,
            }
            for part in clause.conjuncts
        ],
    }


def clause_from_json(value: dict[str, Any], read: Callable[[str], Formula]) -> ClassClause:
    """The clause that was written; ``read`` makes formulas of their text."""
    return ClassClause(
        read(value["formula"]),
        tuple(int(i) for i in value["covered"]),
        finite_from_json(value["excluded"]),
        tuple(
            ClassConjunct(
                read(part["formula"]),
                finite_from_json(part["relevance"]),
                finite_from_json(part["separability"]),
            )
            for part in value["conjuncts"]
        ),
    )
