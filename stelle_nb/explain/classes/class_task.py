"""What a method is given to describe a class, and what it returns."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Bool, Float

from stelle_nb.data.cases import Series
from stelle_nb.explain.classes.card_part import CardEntry
from stelle_nb.explain.classes.cover import Cover
from stelle_nb.explain.local.local_clause import Gammas
from stelle_nb.explain.local.local_level import Setting
from stelle_nb.explain.local.relevance import check_gammas, class_relevance
from stelle_nb.logic.formula import Formula
from stelle_nb.model.concept_model import ConceptModel, Evidence
from stelle_nb.progress import Share, unheard


@dataclass(slots=True, eq=False)
class ClassMemory:
    """What descriptions of classes share, as long as model and training cases stay the same.

    Attributes
    ----------
    relevance
        Of every concept to each training case of a class, by its number.
    found
        What a method found that does not depend on ``gamma_g``, by keys of its own.
    """

    relevance: dict[int, npt.NDArray[np.float32]] = field(default_factory=dict)
    found: dict[Hashable, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class ClassTask:
    """What a method is given to describe a class.

    Parameters
    ----------
    setting
        Model and training cases.
    evidence
        What the model knows about the training cases.
    series, n_fitted
        The training cases themselves, and how many of them, the first, the model was fitted on.
    target
        Number of the class.
    gammas
        Of the local explanations that a method may start from.
    gamma_g
        How much of the class may be given up for a shorter formula.
    seed
        Of everything that the method draws at random.
    memory
        What is computed once for all values of ``gamma_g``.
    tell
        Called with the share of the work that is done.
    """

    setting: Setting
    evidence: Evidence
    series: Series
    n_fitted: int
    target: int
    gammas: Gammas = field(default_factory=Gammas)
    gamma_g: float = 0.0
    seed: int = 0
    memory: ClassMemory = field(default_factory=ClassMemory)
    tell: Share = unheard

    def __post_init__(self) -> None:
        check_gammas(gamma_g=self.gamma_g)
        self.setting.reference.check_target(self.target)

    @property
    def relevance(self) -> Float[npt.NDArray[np.float32], "own concept"]:
        """Of every concept to each training case of the class; computed once."""
        known = self.memory.relevance
        if self.target not in known:
            is_own = self.setting.reference.labels == self.target
            known[self.target] = own_relevance(self.setting.model, self.evidence, is_own, self.target)
        return known[self.target]


@dataclass(frozen=True, slots=True)
class ChosenClauses:
    """What a method chose.

    Parameters
    ----------
    parts
        The conditions of each alternative, in the user's channels and units.
    needed
        How many of the alternatives have to hold.
    cover
        The set cover that was used, if any.
    card
        The class's part of the score card, if the model is one and the method reads it.
    """

    parts: tuple[tuple[Formula, ...], ...]
    needed: int = 1
    cover: Cover | None = None
    card: tuple[CardEntry, ...] = ()


def own_relevance(
    model: ConceptModel, evidence: Evidence, is_own: Bool[npt.NDArray[np.bool_], " case"], target: int
) -> Float[npt.NDArray[np.float32], "own concept"]:
    """Relevance of every concept to each case of a class, for that class.

    Cases are taken one by one, so that the relevance of a case does not depend on its company and an
    update gives what a computation from scratch would.
    """
    members = np.flatnonzero(is_own).tolist()
    rows = np.empty((len(members), len(model.concepts)), dtype=np.float32)
    for row, i in zip(rows, members, strict=True):
        case = evidence.take(torch.tensor([i]))
        row[:] = class_relevance(model.attributions(case).values[0].cpu().numpy(), target)
    return rows
