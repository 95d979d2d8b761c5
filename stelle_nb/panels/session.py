"""A data set and its model, shared by the panels of an exploration; the model may change."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any, TypeVar, final

import numpy as np

from stelle_nb.arguments import brief_list
from stelle_nb.data.cases import Labels, Series
from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.depict.class_names import class_name
from stelle_nb.depict.wording import Wording
from stelle_nb.errors import DataError, PanelError
from stelle_nb.estimator.classifier import StelleClassifier
from stelle_nb.estimator.imitation import answers_of, same_answers
from stelle_nb.explain.classes.class_explanation import ClassExplanation
from stelle_nb.explain.classes.counts import Counts
from stelle_nb.explain.explanation import percent
from stelle_nb.explain.local.build import readable, spans_of
from stelle_nb.explain.local.local_clause import Gammas
from stelle_nb.explain.local.local_explanation import LocalExplanation
from stelle_nb.logic.formula import Formula
from stelle_nb.model.card.card_model import ScorecardModel
from stelle_nb.model.card.scorecard import Scorecard
from stelle_nb.panels.parts.chosen_data import Part, as_dataset, dataset_code
from stelle_nb.progress import Progress
from stelle_nb.semantics.robustness import satisfies

MAX_UNSEEN = 200  # cases on which a local explanation is judged: a slider has to stay quick
Found = TypeVar("Found", LocalExplanation, ClassExplanation)


@dataclass(frozen=True, slots=True, eq=False)
class _Fitted:
    """A classifier and its cached results; another classifier starts with an empty cache."""

    classifier: StelleClassifier
    known: dict[Any, Any] = field(default_factory=dict)


@final
class Session:
    """A data set with a classifier fitted to it.

    Parameters
    ----------
    dataset, classifier
        They must belong together.
    other
        A classifier that was trained elsewhere, which this one imitates.
    """

    def __init__(self, dataset: SeriesDataset, classifier: StelleClassifier, other: Any = None) -> None:
        for name, given, kind in (
            ("dataset", dataset, SeriesDataset),
            ("classifier", classifier, StelleClassifier),
        ):
            if not isinstance(given, kind):
                raise PanelError(f"{name} must be a {kind.__name__}, got {given!r}. See help(Session).")
        self.dataset, self.other = dataset, other
        self._answers: dict[Part, Labels] = {}  # of the other classifier
        self._fitted = _Fitted(classifier)
        self._followers: list[Callable[[], None]] = []

    @classmethod
    def open(
        cls, dataset: SeriesDataset | str | Session, classifier: StelleClassifier | None = None
    ) -> Session:
        """Take a data set, or the name of one, and a fitted classifier, or fit one now."""
        if isinstance(dataset, Session):
            return dataset
        found = as_dataset(dataset)
        if classifier is None:
            classifier = StelleClassifier.for_dataset(found, random_state=0).fit(found)
        return cls(found, classifier)

    @property
    def classifier(self) -> StelleClassifier:
        """The current model."""
        return self._fitted.classifier

    @property
    def known(self) -> dict[Any, Any]:
        """What has been asked of the model, by name; another model begins with nothing known."""
        return self._fitted.known

    def adopt(self, classifier: StelleClassifier) -> None:
        """Use another model of the same data from now on; all followers are notified, on this thread."""
        if classifier.classes_.tolist() != self.classes:
            raise DataError(
                f"The classifier must know the classes {brief_list(self.classes)}, "
                f"got {brief_list(classifier.classes_.tolist())}. "
                "Open another session for other data."
            )
        self._fitted = _Fitted(classifier)
        for callback in tuple(self._followers):
            callback()

    def follow(self, callback: Callable[[], None]) -> None:
        """Call after every change of the model."""
        self._followers.append(callback)

    def leave(self, callback: Callable[[], None]) -> None:
        """Stop following."""
        self._followers = [other for other in self._followers if other != callback]

    @property
    def wording(self) -> Wording:
        """What channels and times are called."""
        return Wording.of(self.dataset)

    @property
    def classes(self) -> list[Any]:
        """The labels that the classifier knows."""
        labels: list[Any] = self.classifier.classes_.tolist()
        return labels

    @property
    def card(self) -> Scorecard | None:
        """The score card in the names and units of the data set; None if the model has none."""
        fitted, said = self._fitted, self.wording
        if not isinstance(fitted.classifier.model_, ScorecardModel):
            return None
        if "card" not in fitted.known:
            card = fitted.classifier.card_
            if card.channel_names is None:
                card = card.named(
                    channel_names=said.channel_names, step=said.step, unit=said.unit, units=said.units
                )
            fitted.known["card"] = card
        found: Scorecard = fitted.known["card"]
        return found

    @property
    def concepts(self) -> tuple[Formula, ...]:
        """The vocabulary of the model, with numbers as short as their signals' deviations allow.

        Formulas of a score card are as they stand on the card.
        """
        fitted, card = self._fitted, self.card
        if card is not None:
            return card.formulas
        if "concepts" not in fitted.known:
            model, spans = fitted.classifier.model_, spans_of(fitted.classifier.series_)
            fitted.known["concepts"] = tuple(readable(model.basis, phi, spans) for phi in model.concepts)
        concepts: tuple[Formula, ...] = fitted.known["concepts"]
        return concepts

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts that have cases, unseen ones first."""
        return ("test", "train") if self.dataset.n_test else ("train",)

    def cases(self, part: Part) -> tuple[Series, Labels]:
        """The series of a part and their labels."""
        if part not in self.parts:
            raise DataError(
                f"part must be one of {self.parts} in {self.dataset.name}, got {part!r}. "
                f"Set part={self.parts[0]!r} in the state."
            )
        ds = self.dataset
        return (ds.X_test, ds.y_test) if part == "test" else (ds.X_train, ds.y_train)

    def case(self, part: Part, case: int) -> Series:
        """One series as a set of one."""
        X, _ = self.cases(part)
        if not 0 <= case < len(X):
            raise DataError(f"case must lie from 0 to {len(X) - 1} in the {part} part, got {case!r}.")
        return X[case : case + 1]

    def predictions(self, part: Part) -> Labels:
        """The model's prediction for every case of a part."""
        return np.asarray(self.classifier.classes_[self.probabilities(part).argmax(axis=1)])

    def probabilities(self, part: Part) -> Any:
        """The model's probabilities ``(case, class)`` for every case of a part."""
        fitted = self._fitted  # another thread may put another model in its place meanwhile
        if ("probabilities", part) not in fitted.known:
            fitted.known["probabilities", part] = fitted.classifier.predict_proba(self.cases(part)[0])
        return fitted.known["probabilities", part]

    def agreement(self, part: Part) -> Any:
        """For each case whether the model and the one that it imitates agree; None if it imitates none."""
        if self.other is None:
            return None
        return same_answers(self.predictions(part).tolist(), self.answers(part).tolist())

    def answers(self, part: Part) -> Labels:
        """What the classifier that was trained elsewhere says of every case of a part."""
        if part not in self._answers:
            self._answers[part] = answers_of(self.other, self.cases(part)[0])
        return self._answers[part]

    def case_names(self, part: Part) -> list[tuple[str, int]]:
        """What to call each case in a list: its number, its class, and the predicted one if wrong."""
        labels, predicted = self.cases(part)[1].tolist(), self.predictions(part).tolist()
        return [
            (f"{i} · {class_name(label)}{'' if label == found else f' → {class_name(found)}'}", i)
            for i, (label, found) in enumerate(zip(labels, predicted, strict=True))
        ]

    def explain(self, part: Part, case: int, target: Any, gammas: Gammas) -> LocalExplanation:
        """The explanation of one case; for the predicted class if the target is None."""
        return self.explain_series(self.case(part, case), target, gammas)

    def explain_series(self, series: Series, target: Any, gammas: Gammas) -> LocalExplanation:
        """The explanation of a series that need not be in the data set, given as a set of one."""
        options: dict[str, Any] = {
            "gamma": gammas.gamma,
            "gamma_t": gammas.gamma_t,
            "gamma_l": gammas.gamma_l,
        }
        return self._named(self.classifier.explain_local(series, target, **options)[0])

    def on_unseen(self, found: LocalExplanation, part: Part, case: int) -> Counts | None:
        """How the formula of a case divides the other unseen cases, at most 200; None without any."""
        if "test" not in self.parts:
            return None
        X, y = self.cases("test")
        others = [i for i in range(len(X)) if part != "test" or i != case]
        others = others[:: math.ceil(len(others) / MAX_UNSEEN)] if others else []
        if not others:
            return None
        labels = y.tolist()
        is_own = np.array([labels[i] == found.target for i in others], dtype=bool)
        return Counts.of(np.asarray(satisfies(found.formula, X[others]), dtype=bool), is_own)

    def explain_class(self, label: Any, gamma_g: float, progress: Progress | None = None) -> ClassExplanation:
        """The explanation of a class, with its figures on unseen cases if there are any; remembered."""
        fitted, key = self._fitted, ("class", label, round(gamma_g, 6))
        if key not in fitted.known:
            described = fitted.classifier.explain_global(gamma_g, target=label, progress=progress)[label]
            judged = described.on(self.dataset) if self.dataset.n_test else described
            fitted.known[key] = self._named(judged)
        found: ClassExplanation = fitted.known[key]
        return found

    def _named(self, found: Found) -> Found:
        """An explanation by the names and units of the data set where the classifier knows none."""
        own = found.wording
        if own.channel_names is None:
            return replace(found, wording=self.wording)
        if own.units is None:
            return replace(found, wording=replace(own, units=self.wording.units))
        return found

    def knows_class(self, label: Any, gamma_g: float) -> bool:
        """Whether :meth:`explain_class` will answer at once."""
        return ("class", label, round(gamma_g, 6)) in self._fitted.known

    def summary(self) -> str:
        """The data and how well the model does, in a line."""
        part = self.parts[0]
        share = float(np.mean(self.predictions(part) == self.cases(part)[1]))
        unseen = "unseen" if part == "test" else "training"
        n = len(self.cases(part)[1])
        said = f"{self.dataset.name}: accuracy {percent(share)} on {n} {unseen} cases"
        if self.other is None:
            return said
        return f"{said}; {self.likeness(part)} of them"

    def fidelity(self, part: Part) -> float:
        """Share of the cases of a part to which the model gives the class of the imitated classifier."""
        return float(np.mean(self.agreement(part)))

    def likeness(self, part: Part) -> str:
        """The same in words."""
        return f"same class as {type(self.other).__name__} in {percent(self.fidelity(part))}"

    def to_code(self) -> str:
        """Python that recreates this data set and this classifier."""
        if self.other is not None:
            name = type(self.other).__name__
            return f"{dataset_code(self.dataset)}\n# This {name} was in memory: classifier must be defined."
        return f"{dataset_code(self.dataset)}\nclassifier = {_classifier_code(self)}"


def _classifier_code(session: Session) -> str:
    ds, params = session.dataset, session.classifier.get_params(deep=False)
    axes = {"channel_names": ds.channel_names, "step": ds.step, "unit": ds.unit, "units": ds.units}
    defaults = StelleClassifier().get_params(deep=False)
    given = []
    for name, value in params.items():
        if value == defaults[name] or name in ("progress", "on_epoch"):
            continue
        is_of_data = name in axes and value == axes[name]
        text = _config_code(value) if is_dataclass(value) else repr(value)
        given.append(f"{name}=dataset.{name}" if is_of_data else f"{name}={text}")
    fitted = f"st.StelleClassifier({', '.join(given)}).fit(dataset.X_train, dataset.y_train)"
    return "\nclassifier = ".join(
        [fitted, *(f"classifier.{edit.call}" for edit in session.classifier.edits_)]
    )


def _config_code(config: Any) -> str:
    """What differs from the defaults."""
    usual = type(config)()
    given = [(each.name, getattr(config, each.name)) for each in fields(config)]
    changed = [
        f"{name}={_config_code(value) if is_dataclass(value) else repr(value)}"
        for name, value in given
        if value != getattr(usual, name)
    ]
    return f"st.{type(config).__name__}({', '.join(changed)})"
