"""How far a case may be moved in time before a model takes it for another: some classes depend on when."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from jaxtyping import Int

from stelle_nb.data.cases import Series
from stelle_nb.explain.imagined import FURTHEST
from stelle_nb.model.concept_model import ConceptModel

SHARES = (1.0, 1 / 2, 1 / 4, 1 / 8)  # of the furthest move, in the order in which they are tried
KNOWN = 0.98  # share of the moved cases that it still has to know
MOST_CASES = 100  # that are moved; the share of right answers needs no more


def find_tolerance(model: ConceptModel, X: Series, labels: Int[npt.NDArray[np.intp], " case"]) -> float:
    """The largest share of the furthest move, earlier and later, after which the model still knows its cases.

    A rhythm is the same wherever it begins; that a level is exceeded between two times is not. Imagined cases
    that are moved further than the model bears would teach that the times do not matter.

    Parameters
    ----------
    X, labels
        Training cases and their class numbers.

    Returns
    -------
    float
        In (0, 1]; the least share that is tried if the model bears none.
    """
    some = np.linspace(0, len(X) - 1, min(len(X), MOST_CASES)).round().astype(np.intp)
    for share in SHARES[:-1]:
        step = round(share * FURTHEST * X.shape[2])
        moved = np.concatenate([_moved(X[some], -step), _moved(X[some], step)])
        answers = model.predict_proba(model.evidence(moved)).argmax(1).cpu().numpy()
        if np.mean(answers == np.tile(labels[some], 2)) >= KNOWN:
            return share
    return SHARES[-1]


def _moved(X: Series, step: int) -> Series:
    """Every case later by some samples, or earlier, its first or last values held."""
    n_timepoints = X.shape[2]
    return np.asarray(X[:, :, (np.arange(n_timepoints) - step).clip(0, n_timepoints - 1)])
