"""Calibration without held-out cases: the model is refitted without each part of the training cases."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt
from jaxtyping import Float, Int

from stelle_nb.data.cases import Series
from stelle_nb.errors import Cancelled, ModelError
from stelle_nb.model.conformal import Calibration, doubt, folds
from stelle_nb.progress import Progress, Share, as_progress, share_of


class Refit(Protocol):
    """Fits to cases with class numbers, and gives the probabilities of others for all classes."""

    def __call__(
        self, X: Series, codes: Int[npt.NDArray[np.intp], " case"], X_unseen: Series, progress: Progress, /
    ) -> Float[npt.NDArray[np.float64], "unseen cls"]: ...


def cross_calibrate(
    refit: Refit,
    X: Series,
    codes: Int[npt.NDArray[np.intp], " case"],
    n_folds: int,
    seed: int,
    progress: Progress | bool | None = None,
) -> Calibration:
    """Nonconformity of the true class of cases that models were not fitted to.

    Every case is judged once, by the model that was fitted without its fold. With fewer cases than folds,
    each is a fold of its own.
    """
    n_folds = min(n_folds, len(codes))
    numbers = folds(codes, n_folds, np.random.default_rng(seed))
    _check_classes(codes, numbers)
    report = as_progress(progress, "calibrating")
    scores = np.empty(len(codes))
    share_of(report, 0, n_folds)(0)
    for k in range(n_folds):
        is_out = numbers == k
        listener = _Listener(share_of(report, k, n_folds))
        proba = refit(X[~is_out], codes[~is_out], X[is_out], listener)
        listener.end()
        scores[is_out] = doubt(proba, codes[is_out])
    return Calibration(scores, n_folds)


class _Listener:
    """Progress of one refit; cancelling ends all refits, even if this one keeps its best state."""

    def __init__(self, tell: Share) -> None:
        self.tell = tell
        self.stopped: Cancelled | None = None

    def __call__(self, done: int, total: int) -> bool:
        try:
            self.tell(done / max(1, total))
        except Cancelled as stopped:
            self.stopped = stopped
        return self.stopped is None

    def end(self) -> None:
        if self.stopped is not None:
            raise self.stopped
        self.tell(1)


def _check_classes(codes: npt.NDArray[np.intp], numbers: npt.NDArray[np.intp]) -> None:
    if any(len(np.unique(codes[numbers != k])) < 2 for k in range(int(numbers.max()) + 1)):
        raise ModelError(
            "Without any one fold, cases of two classes must be left to fit the model to; there are too few "
            f"training cases ({len(codes)}). Use calibrate(X, y) with held-out cases."
        )
