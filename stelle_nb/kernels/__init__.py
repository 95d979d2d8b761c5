"""Random trajectories, and kernels that compare formulas and trajectories by them."""

from stelle_nb.kernels.base_measure import BaseMeasure
from stelle_nb.kernels.formula_kernel import formula_kernel
from stelle_nb.kernels.moments import TrajectoryMoments
from stelle_nb.kernels.signature import signatures
from stelle_nb.kernels.terms import EmbeddingTerms, PairwiseTerms
from stelle_nb.kernels.trajectory_kernel import trajectory_kernel

__all__ = [
    "BaseMeasure",
    "formula_kernel",
    "signatures",
    "trajectory_kernel",
    "TrajectoryMoments",
    "EmbeddingTerms",
    "PairwiseTerms",
]
