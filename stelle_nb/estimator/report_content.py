"""The content of a report: data, measures, explanations and provenance."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, final

import numpy as np
import numpy.typing as npt
import pandas as pd

from stelle_nb.arguments import as_index
from stelle_nb.data.cases import Series
from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.depict.version import version_of
from stelle_nb.errors import ExplanationError
from stelle_nb.explain.classes.class_explanation import ClassExplanation
from stelle_nb.explain.explanation import percent
from stelle_nb.explain.local.local_explanation import LocalExplanation
from stelle_nb.metrics.classes import Division, class_quality
from stelle_nb.metrics.faithfulness import delete_shown
from stelle_nb.metrics.local import N_RANDOM, LocalRow, measure_local

if TYPE_CHECKING:
    from stelle_nb.estimator.classifier import StelleClassifier

PACKAGES = ("stelle_nb", "torch", "numpy", "aeon", "scikit-learn")
MAX_CASES = 12
MAX_MISTAKES = 4
MAX_CARRIED = 60  # cases of a part whose explanations are measured


@final
@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Some cases, their labels and the model's predictions."""

    X: Series
    y: list[Any]
    probabilities: npt.NDArray[np.float64]
    predictions: list[Any]

    @classmethod
    def of(cls, classifier: StelleClassifier, X: Any, y: Any) -> Part:
        """Ask the model."""
        probabilities = classifier.predict_proba(X)
        labels = classifier.classes_[probabilities.argmax(axis=1)].tolist()
        return cls(np.asarray(X), list(y), probabilities, labels)

    @property
    def is_right(self) -> list[bool]:
        """Whether each case gets its label."""
        return [found == label for found, label in zip(self.predictions, self.y, strict=True)]

    @property
    def accuracy(self) -> float:
        """Share of the cases that get their label."""
        return float(np.mean(self.is_right))


@final
@dataclass(frozen=True, slots=True, eq=False)
class ReportContent:
    """The content of a report.

    Parameters
    ----------
    train, test
        The cases; ``test`` is None if there are none that the model has not seen.
    classes, divisions
        The formula of each class, and how it divides the unseen cases, or the training cases without any.
    cases
        The chosen cases, by their numbers in the part that is judged.
    unseen
        The measures of their explanations on unseen cases; empty if there are none.
    carried
        What explanations of training cases, and of unseen ones, carry of the predictions.
    provenance
        Where all this comes from, as text by name.
    n_foreign
        How many of the judged cases are unlike all training cases; None without unseen cases.
    """

    classifier: StelleClassifier
    dataset: SeriesDataset | None
    train: Part
    test: Part | None
    classes: Mapping[Any, ClassExplanation]
    divisions: Mapping[Any, Division]
    cases: Mapping[int, LocalExplanation]
    unseen: Mapping[int, LocalRow]
    carried: Mapping[str, Mapping[str, float]]
    provenance: Mapping[str, str]
    n_foreign: int | None

    @property
    def judged(self) -> Part:
        """The cases on which the model is judged: unseen ones where there are any."""
        return self.train if self.test is None else self.test

    @property
    def judged_name(self) -> str:
        """What these cases are called."""
        return "training" if self.test is None else "unseen"

    @property
    def name(self) -> str:
        """What the data are called."""
        return "the training data" if self.dataset is None else self.dataset.name


def gather(
    classifier: StelleClassifier,
    dataset: SeriesDataset | None = None,
    *,
    cases: Sequence[int] | None = None,
    gamma_g: float = 0.0,
) -> ReportContent:
    """Collect the content of a report from a fitted classifier."""
    n_fitted = classifier.metadata_["n_cases"]
    if dataset is None:
        y_fitted = classifier.classes_[classifier.reference_.labels[:n_fitted]].tolist()
        train = Part.of(classifier, classifier.series_[:n_fitted], y_fitted)
    else:
        train = Part.of(classifier, dataset.X_train, dataset.y_train.tolist())
    has_test = dataset is not None and dataset.n_test > 0
    test = Part.of(classifier, dataset.X_test, dataset.y_test.tolist()) if dataset and has_test else None
    judged = train if test is None else test
    chosen = choose_cases(judged, classifier.classes_.tolist()) if cases is None else _checked(cases, judged)
    classes = classifier.explain_global(gamma_g)
    if test is not None:
        classes = {label: found.on(test.X, test.y) for label, found in classes.items()}
    quality = class_quality({label: e.formula for label, e in classes.items()}, judged.X.copy(), judged.y)
    explained = classifier.explain_local(judged.X[chosen].copy()) if chosen else []
    named = {"training": train} if test is None else {"training": train, "unseen": test}
    return ReportContent(
        classifier,
        dataset,
        train,
        test,
        classes,
        quality.divisions["all"],
        dict(zip(chosen, explained, strict=True)),
        {} if test is None else _measured(explained, chosen, train, test),
        {name: _carried(classifier, part) for name, part in named.items()},
        describe_origin(classifier, dataset, train),
        None if test is None else int(classifier.novelty(test.X).is_foreign.sum()),
    )


