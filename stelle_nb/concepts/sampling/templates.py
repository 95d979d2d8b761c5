"""Formula templates: every shape of formula up to a number of nodes (Algorithm 2 of the paper).

A template is itself a formula: its thresholds are 0 and its intervals ``[0,inf)`` until
:mod:`stelle_nb.concepts.sampling.parameters` puts values there.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement, product

from stelle_nb.errors import ConceptError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Always, And, Atom, Eventually, Not, Or, Relation, Until
from stelle_nb.logic.traversal import walk

MAX_NODES = 7  # 8 nodes over one channel are already 200 000 templates


def templates(max_nodes: int = 5, n_channels: int = 1) -> tuple[tuple[Formula, ...], ...]:
    """All templates over the channels ``x0, …``, by their number of nodes from 1 on.

    Parameters
    ----------
    max_nodes
        M of the paper.
    n_channels
        N of the paper, the most channels that a formula may use.

    Notes
    -----
    Two templates that differ only in the order of the sides of *and* or *or* are one. *Until* is not
    symmetric, so both orders of its sides occur, also those with the larger side first, which Algorithm 2
    as printed (``l <= r``) leaves out. An operator is a node: the sides of a binary one have ``m - 1`` nodes
    together.

    Examples
    --------
    >>> [len(same_size) for same_size in templates(5)]
    [2, 6, 28, 132, 698]
    """
    if not 1 <= max_nodes <= MAX_NODES or not 1 <= n_channels <= 3:
        raise ConceptError(
            f"Templates have 1 to {MAX_NODES} nodes and 1 to 3 channels, got max_nodes={max_nodes} and "
            f"n_channels={n_channels}. The paper uses 5 nodes and 1 channel."
        )
    return tuple(_of_size(m, n_channels) for m in range(1, max_nodes + 1))


def is_reduced(template: Formula) -> bool:
    """Whether no law of logic turns the template into a smaller one of equal expressiveness.

    Negations can be moved inwards into atoms unless they stand above an *until*; ``F F`` and ``G G`` merge.
    """
    for _, node in walk(template):
        match node:
            case Not(child) if not isinstance(child, Until):
                return False
            case Eventually(Eventually()) | Always(Always()):
                return False
    return True


@cache
def _of_size(m: int, n_channels: int) -> tuple[Formula, ...]:
    if m == 1:
        relations: tuple[Relation, ...] = ("<=", ">=")
        return tuple(Atom(Signal(i), relation, 0.0) for i in range(n_channels) for relation in relations)
    return (*_unary(m, n_channels), *_binary(m, n_channels))


def _unary(m: int, n_channels: int) -> Iterator[Formula]:
    for operator in (Eventually, Always, Not):
        yield from map(operator, _of_size(m - 1, n_channels))


def _binary(m: int, n_channels: int) -> Iterator[Formula]:
    for n_left in range(1, m - 1):
        n_right = m - 1 - n_left
        left, right = _of_size(n_left, n_channels), _of_size(n_right, n_channels)
        yield from (Until(*sides) for sides in product(left, right))
        if n_left < n_right:
            pairs = list(product(left, right))
        elif n_left == n_right:
            pairs = list(combinations_with_replacement(left, 2))
        else:
            continue
        for operator in (And, Or):
            yield from (operator(*sides) for sides in pairs)
