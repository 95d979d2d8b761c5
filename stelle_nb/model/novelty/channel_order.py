"""Channel order: whether the channels of a case would look more familiar in another order."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

import numpy as np
import numpy.typing as npt
from jaxtyping import Float, Int

from stelle_nb.data.cases import Series
from stelle_nb.model.novelty.channel_identity import ChannelIdentity
from stelle_nb.model.novelty.familiarity import Familiarity

Floats = npt.NDArray[np.floating]

MOST_CHANNELS = 4  # all orders of these are tried; shuffles of more channels stand out without it
ALIKE = 0.4  # what looking like a channel counts, where looking like a case counts 1


@dataclass(frozen=True, slots=True, eq=False)
class ChannelOrder:
    """By how much the order that the channels have looks more familiar than the best other order.

    Parameters
    ----------
    cases
        Familiarity of whole cases, learned against shuffled copies, too.
    channels
        What single channels look like.
    left_out
        Of each training case, by regressions without it.

    Notes
    -----
    A case and its shuffled copies are alike in all but the order, so that the difference tells more than
    either value: what is unusual about a case is unusual in every order.
    """

    cases: Familiarity
    channels: ChannelIdentity
    left_out: Float[Floats, " case"]

    @classmethod
    def of(
        cls, cases: Familiarity, X: Series, labels: Int[npt.NDArray[np.intp], " case"]
    ) -> ChannelOrder | None:
        """Learn it from the cases that the familiarity was learned from; None for 1 channel, or more than 4.

        Parameters
        ----------
        X
            All of these cases, in their order.
        """
        if not 2 <= X.shape[1] <= MOST_CHANNELS:
            return None
        parts, all_orders = cases.features.parts(X), orders(X.shape[1])
        channels = ChannelIdentity.of(parts.own, labels)
        rows = parts.in_orders(all_orders)
        familiar = [cases.judge_left_out(rows[:, o]) for o in range(len(all_orders))]
        scores = np.stack(familiar, axis=1) + ALIKE * _looks(channels.left_out, all_orders)
        return cls(cases, channels, _margin(scores))

    def __call__(self, X: Series) -> Float[Floats, "asked case"]:
        """The margin of each case, by each of the regressions."""
        parts, all_orders = self.cases.features.parts(X), orders(X.shape[1])
        rows = parts.in_orders(all_orders)
        familiar = self.cases.judge(rows.reshape(-1, rows.shape[2]))
        familiar = familiar.reshape(len(X), len(all_orders), familiar.shape[1])
        return _margin(familiar + ALIKE * _looks(self.channels(parts.own), all_orders))


def orders(n_channels: int) -> Int[npt.NDArray[np.intp], "order channel"]:
    """All orders of channels, first the one that they have.

    Examples
    --------
    >>> orders(2).tolist()
    [[0, 1], [1, 0]]
    """
    return np.array(list(permutations(range(n_channels))), dtype=np.intp)


def _looks(
    looks: Float[Floats, "asked channel channel *case"],
    all_orders: Int[npt.NDArray[np.intp], "order channel"],
) -> Float[Floats, "asked order *case"]:
    """How much all signals together look like the channels in whose places they are put, for each order."""
    return np.asarray(looks[:, all_orders, np.arange(all_orders.shape[1])].sum(axis=2))


def _margin(scores: Floats) -> Floats:
    """Of the first order over the best of the others; orders are the second axis."""
    return np.asarray(scores[:, 0] - scores[:, 1:].max(axis=1))
