"""Many formulas evaluated at once."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from stelle_nb.arguments import whole
from stelle_nb.errors import NotAFormulaError, SignalError
from stelle_nb.logic.formula import Formula
from stelle_nb.semantics.arrays import Array, check_channels, check_formulas, enter, listed
from stelle_nb.semantics.derived import settling_time
from stelle_nb.semantics.device import resolve_device
from stelle_nb.semantics.planning.execution import bytes_of_tables, execute, place
from stelle_nb.semantics.planning.graph import build_graph
from stelle_nb.semantics.planning.plan import Plan, make_plan

MIB = 2**20
LEAST_BUDGET = 32 * MIB  # room for a few blocks beside the tables
REMEMBERED = 4  # lengths of signals for which plans are kept


class FormulaBank:
    """Formulas whose robustness is computed together, each common part once.

    The first use on signals of some length plans the computation (about 0.1 s for a thousand
    formulas); later uses on that length reuse the plan.

    Parameters
    ----------
    formulas
        In the order of the columns of the result.
    device
        Where to compute; ``"auto"`` takes CUDA or MPS if there is one.
    memory_budget
        Bytes that tensors may take besides data, plan and result. Cases, and if necessary formulas,
        are processed in parts to stay below it. Gradients need more.

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
        memory_budget: int = 256 * MIB,
    ) -> None:
        whole(memory_budget, "memory_budget", most=2**62, error=SignalError, way="It is counted in bytes.")
        if memory_budget < LEAST_BUDGET:
            raise SignalError(
                f"memory_budget must be at least {LEAST_BUDGET} bytes, got {memory_budget}. "
                "With less memory, evaluate formulas one by one with robustness()."
            )
        if not hasattr(formulas, "__iter__"):
            raise NotAFormulaError(f"Formulas were expected, got {formulas!r}. Use parse() to convert text.")
        self.formulas = tuple(listed(formulas))
        self.device = resolve_device(device)
        self.memory_budget = memory_budget
        self.quantities = check_formulas(self.formulas)
        self._plans: dict[tuple[int, torch.dtype, torch.device], list[Plan]] = {}

    def __len__(self) -> int:
        return len(self.formulas)

    def __repr__(self) -> str:
        return f"FormulaBank({len(self)} formulas, device={str(self.device)!r})"

    def robustness(self, X: Array, *, dtype: torch.dtype | None = None) -> Array:
        """Robustness ``(n_cases, n_formulas)`` at the first sample, differentiable in ``X``.

        ``X`` and ``dtype`` are as for :func:`stelle_nb.semantics.robustness.robustness`; the result
        is of the kind, and on the device, of ``X``.
        """
        x, leave = enter(X, device=self.device, dtype=dtype)
        check_channels(self.quantities, x)
        return leave(self.evaluate(x))

    def evaluate(self, x: Tensor) -> Tensor:
        """:meth:`robustness` of a validated tensor ``(case, channel, time)``."""
        if not self.formulas:
            return x.new_empty(x.shape[0], 0)
        return torch.cat([execute(plan, x, self.memory_budget) for plan in self._plans_for(x)], 1)

    def _plans_for(self, x: Tensor) -> list[Plan]:
        key = x.shape[-1], x.dtype, x.device
        if key not in self._plans:
            length = x.shape[-1] + settling_time(self.quantities)
            while len(self._plans) >= REMEMBERED:
                self._plans.pop(next(iter(self._plans)))
            with torch.inference_mode(False):  # a plan made for predictions also serves gradients later
                plans = _affordable(self.formulas, length, x.element_size(), self.memory_budget)
                self._plans[key] = [place(plan, x.device, x.dtype) for plan in plans]
        return self._plans[key]


def _affordable(formulas: Sequence[Formula], length: int, itemsize: int, budget: int) -> list[Plan]:
    """One plan for all formulas, or several for parts of them if one case alone would need too much."""
    plan = make_plan(build_graph(formulas), length)
    if len(formulas) == 1 or 4 * bytes_of_tables(plan, itemsize, 1) <= budget:
        return [plan]
    half = len(formulas) // 2
    parts = formulas[:half], formulas[half:]
    return [each for part in parts for each in _affordable(part, length, itemsize, budget)]
