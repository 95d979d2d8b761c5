"""The signals a model uses, each in units of its own deviation, and the way back for formulas."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import torch

from stelle_nb.data.cases import Series
from stelle_nb.data.preprocess import Standardiser
from stelle_nb.data.units import to_original_units
from stelle_nb.errors import DataError
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import MIRRORED, Atom, Formula, Tube
from stelle_nb.logic.traversal import transform
from stelle_nb.logic.weighted_sum import WeightedSum, map_signals
from stelle_nb.semantics.derived import derive

FARTHEST = 1e12  # deviations from the mean; squares and sums of them still fit into single precision


@dataclass(frozen=True, slots=True, eq=False)
class SignalBasis:
    """Channels and signals derived from them, standardised one by one.

    Inside a model channel ``j`` is ``signals[j]`` in deviations from its training mean, so that one tolerance
    fits all of them. :meth:`shown` rewrites a formula for the user's own channels and units: it changes
    the values of robustness, never the sign.

    Parameters
    ----------
    signals
        What each channel of the model is.
    standardiser
        Mean and deviation of each of them over the training cases.
    """

    signals: tuple[Signal, ...]
    standardiser: Standardiser

    @classmethod
    def fit(cls, X_train: Series, signals: Sequence[Signal]) -> SignalBasis:
        """Take mean and deviation of every signal from training cases."""
        values = signal_values(X_train, signals)
        return cls(tuple(signals), Standardiser.fit(values))

    @property
    def n_signals(self) -> int:
        """How many channels a model sees."""
        return len(self.signals)

    def transform(self, X: Series) -> npt.NDArray[np.float32]:
        """The standardised signals ``(case, signal, time)`` of raw cases.

        Values beyond single precision are clipped to its range.
        """
        values = self.standardiser.transform(signal_values(X, self.signals))
        return np.clip(values, -FARTHEST, FARTHEST).astype(np.float32)

    def shown(self, formula: Formula) -> Formula:
        """A formula on standardised signals, rewritten in terms of raw channels and units.

        Examples
        --------
        >>> from stelle_nb.logic.parsing.parser import parse
        >>> X = np.array([[[0.0, 2.0, 4.0, 6.0]]])
        >>> basis = SignalBasis.fit(X, [Signal(0), Signal(0, lag=1)])
        >>> print(basis.shown(parse("F[0,3] x0 >= 0.0")))
        F[0,3] (x0 >= 3.0)
        """
        original = to_original_units(formula, self.standardiser.scale, self.standardiser.offset)
        return with_signals(transform(original, _with_largest_weight_one), self._source)

    def _source(self, signal: Signal) -> Signal:
        """The raw signal that a signal of the basis, or an average or change of one, is."""
        base = self.signals[signal.channel]
        if signal.is_raw:
            return base
        if not base.is_raw:
            raise DataError(
                f"A signal derived from {base} has no name, got {signal}. Derive it from a channel."
            )
        return replace(signal, channel=base.channel)


def with_signals(formula: Formula, new: Callable[[Signal], Signal]) -> Formula:
    """The formula with every signal replaced by ``new(signal)``.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> print(with_signals(parse("x0 >= 1.0 & x1 <= 2.0"), lambda signal: replace(signal, window=5)))
    mean(x0, 5) >= 1.0 & mean(x1, 5) <= 2.0
    """

    def renamed(node: Formula) -> Formula:
        match node:
            case Atom(quantity):
                return replace(node, signal=map_signals(quantity, new))
            case Tube(tracks):
                named = (replace(track, signal=new(track.signal)) for track in tracks)
                return replace(node, tracks=tuple(named))
            case _:
                return node

    return transform(formula, renamed)


def _with_largest_weight_one(node: Formula) -> Formula:
    """A sum in the unit of the signal with the largest weight, to which the other weights are relative."""
    match node:
        case Atom(WeightedSum(terms) as quantity, relation, threshold):
            largest = max((term.weight for term in terms), key=abs)
            relation = relation if largest > 0 else MIRRORED[relation]
            return Atom(quantity.scaled(1 / largest), relation, threshold / largest)
        case _:
            return node


def signal_values(X: Series, signals: Sequence[Signal]) -> npt.NDArray[np.float64]:
    """The values ``(case, signal, time)`` of signals on raw cases, in double precision."""
    x = torch.from_numpy(np.array(X, dtype=np.float64))  # a copy: data sets are read-only, tensors never
    return torch.stack(
        [derive(x[:, signal.channel], signal, x.shape[2]) for signal in signals], dim=1
    ).numpy()
