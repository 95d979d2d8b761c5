"""What is known of training cases, to compare others with them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from jaxtyping import Float, Int

from stelle_nb.data.cases import Series
from stelle_nb.model.novelty.channel_order import MOST_CHANNELS, ChannelOrder
from stelle_nb.model.novelty.familiarity import MOST_POINTS, Familiarity, even_share

Floats = npt.NDArray[np.floating]

MOST_CASES = 500  # of more training cases, an even share of every class
FEW = 39  # with fewer training cases no two tests have 5 % of false alarms together
ORDER_SHARE = 0.1  # what the order then counts, where familiarity counts 1
DISTURBED = 0.0  # the familiarity of a disturbed copy
MISPLACED = -1.0  # by how much another order is more familiar if the channels surely changed places
MILDER = 2.0  # noise and other units stand out further than another order, so their ranks count as higher


@dataclass(frozen=True, slots=True, eq=False)
class NoveltyRanks:
    """Where values lie among those of training cases: from 0, as low as can be, to 1.

    Parameters
    ----------
    known
        In increasing order.
    lowest
        Values down to this one have rank 0, if no training case is lower.
    """

    known: Float[Floats, " case"]
    lowest: float

    @classmethod
    def of(cls, values: Float[Floats, " case"], lowest: float) -> NoveltyRanks:
        """Among these values."""
        return cls(np.sort(values), lowest)

    def __call__(self, values: Float[Floats, "*many"]) -> Float[Floats, "*many"]:
        """The ranks, without steps, so that values on different sides of a training case differ.

        Examples
        --------
        >>> NoveltyRanks(np.array([1.0, 2.0, 4.0]), 0.0)(np.array([0.5, 1.0, 3.0])).tolist()
        [0.125, 0.25, 0.625]
        """
        n = len(self.known)
        floor = min(self.lowest, float(self.known[0]) - 1e-9)
        return np.asarray(np.interp(values, [floor, *self.known], np.arange(n + 1) / (n + 1)))

    def left_out(self, values: Float[Floats, " case"]) -> Float[Floats, " case"]:
        """The rank of each of the values among the others: as a new case is ranked."""
        if len(values) < 2:
            return np.ones(len(values))
        places = np.searchsorted(self.known, values)
        others = (NoveltyRanks(np.delete(self.known, place), self.lowest) for place in places)
        return np.array([float(ranks(value)) for ranks, value in zip(others, values, strict=True)])


@dataclass(frozen=True, slots=True, eq=False)
class KnownCases:
    """How familiar cases are, each compared with every training case by a regression that has seen neither.

    Parameters
    ----------
    cases
        Of whole cases.
    order
        Of the order of the channels; None where there is only one, or where any shuffle stands out anyway.
    ranks
        Of the two; empty without an order, or with few cases.
    left_out
        Of each training case: its familiarity; with an order the lower rank of both, or their sum where there
        are few cases.
    """

    cases: Familiarity
    order: ChannelOrder | None
    ranks: tuple[NoveltyRanks, ...]
    left_out: Float[Floats, " case"]

    @classmethod
    def of(cls, X: Series, labels: Int[npt.NDArray[np.intp], " case"], *, seed: int) -> KnownCases:
        """Learn from training cases and the numbers of their classes.

        Parameters
        ----------
        seed
            Of the disturbed copies that cases are told from.
        """
        has_order = 2 <= X.shape[1] <= MOST_CHANNELS
        chosen = even_share(labels, min(MOST_CASES, MOST_POINTS // X.shape[1]) if has_order else MOST_CASES)
        X, labels = X[chosen].astype(np.float64), labels[chosen]
        with_shuffles = Familiarity.of(X, labels, seed=seed)
        order = ChannelOrder.of(with_shuffles, X, labels)
        if order is None:
            return cls(with_shuffles, None, (), with_shuffles.left_out)
        if len(X) < FEW:
            return cls(with_shuffles, order, (), with_shuffles.left_out + ORDER_SHARE * order.left_out)
        cases = Familiarity.of(X, labels, seed=seed, shuffle=False)
        ranks = NoveltyRanks.of(cases.left_out, DISTURBED), NoveltyRanks.of(order.left_out, MISPLACED)
        lower = _lower(ranks[0].left_out(cases.left_out), ranks[1].left_out(order.left_out))
        return cls(cases, order, ranks, lower)

    def __call__(self, X: Series) -> tuple[Float[Floats, "asked case"], Float[Floats, " asked"]]:
        """Each case compared with each training case, and how familiar it is from 0 to 1."""
        cases = self.cases(X)
        if self.order is None:
            return cases, cases.mean(axis=1)
        order = self.order(X)
        if not self.ranks:
            return cases + ORDER_SHARE * order, cases.mean(axis=1)
        return _lower(self.ranks[0](cases), self.ranks[1](order)), cases.mean(axis=1)


def _lower(cases: Float[Floats, "*many"], order: Float[Floats, "*many"]) -> Float[Floats, "*many"]:
    return np.asarray(np.minimum(MILDER * cases, order))
