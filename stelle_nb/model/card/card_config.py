"""Settings of the learner of score cards."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from stelle_nb.arguments import positive, whole
from stelle_nb.errors import ModelError


@dataclass(frozen=True, slots=True)
class CardConfig:
    """How a score card is learned; the defaults were chosen inside the training parts of many data sets.

    Parameters
    ----------
    n_candidates
        Idioms drawn from the training cases, of which the formulas of the card are chosen.
    shape_share, average_share
        How often shapes and averages are drawn, where other idioms are drawn once.
    n_synthetic
        Cases between the training cases that the teacher labels.
    synthetic_values
        Samples per channel in all synthetic cases together: fewer cases are made of long series.
    fewest_synthetic
        Cases that are made however long the series are.
    synthetic_weight
        What all synthetic cases together weigh, where the training cases weigh 2.
    label_share
        Share of a training case's target that comes from its label; the rest is the teacher's.
    max_cases
        Training cases that formulas are chosen on; of more, a sample.
    max_fitted
        Training cases that points are fitted on.
    levels
        Where thresholds are tried: quantiles of the robustness of a candidate.
    n_rounds, n_variants
        How often chosen formulas compete with variants of themselves, and how many variants there are.
    redundancy
        A candidate of which less than this share is new beside the chosen ones is not chosen.
    reading
        How much reading costs: a gain counts ``size ** -reading``.
    shrinkage
        Penalty on squared points: reasons are spread over fewer large points if it is small.
    sparsity
        Penalty on the size of points, so that most formulas speak for one class, or for two.
    least_points
        Points below this share of the formula's largest become 0.
    digits
        Of all numbers in the card.
    """

    n_candidates: int = 4000
    shape_share: float = 12.0
    average_share: float = 6.0
    n_synthetic: int = 2500
    synthetic_values: int = 2**20
    fewest_synthetic: int = 500
    synthetic_weight: float = 8.0
    label_share: float = 0.1
    max_cases: int = 1500
    max_fitted: int = 10_000
    levels: tuple[float, ...] = (0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 0.9)
    n_rounds: int = 1
    n_variants: int = 1000
    redundancy: float = 0.1
    reading: float = 0.1
    shrinkage: float = 1e-3
    sparsity: float = 2e-3
    least_points: float = 0.1
    digits: int = 3

    def __post_init__(self) -> None:
        for name in ("n_candidates", "n_synthetic", "fewest_synthetic", "max_cases", "max_fitted", "digits"):
            whole(getattr(self, name), name, least=1, most=10**9, error=ModelError)
        for name in ("n_rounds", "n_variants"):
            whole(getattr(self, name), name, least=0, most=10**9, error=ModelError)
        for name in ("shape_share", "average_share", "synthetic_weight", "label_share", "redundancy",
                     "reading", "shrinkage", "sparsity", "least_points"):  # fmt: skip
            positive(getattr(self, name), name, or_zero=True, error=ModelError)
        object.__setattr__(self, "levels", _as_levels(self.levels))

    @property
    def shares(self) -> dict[str, float]:
        """How often idioms are drawn, by name, as far as it differs from their own share."""
        return {"shape": self.shape_share, "average": self.average_share}

    def count_synthetic(self, n_timepoints: int) -> int:
        """How many synthetic cases to make of series of that length.

        Examples
        --------
        >>> CardConfig().count_synthetic(100), CardConfig().count_synthetic(1200)
        (2500, 873)
        """
        affordable = max(self.fewest_synthetic, self.synthetic_values // n_timepoints)
        return min(self.n_synthetic, affordable)


def _as_levels(values: Any) -> tuple[float, ...]:
    rule = "levels must hold numbers between 0 and 1, at least one"
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise ModelError(f"{rule}, got {values!r}. Try (0.25, 0.5, 0.75).")
    levels = tuple(positive(level, "A level", most=1.0, error=ModelError) for level in values)
    if not levels or max(levels) >= 1:
        raise ModelError(f"{rule}, got {values!r}. Try (0.25, 0.5, 0.75).")
    return levels