def _measured(
    explained: Sequence[LocalExplanation], chosen: Sequence[int], train: Part, test: Part
) -> dict[int, LocalRow]:
    """The measures of explanations on both parts, by the number of the case."""
    quality = measure_local(
        explained,
        chosen,
        X_train=train.X.copy(),
        y_train=train.y,
        X_test=test.X.copy(),
        y_test=test.y,
        predictions=test.predictions,
    )
    return {row.case: row for row in quality.rows}


def _carried(classifier: StelleClassifier, part: Part) -> dict[str, float]:
    """What explanations carry of predictions, on average over some cases from all of the part."""
    some = np.unique(np.linspace(0, len(part.y) - 1, min(len(part.y), MAX_CARRIED)).astype(int))
    explained = classifier.explain_local(part.X[some].copy())
    rng = np.random.default_rng(classifier.seed_)
    deletions = delete_shown(classifier, explained, rng=rng, n_random=N_RANDOM)
    table = pd.DataFrame([asdict(each) for each in deletions])
    return {str(name): float(value) for name, value in table.mean().items()}


def choose_cases(part: Part, classes: Sequence[Any]) -> list[int]:
    """For each class, the correctly predicted case of median confidence, then some mistakes."""
    confidence = part.probabilities.max(axis=1)
    chosen: list[int] = []
    for label in classes:
        right = [i for i, ok in enumerate(part.is_right) if ok and part.y[i] == label]
        if right:
            chosen.append(sorted(right, key=lambda i: (confidence[i], i))[len(right) // 2])
    mistakes = [i for i, ok in enumerate(part.is_right) if not ok][:MAX_MISTAKES]
    return [*chosen[: MAX_CASES - len(mistakes)], *mistakes]


def _checked(cases: Sequence[Any], part: Part) -> list[int]:
    numbers: list[int] = []
    for case in cases:
        number = as_index(case)
        if number is None or not 0 <= number < len(part.y):
            raise ExplanationError(
                f"cases must hold numbers from 0 to {len(part.y) - 1}, got {case!r}. "
                "They count the unseen cases, or the training cases where there are none."
            )
        numbers.append(number)
    return list(dict.fromkeys(numbers))


def describe_origin(
    classifier: StelleClassifier, dataset: SeriesDataset | None, train: Part
) -> dict[str, str]:
    """Versions, seed, settings, data and date."""
    defaults = type(classifier)().get_params(deep=False)
    skipped = ("random_state", "progress", "on_epoch", "channel_names", "step", "unit", "device")
    settings = [
        f"{name} = {value!r}"
        for name, value in classifier.get_params(deep=False).items()
        if name not in skipped and value != defaults[name]
    ]
    digest = hashlib.sha256(np.ascontiguousarray(train.X).tobytes())
    digest.update("\0".join(map(str, train.y)).encode())
    versions = [f"{package} {version_of(package)}" for package in PACKAGES]
    found = {
        "written": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "versions": ", ".join([*versions, f"Python {platform.python_version()}"]),
        "seed": repr(classifier.random_state),
        "settings": ", ".join(settings) or "the defaults",
        "device": str(classifier.model_.device),
        "data source": "given to fit as arrays" if dataset is None else dataset.source,
        "training data, SHA-256": digest.hexdigest(),
    }
    if dataset is not None and dataset.treatments:
        found["treatment of the data"] = "; ".join(dataset.treatments)
    return found


def novelty_facts(content: ReportContent) -> dict[str, str]:
    """How many unseen cases are unlike all training cases."""
    if content.n_foreign is None or content.test is None:
        return {}
    n = len(content.test.y)
    share = percent(content.n_foreign / n)
    return {
        "unseen cases unlike all training cases": f"{share} of {n} (5 % are expected among familiar cases)"
    }


def accuracy_facts(content: ReportContent) -> dict[str, str]:
    """How often the model is right."""
    parts = {"training": content.train, "unseen": content.test}
    return {
        f"accuracy on {name} cases": f"{percent(part.accuracy)} of {len(part.y)}"
        for name, part in parts.items()
        if part is not None
    }
