"""What a report says, before it is written: data, measures, explanations and where they come from."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, final

import numpy as np
import numpy.typing as npt

from stelle_nb.arguments import as_index
from stelle_nb.data.cases import Series
from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.errors import ExplanationError
from stelle_nb.explain.class_explanation import ClassExplanation
from stelle_nb.explain.explanation import percent
from stelle_nb.explain.local_explanation import LocalExplanation
from stelle_nb.explain.version import version_of
from stelle_nb.metrics.classes import Division, class_quality

if TYPE_CHECKING:
    from stelle_nb.estimator.classifier import StelleClassifier

PACKAGES = ("stelle_nb", "torch", "numpy", "aeon", "scikit-learn")
MAX_CASES = 12
MAX_MISTAKES = 4


@final
@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Some cases, their labels and what the model says of them."""

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
    """All that a report says.

    Parameters
    ----------
    train, test
        The cases; ``test`` is None if there are none that the model has not seen.
    classes, divisions
        The formula of each class, and how it divides the unseen cases, or the training cases without any.
    cases
        The chosen cases, by their numbers in the part that is judged.
    provenance
        Where all this comes from, as text by name.
    """

    classifier: StelleClassifier
    dataset: SeriesDataset | None
    train: Part
    test: Part | None
    classes: Mapping[Any, ClassExplanation]
    divisions: Mapping[Any, Division]
    cases: Mapping[int, LocalExplanation]
    provenance: Mapping[str, str]

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
    """Ask a fitted classifier for all that its report says."""
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
    quality = class_quality({label: e.formula for label, e in classes.items()}, judged.X.copy(), judged.y)
    explained = classifier.explain_local(judged.X[chosen].copy()) if chosen else []
    return ReportContent(
        classifier,
        dataset,
        train,
        test,
        classes,
        quality.divisions["all"],
        dict(zip(chosen, explained, strict=True)),
        describe_origin(classifier, dataset, train),
    )


def choose_cases(part: Part, classes: Sequence[Any]) -> list[int]:
    """Of each class the case of middling confidence among those that are right, then some mistakes."""
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


def accuracy_facts(content: ReportContent) -> dict[str, str]:
    """How often the model is right."""
    parts = {"training": content.train, "unseen": content.test}
    return {
        f"accuracy on {name} cases": f"{percent(part.accuracy)} of {len(part.y)}"
        for name, part in parts.items()
        if part is not None
    }
