"""Which samples of a case decide how clearly it satisfies a formula."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from stelle_nb.depict.regions import Case
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.syntax import Tube
from stelle_nb.logic.traversal import conjuncts, node_at
from stelle_nb.logic.weighted_sum import Quantity
from stelle_nb.semantics.witness import witness


@dataclass(frozen=True, slots=True)
class Decision:
    """The sample of a signal or sum that decides the robustness of one conjunct, or of the whole formula.

    Parameters
    ----------
    text
        In a scene, its value and time in words.
    """

    signal: Quantity
    time: int
    robustness: float
    is_whole: bool
    text: str = ""


def find_decisions(formula: Formula, case: Case) -> list[Decision]:
    """What decides each conjunct of a formula on a case; the one that decides them all comes last.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> formula = parse("F[3,4] x0 >= 2 & G[5,9] x0 >= 4")
    >>> found = find_decisions(formula, np.arange(20.0)[None])
    >>> [(one.time, one.robustness, one.is_whole) for one in found]
    [(4, 2.0, False), (5, 1.0, True)]
    """
    found = [decision for part in conjuncts(formula) if (decision := _decision(part, case)) is not None]
    if not found:
        return []
    weakest = min(found, key=lambda decision: decision.robustness)
    others = [decision for decision in found if decision is not weakest]
    return [*others, replace(weakest, is_whole=True)]


def _decision(part: Formula, case: Case) -> Decision | None:
    found = witness(part, np.array(case))  # a copy: tensors cannot share what is read-only
    node = node_at(part, found.path)
    if isinstance(node, Tube) and found.track is not None:
        signal: Quantity = node.tracks[found.track].signal
    elif found.atom is not None:
        signal = found.atom.signal
    else:
        return None
    return Decision(signal, min(found.time, case.shape[1] - 1), found.value, False)
