"""What would have to be different: the smallest smooth change of a case that flips its prediction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Float
from torch import Tensor

from stelle_nb.arguments import as_index, brief_list, positive, validate_types, whole, with_methods
from stelle_nb.data.cases import Series
from stelle_nb.data.preprocess import Standardiser
from stelle_nb.depict.regions import Case
from stelle_nb.depict.wording import Wording
from stelle_nb.errors import ExplanationError
from stelle_nb.explain.counterfactual.bumps import Bumps
from stelle_nb.explain.counterfactual.changed_case import Counterfactual
from stelle_nb.explain.counterfactual.flipping import FlipSearch, find_change
from stelle_nb.explain.counterfactual.gradient import differentiable_scores
from stelle_nb.explain.local.local_explanation import LocalExplanation
from stelle_nb.explain.reference import Reference
from stelle_nb.explain.targets import class_number
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.printing.phrases import listed
from stelle_nb.model.concept_model import ConceptModel
from stelle_nb.model.outliers import Reach
from stelle_nb.semantics import robustness

SMOOTHNESS = (0.05, 0.02)  # tried in turn if none is asked for
N_STEPS = 12
CLIMB = 3  # times as many steps to meet the demands as to make the change smaller
STRETCHES = (1.0, 1.001, 1.005, 1.02)  # the model may round differently from the search
N_EXAMPLES = 24  # nearest training cases of wanted classes to move towards


class Explainable(Protocol):
    """What this module needs from a fitted classifier."""

    model_: ConceptModel
    reference_: Reference
    series_: Series
    classes_: npt.NDArray[Any]

    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """A probability per class."""

    def explain_local(self, X: Any) -> list[LocalExplanation]:
        """An explanation of each case."""


@validate_types(ExplanationError)
def counterfactual(
    clf: Explainable,
    x: Any,
    *,
    target: Any = None,
    channels: Sequence[int | str] | None = None,
    smoothness: float | None = None,
    bound: float = 8.0,
    explanation: LocalExplanation | None = None,
    n_steps: int = N_STEPS,
) -> Counterfactual:
    """Find a small, smooth change of a case that makes its explanation false and flips the prediction.

    The model's prediction on the result has been checked. There may be smaller changes: the search
    follows gradients and examples, and keeps the smallest change that it finds.

    Parameters
    ----------
    clf
        A fitted :class:`~stelle_nb.estimator.classifier.StelleClassifier`.
    x
        The case ``(n_channels, n_timepoints)``.
    target
        The class to flip to; the one that is closest if left out.
    channels
        Numbers or names of the channels that may change; all if left out.
    smoothness
        Distance, as a share of the length, between the bumps that a change is made of: larger is smoother.
        None for the smoothest that works.
    bound
        How far any sample may change, in deviations of its channel over training cases.
    explanation
        Of the case; computed by the classifier if left out.
    n_steps
        Gradients to follow for a smaller change; more may find one.

    Raises
    ------
    ExplanationError
        If nothing was found within the bound.
    """
    with_methods(
        clf, "clf", "explain_local", "predict_proba", error=ExplanationError, way="Pass a classifier."
    )
    case = _as_case(x)
    explanation = clf.explain_local(case[None])[0] if explanation is None else explanation
    classes = clf.classes_.tolist()
    predicted = int(clf.predict_proba(case[None])[0].argmax())
    wanted = _wanted(target, classes, predicted)
    _check_numbers(smoothness, bound, n_steps)
    if robustness(explanation.formula, case[None])[0] < 0:
        raise ExplanationError("The explanation must be true of the case. Leave it out to have one made.")
    is_free = _free_channels(channels, len(case), explanation.wording)
    scale = torch.tensor(Standardiser.fit(Reach.of(clf.series_).clip(clf.series_)).scale)
    demands = _Demands.of(clf.model_, case, explanation.formula, wanted, scale)
    ways = _ways(case, clf.series_[np.isin(clf.reference_.labels, wanted)], scale)
    spacings = SMOOTHNESS if smoothness is None else (smoothness,)
    for n_climb, spacing in [*((0, spacing) for spacing in spacings), (CLIMB * n_steps, spacings[-1])]:
        bumps = Bumps.over(case.shape[1], spacing * case.shape[1])
        search = FlipSearch(demands, bumps, is_free, bound / STRETCHES[-1])
        u = find_change(search, ways, n_climb=n_climb, n_reduce=n_steps)
        if u is None:
            continue
        change = (scale[:, None] * bumps.change(u)).numpy()
        found = _verified(clf, case, change, explanation, predicted, wanted, scale.numpy(), spacing)
        if found is not None:
            return found
    raise ExplanationError(_nothing_found(target, classes[predicted], channels, smoothness, bound))


@dataclass(frozen=True, slots=True, eq=False)
class _Demands:
    """How far a changed case scores higher for a wanted class, and how false its explanation has become.

    Both are divided by their distance on the unchanged case, so that they can be compared.
    """

    model: ConceptModel
    case: Float[Tensor, "channel time"]
    formula: Formula
    wanted: Sequence[int]
    scale: Float[Tensor, " channel"]
    unit: Float[Tensor, " demand"]

    @classmethod
    def of(
        cls, model: ConceptModel, case: Case, formula: Formula, wanted: Sequence[int], scale: Tensor
    ) -> _Demands:
        plain = cls(model, torch.from_numpy(case), formula, wanted, scale, torch.ones(2, dtype=torch.float64))
        with torch.no_grad():
            size = plain(torch.zeros(1, *case.shape, dtype=torch.float64))[0].abs()
        return replace(plain, unit=torch.where(size > 0, size, 1.0))

    def __call__(self, change: Float[Tensor, "case channel time"]) -> Float[Tensor, "case demand"]:
        X = self.case + self.scale[:, None] * change
        scores = differentiable_scores(self.model, X)
        others = [k for k in range(scores.shape[1]) if k not in self.wanted]
        lead = scores[:, list(self.wanted)].amax(1) - scores[:, others].amax(1)
        return torch.stack([lead, -robustness(self.formula, X)], dim=1) / self.unit


def _verified(
    clf: Explainable,
    case: Case,
    change: Case,
    explanation: LocalExplanation,
    predicted: int,
    wanted: Sequence[int],
    scale: npt.NDArray[np.float64],
    smoothness: float,
) -> Counterfactual | None:
    """The change as the model itself sees it; None if the model does not flip after all."""
    for stretch in STRETCHES:
        signal = case + stretch * change
        probabilities = clf.predict_proba(signal[None])[0]
        said, margin = int(probabilities.argmax()), float(robustness(explanation.formula, signal[None])[0])
        if said in wanted and margin < 0:
            signal.setflags(write=False)
            return Counterfactual(
                case=case,
                signal=signal,
                prediction=clf.classes_.tolist()[predicted],
                flips_to=clf.classes_.tolist()[said],
                probability=float(probabilities[said]),
                formula=explanation.formula,
                robustness=margin,
                scale=scale,
                smoothness=smoothness,
                wording=explanation.wording,
            )
    return None


def _as_case(x: Any) -> Case:
    given = x.detach().cpu() if isinstance(x, Tensor) else x
    try:
        case = np.array(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise ExplanationError(
            f"x must be one case (channel, time) of numbers, got {x!r}. Try X[0]."
        ) from None
    case = case[None] if case.ndim == 1 else case
    case = case[0] if case.ndim == 3 and len(case) == 1 else case
    if case.ndim != 2:
        raise ExplanationError(f"x must be one case (channel, time), got shape {np.shape(x)}. Try X[0].")
    return case


def _wanted(target: Any, classes: list[Any], predicted: int) -> list[int]:
    if target is None:
        return [k for k in range(len(classes)) if k != predicted]
    number = class_number(target, classes)
    if number is None:
        raise ExplanationError(f"target must be one of the classes {brief_list(classes)}, got {target!r}.")
    if number == predicted:
        raise ExplanationError(f"The model says {target!r} already. Choose another class as target.")
    return [number]


def _free_channels(
    channels: Sequence[int | str] | None, n_channels: int, wording: Wording
) -> Float[Tensor, "channel 1"]:
    names = [wording.channel(c) for c in range(n_channels)]
    is_free = torch.full((n_channels, 1), float(channels is None), dtype=torch.float64)
    if channels is not None and not isinstance(channels, Iterable):
        raise ExplanationError(
            f"channels must be a list of channels, got {channels!r}. Write [{channels!r}]."
        )
    for channel in () if channels is None else channels:
        place = names.index(channel) if isinstance(channel, str) and channel in names else as_index(channel)
        if place is None or not 0 <= place < n_channels:
            raise ExplanationError(
                f"channels must be among 0 to {n_channels - 1}, or {names}, got {channel!r}."
            )
        is_free[place] = 1.0
    if not is_free.any():
        raise ExplanationError("channels must name at least one channel, got none. Leave it out for all.")
    return is_free


def _ways(
    case: Case, examples: Series, scale: Float[Tensor, " channel"]
) -> Float[Tensor, "case channel time"]:
    """The changes into the nearest examples, in deviations."""
    ways = torch.tensor(examples - case, dtype=torch.float64) / scale[:, None]
    return ways[ways.flatten(1).norm(dim=1).argsort()[:N_EXAMPLES]]


def _check_numbers(smoothness: Any, bound: Any, n_steps: Any) -> None:
    whole(n_steps, "n_steps", least=1, error=ExplanationError, way="Leave it out for the usual number.")
    if smoothness is not None:
        way = "It is a share of the length; leave it out to try several."
        positive(smoothness, "smoothness", most=1, error=ExplanationError, way=way)
    positive(bound, "bound", error=ExplanationError, way="It counts deviations. Try 8.")


def _nothing_found(
    target: Any, predicted: Any, channels: Sequence[int | str] | None, smoothness: float | None, bound: float
) -> str:
    away = f"from {predicted!r} to {target!r}" if target is not None else f"away from {predicted!r}"
    where = "any channel" if channels is None else f"the channels {list(channels)}"
    ways = ["a larger bound", "another target" if target is not None else "more n_steps"]
    ways += ["more channels"] if channels is not None else []
    ways += ["a smaller smoothness"] if smoothness is not None else []
    return (
        f"No smooth change of up to {bound:g} deviations in {where} was found that moves the prediction "
        f"{away} and makes the explanation false. Try {listed(ways, 'or')}."
    )
