"""Training cases as the network sees them: validated, then divided into shares and batches."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import torch
from jaxtyping import Float, Int
from torch import Tensor

from stelle_nb.errors import ModelError
from stelle_nb.kernels.terms import Terms


@dataclass(frozen=True, slots=True, eq=False)
class Cases:
    """Robustness, class number and embedding terms of some cases."""

    robustness: Float[Tensor, "case concept"]
    labels: Int[Tensor, " case"]
    terms: Terms | None

    def __len__(self) -> int:
        return self.labels.shape[0]

    def take(self, chosen: Int[Tensor, " chosen"]) -> Cases:
        """Return the chosen cases, in that order."""
        chosen = chosen.to(self.labels.device)
        return Cases(
            robustness=self.robustness.index_select(0, chosen),
            labels=self.labels.index_select(0, chosen),
            terms=None if self.terms is None else self.terms.take(chosen),
        )


def check_cases(robustness: Tensor, labels: Tensor, terms: Terms | None, *, n_classes: int) -> Cases:
    """Return the cases in float32, or raise ModelError where they cannot be trained on."""
    _check_table("robustness", robustness)
    if labels.shape != robustness.shape[:1] or labels.dtype != torch.int64:
        raise ModelError(
            f"labels must be int64 class numbers, one for each of the {robustness.shape[0]} cases, "
            f"got {labels.dtype} of shape {tuple(labels.shape)}."
        )
    _check_device("labels", labels, robustness.device)
    _check_classes(labels, n_classes)
    if terms is not None:
        _check_terms(terms, robustness)
        terms = replace(terms, **{f.name: getattr(terms, f.name).to(torch.float32) for f in fields(terms)})
    return Cases(robustness=robustness.to(torch.float32), labels=labels, terms=terms)


def split_off(
    labels: Int[Tensor, " case"], share: float, *, generator: torch.Generator
) -> tuple[Int[Tensor, " kept"], Int[Tensor, " held"]]:
    """Draw a share of every class to hold out; a class never gives away its last case.

    Examples
    --------
    >>> labels = torch.tensor([0, 0, 0, 0, 1])
    >>> kept, held = split_off(labels, 0.25, generator=torch.Generator().manual_seed(0))
    >>> labels[kept].tolist(), labels[held].tolist()
    ([0, 0, 0, 1], [0])
    """
    labels = labels.cpu()
    shuffled = torch.randperm(len(labels), generator=generator)
    kept, held = [], []
    for k in torch.unique(labels):
        members = shuffled[labels[shuffled] == k]
        n_held = min(round(share * len(members)), len(members) - 1)
        held.append(members[:n_held])
        kept.append(members[n_held:])
    if not sum(map(len, held)):
        raise ModelError(
            f"validation_share={share} leaves no case to validate on: the classes are too small. "
            "Use a larger share, or 0 to train on every case."
        )
    return torch.cat(kept).sort().values, torch.cat(held).sort().values


def _check_classes(labels: Tensor, n_classes: int) -> None:
    if n_classes < 2:
        raise ModelError(f"n_classes must be at least 2, got {n_classes}. Add cases of a second class.")
    present = torch.unique(labels).tolist()
    if present != list(range(n_classes)):
        raise ModelError(
            f"every class from 0 to {n_classes - 1} must have a training case and no other number may occur, "
            f"got the classes {present}. Number the classes that are there."
        )


def _check_terms(terms: Terms, robustness: Tensor) -> None:
    if (terms.n_cases, terms.n_concepts) != tuple(robustness.shape):
        raise ModelError(
            f"terms must describe the {tuple(robustness.shape)} (case, concept) of robustness, "
            f"got {(terms.n_cases, terms.n_concepts)}."
        )
    for field in fields(terms):
        value = getattr(terms, field.name)
        _check_device(f"terms.{field.name}", value, robustness.device)
        _check_finite(f"terms.{field.name}", value)


def _check_table(name: str, value: Tensor) -> None:
    if value.ndim != 2 or 0 in value.shape or not value.is_floating_point():
        raise ModelError(
            f"{name} must be a filled table (case, concept) of floats, "
            f"got {value.dtype} of shape {tuple(value.shape)}."
        )
    _check_finite(name, value)


def _check_finite(name: str, value: Tensor) -> None:
    broken = int((~value.isfinite()).sum())
    if broken:
        raise ModelError(
            f"{name} must be finite, got {broken} NaN or infinite values. Drop those concepts or cases."
        )


def _check_device(name: str, value: Tensor, device: torch.device) -> None:
    if value.device != device:
        raise ModelError(
            f"{name} must be on {device} like robustness, got {value.device}. Use .to({str(device)!r})."
        )
