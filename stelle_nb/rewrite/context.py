"""The robustness of a formula with one part replaced, computed only along the path to that part."""

from __future__ import annotations

from typing import final

from torch import Tensor

from stelle_nb.logic.syntax import And, AtLeast, Formula, Implies, Not, Or
from stelle_nb.logic.traversal import Path, children, quantities, walk
from stelle_nb.semantics.definition import operate, settled_trace
from stelle_nb.semantics.derived import settling_time
from stelle_nb.semantics.windows import hold

Boolean = Not | And | Or | Implies | AtLeast
Memory = dict[int, tuple[Formula, Tensor]]
"""Results by the identity of a part, which holding the part keeps taken."""


@final
class Context:
    """Signals, with cached robustness of the parts of a formula.

    Parts off the path to a replaced node are evaluated once; where no temporal operator lies
    above, at the first sample only.

    Parameters
    ----------
    x
        Signals ``(case, channel, time)``.
    formula
        Later formulas may only use the signals of this one.
    """

    def __init__(self, x: Tensor, formula: Formula) -> None:
        self._x = x
        self._length = x.shape[-1] + settling_time(quantities(formula))
        self._values: Memory = {}  # (case,)
        self._traces: Memory = {}  # (case, time)

    def value(self, formula: Formula) -> Tensor:
        """Robustness ``(case,)`` at the first sample."""
        if id(formula) not in self._values:
            if isinstance(formula, Boolean):
                value = operate(formula, [self.value(part) for part in children(formula)])
            else:
                value = self._trace(formula)[:, 0]
            self._values[id(formula)] = formula, value
        return self._values[id(formula)][1]

    def value_with(self, formula: Formula, path: Path, new: Formula) -> Tensor:
        """Robustness ``(case,)`` at the first sample, with the node at ``path`` replaced by ``new``."""
        if not path:
            return self.value(new)
        if not isinstance(formula, Boolean):
            return self._trace_with(formula, path, new)[:, 0]
        parts = [
            self.value_with(part, path[1:], new) if i == path[0] else self.value(part)
            for i, part in enumerate(children(formula))
        ]
        return operate(formula, parts)

    def forget(self, formula: Formula | None = None) -> None:
        """Drop cached parts that do not belong to ``formula``."""
        kept = set() if formula is None else {id(node) for _, node in walk(formula)}
        for memory in (self._values, self._traces):
            for key in memory.keys() - kept:
                del memory[key]

    def _trace(self, formula: Formula) -> Tensor:
        if id(formula) not in self._traces:
            parts = [self._trace(part) for part in children(formula)]
            trace = operate(formula, parts) if parts else settled_trace(formula, self._x)
            self._traces[id(formula)] = formula, hold(trace, after=self._length - trace.shape[-1])
        return self._traces[id(formula)][1]

    def _trace_with(self, formula: Formula, path: Path, new: Formula) -> Tensor:
        if not path:
            return self._trace(new)
        parts = [
            self._trace_with(part, path[1:], new) if i == path[0] else self._trace(part)
            for i, part in enumerate(children(formula))
        ]
        return operate(formula, parts)
