"""What local explanations are worth: on the training cases, and on unseen ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import pandas as pd
from jaxtyping import Float

from stelle_nb.arguments import validate_types, with_methods
from stelle_nb.errors import DataError, ExplanationError
from stelle_nb.explain.local.local_explanation import LocalExplanation
from stelle_nb.logic.formula import Formula
from stelle_nb.metrics.deletion import Deletion
from stelle_nb.metrics.faithfulness import delete_shown
from stelle_nb.metrics.readability import Readability, readability
from stelle_nb.metrics.shares import as_list, check_lengths, is_of, is_other, satisfaction, share

Floats = npt.NDArray[np.float64]
Positions = Sequence[int | None]

CORRECT = "correct"
FOR_PREDICTED = "misclassified, for the predicted class"
FOR_TRUE = "misclassified, for the true class"
OTHER = "for another class"
N_RANDOM = 20  # draws of as many random concepts as are shown


@validate_types(ExplanationError)
def local_separability(
    formulas: Sequence[Formula],
    cases: Any,
    X: Any,
    y: Any,
    targets: Sequence[Any],
    *,
    positions: Positions | None = None,
) -> Float[Floats, " formula"]:
    """Share of the cases of other classes on which a formula differs in sign from the explained case.

    Parameters
    ----------
    formulas, cases, targets
        For each explanation its formula, the case that it explains and the class that it argues for.
    X, y
        The cases to be told apart from: training cases in the paper, unseen ones for an honest answer.
    positions
        Where the explained cases are in ``X``, to leave them out; None for those that are not there.

    Notes
    -----
    Eq. (sepl) of the paper as a share of 1. A sign is whether robustness is at least 0.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> X = np.array([[[0.0]], [[1.0]], [[3.0]]])
    >>> local_separability([parse("x0 >= 2")], X[2:], X[:2], ["low", "mid"], ["high"]).tolist()
    [1.0]
    """
    check_lengths(X, y=y)
    own = np.diagonal(satisfaction(formulas, cases))
    opponents = ~is_of(y, targets) & is_other(len(X), _positions(positions, formulas))
    return share(satisfaction(formulas, X) != own, opponents)


@validate_types(ExplanationError)
def coverage(
    formulas: Sequence[Formula], X: Any, y: Any, targets: Sequence[Any], *, positions: Positions | None = None
) -> Float[Floats, " formula"]:
    """Share of the cases of its class that satisfy a local explanation: how general the reason is.

    It is NaN for a class that has no case in ``y``. Parameters are those of :func:`local_separability`.
    """
    check_lengths(X, y=y)
    own = is_of(y, targets) & is_other(len(X), _positions(positions, formulas))
    return share(satisfaction(formulas, X), own)


@dataclass(frozen=True, slots=True)
class LocalRow:
    """The measures of one local explanation; NaN where there is no case to measure on.

    Parameters
    ----------
    case
        Position among the test cases.
    group
        Whether the case was classified correctly, and if not, for which class the explanation argues.
    separability, unseen_separability
        On training cases and on test cases, the explained one left out.
    coverage, unseen_coverage
        Likewise.
    fidelity_precision
        Share of the test cases satisfying the formula that the model assigns to the target.
    fidelity_recall
        Share of the test cases that the model assigns to the target that satisfy the formula.
    relevance_share
        Share of the model's relevance that the formula's concepts carry.
    readability
        Nodes and channels.
    deletion
        What the shown concepts carry of the prediction; None where another class is explained, or where
        nobody measured it.
    """

    case: int
    group: str
    target: Any
    separability: float
    unseen_separability: float
    coverage: float
    unseen_coverage: float
    fidelity_precision: float
    fidelity_recall: float
    relevance_share: float
    readability: Readability
    deletion: Deletion | None = None


@dataclass(frozen=True, slots=True)
class LocalQuality:
    """The measures of many local explanations."""

    rows: tuple[LocalRow, ...]

    def to_frame(self) -> pd.DataFrame:
        """A row for each explanation."""
        return pd.DataFrame([_flat(row) for row in self.rows], columns=_COLUMNS)

    def summary(self) -> pd.DataFrame:
        """For each group the number of explanations, and mean and deviation of every measure."""
        groups = self.to_frame().drop(columns=["case", "target"]).groupby("group", sort=False)
        found = groups.agg(["mean", "std"])
        found.insert(0, ("explanations", "count"), groups.size())
        return found


@validate_types(ExplanationError)
def measure_local(
    explanations: Sequence[LocalExplanation],
    positions: Sequence[int],
    *,
    X_train: Any,
    y_train: Any,
    X_test: Any,
    y_test: Any,
    predictions: Any,
    deletions: Sequence[Deletion | None] | None = None,
) -> LocalQuality:
    """Measure explanations of test cases.

    Parameters
    ----------
    explanations, positions
        Explanations, and the test case that each of them explains.
    X_train, y_train
        What they were made from.
    X_test, y_test, predictions
        Cases that were not, their labels and the model's answers.
    deletions
        What each explanation carries of its prediction, if it was measured.
    """
    check_lengths(X_train, y_train=y_train)
    check_lengths(X_test, y_test=y_test, predictions=predictions)
    if len(explanations) != len(positions):
        raise DataError(f"There are {len(explanations)} explanations, but {len(positions)} positions.")
    carried = [None] * len(explanations) if deletions is None else list(deletions)
    if len(carried) != len(explanations):
        raise DataError(f"There are {len(explanations)} explanations, but {len(carried)} deletions.")
    formulas = [each.formula for each in explanations]
    targets = [each.target for each in explanations]
    train, test = satisfaction(formulas, X_train), satisfaction(formulas, X_test)  # (case, formula)
    own = test[list(positions), range(len(formulas))]
    mine_train, mine_test = is_of(y_train, targets), is_of(y_test, targets)
    other, predicted = is_other(len(X_test), positions), is_of(predictions, targets)
    measures = {
        "separability": share(train != own, ~mine_train),
        "unseen_separability": share(test != own, ~mine_test & other),
        "coverage": share(train, mine_train),
        "unseen_coverage": share(test, mine_test & other),
        "fidelity_precision": share(predicted, test & other),
        "fidelity_recall": share(test, predicted & other),
    }
    truth, answers = as_list(y_test), as_list(predictions)
    rows = (
        LocalRow(
            case=case,
            group=_group(each.target, truth[case], answers[case]),
            target=each.target,
            relevance_share=each.relevance_share,
            readability=readability(each.formula, each.before),
            deletion=carried[j],
            **{name: float(values[j]) for name, values in measures.items()},
        )
        for j, (each, case) in enumerate(zip(explanations, positions, strict=True))
    )
    return LocalQuality(tuple(rows))


class ExplainsCases(Protocol):
    """What is asked of a classifier here."""

    def predict(self, X: Any) -> Any:
        """The label of each case."""

    def explain_local(self, X: Any, target: Any = None, **gammas: Any) -> list[LocalExplanation]:
        """An explanation of each case."""


@validate_types(ExplanationError)
def local_quality(
    clf: ExplainsCases, *, X_train: Any, y_train: Any, X_test: Any, y_test: Any, **gammas: Any
) -> LocalQuality:
    """Explain every test case for its predicted class, and for the true one if that is another; measure all.

    How far the shown concepts carry the prediction is measured as well; :func:`faithfulness` changes the
    signals, too, which takes longer.

    Parameters
    ----------
    clf
        Fitted on the training cases.
    **gammas
        As for ``explain_local``.
    """
    with_methods(clf, "clf", "explain_local", "predict", error=ExplanationError, way="Pass a classifier.")
    check_lengths(X_train, y_train=y_train)
    check_lengths(X_test, y_test=y_test)
    predictions = clf.predict(X_test)
    truth = as_list(y_test)
    wrong = [i for i, answer in enumerate(as_list(predictions)) if answer != truth[i]]
    explanations = clf.explain_local(X_test, **gammas)
    deletions: list[Deletion | None] = [None] * len(explanations)
    if hasattr(clf, "model_"):
        rng = np.random.default_rng(getattr(clf, "seed_", 0))
        deletions[:] = delete_shown(clf, explanations, rng=rng, n_random=N_RANDOM)  # type: ignore[arg-type]
    if wrong:
        explanations = explanations + clf.explain_local(
            np.asarray(X_test)[wrong], target=[truth[i] for i in wrong], **gammas
        )
    return measure_local(
        explanations,
        [*range(len(truth)), *wrong],
        X_train=X_train,
        y_train=y_train,
        X_test=X_test,
        y_test=y_test,
        predictions=predictions,
        deletions=[*deletions, *(None for _ in wrong)],
    )


def _group(target: Any, truth: Any, answer: Any) -> str:
    if target not in (truth, answer):
        return OTHER
    if truth == answer:
        return CORRECT
    return FOR_PREDICTED if target == answer else FOR_TRUE


def _positions(positions: Positions | None, formulas: Sequence[Formula]) -> Positions:
    return [None] * len(formulas) if positions is None else positions


def _flat(row: LocalRow) -> dict[str, Any]:
    flat = asdict(row)
    counts: dict[str, Any] = flat.pop("readability")
    carried: dict[str, Any] = flat.pop("deletion") or dict.fromkeys(_CARRIED, np.nan)
    return flat | counts | carried


_CARRIED = [f.name for f in fields(Deletion)]
_COLUMNS = [
    *(f.name for f in fields(LocalRow) if f.name not in ("readability", "deletion")),
    *(f.name for f in fields(Readability)),
    *_CARRIED,
]
