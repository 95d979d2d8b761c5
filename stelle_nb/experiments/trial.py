"""One setting of the paper's network, judged on a development split of the training cases."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from stelle_nb.data import Missing, SeriesDataset, Unequal, load_dataset
from stelle_nb.errors import BenchError
from stelle_nb.estimator.classifier import StelleClassifier
from stelle_nb.experiments.jobs import SettingsChanged
from stelle_nb.experiments.provenance import EXPLAINING, code_digest
from stelle_nb.experiments.run import settings_of
from stelle_nb.metrics import local_separability
from stelle_nb.model.paper.paper_config import PaperConfig

HELD_OUT = 0.2  # share of the training cases of every class
WORK = "stelle_nb.experiments.trial:judge"
GAMMA_T = 0.8  # the appendix fixes it
Indices = npt.NDArray[np.int64]


def trial_settings(dataset: SeriesDataset, *, with_separability: bool) -> str:
    """Short names of the data and of all the code that a trial runs."""
    settings = settings_of("paper", dataset)
    return f"{settings} explain-{code_digest(EXPLAINING)}" if with_separability else settings


def judge(
    *,
    dataset: str,
    settings: str,
    config: dict[str, Any],
    split: int,
    seed: int,
    n_concepts: int | None,
    with_separability: bool,
    data: str,
    unequal: Unequal,
    missing: Missing,
) -> dict[str, float]:
    """Accuracy, and on request local separability, on the held-out part of a development split.

    The test cases of the data set are never used.
    """
    whole = load_dataset(dataset, path=data, unequal=unequal, missing=missing, may_download=False)
    if (current := trial_settings(whole, with_separability=with_separability)) != settings:
        raise SettingsChanged(f"{settings} became {current}.")
    X, y = whole.X_train, whole.y_train
    fit, held_out = development_split(y, split)
    clf = StelleClassifier(
        "paper", config=PaperConfig(**config), n_concepts=n_concepts, random_state=seed, device="cpu"
    )
    clf.fit(X[fit], y[fit])
    found = {"accuracy": clf.score(X[held_out], y[held_out])}
    if with_separability:
        explanations = clf.explain_local(X[held_out], gamma_t=GAMMA_T)
        formulas, targets = [e.formula for e in explanations], [e.target for e in explanations]
        shares = local_separability(formulas, X[held_out], X[fit], y[fit], targets)
        found["separability"] = float(np.nanmean(shares))
    return found


def development_split(y: npt.NDArray[Any], split: int) -> tuple[Indices, Indices]:
    """Positions of the cases to fit on and of those held out, the same share of every class.

    A class keeps at least one case to fit on, and gives at least one if it has two.

    Examples
    --------
    >>> fit, held_out = development_split(np.array(["a", "b"] * 10), split=0)
    >>> len(fit), len(held_out), sorted(np.concatenate([fit, held_out]).tolist()) == list(range(20))
    (16, 4, True)
    """
    rng = np.random.default_rng(split)
    chosen: list[Indices] = []
    for label in np.unique(y):
        cases = rng.permutation(np.flatnonzero(y == label))
        n = 0 if len(cases) < 2 else min(len(cases) - 1, max(1, round(HELD_OUT * len(cases))))
        chosen.append(cases[:n])
    held_out = np.sort(np.concatenate(chosen))
    if not len(held_out):
        raise BenchError("Tuning needs a class with at least two training cases, to hold one of them out.")
    return np.setdiff1d(np.arange(len(y)), held_out), held_out
