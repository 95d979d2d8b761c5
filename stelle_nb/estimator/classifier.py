"""StelleClassifier: the whole pipeline as an aeon classifier."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence, Sized
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt
import torch
from aeon.classification.base import BaseClassifier

from stelle_nb.arguments import as_index, one_of, validate_types, whole
from stelle_nb.data.cases import Series
from stelle_nb.data.dataset import SeriesDataset, check_names, entered_units
from stelle_nb.data.readers.indexed import align_labels
from stelle_nb.depict.background import Background
from stelle_nb.depict.wording import Wording
from stelle_nb.errors import DataError, ExplanationError, ModelError, NoCardError
from stelle_nb.estimator.datasets import FitsDatasets
from stelle_nb.estimator.edits.editing import Editing
from stelle_nb.estimator.explaining import Explaining
from stelle_nb.estimator.labelling import Labels, check_kinds, encode, enter_labels, find_classes, numbers_of
from stelle_nb.estimator.persistence import load_classifier, save_classifier
from stelle_nb.estimator.prediction_sets import Uncertain
from stelle_nb.estimator.report import write_report
from stelle_nb.estimator.validation import check_like_training, enter_series, training_metadata, warn_about
from stelle_nb.explain.reference import Reference
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.printing.notation import checked_names, checked_units
from stelle_nb.model.card.card_config import CardConfig
from stelle_nb.model.card.card_model import ScorecardModel, card_labels, fit_scorecard
from stelle_nb.model.card.scorecard import Scorecard
from stelle_nb.model.concept_model import ConceptModel, Evidence
from stelle_nb.model.dense.dense_config import DenseConfig
from stelle_nb.model.dense.dense_model import fit_default
from stelle_nb.model.outliers import Reach
from stelle_nb.model.paper.paper_config import PaperConfig
from stelle_nb.model.paper.paper_model import fit_paper
from stelle_nb.model.paper.training import OnEpoch
from stelle_nb.progress import Progress
from stelle_nb.semantics.device import resolve_device

Variant = Literal["scorecard", "dense", "paper"]
VALUES_AT_ONCE = 2**24  # of robustness while predicting: 64 MiB, and a few times that to standardise them


class StelleClassifier(FitsDatasets, Explaining, Editing, Uncertain, BaseClassifier):  # type: ignore[misc]
    """Classify time series by the robustness of formulas that a person can read.

    Parameters
    ----------
    variant
        ``"scorecard"``: a few formulas with points for every class, see ``card_``. ``"dense"``: a linear head
        on thousands of concepts drawn from the training cases. ``"paper"``: the network of the paper.
    n_formulas
        At most this many formulas of a score card for each class, on average.
    n_concepts
        Size of the vocabulary of the dense model, which is the teacher of a score card, or of the network;
        None for the model's own choice.
    config
        A :class:`stelle_nb.CardConfig` for a score card, a :class:`stelle_nb.DenseConfig` for the dense model
        or a :class:`stelle_nb.PaperConfig` for the network.
    random_state
        A seed makes the fit and its explanations repeatable. Class formulas are judged on synthetic cases
        of the same seed; without one, it is drawn once and kept with the model as ``seed_``.
    device
        Where to compute: ``"auto"``, ``"cpu"``, ``"cuda"``, …
    channel_names, step, unit
        What the channels are called, and the time between two samples with its unit: for texts and figures.
        By default those of the data set given to ``fit``, if it was one.
    units
        Of the channels' values, None where one is unknown: for texts and figures, too.
    progress
        True for a bar, or a function, see :mod:`stelle_nb.progress`. The paper's network keeps its best state
        when it is cancelled after the first epoch; otherwise a cancelled fit leaves nothing.
    on_epoch
        Called with the losses of every epoch, for ``variant="paper"`` only; False cancels.

    Attributes
    ----------
    classes_
        The labels, in the order of the columns of ``predict_proba``.
    model_
        The fitted :class:`stelle_nb.model.concept_model.ConceptModel`.
    reference_
        Robustness of the model's concepts on the training cases.
    seed_
        Of the synthetic cases that class formulas are judged on; saved with the model.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(20, 1, 30))
    >>> y = np.array(["calm", "burst"] * 10)
    >>> X[y == "burst", 0, 10:15] += 4
    >>> clf = StelleClassifier(n_formulas=1, random_state=0).fit(X, y)
    >>> clf.predict(X[:3]).tolist()
    ['calm', 'burst', 'calm']
    """

    _teacher: Any = None  # what to imitate instead of a dense model, see stelle_nb.estimator.imitation
    _tags = {  # noqa: RUF012
        "capability:multivariate": True,
        "X_inner_type": "numpy3D",
        "algorithm_type": "shapelet",
    }

    def __init__(
        self,
        variant: Variant = "scorecard",
        *,
        n_formulas: int = 5,
        n_concepts: int | None = None,
        config: CardConfig | DenseConfig | PaperConfig | None = None,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        device: str | torch.device = "auto",
        channel_names: Sequence[str] | None = None,
        step: float | None = None,
        unit: str | None = None,
        units: Sequence[str | None] | None = None,
        progress: Progress | bool | None = None,
        on_epoch: OnEpoch | None = None,
    ) -> None:
        self.variant = variant
        self.n_formulas = n_formulas
        self.n_concepts = n_concepts
        self.config = config
        self.random_state = random_state
        self.device = device
        self.channel_names = channel_names
        self.step = step
        self.unit = unit
        self.units = units
        self.progress = progress
        self.on_epoch = on_epoch
        super().__init__()

    @property
    def card_(self) -> Scorecard:
        """The score card, which is the whole model, with the names and units of the classifier."""
        self._check_is_fitted()
        if not isinstance(self.model_, ScorecardModel):
            raise NoCardError(
                f"Only variant='scorecard' has a card, got variant={self.variant!r}. "
                "Use distil(classifier, X) to imitate another model by a card."
            )
        said = self.wording_
        return self.model_.card.named(
            channel_names=said.channel_names, step=said.step, unit=said.unit, units=said.units
        )

    @property
    def concepts_(self) -> tuple[Formula, ...]:
        """The vocabulary in the channels and units of the data given to ``fit``."""
        self._check_is_fitted()
        return self.model_.shown

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the fitted classifier as a folder, or as a zip if the path ends in ``.zip``.

        The write is atomic. A loaded classifier predicts and explains exactly as this one does.
        """
        return save_classifier(self, path)

    @classmethod
    def load(
        cls, path: str | os.PathLike[str], *, device: str | torch.device | None = None
    ) -> StelleClassifier:
        """Read what :meth:`save` wrote. Nothing in the file is executed; a corrupt one is rejected.

        Parameters
        ----------
        device
            Where to compute; as it was if omitted.
        """
        return load_classifier(cls, path, device=device)

    @validate_types(ExplanationError)
    def report(
        self,
        path: str | os.PathLike[str],
        dataset: SeriesDataset | None = None,
        *,
        cases: Sequence[int] | None = None,
        gamma_g: float = 0.0,
        title: str | None = None,
    ) -> Path:
        """Write a report as one interactive HTML file that works offline.

        It shows the data, the model's accuracy, the formula of each class, explanations of some cases and
        the provenance: versions, seed, settings, data and date.

        Parameters
        ----------
        path
            An existing file is replaced atomically.
        dataset
            The data that the model was fitted to, for their name, their source and their unseen cases;
            without it the report covers the training cases only.
        cases
            Numbers of unseen cases to explain, or of training cases if there are no others. If left out, one
            of each class and some that the model gets wrong.
        gamma_g
            As for :meth:`explain_global`.
        title
            Of the page.
        """
        self._check_is_fitted()
        return write_report(self, path, dataset, cases=cases, gamma_g=gamma_g, title=title)

    def _fit(self, X: Series, y: Labels) -> StelleClassifier:
        self._check_parameters(X)
        codes = encode(y, self.classes_)
        random_state, reach = _as_seed(self.random_state), Reach.of(X)
        warn_about(X, reach)
        model, evidence = self._fit_model(
            reach.clip(X), torch.from_numpy(codes.astype(np.int64)), random_state
        )
        self.model_ = model
        self.axes_, self.unequal_, self.calibration_, self.edits_ = Wording(), "refuse", None, ()
        self.seed_ = _seed_of(random_state)
        reference = Reference(evidence.robustness.cpu().numpy(), codes, self.n_classes_)
        self._remember(reference, evidence, Background.of(X, codes, self.classes_), X.copy())
        return self

    def _fit_model(
        self, X: Series, labels: torch.Tensor, random_state: int | np.random.Generator | None
    ) -> tuple[ConceptModel, Evidence]:
        options: dict[str, Any] = {
            "n_concepts": _as_count(self.n_concepts),
            "random_state": random_state,
            "device": resolve_device(self.device),
            "progress": self.progress,
        }
        config: Any = self.config
        if self.variant == "scorecard":
            classes, n_formulas = card_labels(self.classes_.tolist()), int(self.n_formulas)
            options |= {"n_formulas": n_formulas, "teacher": self._teacher}
            options["units"] = entered_units(self.units, X.shape[1])
            return fit_scorecard(X, labels, classes, config=config, **options)
        options["n_classes"] = self.n_classes_
        if self.variant == "paper":
            return fit_paper(X, labels, config=config, on_epoch=self.on_epoch, **options)
        return fit_default(X, labels, config=config, **options)

    @classmethod
    def _get_test_params(cls, parameter_set: str = "default") -> list[dict[str, Any]]:
        quick = PaperConfig(hidden_dim=8, max_epochs=3)
        few = DenseConfig(n_drawn=60, n_pilot=4, max_steps=1)
        short = CardConfig(n_candidates=60, n_synthetic=40, n_variants=20, n_generations=1, teacher=few)
        return [
            {"variant": "dense", "n_concepts": 10, "config": few},
            {"variant": "scorecard", "n_formulas": 2, "n_concepts": 10, "config": short},
            {"variant": "paper", "n_concepts": 10, "config": quick},
        ]

    def _predict(self, X: Series) -> Labels:
        numbers = torch.cat([part.argmax(dim=1) for part in self._proba_parts(X)])
        return np.asarray(self.classes_[numbers.numpy()])

    def _predict_proba(self, X: Series) -> npt.NDArray[np.float64]:
        return np.asarray(torch.cat(list(self._proba_parts(X))).numpy())

    def _proba_parts(self, X: Series) -> Iterator[torch.Tensor]:
        """Probabilities in parts: the robustness of all concepts may be far larger than X."""
        at_once = max(1, VALUES_AT_ONCE // max(len(self.model_.concepts), self.model_.n_classes))
        for start in range(0, max(1, len(X)), at_once):
            evidence = self.model_.evidence(X[start : start + at_once])
            proba = self.model_.predict_proba(evidence).cpu().double()
            if not bool(proba.isfinite().all()):
                raise ModelError(
                    "The model's probabilities for these cases are not finite. "
                    "Was its file edited? Fit it again."
                )
            yield proba / proba.sum(dim=1, keepdim=True)

    def score(
        self,
        X: Any,
        y: Any,
        metric: Any = "accuracy",
        use_proba: bool = False,
        metric_params: dict[str, Any] | None = None,
    ) -> float:
        """Share of cases whose label is predicted, or another metric as in aeon.

        Other metrics are scikit-learn's, which accepts only text and numbers as labels. Labels of another
        type than those of ``fit``, such as numbers instead of text, are rejected.
        """
        self._check_is_fitted()
        y = align_labels(X, y)
        labels = enter_labels(y, len(y) if isinstance(y, Sized) else 0)
        check_kinds(labels, self.classes_)
        if metric != "accuracy" or use_proba or metric_params:
            return float(super().score(enter_series(X), y, metric, use_proba, metric_params))
        predicted = self.predict(X).tolist()
        labels = enter_labels(y, len(predicted))
        return float(np.mean([a == b for a, b in zip(predicted, labels.tolist(), strict=True)]))

    def _fit_setup(self, X: Any, y: Any) -> tuple[Series, Labels]:
        """Bring labels that name their cases into the order of X before aeon takes both in."""
        series, labels = super()._fit_setup(X, align_labels(X, y))
        return series, labels

    def _preprocess_collection(self, X: Any, store_metadata: bool = True) -> Series:
        """Replaces aeon's checks: more containers are accepted, and errors say what to do."""
        if store_metadata:
            series = enter_series(X)
            self.metadata_ = training_metadata(*series.shape)
            return series
        shape = {name: self.metadata_[name] for name in ("n_channels", "n_timepoints")}
        series = enter_series(X, unequal=self.unequal_, n_timepoints=shape["n_timepoints"])
        check_like_training(series, **shape)
        return series

    def _check_shape(self, X: Series) -> None:
        """Nothing is left to check: series are compared with the training data on entry."""

    def _check_y(
        self, y: Any, n_cases: int, update_classes: bool = True, allow_single_class: bool = False
    ) -> Labels:
        """Replaces aeon's check: labels may be of any hashable type."""
        labels = enter_labels(y, n_cases)
        if update_classes:
            classes = find_classes(labels)
            if len(classes) < 2 and not allow_single_class:
                raise DataError(
                    f"y must contain at least two classes, got only {classes.tolist()}. "
                    "Add cases of another class."
                )
            self._set_classes(classes)
        return labels

    def _set_classes(self, classes: Labels) -> None:
        """Also what aeon keeps of them."""
        self.classes_ = classes
        self.n_classes_ = len(classes)
        self._class_dictionary = numbers_of(classes)

    def _check_config(self) -> None:
        if self.config is None:
            return
        expected = CONFIGS[self.variant]
        if not isinstance(self.config, expected):
            raise ModelError(
                f"config must be a {expected.__name__} for variant={self.variant!r}, got {self.config!r}. "
                f"Try {expected.__name__}(**config)."
            )

    def _check_parameters(self, X: Series) -> None:
        if str(self.variant) == "default":
            raise ModelError("variant='default' is now called 'dense'. Use variant='dense' for that model.")
        one_of(self.variant, "variant", get_args(Variant), error=ModelError)
        whole(self.n_formulas, "n_formulas", least=1, most=MOST_FORMULAS, error=ModelError)
        self._check_config()
        if self.on_epoch is not None and self.variant != "paper":
            raise ModelError("Only the paper's network has epochs. Use progress=, or variant='paper'.")
        names = checked_names(self.channel_names)
        Wording(names, self.step, self.unit, checked_units(self.units))
        entered_units(self.units, X.shape[1])
        if names is not None and len(names) != X.shape[1]:
            raise DataError(f"channel_names must name all {X.shape[1]} channels of X, got {len(names)}.")
        if names is not None:
            check_names(names, X.shape[1])


CONFIGS = {"scorecard": CardConfig, "dense": DenseConfig, "paper": PaperConfig}
MOST_FORMULAS = 1000  # for each class: more would not be a card


def _as_count(n_concepts: Any) -> int | None:
    if n_concepts is None:
        return None
    way = "Use None for the model's own choice."
    return whole(n_concepts, "n_concepts", least=1, most=math.inf, error=ModelError, way=way)


def _as_seed(random_state: Any) -> int | np.random.Generator | None:
    if isinstance(random_state, np.random.RandomState):  # scikit-learn's way, advanced by its use
        return int(random_state.randint(2**31))
    if random_state is None or isinstance(random_state, np.random.Generator):
        return random_state
    seed = as_index(random_state)
    if seed is None or seed < 0:
        raise ModelError(
            f"random_state must be None, an integer of at least 0 or a generator, got {random_state!r}."
        )
    return seed


def _seed_of(random_state: int | np.random.Generator | None) -> int:
    """The seed itself, or a random one: from the generator, which is advanced, or from the system."""
    if isinstance(random_state, int):
        return random_state
    return int(np.random.default_rng(random_state).integers(2**31))
