"""Checks which changes of a formula keep its robustness, or its sign, on given signals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, final

import torch
from torch import Tensor

from stelle_nb.errors import SimplifyError
from stelle_nb.logic.syntax import Formula
from stelle_nb.logic.traversal import Path, quantities
from stelle_nb.rewrite.context import Context
from stelle_nb.rewrite.rule import Guarantee
from stelle_nb.semantics.arrays import Array, check_channels, enter
from stelle_nb.semantics.derived import settling_time

Keep = Literal["robustness", "sign"]

BUDGET = 128 * 2**20  # bytes of traces held at once; cases are taken in turns to stay below it


@dataclass(frozen=True, slots=True)
class _Share:
    """Some of the cases, and what is expected of them."""

    context: Context
    expected: Tensor  # (case,)


@final
class Judge:
    """The robustness of a formula on given signals, against which changes are checked.

    Agreement in robustness is exact, not up to a tolerance: what decides nothing leaves no trace,
    since minimum and maximum only choose among values.
    """

    def __init__(self, formula: Formula, X: Array, keep: Keep) -> None:
        x, _ = enter(X)
        check_channels(quantities(formula), x)
        if len(x) == 0:
            raise SimplifyError("X must hold at least one case, got none. Leave X out to use no data.")
        self.guarantee: Guarantee = "given signals" if keep == "robustness" else "sign on given signals"
        self.n_settled = x.shape[-1] + settling_time(quantities(formula))  # constant from here on
        bytes_per_case = formula.size * self.n_settled * x.element_size()
        self._shares = [
            self._share(Context(part, formula), formula)
            for part in torch.split(x.detach(), max(1, BUDGET // bytes_per_case))
        ]

    def first(self, formula: Formula, changes: Sequence[tuple[Path, Formula]]) -> int | None:
        """Index of the first change, a node's path and what it becomes, that makes no difference."""
        alive = list(range(len(changes)))
        for share in self._shares[:-1]:
            alive = [i for i in alive if self._agrees(share, formula, *changes[i])]
            share.context.forget()
        last = self._shares[-1]
        last.context.forget(formula if len(self._shares) == 1 else None)
        return next((i for i in alive if self._agrees(last, formula, *changes[i])), None)

    def _agrees(self, share: _Share, formula: Formula, path: Path, new: Formula) -> bool:
        return torch.equal(self._seen(share.context.value_with(formula, path, new)), share.expected)

    def _share(self, context: Context, formula: Formula) -> _Share:
        expected = self._seen(context.value(formula))
        context.forget()
        return _Share(context, expected)

    def _seen(self, value: Tensor) -> Tensor:
        return value if self.guarantee == "given signals" else value >= 0
