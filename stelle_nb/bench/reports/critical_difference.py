"""Mean ranks over data sets, and the critical-difference diagram."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import rankdata

from stelle_nb.errors import BenchError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Scores = Mapping[str, Mapping[str, float]]
"""From method and data set to accuracy."""


def mean_ranks(scores: Scores, datasets: Sequence[str]) -> dict[str, float]:
    """The mean rank, 1 for the best, of every method that has a score on all data sets; ties share ranks.

    Examples
    --------
    >>> mean_ranks({"a": {"x": 0.9, "y": 0.5}, "b": {"x": 0.8, "y": 0.5}, "c": {"x": 1.0}}, ["x", "y"])
    {'a': 1.25, 'b': 1.75}
    """
    names, matrix = _whole(scores, datasets)
    if not matrix.size:
        return {}
    ranks = rankdata(-matrix, axis=1).mean(axis=0)
    return dict(zip(names, map(float, ranks), strict=True))


def figure_critical_difference(
    scores: Scores, datasets: Sequence[str], *, highlight: Sequence[str] = ()
) -> Figure:
    """Methods on a line of mean ranks; a bar joins those that a test cannot tell apart at 0.05.

    The tests are pairwise Wilcoxon tests with Holm's correction, as aeon makes them.

    Parameters
    ----------
    highlight
        Methods to show in colour.
    """
    import matplotlib.pyplot as plt
    from aeon.visualisation import plot_critical_difference

    names, matrix = _whole(scores, datasets)
    if len(names) < 3 or len(datasets) < 2:
        raise BenchError(
            f"A critical-difference diagram compares three methods or more on two data sets or more, got "
            f"{len(names)} with figures on all of {len(datasets)}."
        )
    colours = dict.fromkeys(highlight, "#0072B2")
    figure, _ = plot_critical_difference(matrix, names, highlight=colours, alpha=0.05, width=8, textspace=2)
    plt.close(figure)  # aeon draws by pyplot, whose state must not keep the figure
    drawn: Figure = figure
    return drawn


def _whole(scores: Scores, datasets: Sequence[str]) -> tuple[list[str], np.ndarray]:
    names = [name for name, own in scores.items() if set(datasets) <= set(own)] if datasets else []
    return names, np.array([[scores[name][dataset] for name in names] for dataset in datasets])
