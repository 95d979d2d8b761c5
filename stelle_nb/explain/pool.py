"""Short formulas to describe classes with, evaluated on training cases and on imagined ones."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Bool, Float, Int

from stelle_nb.concepts.channels import rename_channels
from stelle_nb.concepts.families import sample_intervals, sample_nested
from stelle_nb.concepts.tubes import sample_tubes
from stelle_nb.data.basis import SignalBasis
from stelle_nb.data.cases import Series
from stelle_nb.explain.imagined import imagine_cases
from stelle_nb.explain.reading import reading_costs
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Tube
from stelle_nb.model.concept_model import ConceptModel
from stelle_nb.semantics.bank import FormulaBank

Floats = npt.NDArray[np.floating[Any]]

N_IMAGINED = 400
N_INTERVALS, N_NESTED, N_TUBES, N_PAIRS = 2000, 500, 4000, 2500
POINTS, PAIR_POINTS = (3, 4, 5, 7, 9, 11), (3, 4, 5)


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """Candidate formulas with their values on cases whose class the data or the model say.

    Parameters
    ----------
    concepts, basis
        The formulas, and the signals that they speak of.
    costs
        What each formula costs to read.
    is_shape
        Which of them are tubes: that a signal does not follow a shape says little to a reader.
    robustness, labels
        On the labelled cases, in the order of the reference.
    imagined, predicted
        On imagined cases, with the class that the model predicts for them.
    """

    concepts: tuple[Formula, ...]
    basis: SignalBasis
    costs: Float[Floats, " concept"]
    is_shape: Bool[npt.NDArray[np.bool_], " concept"]
    robustness: Float[Floats, "case concept"]
    labels: Int[npt.NDArray[np.intp], " case"]
    imagined: Float[Floats, "imagined concept"]
    predicted: Int[npt.NDArray[np.intp], " imagined"]

    @classmethod
    def draw(
        cls, model: ConceptModel, X: Series, labels: Int[npt.NDArray[np.intp], " case"], *, seed: int = 0
    ) -> Pool:
        """Draw formulas from training cases and evaluate them on these and on imagined cases."""
        rng = np.random.default_rng(seed)
        basis = SignalBasis.fit(X, _signals(X.shape[1], X.shape[2]))
        concepts = _draw_formulas(basis.transform(X), rng)
        between = imagine_cases(X, labels, N_IMAGINED, rng=rng)
        predicted = model.scores(model.evidence(between)).argmax(1).cpu().numpy()
        costs = reading_costs(concepts, basis).astype(np.float32)
        return cls(
            concepts, basis, costs, np.array([isinstance(concept, Tube) for concept in concepts]),
            _evaluate(concepts, basis, X), labels, _evaluate(concepts, basis, between), predicted,
        )  # fmt: skip

    def extended(self, X: Series, labels: Int[npt.NDArray[np.intp], " case"]) -> Pool:
        """The same formulas with further labelled cases."""
        values = _evaluate(self.concepts, self.basis, X)
        return replace(
            self,
            robustness=np.concatenate([self.robustness, values]),
            labels=np.concatenate([self.labels, labels]),
        )


def _signals(n_channels: int, n_timepoints: int) -> list[Signal]:
    """Values, smoothed values and smoothed changes of every channel, the changes last."""
    window = max(2, n_timepoints // 20)
    kinds = ((0, 1), (0, window), (1, window))
    return [Signal(channel, lag, width) for lag, width in kinds for channel in range(n_channels)]


def _draw_formulas(signals: Series, rng: np.random.Generator) -> tuple[Formula, ...]:
    drawn = sample_intervals(signals, N_INTERVALS, random_state=rng)
    drawn += sample_nested(signals, N_NESTED, random_state=rng)
    n_values = 2 * signals.shape[1] // 3
    drawn += _draw_tubes(signals[:, :n_values], 2 / 3, 0.3, rng)
    shift = {j: j + n_values for j in range(signals.shape[1] - n_values)}
    changes = _draw_tubes(signals[:, n_values:], 1 / 3, 0.0, rng)  # changes are relative already
    drawn += [rename_channels(tube, shift) for tube in changes]
    return tuple(dict.fromkeys(drawn))


def _draw_tubes(signals: Series, share: float, relative: float, rng: np.random.Generator) -> list[Formula]:
    single, pairs = round(share * N_TUBES), round(share * N_PAIRS)
    drawn = sample_tubes(signals, single, n_points=POINTS, relative=relative, random_state=rng)
    if signals.shape[1] > 1:
        drawn += sample_tubes(
            signals, pairs, n_tracks=(2,), n_points=PAIR_POINTS, relative=relative, random_state=rng
        )
    return drawn


def _evaluate(concepts: tuple[Formula, ...], basis: SignalBasis, X: Series) -> Float[Floats, "case concept"]:
    signals = torch.from_numpy(basis.transform(X))
    return np.asarray(FormulaBank(concepts, device="cpu").robustness(signals).numpy())
