"""The course of a training run, epoch by epoch."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal

import pandas as pd

Ending = Literal["finished", "patience", "cancelled", "diverged"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EpochRow:
    """What one epoch did.

    Parameters
    ----------
    epoch
        Counted from 1.
    loss
        Mean training loss over the steps of the epoch, with dropout and regularisers.
    watched_loss, watched_accuracy
        Cross-entropy and accuracy after the epoch, without dropout, on the held-out
        cases, or on the training cases where none are held out; None in an epoch without a check.
    temperature, locality, temperature_strength, locality_strength
        T, eps, lambda_T and lambda_eps.
    """

    epoch: int
    loss: float
    watched_loss: float | None
    watched_accuracy: float | None
    temperature: float
    locality: float
    temperature_strength: float
    locality_strength: float


@dataclass(frozen=True, slots=True, kw_only=True)
class EpochProgress:
    """What a callback sees after each epoch."""

    row: EpochRow
    max_epochs: int
    best_epoch: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """All epochs of a run, and how it ended.

    Parameters
    ----------
    rows
        One per epoch.
    best_epoch
        The epoch whose state the model now has.
    ending
        ``"finished"`` all epochs, out of ``"patience"``, ``"cancelled"`` by a callback, or ``"diverged"``
        when the loss was no longer finite.
    watched
        The cases on which ``watched_loss`` is computed.
    """

    rows: tuple[EpochRow, ...]
    best_epoch: int
    ending: Ending
    watched: Literal["training", "validation"]

    def to_frame(self) -> pd.DataFrame:
        """Return one row per epoch, with the epoch as index."""
        return pd.DataFrame([asdict(row) for row in self.rows]).set_index("epoch")

    def __len__(self) -> int:
        return len(self.rows)
