"""Settings of the dense model."""

from __future__ import annotations

from dataclasses import dataclass

from stelle_nb.arguments import positive, whole
from stelle_nb.errors import ModelError

COUNTS = ("n_drawn", "n_pilot", "n_pilot_cases", "max_steps", "max_cases", "max_values")
SHARES = ("least_share", "plain_share")


@dataclass(frozen=True, slots=True)
class DenseConfig:
    """How the dense model is fitted; the defaults were chosen inside the training parts of many data sets.

    Parameters
    ----------
    n_drawn
        Concepts drawn for the model, each family by its share. A smaller vocabulary, ``n_concepts`` of the
        classifier, is chosen from them.
    n_pilot
        Concepts of each family that its share is chosen with.
    n_pilot_cases
        Training cases that the shares are chosen on.
    max_steps
        How often the shares may be changed while they are chosen.
    max_cases
        Training cases that shapes, thresholds and scales are taken from.
    max_values
        Samples in these cases together: fewer cases are taken of long series.
    least_share
        A family with a smaller share is left out.
    plain_share
        The least share of plain STL on measured channels.
    zscores
        Whether concepts may be shapes in z-scores, where cases differ in level or spread.

    Examples
    --------
    >>> DenseConfig(n_drawn=300).n_pilot
    240
    >>> DenseConfig(n_drawn=0)
    Traceback (most recent call last):
    ...
    stelle_nb.errors.ModelError: n_drawn must be an integer of at least 1, got 0.
    """

    n_drawn: int = 4000
    n_pilot: int = 240
    n_pilot_cases: int = 300
    max_steps: int = 6
    max_cases: int = 1000
    max_values: int = 2**25
    least_share: float = 0.02
    plain_share: float = 0.15
    zscores: bool = True

    def __post_init__(self) -> None:
        for name in COUNTS:
            whole(getattr(self, name), name, least=1, most=10**9, error=ModelError)
        for name in SHARES:
            share = positive(getattr(self, name), name, or_zero=True, error=ModelError)
            if share >= 1:
                raise ModelError(f"{name} must be a share below 1, got {share}. Try 0.02.")
        if not isinstance(self.zscores, bool):
            raise ModelError(f"zscores must be True or False, got {self.zscores!r}.")

    def count_cases(self, n_values: int) -> int:
        """How many training cases of so many samples to take shapes, thresholds and scales from.

        Examples
        --------
        >>> DenseConfig().count_cases(600), DenseConfig().count_cases(2**20)
        (1000, 32)
        """
        return max(1, min(self.max_cases, self.max_values // n_values))
