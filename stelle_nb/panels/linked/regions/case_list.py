"""The list of cases: a sparkline and a class for each, wrong predictions first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from stelle_nb.data.cases import Labels, Series
from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.panels.linked.regions.thinning import sparkline

MAX_LISTED = 5000  # cases; more are reached by their number


@dataclass(frozen=True, slots=True)
class CaseList:
    """Cases in the order in which they are listed.

    Parameters
    ----------
    numbers
        Of the cases.
    truths, predictions
        Numbers of classes; predictions are empty while there is no model.
    sparks
        A sparkline for each.
    channel
        What the sparklines show.
    total
        How many cases there are.
    note
        What is left out, or nothing.
    differs
        Whether the imitated classifier predicts another class; None if there is none. These cases come first.
    """

    numbers: list[int]
    truths: list[int]
    predictions: list[int]
    sparks: list[str]
    channel: str
    total: int
    note: str = ""
    differs: list[bool] | None = None


def list_cases(
    X: Series,
    truths: list[int],
    predictions: list[int] | None,
    *,
    channel: int,
    name: str,
    differs: list[bool] | None = None,
) -> CaseList:
    """Wrong ones first, then by number.

    Parameters
    ----------
    truths, predictions
        The class number of every case.
    channel, name
        Which channel the sparklines show.
    differs
        For each case, whether the imitated classifier predicts another class.
    """
    n = len(X)
    is_right = (
        [True] * n if predictions is None else [a == b for a, b in zip(truths, predictions, strict=True)]
    )
    is_alike = [True] * n if differs is None else [not each for each in differs]
    order = sorted(range(n), key=lambda i: (is_alike[i], is_right[i], i))[:MAX_LISTED]
    low, high = (float(edge) for edge in np.quantile(X[:, channel], [0.005, 0.995]))
    return CaseList(
        numbers=order,
        truths=[truths[i] for i in order],
        predictions=[] if predictions is None else [predictions[i] for i in order],
        sparks=[sparkline(X[i, channel], low, high) for i in order],
        channel=name,
        total=n,
        note=""
        if n <= MAX_LISTED
        else f"{MAX_LISTED} of {n} cases are listed. explorer.change(case=…) opens any other.",
        differs=None if differs is None else [differs[i] for i in order],
    )


def telling_channel(dataset: SeriesDataset) -> int:
    """The channel whose range differs most from class to class in the training cases.

    Examples
    --------
    >>> X = np.zeros((4, 2, 5))
    >>> X[2:, 1, ::2] = 3.0
    >>> telling_channel(SeriesDataset.from_arrays(X, ["a", "a", "b", "b"]))
    1
    """
    X, y = dataset.X_train, dataset.y_train
    features = np.stack([X.mean(2), X.std(2), X.min(2), X.max(2)])  # (feature, case, channel)
    means = np.stack([features[:, y == label].mean(1) for label in np.unique(y)])  # (class, feature, channel)
    within = np.mean([features[:, y == label].var(1) for label in np.unique(y)], axis=0)
    ratio = means.var(0) / (within + 1e-9 * (features.var(1) + 1e-12))
    return int(np.median(ratio, axis=0).argmax())


def numbers_of(labels: Labels, classes: list[Any]) -> list[int]:
    """The number of each label among the classes; -1 for a label that is not among them."""
    places = {label: k for k, label in enumerate(classes)}
    return [places.get(label, -1) for label in labels.tolist()]


def typical_case(X: Series, is_member: npt.NDArray[np.bool_]) -> int | None:
    """The member whose levels, ranges and changes are closest to the medians of all members.

    Courses themselves are not compared: if swings are out of step, the flattest would be the closest.
    """
    members = np.flatnonzero(is_member)
    if not len(members):
        return None
    own = X[members].astype(np.float64)
    features = [own.mean(2), own.std(2), np.abs(np.diff(own, axis=2)).mean(2), own.min(2), own.max(2)]
    table = np.concatenate(features, axis=1)  # (case, feature)
    distances = np.abs(table - np.median(table, axis=0)) / (table.std(0) + 1e-12)
    return int(members[distances.sum(1).argmin()])
