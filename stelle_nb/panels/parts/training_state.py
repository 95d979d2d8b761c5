"""The few settings of a training that matter, and the classifier they describe."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any, final, get_args

from stelle_nb.arguments import as_index, whole
from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.errors import ModelError, PanelError
from stelle_nb.estimator.classifier import StelleClassifier, Variant
from stelle_nb.kernels.trajectory_kernel import KernelForm
from stelle_nb.model.paper.paper_config import PaperConfig

PAPER_FIELDS = ("max_epochs", "learning_rate", "n_layers", "kernel")


@final
@dataclass(frozen=True, slots=True)
class TrainingState:
    """What to train.

    Parameters
    ----------
    variant, n_concepts, random_state
        As for :class:`stelle_nb.StelleClassifier`.
    max_epochs, learning_rate, n_layers, kernel
        As for :class:`stelle_nb.PaperConfig`; they count for ``variant="paper"`` only.
    n_formulas
        As for :class:`stelle_nb.StelleClassifier`; it counts for ``variant="scorecard"`` only.
    """

    variant: Variant = "scorecard"
    n_concepts: int | None = None
    random_state: int = 0
    max_epochs: int = 50
    learning_rate: float = 1e-4
    n_layers: int = 1
    kernel: KernelForm | str = "similarity"
    n_formulas: int = 5

    def __post_init__(self) -> None:
        if self.variant not in get_args(Variant):
            raise PanelError(f"variant must be one of {get_args(Variant)}, got {self.variant!r}.")
        if self.n_concepts is not None:
            way = "Use None for the model's own choice."
            n = whole(self.n_concepts, "n_concepts", least=1, most=math.inf, error=PanelError, way=way)
            object.__setattr__(self, "n_concepts", n)
        seed = whole(self.random_state, "random_state", most=math.inf, error=ModelError, way="Try 0.")
        object.__setattr__(self, "random_state", seed)
        n_formulas = whole(self.n_formulas, "n_formulas", least=1, error=PanelError, way="Try 5.")
        object.__setattr__(self, "n_formulas", n_formulas)
        config = self._config()
        for name in PAPER_FIELDS:
            object.__setattr__(self, name, getattr(config, name))

    def make_classifier(self, dataset: SeriesDataset) -> StelleClassifier:
        """A classifier with these settings, with names and times of the data, not fitted yet."""
        return StelleClassifier.for_dataset(
            dataset,
            variant=self.variant,
            **({"n_formulas": self.n_formulas} if self.variant == "scorecard" else {}),
            n_concepts=self.n_concepts,
            config=self._config() if self.variant == "paper" else None,
            random_state=self.random_state,
        )

    @classmethod
    def of(cls, classifier: StelleClassifier) -> TrainingState:
        """The settings of a classifier, as far as they are among these."""
        given = classifier.config
        config = given if isinstance(given, PaperConfig) else PaperConfig()
        return cls(
            classifier.variant,
            classifier.n_concepts,
            max(0, as_index(classifier.random_state) or 0),  # a generator is not shown
            **{name: getattr(config, name) for name in PAPER_FIELDS},
            n_formulas=classifier.n_formulas,
        )

    def said(self) -> str:
        """What differs from the defaults, in a few words."""
        unused = (() if self.variant == "paper" else PAPER_FIELDS) + (
            () if self.variant == "scorecard" else ("n_formulas",)
        )
        names = [f.name for f in fields(self) if f.name not in unused]
        plain = TrainingState()
        given = [
            f"{name} = {getattr(self, name)}"
            for name in names
            if name != "variant" and getattr(self, name) != getattr(plain, name)
        ]
        return ", ".join([self.variant, *given])

    def _config(self) -> PaperConfig:
        given: dict[str, Any] = {name: getattr(self, name) for name in PAPER_FIELDS}
        return PaperConfig(**given)
