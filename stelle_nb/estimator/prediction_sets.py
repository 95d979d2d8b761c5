"""The part of the classifier that measures uncertainty: novelty and prediction sets."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import torch

from stelle_nb.arguments import positive, validate_types, whole
from stelle_nb.data.cases import Series
from stelle_nb.data.readers.indexed import align_labels
from stelle_nb.errors import ModelError
from stelle_nb.estimator.labelling import Labels, encode, enter_labels
from stelle_nb.explain.local.local_explanation import LocalExplanation
from stelle_nb.explain.reference import Reference
from stelle_nb.model.card.edits.edit_history import Edit
from stelle_nb.model.conformal import Calibration, PredictionSets, doubt, prediction_sets
from stelle_nb.model.cross_calibration import cross_calibrate
from stelle_nb.model.novelty.known_cases import KnownCases
from stelle_nb.model.novelty.novelty import Novelty, measure_novelty
from stelle_nb.model.outliers import Reach
from stelle_nb.progress import Progress

N_FOLDS = 10


class Uncertain:
    """Novelty and conformal prediction of a fitted classifier; the model stays as it is.

    Attributes
    ----------
    calibration_
        Conformal scores of the true class on unseen cases; None until sets are requested. It is saved with
        the model.
    """

    calibration_: Calibration | None
    edits_: tuple[Edit, ...]
    classes_: Labels
    series_: Series
    reference_: Reference
    metadata_: dict[str, Any]
    seed_: int
    _derived: dict[Any, Any]

    def novelty(self, X: Any) -> Novelty:
        """Measure for each case whether it is like the training cases or foreign to them.

        It compares whole signals, not formulas: levels, deviations, roughness, courses, and how the channels
        relate. It has learned to detect white noise, other units and channels in another order; anything
        far from all training cases is foreign, too. Cases given to ``update_global`` count as training cases.

        Parameters
        ----------
        X
            Cases like those given to ``fit``.

        Returns
        -------
        Novelty
            ``p_values``: for each case, the share of cases like the training ones that look at least as
            foreign; ``is_foreign``: those at most 0.05. One in twenty familiar cases is called foreign, too.
            With n training cases no p-value is below 1 / (n + 1).
        """
        self._check_is_fitted()  # type: ignore[attr-defined]
        return self._novelty_of(self._preprocess_collection(X, store_metadata=False))  # type: ignore[attr-defined]

    @validate_types(ModelError)
    def predict_set(
        self,
        X: Any,
        coverage: float = 0.9,
        *,
        allow_empty: bool = True,
        n_folds: int = N_FOLDS,
        progress: Progress | bool | None = None,
    ) -> PredictionSets:
        """Return for each case the classes that are not ruled out, so that most sets contain the true class.

        The first call fits the model again ``n_folds`` times, each time without a part of the training cases,
        to score the true class of unseen cases; :meth:`calibrate` with held-out cases avoids this. Later
        calls, with any coverage, are as fast as ``predict_proba``.

        Parameters
        ----------
        X
            Cases like those given to ``fit``.
        coverage
            In (0, 1): the share of sets that hold the true class, on average over data sets like this one.
        allow_empty
            A set is empty where every class is less plausible than true classes usually are. False to put
            the predicted class there; where the model is right more often than ``coverage``, then more
            sets than requested contain the true class.
        n_folds
            Of the first call, if ``calibrate`` was not called before.
        progress
            Of the first call; see :mod:`stelle_nb.progress`. If cancelled, nothing changes.

        Returns
        -------
        PredictionSets
            A sequence with a tuple of labels for each case; ``members`` is the same as a matrix of truth
            values.

        Notes
        -----
        After :meth:`calibrate` the coverage is guaranteed for cases drawn as the held-out ones were. By
        refitting it is approximate: the refitted models have seen fewer cases than the fitted one,
        and more folds reduce the difference. With n calibration cases, a coverage above n / (n + 1) gives all
        classes.
        """
        self._check_is_fitted()  # type: ignore[attr-defined]
        positive(coverage, "coverage", error=ModelError, way=COVERAGE)
        if coverage >= 1:
            raise ModelError(f"coverage must be less than 1, got {coverage!r}. {COVERAGE}")
        whole(n_folds, "n_folds", least=2, error=ModelError, way="Try 10.")
        proba = self.predict_proba(X)  # type: ignore[attr-defined]
        if self.calibration_ is None:
            if self.edits_:
                raise ModelError(
                    f"The first call learns the card again, which would lose its {len(self.edits_)} "
                    "edits. Use calibrate(X, y) with held-out cases first."
                )
            self.calibration_ = self._cross_calibrated(n_folds, progress)
        return prediction_sets(
            self.calibration_, proba, self.classes_.tolist(), float(coverage), allow_empty=allow_empty
        )

    def calibrate(self, X: Any, y: Any) -> Self:
        """Calibrate :meth:`predict_set` on held-out cases.

        Nothing is refitted. For new cases drawn as these were, a set then holds the true class with a
        probability of at least the coverage, and at most 1 / (n + 1) above it.

        Parameters
        ----------
        X, y
            Cases that the model was not fitted to, with labels of classes that it knows. With n cases the
            coverage has a resolution of 1 / (n + 1); 100 are a good start.
        """
        self._check_is_fitted()  # type: ignore[attr-defined]
        series: Series = self._preprocess_collection(X, store_metadata=False)  # type: ignore[attr-defined]
        codes = encode(enter_labels(align_labels(X, y), len(series)), self.classes_)
        if not len(codes):
            raise ModelError("X must contain at least one case to calibrate with, got none.")
        self.calibration_ = Calibration(doubt(self._predict_proba(series), codes))  # type: ignore[attr-defined]
        return self

    def _novelty_of(self, series: Series) -> Novelty:
        if "known cases" not in self._derived:
            self._derived["known cases"] = KnownCases.of(
                self.series_, self.reference_.labels, seed=self.seed_
            )
        return measure_novelty(self._derived["known cases"], series)

    def _with_novelty(self, explanations: list[LocalExplanation], series: Series) -> list[LocalExplanation]:
        """The explanations, each with how foreign its case is."""
        found = self._novelty_of(series)
        told = zip(explanations, found.p_values.tolist(), found.is_foreign.tolist(), strict=True)
        return [replace(why, novelty=p, is_foreign=is_foreign) for why, p, is_foreign in told]

    def _cross_calibrated(self, n_folds: int, progress: Progress | bool | None) -> Calibration:
        n = self.metadata_["n_cases"]
        return cross_calibrate(
            self._refitted, self.series_[:n], self.reference_.labels[:n], n_folds, self.seed_, progress
        )

    def _refitted(
        self, X: Series, codes: npt.NDArray[np.intp], X_unseen: Series, progress: Progress
    ) -> npt.NDArray[np.float64]:
        """Probabilities of a classifier with the same settings, fitted to some of the training cases."""
        parameters = self.get_params(deep=False)  # type: ignore[attr-defined]
        quiet = {"progress": progress, "on_epoch": None, "random_state": self.seed_}
        other: Any = type(self)(**{**parameters, **quiet})
        known, numbers = np.unique(codes, return_inverse=True)
        other._set_classes(self.classes_[known])
        labels = torch.from_numpy(numbers.astype(np.int64))
        other.model_, _ = other._fit_model(Reach.of(X).clip(X), labels, self.seed_)
        proba = np.zeros((len(X_unseen), len(self.classes_)))
        proba[:, known] = other._predict_proba(X_unseen)
        return proba


COVERAGE = "0.9 asks for sets that hold the true class in 90 % of cases."
