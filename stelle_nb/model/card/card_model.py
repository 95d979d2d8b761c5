"""The score card as a model among others: its formulas are the concepts, its points the attributions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Float, Int
from torch import Tensor

from stelle_nb.data.basis import SignalBasis
from stelle_nb.data.cases import Series
from stelle_nb.data.preprocess import Standardiser
from stelle_nb.data.units import to_standardised
from stelle_nb.logic.expansion import expand
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Atom, Formula, Tube
from stelle_nb.logic.traversal import transform
from stelle_nb.logic.weighted_sum import Term, WeightedSum
from stelle_nb.model.card.card_config import CardConfig
from stelle_nb.model.card.labels_alone import card_from_labels
from stelle_nb.model.card.learner import learn_card
from stelle_nb.model.card.lesson import Teacher, prepare_lesson
from stelle_nb.model.card.scorecard import Scorecard
from stelle_nb.model.concept_model import Attributions, ConceptModel, Evidence
from stelle_nb.model.dense.dense_model import fit_default
from stelle_nb.progress import Progress, Share, as_progress

# Hundredths of the work: the teacher is fitted, labels alone were tried, the teacher has answered.
TEACHING, SEEKING, ASKING = 25, 35, 55
STAGES = {
    0: "the dense model is fitted as a teacher",
    TEACHING: "if the teacher errs often, a card is sought in the labels alone",
    SEEKING: "the teacher labels synthetic cases",
    ASKING: "idioms are drawn and chosen",
}
"""What happens from each hundredth of the reported progress on."""


class ScorecardModel(ConceptModel):
    """A score card whose formulas serve as concepts.

    Parameters
    ----------
    card
        In the user's units.
    basis
        The channels that the card uses, all in one unit, so that robustness is divided by one number
        whatever channels a formula compares; see :func:`card_basis`.
    device
        Where robustness is computed.
    """

    def __init__(self, card: Scorecard, basis: SignalBasis, *, device: torch.device) -> None:
        scaling = basis.standardiser
        standardised = (to_standardised(phi, scaling.scale, scaling.offset) for phi in card.formulas)
        unit = float(scaling.scale[0])
        concepts = (transform(phi, lambda node: _in_unit(node, unit)) for phi in standardised)
        super().__init__(tuple(concepts), basis, device=device)
        self.card = card

    @property
    def n_classes(self) -> int:
        return self.card.n_classes

    @property
    def unit(self) -> float:
        """What robustness is divided by."""
        return float(self.basis.standardiser.scale[0])

    def robustness(self, X: Series) -> Float[npt.NDArray[np.float64], "case formula"]:
        """Of the card's formulas, in double precision in the user's units."""
        return np.asarray(self.card.robustness(np.array(X, dtype=np.float64), device=self.device))

    def evidence(self, X: Series) -> Evidence:
        """Robustness, computed in double precision in the user's units, then in those of the basis."""
        return Evidence((torch.from_numpy(self.robustness(X)) / self.unit).float())

    def degrees(self, evidence: Evidence) -> Float[Tensor, "case formula"]:
        """How clearly each formula holds, from -1 to 1."""
        robustness = evidence.robustness.double()
        reach = torch.from_numpy(self.card.reach.copy()).to(robustness.device)
        return (robustness * self.unit / reach).clamp(-1, 1)

    def scores(self, evidence: Evidence) -> Float[Tensor, "case cls"]:
        degrees = self.degrees(evidence)
        return degrees @ self._placed(self.card.points, degrees) + self._placed(self.card.bias, degrees)

    def predict_proba(self, evidence: Evidence) -> Float[Tensor, "case cls"]:
        return (self.card.sharpness * self.scores(evidence)).softmax(1)

    def attributions(self, evidence: Evidence) -> Attributions:
        """What each formula adds to each score: they sum to the scores less the bias."""
        degrees = self.degrees(evidence)
        values = degrees[:, :, None] * self._placed(self.card.points, degrees)
        return Attributions(values.float(), torch.zeros(len(evidence)))

    @staticmethod
    def _placed(array: Any, beside: Tensor) -> Tensor:
        return torch.from_numpy(array.copy()).to(beside.device)


