"""The base class of models: concepts, their robustness on a case, and scores based on it alone."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import torch
from jaxtyping import Float, Int
from torch import Tensor

from stelle_nb.data.basis import SignalBasis
from stelle_nb.data.cases import Series
from stelle_nb.kernels.terms import Terms
from stelle_nb.logic.formula import Formula
from stelle_nb.semantics.bank import FormulaBank

VALUES_AT_ONCE = 2**20  # of signals: a part takes a second or two, then progress is reported


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """A model's evidence on some cases: the robustness of every concept, and the data of its kernel."""

    robustness: Float[Tensor, "case concept"]
    terms: Terms | None = None

    def __len__(self) -> int:
        return self.robustness.shape[0]

    def take(self, cases: Int[Tensor, " chosen"]) -> Evidence:
        """The evidence of the chosen cases."""
        cases = cases.to(self.robustness.device)
        terms = None if self.terms is None else self.terms.take(cases)
        return Evidence(self.robustness.index_select(0, cases), terms)


@dataclass(frozen=True, slots=True, eq=False)
class Attributions:
    """What each concept adds to each class score of each case.

    Parameters
    ----------
    values
        They sum over concepts to the score, less the score of an average case.
    error
        By how much that sum is off at most, for each case; 0 where attributions are exact.
    """

    values: Float[Tensor, "case concept cls"]
    error: Float[Tensor, " case"]


class ConceptModel(ABC):
    """A fitted model whose every prediction is a function of the robustness of its concepts.

    Parameters
    ----------
    concepts
        Formulas about the channels of ``basis``; ``basis.shown`` rewrites them in the user's units.
    basis
        The signals that concepts use.
    device
        Where robustness is computed.
    """

    def __init__(self, concepts: tuple[Formula, ...], basis: SignalBasis, *, device: torch.device) -> None:
        self.concepts = concepts
        self.basis = basis
        self.device = device

    @cached_property
    def bank(self) -> FormulaBank:
        """The evaluator of all concepts at once."""
        return FormulaBank(self.concepts, device=self.device)

    @cached_property
    def shown(self) -> tuple[Formula, ...]:
        """The concepts in the channels and units of the data that the model was fitted to."""
        return tuple(map(self.basis.shown, self.concepts))

    def __getstate__(self) -> dict[str, object]:
        """Everything but caches."""
        return {name: value for name, value in self.__dict__.items() if name not in ("bank", "shown")}

    def evidence(self, X: Series) -> Evidence:
        """Evaluate every concept on raw cases."""
        return Evidence(evaluate(self.bank, self.basis, X), self._terms(X))

    def _terms(self, X: Series) -> Terms | None:
        return None

    @property
    @abstractmethod
    def n_classes(self) -> int:
        """Number of classes."""

    @abstractmethod
    def scores(self, evidence: Evidence) -> Float[Tensor, "case cls"]:
        """One number per class; the largest wins."""

    @abstractmethod
    def predict_proba(self, evidence: Evidence) -> Float[Tensor, "case cls"]:
        """A probability per class."""

    @abstractmethod
    def attributions(self, evidence: Evidence) -> Attributions:
        """What each concept adds to each score."""


def evaluate(
    bank: FormulaBank, basis: SignalBasis, X: Series, *, on_part: Callable[[float], object] | None = None
) -> Float[Tensor, "case concept"]:
    """Robustness of formulas about a basis on raw cases, a few cases at a time; on the device of the bank.

    Parameters
    ----------
    on_part
        Called with the share that is done, after every part.
    """
    at_once = max(1, VALUES_AT_ONCE // (basis.n_signals * X.shape[2]))
    parts = []
    for start in range(0, max(1, len(X)), at_once):
        some = X[start : start + at_once]
        parts.append(bank.robustness(torch.from_numpy(basis.transform(some)).to(bank.device)))
        if on_part is not None:
            on_part(min(1.0, (start + at_once) / max(1, len(X))))
    return torch.cat(parts)
