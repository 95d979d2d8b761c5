"""The few settings of a training that matter, and the classifier they describe."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any, final, get_args

from stelle_nb.arguments import as_index, whole
from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.errors import ModelError, PanelError
from stelle_nb.estimator.classifier import StelleClassifier, Variant
from stelle_nb.kernels.trajectory import KernelForm
from stelle_nb.model.config import PaperConfig

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
    """

    variant: Variant = "dense"
    n_concepts: int | None = None
    random_state: int = 0
    max_epochs: int = 50
    learning_rate: float = 1e-4
    n_layers: int = 1
    kernel: KernelForm | str = "similarity"

    def __post_init__(self) -> None:
        if self.variant not in get_args(Variant):
            raise PanelError(f"variant must be one of {get_args(Variant)}, got {self.variant!r}.")
        if self.n_concepts is not None:
            way = "Use None for the model's own choice."
            n = whole(self.n_concepts, "n_concepts", least=1, most=math.inf, error=PanelError, way=way)
            object.__setattr__(self, "n_concepts", n)
        seed = whole(self.random_state, "random_state", most=math.inf, error=ModelError, way="Try 0.")
        object.__setattr__(self, "random_state", seed)
        config = self._config()
        for name in PAPER_FIELDS:
            object.__setattr__(self, name, getattr(config, name))

    def make_classifier(self, dataset: SeriesDataset) -> StelleClassifier:
        """A classifier with these settings, with names and times of the data, not fitted yet."""
        return StelleClassifier.for_dataset(
            dataset,
            variant=self.variant,
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
        )

    def said(self) -> str:
        """What differs from the defaults, in a few words."""
        names = [f.name for f in fields(self) if self.variant == "paper" or f.name not in PAPER_FIELDS]
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
