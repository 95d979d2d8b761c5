"""The reading cost of a formula: its nodes, and every step by which its signals were derived."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from jaxtyping import Float

from stelle_nb.data.basis import SignalBasis
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.syntax import Atom, Tube
from stelle_nb.logic.traversal import nodes
from stelle_nb.logic.weighted_sum import WeightedSum, signals_of, size_of


@dataclass(frozen=True, slots=True)
class Content:
    """The parts of a formula, counted in one pass."""

    n_nodes: int
    n_atoms: int
    n_terms: int
    channels: frozenset[int]

    @classmethod
    def of(cls, formula: Formula) -> Content:
        """Count the parts of a formula; tubes count their points as well, and sums all their terms.

        How signals are derived is not counted here: see :func:`reading_costs`.

        Examples
        --------
        >>> from stelle_nb.logic.parsing.parser import parse
        >>> Content.of(parse("F[0,2] x0 > 1"))
        Content(n_nodes=2, n_atoms=1, n_terms=0, channels=frozenset({0}))
        """
        n_nodes, n_atoms, n_terms = 0, 0, 0
        channels: set[int] = set()
        for node in nodes(formula):
            n_nodes += 1
            match node:
                case Atom(quantity):
                    n_atoms += 1
                    n_terms += len(quantity.terms) if isinstance(quantity, WeightedSum) else 0
                    channels.update(signal.channel for signal in signals_of(quantity))
                case Tube(tracks):
                    n_nodes += node.n_points
                    channels.update(track.signal.channel for track in tracks)
        return cls(n_nodes + n_terms, n_atoms, n_terms, frozenset(channels))


def reading_costs(
    concepts: Sequence[Formula], basis: SignalBasis
) -> Float[npt.NDArray[np.float64], " concept"]:
    """The cost of each concept: "x0 rises" is easier than "the average absolute change of x0 rises".

    Parameters
    ----------
    concepts
        Formulas about the channels of the basis.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> from stelle_nb.logic.signal import Signal
    >>> basis = SignalBasis.fit(np.array([[[0.0, 1.0, 3.0]]]), [Signal(0), Signal(0, lag=1, window=2)])
    >>> reading_costs([parse("F[0,2] x0 > 1"), parse("F[0,2] x1 > 1")], basis).tolist()
    [2.0, 4.0]
    """
    return content_costs([Content.of(concept) for concept in concepts], basis)


def content_costs(
    contents: Sequence[Content], basis: SignalBasis
) -> Float[npt.NDArray[np.float64], " concept"]:
    """The same for concepts whose parts are counted already."""
    steps = [size_of(signal) for signal in basis.signals]
    return np.array(
        [content.n_nodes + sum(steps[channel] for channel in content.channels) for content in contents],
        dtype=np.float64,
    )
