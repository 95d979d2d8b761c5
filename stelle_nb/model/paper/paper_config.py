"""The settings of the paper's network, validated on creation."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

from stelle_nb.arguments import MOST, whole
from stelle_nb.errors import ModelError
from stelle_nb.kernels.trajectory_kernel import KernelForm

KERNELS = (*get_args(KernelForm), "none")
TEMPERATURE_BOUNDS = (0.1, 10.0)
LOCALITY_BOUNDS = (0.05, 10.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperConfig:
    """Every setting of the paper's network and of its training.

    What the appendix fixes has the appendix' value; what it searches over has a value inside the searched
    range; what it leaves open is described below.

    Parameters
    ----------
    n_layers
        Hidden layers of the head, 0 to 3 as in the paper's search. 0 makes the head linear.
    hidden_dim
        Width of a hidden layer (the paper searches 256, 512 and 1024).
    dropout
        Share of hidden units set to zero in a training step.
    kernel
        How alike two trajectories at squared distance d are. ``"similarity"`` is 1 - 2d/eps,
        ``"distance"`` is d/eps as printed in the paper, ``"exponential"`` is 2 exp(-d/eps) - 1;
        ``"none"`` leaves the embedding out (every concept weighs 1/T), for comparison.
    kernel_bandwidth
        The kernel value K becomes exp((K - 1) / kernel_bandwidth); None leaves K alone.
    absolute
        Whether discriminability drops its sign, as in the paper.
    discriminability_floor
        Added to every deviation, the paper's eps_G.
    temperature
        First value of T, the paper's concept relevance scale (searched from 0.5 to 2).
    locality
        First value of eps.
    sharpness
        The paper's t, the temperature inside the sharpness penalty.
    temperature_strength, locality_strength
        First values of lambda_T and lambda_eps.
    learning_rate
        Of the head (searched from 1e-5 to 1e-1).
    auxiliary_rate
        T, eps and the strengths learn this many times faster.
    batch_size
        Cases in a training step.
    max_epochs
        Passes over the training cases at most.
    gradient_norm
        A longer gradient is shortened to this length.
    validation_share
        Share of the training cases held out to stop early, 0 for none.
        Without one the loss on the training cases themselves is monitored.
    check_every
        Epochs between two checks of the monitored loss.
    patience
        Checks without progress before training stops.

    Notes
    -----
    Layers, learning rate, temperature and epochs were chosen by cross-validation inside the training parts of
    six UEA data sets. The paper's absolute value and its embedding stay on, although ``absolute=False`` with
    ``kernel="none"`` was five points more accurate there.

    Examples
    --------
    >>> from dataclasses import replace
    >>> replace(PaperConfig(), n_layers=2).n_layers
    2
    >>> PaperConfig(dropout=1.5)
    Traceback (most recent call last):
    ...
    stelle_nb.errors.ModelError: dropout must lie in [0, 1), got 1.5. The paper uses 0.1.
    """

    n_layers: int = 1
    hidden_dim: int = 256
    dropout: float = 0.1
    kernel: KernelForm | Literal["none"] = "similarity"
    kernel_bandwidth: float | None = 0.44
    absolute: bool = True
    discriminability_floor: float = 1e-3
    temperature: float = 2.0
    locality: float = 1.0
    sharpness: float = 1.0
    temperature_strength: float = 1e-2
    locality_strength: float = 1e-2
    learning_rate: float = 1e-4
    auxiliary_rate: float = 10.0
    batch_size: int = 32
    max_epochs: int = 50
    gradient_norm: float = 1.0
    validation_share: float = 0.0
    check_every: int = 1
    patience: int = 20

    def __post_init__(self) -> None:
        for name, least, most, way in _WHOLE:
            number = whole(getattr(self, name), name, least=least, most=most, error=ModelError, way=way)
            object.__setattr__(self, name, number)
        self._check_share("dropout", "The paper uses 0.1.")
        self._check_share("validation_share", "Use 0.2 to stop early, or 0 to train on every case.")
        for name in _POSITIVE:
            self._check_positive(name)
        self._check_span("temperature", *TEMPERATURE_BOUNDS)
        self._check_span("locality", *LOCALITY_BOUNDS)
        if self.kernel_bandwidth is not None:
            self._check_positive("kernel_bandwidth")
        if str(self.kernel) not in KERNELS:
            raise ModelError(f"kernel must be one of {', '.join(map(repr, KERNELS))}, got {self.kernel!r}.")
        if not isinstance(self.absolute, bool):
            raise ModelError(f"absolute must be True or False, got {self.absolute!r}.")

    def _check_share(self, name: str, hint: str) -> None:
        value = getattr(self, name)
        if not _is_number(value) or not 0 <= value < 1:
            raise ModelError(f"{name} must lie in [0, 1), got {value!r}. {hint}")

    def _check_span(self, name: str, low: float, high: float) -> None:
        value = getattr(self, name)
        if not _is_number(value) or not low <= value <= high:
            raise ModelError(
                f"{name} must lie in [{low}, {high}], where training holds it, got {value!r}. Start from 1."
            )

    def _check_positive(self, name: str) -> None:
        value = getattr(self, name)
        if not _is_number(value) or not 0 < value < math.inf:
            raise ModelError(
                f"{name} must be a positive finite number, got {value!r}. "
                f"Leave it out to use {PaperConfig.__dataclass_fields__[name].default!r}."
            )


_WHOLE = (
    ("n_layers", 0, 3, "The paper searches 0 to 3."),
    ("hidden_dim", 1, MOST, "The paper searches 256, 512 and 1024."),
    ("batch_size", 1, math.inf, "The paper uses 32."),
    ("max_epochs", 1, math.inf, "Try 50."),
    ("check_every", 1, math.inf, "1 checks after every epoch."),
    ("patience", 1, math.inf, "Use max_epochs to never stop early."),
)
_POSITIVE = (
    "discriminability_floor",
    "sharpness",
    "temperature_strength",
    "locality_strength",
    "learning_rate",
    "auxiliary_rate",
    "gradient_norm",
)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
