"""Which stretches of which channels a weighted sum reads, and what it multiplies them by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from stelle_nb.depict.regions import Region
from stelle_nb.logic.printing.notation import rounded
from stelle_nb.logic.weighted_sum import Quantity, Term, WeightedSum

WEIGHED = "what a weighted sum reads"  # in legends


@dataclass(frozen=True, slots=True)
class TermStretch:
    """Samples of a channel that one term of a sum is made of.

    Parameters
    ----------
    start, end
        First and last of them within the data.
    text
        The weight with its sign, as short as possible.
    """

    channel: int
    start: int
    end: int
    text: str


def find_stretches(
    regions: Iterable[Region], n_timepoints: int, numbers: Mapping[Quantity, int] | None = None
) -> list[TermStretch]:
    """What the sums among the regions read, for those that are evaluated at a single sample.

    Where sums have ``numbers``, the text of a stretch says which sum it belongs to.

    Examples
    --------
    >>> from stelle_nb.depict.regions import find_regions
    >>> from stelle_nb.logic.interval import Interval
    >>> from stelle_nb.logic.signal import Signal
    >>> from stelle_nb.logic.syntax import Always, Atom
    >>> both = WeightedSum((Term(0.6, Signal(0, window=5), delay=20), Term(-0.4, Signal(1, lag=2))))
    >>> formula = Always(Atom(both, ">=", 0.2), Interval(50, 50))
    >>> found = find_stretches(find_regions(formula, 100), 100)
    >>> [(each.channel, each.start, each.end, each.text) for each in found]
    [(0, 26, 30, '× +0.6'), (1, 48, 50, 'change × −0.4')]
    """
    found: dict[TermStretch, None] = {}  # each once
    for region in regions:
        if isinstance(region.signal, WeightedSum) and region.at is not None:
            number = (numbers or {}).get(region.signal)
            name = "" if number is None else f"sum {number}: "
            found |= {_stretch(term, region.at, n_timepoints - 1, name): None for term in region.signal.terms}
    return list(found)


def _stretch(term: Term, at: int, last: int, name: str) -> TermStretch:
    end = at - term.delay
    start, end = (max(0, min(t, last)) for t in (end - term.signal.memory, end))  # ends are held beyond
    sign = "−" if term.weight < 0 else "+"
    change = "change " if term.signal.lag else ""
    change = "|change| " if term.signal.absolute else change
    change = f"z-score {change}" if term.signal.zscore else change
    text = f"{name}{change}× {sign}{rounded(abs(term.weight), 2)}"
    return TermStretch(term.signal.channel, start, end, text)
