"""Settings of the learner of score cards."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from stelle_nb.arguments import positive, whole
from stelle_nb.errors import ModelError
from stelle_nb.model.card.points import Penalties
from stelle_nb.model.dense.dense_config import DenseConfig

COUNTS = (
    "n_candidates", "n_synthetic", "many_formulas", "synthetic_values", "long_series", "fewest_synthetic",
    "max_cases", "n_screening", "n_shortlist", "digits", "n_parents", "n_young", "most_alike",
    "screening_values",
)  # fmt: skip
SIZES = (
    "shape_share", "average_share", "synthetic_weight", "label_share", "redundancy",
    "shrinkage", "sparsity", "tolerance", "least_points", "negligible", "doubt", "reach", "reading_tolerance",
)  # fmt: skip

MANY_CLASSES = 10  # with more, points have to agree with the teacher more closely


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
    many_formulas
        A card of more formulas gets more synthetic cases, in proportion: it has more points to fit.
    synthetic_values
        Samples per channel in all synthetic cases together: fewer cases are made of long series.
    long_series
        Beyond this number of samples, the number of cases falls with the square of the length.
    fewest_synthetic
        Cases that are made however long the series are.
    synthetic_weight
        What all synthetic cases together weigh, where the training cases weigh 2.
    label_share
        Share of a training case's target that comes from its label; the rest is the teacher's.
    max_cases
        Training cases that formulas are chosen on; of more, a sample.
    levels
        Where thresholds are tried: quantiles of the robustness of a candidate.
    reach
        How far from its threshold a formula holds clearly, in deviations of its robustness over the cases.
    n_generations, n_parents, n_young
        Formulas of two events are bred: how often, from how many, and how many variants of each.
    most_alike
        Of these formulas at most so many may be of one idiom, on the same channels, in the same directions.
    n_sequences
        Further formulas of two events that are drawn to breed from.
    doubt
        If the dense model errs on a larger share of left-out training cases, a card is also learned from the
        labels alone, and taken if it errs less often on cases that it was not learned from.
    n_screening
        Training cases, and as many synthetic ones, that candidates are bred and screened on.
    screening_values
        Samples per channel in these cases together: fewer cases are taken of long series.
    n_shortlist
        About how many candidates are then judged on all cases.
    n_rounds, n_variants
        How often chosen formulas compete with variants of themselves, and how many variants there are.
    redundancy
        A candidate of which less than this share is new beside the chosen ones is not chosen.
    reading
        How much reading may cost: a gain counts ``size ** -reading``. Of several values the largest is taken
        at which the chosen formulas agree with the teacher well enough.
    reading_tolerance
        By how much they may agree less often than at the smallest, as a share of the cases.
    shrinkage, sparsity
        Penalties on the squares and on the absolute values of points; the second makes most formulas speak
        for one class, or for two.
    steepness
        By how much these penalties may grow from the formula chosen first to the one chosen last: few
        formulas then carry most of each decision, and those that add nothing get no points and leave the
        card. Of these values the largest is taken whose card agrees with the teacher well enough.
    tolerance
        By how much that agreement may be lower than with the smallest value, as a share of the cases. With
        more than ten classes both tolerances are smaller, see :func:`tolerance_for`.
    least_points
        Points below this share of the formula's largest become 0.
    negligible
        So do points below this share of the card's largest.
    digits
        Of all numbers in the card.
    teacher
        How the dense model is fitted that the card imitates; a card that is distilled has a teacher already.
    """

    n_candidates: int = 12_000
    shape_share: float = 12.0
    average_share: float = 6.0
    n_synthetic: int = 2500
    many_formulas: int = 125
    synthetic_values: int = 2**20
    long_series: int = 500
    fewest_synthetic: int = 500
    synthetic_weight: float = 8.0
    label_share: float = 0.1
    max_cases: int = 1500
    levels: tuple[float, ...] = (0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 0.9)
    reach: float = 1.0
    n_generations: int = 5
    n_parents: int = 20
    n_young: int = 12
    most_alike: int = 20
    n_sequences: int = 0
    doubt: float = 0.1
    n_screening: int = 250
    screening_values: int = 2**17
    n_shortlist: int = 1500
    n_rounds: int = 1
    n_variants: int = 1000
    redundancy: float = 0.1
    reading: tuple[float, ...] = (0.1, 0.4, 0.9)
    reading_tolerance: float = 0.01
    shrinkage: float = 1e-4
    sparsity: float = 5e-4
    steepness: tuple[float, ...] = (0.0, 3.0, 8.0, 20.0, 50.0)
    tolerance: float = 0.025
    least_points: float = 0.1
    negligible: float = 0.02
    digits: int = 3
    teacher: DenseConfig = field(default_factory=DenseConfig)

    def __post_init__(self) -> None:
        for name in COUNTS:
            whole(getattr(self, name), name, least=1, most=10**9, error=ModelError)
        for name in ("n_rounds", "n_variants", "n_generations", "n_sequences"):
            whole(getattr(self, name), name, least=0, most=10**9, error=ModelError)
        for name in SIZES:
            positive(getattr(self, name), name, or_zero=True, error=ModelError)
        if not isinstance(self.teacher, DenseConfig):
            raise ModelError(
                f"teacher must be a DenseConfig, got {self.teacher!r}. Try DenseConfig(**teacher)."
            )
        object.__setattr__(self, "levels", _as_levels(self.levels))
        object.__setattr__(self, "steepness", _as_amounts("steepness", self.steepness, "(0, 20)"))
        object.__setattr__(self, "reading", _as_amounts("reading", self.reading, "(0.1, 0.4)"))

    @property
    def penalties(self) -> Penalties:
        """What keeps points few and small."""
        return Penalties(self.shrinkage, self.sparsity, self.least_points, self.negligible)

    @property
    def shares(self) -> dict[str, float]:
        """How often idioms are drawn, by name, as far as it differs from their own share."""
        return {"shape": self.shape_share, "average": self.average_share}

    @property
    def without_teacher(self) -> CardConfig:
        """How to learn from labels alone: few cases, so more formulas of two events can be tried on them."""
        return replace(
            self,
            n_generations=2 * self.n_generations + 2,
            n_parents=6 * self.n_parents,
            most_alike=4,
            n_sequences=self.n_candidates // 4,
        )

    def count_screening(self, n_timepoints: int) -> int:
        """On how many training cases, and as many synthetic ones, to screen series of that length."""
        return max(1, min(self.n_screening, self.screening_values // n_timepoints))

    def count_synthetic(self, n_timepoints: int, n_formulas: int) -> int:
        """How many synthetic cases to make of series of that length, for a card of so many formulas.

        Examples
        --------
        >>> CardConfig().count_synthetic(100, 20), CardConfig().count_synthetic(1200, 20)
        (2500, 500)
        >>> CardConfig().count_synthetic(100, 260)
        5200
        """
        wanted = int(self.n_synthetic * max(1.0, n_formulas / self.many_formulas))
        excess = max(1.0, n_timepoints / self.long_series)
        affordable = max(self.fewest_synthetic, int(self.synthetic_values / n_timepoints / excess))
        return min(wanted, affordable)


def tolerance_for(tolerance: float, n_classes: int) -> float:
    """The tolerance for so many classes: beyond ten it falls with their number.

    The more classes there are, the more a loss of agreement with the teacher costs on unseen cases.

    Examples
    --------
    >>> tolerance_for(0.025, 4), round(tolerance_for(0.025, 25), 3)
    (0.025, 0.01)
    """
    return tolerance * min(1.0, MANY_CLASSES / n_classes)


def _as_levels(values: Any) -> tuple[float, ...]:
    rule, way = "levels must hold numbers between 0 and 1, at least one", "Try (0.25, 0.5, 0.75)."
    levels = _numbers(values, rule, way)
    if not levels or min(levels) <= 0 or max(levels) >= 1:
        raise ModelError(f"{rule}, got {values!r}. {way}")
    return levels


def _as_amounts(name: str, values: Any, example: str) -> tuple[float, ...]:
    rule, way = f"{name} must hold numbers of at least 0, at least one", f"Try {example}."
    found = _numbers(values, rule, way)
    if not found:
        raise ModelError(f"{rule}, got {values!r}. {way}")
    return found


def _numbers(values: Any, rule: str, way: str) -> tuple[float, ...]:
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise ModelError(f"{rule}, got {values!r}. {way}")
    return tuple(positive(value, "Each of these", or_zero=True, error=ModelError) for value in values)