def _in_unit(node: Formula, unit: float) -> Formula:
    """A comparison of a sum or of z-scores, whose robustness is the same in any unit, divided by the unit."""
    match node:
        case Tube(tracks) if any(track.signal.zscore for track in tracks):
            return transform(expand(node), lambda part: _in_unit(part, unit))
        case Atom(Signal(zscore=True) as signal):
            return _in_unit(replace(node, signal=WeightedSum((Term(1.0, signal),))), unit)
        case Atom(WeightedSum(terms), _, threshold):
            weighted = WeightedSum(tuple(replace(term, weight=term.weight / unit) for term in terms))
            return replace(node, signal=weighted, threshold=threshold / unit)
        case _:
            return node


def card_labels(labels: Sequence[Any]) -> list[Any]:
    """Labels as a card can hold them: those of unusual kinds by their text.

    Examples
    --------
    >>> card_labels(["a", 1]), card_labels([frozenset({1}), None])
    (['a', 1], ['frozenset({1})', 'None'])
    """
    plain = [label if isinstance(label, str | int | float | tuple) else str(label) for label in labels]
    return plain if len({repr(label) for label in plain}) == len(plain) else [repr(each) for each in labels]


def card_basis(X: Series) -> SignalBasis:
    """All raw channels, centred, and divided by the least deviation of any that varies.

    One divisor for all keeps every ratio of robustness as it is in the user's units.
    """
    offset, deviation = X.mean(axis=(0, 2)), X.std(axis=(0, 2))
    varying = deviation[deviation > 0]
    unit = float(varying.min()) if len(varying) else 1.0
    signals = tuple(Signal(channel) for channel in range(X.shape[1]))
    return SignalBasis(signals, Standardiser(offset.astype(np.float64), np.full(len(signals), unit)))


def fit_scorecard(
    X: Series,
    labels: Int[Tensor, " case"],
    classes: Sequence[Any],
    *,
    n_formulas: int,
    n_concepts: int | None = None,
    teacher: Teacher | None = None,
    units: Sequence[str | None] | None = None,
    config: CardConfig | None = None,
    random_state: int | np.random.Generator | None = None,
    device: torch.device,
    progress: Progress | bool | None = None,
) -> tuple[ScorecardModel, Evidence]:
    """Fit the dense model and distil it into a score card; also return the card's evidence on the cases.

    Where the dense model errs often, a card is learned from the labels alone as well, see
    :func:`stelle_nb.model.card.labels_alone.card_from_labels`.

    Parameters
    ----------
    X, labels, classes
        Finite training cases, their class numbers from 0 on, and the labels that these stand for.
    n_formulas
        Formulas for each class, on average.
    n_concepts
        Size of the dense model's vocabulary; None for its own choice.
    teacher
        A fitted model to imitate instead of the dense one.
    units
        Of the channels, if known: channels of different units are not compared.
    """
    report = as_progress(progress, "fitting")
    config = config or CardConfig()
    rng = np.random.default_rng(random_state)
    numbers, card = labels.numpy().astype(np.intp), None

    def between(start: int, stop: int) -> Share:
        def tell(share: float) -> None:
            report(round(start + (stop - start) * share), 100)

        return tell

    if teacher is None:
        teaching = between(0, TEACHING)
        dense, _ = fit_default(
            X, labels, n_classes=len(classes), n_concepts=n_concepts, config=config.teacher, random_state=rng,
            device=device, progress=lambda done, total: teaching(done / total),
        )  # fmt: skip

        def teacher(cases: Series) -> Any:
            return dense.predict_proba(dense.evidence(cases)).cpu().double().numpy()

        if dense.loo_error is not None and dense.loo_error > config.doubt:
            card = card_from_labels(
                X, numbers, classes, n_formulas=n_formulas, error=dense.loo_error, config=config,
                rng=rng.spawn(1)[0], device=device, units=units, tell=between(TEACHING, SEEKING),
            )  # fmt: skip
    if card is None:
        lesson = prepare_lesson(
            X, numbers, teacher, n_formulas=n_formulas * len(classes), config=config, rng=rng,
            tell=between(SEEKING, ASKING),
        )  # fmt: skip
        card = learn_card(
            lesson, classes, n_formulas=n_formulas, config=config, rng=rng, device=device, units=units,
            tell=between(ASKING, 100),
        )  # fmt: skip
    report(100, 100)
    model = ScorecardModel(card, card_basis(X), device=device)
    return model, model.evidence(X)
