"""Choosing concepts that behave differently: the cosine of no two signatures reaches a threshold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from stelle_nb.kernels.signature import unit
from stelle_nb.logic.formula import Formula


@final
class Selector:
    """The concepts kept so far, to which candidates are offered.

    A candidate is kept if its cosine to every kept concept is below ``t``. If it is not, but is smaller than
    every concept it is too close to, it replaces them: of formulas that behave alike the smallest stays.

    Parameters
    ----------
    t
        Cosine that no two concepts may reach.
    up_to_negation
        Treat a formula that behaves like the negation of another as its duplicate, too.
    """

    def __init__(self, t: float = 0.99, *, up_to_negation: bool = False) -> None:
        self.t = t
        self.up_to_negation = up_to_negation
        self.formulas: list[Formula] = []
        self.sizes = torch.empty(0, dtype=torch.long)
        self.rho: Float[Tensor, "trajectory kept"] | None = None
        self.n_offered = 0

    def __len__(self) -> int:
        return len(self.formulas)

    def offer(self, formulas: Sequence[Formula], rho: Float[Tensor, "trajectory candidate"]) -> None:
        """Take what is new, and what is smaller, from a batch of candidates with their signatures."""
        self.n_offered += len(formulas)
        sizes = torch.tensor([phi.size for phi in formulas])
        old, new = rho[:, :0] if self.rho is None else self.rho, unit(rho)
        close_to_old, close_to_new = self._too_close(unit(old), new), self._too_close(new, new)
        chosen, dropped = _choose(close_to_old, close_to_new, self.sizes, sizes)
        kept = (~dropped).nonzero().squeeze(1)
        self.formulas = [self.formulas[i] for i in kept] + [formulas[i] for i in chosen]
        self.sizes = torch.cat((self.sizes[kept], sizes[chosen]))
        self.rho = torch.cat((old[:, kept], rho[:, chosen]), dim=1)

    def cut(self, n: int) -> None:
        """Keep the first ``n`` concepts."""
        self.formulas, self.sizes = self.formulas[:n], self.sizes[:n]
        self.rho = None if self.rho is None else self.rho[:, :n]

    def _too_close(
        self, u: Float[Tensor, "trajectory left"], v: Float[Tensor, "trajectory right"]
    ) -> Bool[Tensor, "right left"]:
        cosine = v.T @ u
        return (cosine.abs() if self.up_to_negation else cosine) >= self.t


def _choose(
    close_to_old: Bool[Tensor, "new old"],
    close_to_new: Bool[Tensor, "new new"],
    old_sizes: Tensor,
    new_sizes: Tensor,
) -> tuple[Tensor, Bool[Tensor, " old"]]:
    """Candidates to keep, in the order given, and the old concepts that they replace."""
    blocked = close_to_old & (old_sizes <= new_sizes.unsqueeze(1))  # by an old one at least as small
    is_free = (~blocked.any(1)).tolist()
    dropped = torch.zeros(len(old_sizes), dtype=torch.bool)
    chosen: list[int] = []
    for i in torch.argsort(new_sizes, stable=True).tolist():  # smallest first
        if is_free[i] and not close_to_new[i, chosen].any():
            chosen.append(i)
            dropped |= close_to_old[i]
    return torch.tensor(sorted(chosen), dtype=torch.long), dropped
