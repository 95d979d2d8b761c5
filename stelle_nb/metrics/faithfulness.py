"""Faithfulness: whether an explanation shows what the decision of the model was based on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import pandas as pd

from stelle_nb.arguments import seed_of, validate_types, whole, with_methods
from stelle_nb.data.cases import Series
from stelle_nb.errors import DataError, ExplanationError
from stelle_nb.explain.local.local_explanation import LocalExplanation
from stelle_nb.explain.targets import class_number
from stelle_nb.metrics.deletion import Deletion, Sheet, delete
from stelle_nb.metrics.intervention import NOT_FALSIFIED, Intervention, intervene
from stelle_nb.model.card.card_model import ScorecardModel
from stelle_nb.model.card.scorecard import Scorecard
from stelle_nb.model.concept_model import ConceptModel

PRINTED_DIGITS = 3  # of the printed card from which predictions are reproduced


class Explains(Protocol):
    """What is asked of a fitted classifier here."""

    model_: ConceptModel
    series_: Series
    classes_: npt.NDArray[Any]

    def predict(self, X: Any) -> Any:
        """The label of each case."""

    def explain_local(self, X: Any, target: Any = None, **gammas: Any) -> list[LocalExplanation]:
        """An explanation of each case."""


@dataclass(frozen=True, slots=True)
class FaithfulnessRow:
    """The faithfulness of one explanation.

    Parameters
    ----------
    case
        Position among the cases.
    target
        The class that is predicted and explained.
    shown
        How many concepts the explanation shows.
    nodes, most_nodes
        Their size on average, and of the largest.
    deletion
        What becomes of the prediction without them, and with them alone.
    one, every
        What becomes of it once the signal is changed so that the formula is false: the one condition that is
        the easiest to refute, or all of them.
    simulatability
        1 if the printed card, its numbers rounded, predicts the same, else 0; NaN for what is no card.
    """

    case: int
    target: Any
    shown: int
    nodes: float
    most_nodes: int
    deletion: Deletion
    one: Intervention
    every: Intervention
    simulatability: float

    def to_dict(self) -> dict[str, Any]:
        """All numbers by name; ``elsewhere`` is the control of ``intervention``, if there is room."""
        plain = {name: getattr(self, name) for name in ("case", "target", "shown", "nodes", "most_nodes")}
        changes: dict[str, Any] = {}
        for prefix, found in (("", self.one), ("every_", self.every)):
            changes |= {
                f"{prefix}intervention": found.changed,
                f"{prefix}elsewhere": found.elsewhere,
                f"{prefix}has_control": float(not np.isnan(found.elsewhere)),
                f"{prefix}falsified": found.falsified,
                f"{prefix}change_size": found.size,
                f"{prefix}changed_samples": found.samples if found.falsified else np.nan,
            }
        return {**plain, **asdict(self.deletion), **changes, "simulatability": self.simulatability}


@dataclass(frozen=True, slots=True)
class Faithfulness:
    """The faithfulness of many explanations: means over the rows are the shares that are reported."""

    rows: tuple[FaithfulnessRow, ...]

    def to_frame(self) -> pd.DataFrame:
        """A row for each explanation."""
        return pd.DataFrame([row.to_dict() for row in self.rows], columns=None if self.rows else COLUMNS)

    def summary(self) -> pd.DataFrame:
        """For each measure its mean and deviation, and the number of explanations that have it."""
        numbers = self.to_frame().drop(columns=["case", "target"]).astype(float)
        found = numbers.agg(["mean", "std", "max", "count"]).T
        return found.astype({"count": int}).rename_axis("measure")

    def mean(self, measure: str) -> float:
        """A measure averaged over the explanations that have it; NaN if none does."""
        return float(self.to_frame()[measure].astype(float).mean())

    def __repr__(self) -> str:
        names = ("relevance_carried", "comprehensiveness", "random_comprehensiveness", "sufficiency")
        said = ", ".join(f"{name} {self.mean(name):.3g}" for name in names)
        return f"<Faithfulness of {len(self.rows)} explanations: {said}>"


@validate_types(ExplanationError)
def faithfulness(
    clf: Explains,
    X: Any,
    explanations: Sequence[LocalExplanation] | None = None,
    *,
    random_state: Any = 0,
    n_random: int = 20,
    **gammas: Any,
) -> Faithfulness:
    """Measure whether explanations of cases show what the model's decision was based on.

    Parameters
    ----------
    clf
        A fitted classifier of any variant.
    X
        Cases, unseen ones for an honest answer.
    explanations
        One for each case, for the class that is predicted; asked of the classifier if left out.
    random_state
        Of the draws that serve as controls.
    n_random
        Draws for each control: random concepts to remove, and equal changes of the signal elsewhere.
    **gammas
        As for ``explain_local``, if explanations are left out.

    Notes
    -----
    The model is the judge. For a prediction of class k, the relevance of a concept is what it adds to the
    score of k less what it adds to the other scores on average. A concept is removed from a score card by
    setting its degree to 0. The dense model and the paper's network have attributions in place of
    contributions, exact for the former, integrated gradients for the latter; a concept is removed by taking
    its attribution from the scores.

    Examples
    --------
    >>> found = faithfulness(clf, X_test, gamma_t=0.8)  # doctest: +SKIP
    >>> found.summary().loc["comprehensiveness", "mean"]  # doctest: +SKIP
    0.83
    """
    with_methods(clf, "clf", "explain_local", "predict", error=ExplanationError, way="Pass a classifier.")
    n_random = whole(n_random, "n_random", least=1, error=ExplanationError, way="Try 20.")
    rng = np.random.default_rng(seed_of(random_state, error=ExplanationError))
    explanations = clf.explain_local(X, **gammas) if explanations is None else list(explanations)
    _check(explanations, X)
    if not explanations:
        return Faithfulness(())
    ones = intervene(clf, explanations, rng=rng, n_random=n_random)
    all_of_them = intervene(clf, explanations, rng=rng, n_random=n_random, every=True)
    simulated = simulatability(clf.model_, _cases(explanations))
    deletions = delete_shown(clf, explanations, rng=rng, n_random=n_random)
    rows = []
    for i, why in enumerate(explanations):
        numbers = shown_numbers(why)
        sizes = [clf.model_.shown[number].size for number in numbers]
        rows.append(
            FaithfulnessRow(
                case=i,
                target=why.target,
                shown=len(numbers),
                nodes=float(np.mean(sizes)) if sizes else np.nan,
                most_nodes=max(sizes, default=0),
                deletion=deletions[i],
                one=ones[i],
                every=all_of_them[i],
                simulatability=simulated[i],
            )
        )
    return Faithfulness(tuple(rows))


def delete_shown(
    clf: Explains, explanations: Sequence[LocalExplanation], *, rng: np.random.Generator, n_random: int
) -> list[Deletion]:
    """What each explanation carries of its prediction: the measures that leave the signal as it is."""
    if not explanations:
        return []
    evidence, classes = clf.model_.evidence(_cases(explanations)), clf.classes_.tolist()
    found = []
    for i, why in enumerate(explanations):
        sheet, target = Sheet.of(clf.model_, evidence, i), class_number(why.target, classes)
        if target is None:
            raise ExplanationError(f"Explanation {i} argues for {why.target!r}, which clf does not know.")
        found.append(delete(sheet, shown_numbers(why), target, rng=rng, n_random=n_random))
    return found


def _cases(explanations: Sequence[LocalExplanation]) -> Series:
    return np.stack([np.asarray(why.case, dtype=np.float64) for why in explanations])


def shown_numbers(why: LocalExplanation) -> list[int]:
    """The numbers of the concepts that an explanation shows: of its conjuncts, if it does not say which."""
    return [part.number for part in getattr(why, "shown", why.conjuncts)]


def simulatability(model: ConceptModel, X: Series) -> list[float]:
    """1 for each case for which the printed, rounded card predicts what the card does, else 0.

    NaN for a model that is no card: nobody can apply it with a pencil.
    """
    if not isinstance(model, ScorecardModel):
        return [float("nan")] * len(X)
    printed = Scorecard.from_text(model.card.to_text(PRINTED_DIGITS))
    return [float(same) for same in printed.scores(X).argmax(1) == model.card.scores(X).argmax(1)]


def _check(explanations: Sequence[LocalExplanation], X: Any) -> None:
    if len(explanations) != len(X):
        raise DataError(f"X has {len(X)} cases, but there are {len(explanations)} explanations.")
    for i, why in enumerate(explanations):
        if why.target != why.prediction:
            raise ExplanationError(
                f"Faithfulness is measured for predicted classes; explanation {i} argues for {why.target!r} "
                f"where {why.prediction!r} is predicted. Leave it out, or leave out target."
            )


_NOTHING = FaithfulnessRow(
    case=0,
    target="",
    shown=0,
    nodes=np.nan,
    most_nodes=0,
    deletion=Deletion(*(np.nan,) * len(fields(Deletion))),
    one=NOT_FALSIFIED,
    every=NOT_FALSIFIED,
    simulatability=np.nan,
)
COLUMNS = list(_NOTHING.to_dict())
