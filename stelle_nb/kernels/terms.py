"""What the trajectory kernel needs to know about some cases, whatever its locality."""

from __future__ import annotations

from dataclasses import dataclass, replace

from jaxtyping import Float, Int
from torch import Tensor


@dataclass(frozen=True, slots=True, eq=False)
class EmbeddingTerms:
    """All that the kernels linear in the distance need to know about some cases.

    Expectations are over the same draws xi of mu0 for every term; d is the squared distance between xi and
    the case, divided by the number of values in a case, so that an eps of order one means the same on every
    data set.

    Parameters
    ----------
    b
        E[rho], the mean robustness of each concept.
    D
        E[d rho] for each case and concept.
    mean_d, mean_d2
        E[d] and E[d^2] for each case.
    norm
        sqrt(E[rho^2]) of each concept.
    """

    b: Float[Tensor, " concept"]
    D: Float[Tensor, "case concept"]
    mean_d: Float[Tensor, " case"]
    mean_d2: Float[Tensor, " case"]
    norm: Float[Tensor, " concept"]

    @property
    def n_cases(self) -> int:
        """Number of cases."""
        return self.D.shape[0]

    @property
    def n_concepts(self) -> int:
        """Number of concepts."""
        return self.D.shape[1]

    def take(self, cases: Int[Tensor, " chosen"]) -> EmbeddingTerms:
        """Return the terms of the chosen cases."""
        return replace(
            self,
            D=self.D.index_select(0, cases),
            mean_d=self.mean_d.index_select(0, cases),
            mean_d2=self.mean_d2.index_select(0, cases),
        )


@dataclass(frozen=True, slots=True, eq=False)
class PairwiseTerms:
    """All that any of the kernels needs to know about some cases: every distance, every robustness.

    Parameters
    ----------
    d
        Squared distance between each case and each draw of mu0, divided by the number of values in a case.
    rho
        Robustness of each concept on each draw.
    """

    d: Float[Tensor, "case draw"]
    rho: Float[Tensor, "draw concept"]

    @property
    def n_cases(self) -> int:
        """Number of cases."""
        return self.d.shape[0]

    @property
    def n_concepts(self) -> int:
        """Number of concepts."""
        return self.rho.shape[1]

    def take(self, cases: Int[Tensor, " chosen"]) -> PairwiseTerms:
        """Return the terms of the chosen cases."""
        return replace(self, d=self.d.index_select(0, cases))


Terms = EmbeddingTerms | PairwiseTerms
