"""The distribution of robustness outside each class: the scale of discriminability."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor


@dataclass(frozen=True, slots=True, eq=False)
class ClassStatistics:
    """Mean and deviation of every concept's robustness over the training cases *not* of a class.

    Examples
    --------
    >>> robustness = torch.tensor([[0.0], [2.0], [5.0]])
    >>> statistics = ClassStatistics.of(robustness, torch.tensor([0, 0, 1]), n_classes=2)
    >>> statistics.mean.tolist(), statistics.std.tolist()
    ([[5.0], [1.0]], [[0.0], [1.0]])
    """

    mean: Float[Tensor, "cls concept"]
    std: Float[Tensor, "cls concept"]

    @property
    def n_classes(self) -> int:
        return self.mean.shape[0]

    @property
    def n_concepts(self) -> int:
        return self.mean.shape[1]

    @classmethod
    def of(
        cls, robustness: Float[Tensor, "case concept"], labels: Int[Tensor, " case"], *, n_classes: int
    ) -> ClassStatistics:
        """Take the statistics of training cases.

        Parameters
        ----------
        robustness
            Finite values, one row per training case.
        labels
            Class numbers from 0 to ``n_classes - 1``, of at least two classes.
        n_classes
            Number of classes, those without a case included.

        Notes
        -----
        Deviations are those of the population (divided by n, not n - 1): one outside case gives 0, not NaN.
        """
        means, stds = [], []
        for k in range(n_classes):
            outside = (labels != k).to(robustness.dtype)  # (case,)
            weight = outside / outside.sum()
            mean = weight @ robustness  # (concept,)
            means.append(mean)
            stds.append((weight @ (robustness - mean).square()).sqrt())
        return cls(mean=torch.stack(means), std=torch.stack(stds))


def discriminability(
    robustness: Float[Tensor, "case concept"],
    mean: Float[Tensor, "cls concept"],
    std: Float[Tensor, "cls concept"],
    *,
    floor: float,
    absolute: bool = True,
) -> Float[Tensor, "case concept cls"]:
    """How unusual each robustness would be for a case outside each class, in deviations.

    Notes
    -----
    The paper's ``G_i^k = |rho_i - mu_{k*,i}| / (sigma_{k*,i} + eps_G)``, where k* gathers the training cases
    of every other class. ``absolute=False`` keeps the side on which the value lies.
    """
    # Copied, or torch lays the large result out with classes outermost and every later pass is slower.
    centre, width = (table.T.clone(memory_format=torch.contiguous_format) for table in (mean, std + floor))
    scores = (robustness.unsqueeze(2) - centre).div_(width)  # (case, concept, class)
    return scores.abs_() if absolute else scores
