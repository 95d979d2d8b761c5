"""Many formulas evaluated at once."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from stelle_nb.errors import SignalError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.traversal import signals
from stelle_nb.semantics.arrays import Array, check_channels, enter
from stelle_nb.semantics.derived import settling_time
from stelle_nb.semantics.device import resolve_device
from stelle_nb.semantics.execution import execute, place
from stelle_nb.semantics.graph import build_graph
from stelle_nb.semantics.plan import Plan, make_plan


class FormulaBank:
    """Formulas whose robustness is computed together, each common part once.

    Parameters
    ----------
    formulas
        In the order of the columns of the result.
    device
        Where to compute; ``"auto"`` takes CUDA or MPS if there is one.
    memory_budget
        Bytes that the computation may take beside its result; more cases are taken in turns.

    Examples
    --------
    >>> import numpy as np
    >>> from stelle_nb.logic.syntax import Atom
    >>> bank = FormulaBank([Atom(0, ">=", c).eventually(0, 2) for c in (1.0, 2.0)], device="cpu")
    >>> bank.robustness(np.array([[0.0, 1.0, 5.0], [0.0, 0.5, 0.0]]))
    array([[ 4. ,  3. ],
           [-0.5, -1.5]])
    """

    def __init__(
        self,
        formulas: Sequence[Formula],
        *,
        device: str | torch.device = "auto",
        memory_budget: int = 256 * 2**20,
    ) -> None:
        self.formulas = tuple(formulas)
        self.device = resolve_device(device)
        self.memory_budget = memory_budget
        self._graph = build_graph(self.formulas)
        self._plans: dict[tuple[int, torch.dtype], Plan] = {}

    def __len__(self) -> int:
        return len(self.formulas)

    def robustness(self, X: Array, *, dtype: torch.dtype | None = None) -> Array:
        """Robustness ``(n_cases, n_formulas)`` at the first sample, differentiable in ``X``."""
        x, leave = enter(X, device=self.device, dtype=dtype)
        check_channels(self.formulas, x)
        return leave(self.evaluate(x))

    def evaluate(self, x: Tensor) -> Tensor:
        plan = self._plan(x)
        return execute(plan, x)

    def _plan(self, x: Tensor) -> Plan:
        key = x.shape[-1], x.dtype
        if key not in self._plans:
            found = {signal for formula in self.formulas for signal in signals(formula)}
            self._plans[key] = place(make_plan(self._graph, x.shape[-1] + settling_time(found)), x.device, x.dtype)
        return self._plans[key]
