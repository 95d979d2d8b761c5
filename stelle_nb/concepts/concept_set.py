"""A concept set: the formulas that are the vocabulary of a model."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from jaxtyping import Float
from torch import Tensor

from stelle_nb.arguments import check_fields, validate_types, whole
from stelle_nb.concepts.channel_mapping import rename_channels
from stelle_nb.concepts.recipe import Recipe, default_number
from stelle_nb.errors import ConceptError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.traversal import channels, rescale_time
from stelle_nb.progress import Progress


@dataclass(frozen=True, slots=True)
class ConceptSet:
    """Formulas for signals of a given shape, with a record of how they were made.

    Parameters
    ----------
    formulas
        All different.
    n_channels, n_timepoints
        Shape of the signals that the formulas were made for.
    provenance
        Every parameter and the seed, as JSON can hold it.
    signatures
        Robustness on the trajectories of the selection, if kept; not part of equality.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> concepts = ConceptSet((parse("F[0,9] x0 >= 1.0"),), n_channels=1, n_timepoints=10)
    >>> concepts
    ConceptSet(1 formula, 1 channel x 10 samples)
    >>> [str(phi) for phi in concepts.for_data(n_channels=2, n_timepoints=19)]
    ['F[0,18] (x0 >= 1.0)', 'F[0,18] (x1 >= 1.0)']
    """

    formulas: tuple[Formula, ...]
    n_channels: int
    n_timepoints: int
    provenance: Mapping[str, Any] = field(default_factory=dict, hash=False)
    signatures: Float[Tensor, "trajectory formula"] | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        check_fields(self, error=ConceptError)
        formulas = tuple(self.formulas)
        object.__setattr__(self, "formulas", formulas)
        object.__setattr__(self, "provenance", MappingProxyType(dict(self.provenance)))
        if not formulas or not all(isinstance(phi, Formula) for phi in formulas):
            raise ConceptError("A concept set needs at least one formula. Use parse() to convert text.")
        if len(set(formulas)) < len(formulas):
            raise ConceptError(
                "The formulas of a concept set must differ. dict.fromkeys(formulas) drops the copies."
            )
        if min(self.n_channels, self.n_timepoints) < 1:
            raise ConceptError(
                f"A concept set needs a channel and a sample, got {self.n_channels} and {self.n_timepoints}."
            )
        highest = max((channel for phi in formulas for channel in channels(phi)), default=0)
        if highest >= self.n_channels:
            raise ConceptError(
                f"A formula uses channel {highest}, but there are {self.n_channels} (numbered from 0)."
            )
        if self.signatures is not None and getattr(self.signatures, "shape", ())[1:] != (len(formulas),):
            raise ConceptError(
                f"Signatures must have the axes (trajectory, formula) with {len(formulas)} formulas, "
                f"got {getattr(self.signatures, 'shape', self.signatures)}."
            )

    @classmethod
    @validate_types(ConceptError)
    def generate(
        cls,
        n_channels: int = 1,
        n_timepoints: int = 100,
        n_concepts: int | None = None,
        *,
        progress: Progress | bool | None = None,
        **options: Any,
    ) -> ConceptSet:
        """Make a concept set: random formulas that behave differently from one another.

        Parameters
        ----------
        progress
            True for a bar, or a function, see :mod:`stelle_nb.progress`.
        **options
            Further fields of :class:`stelle_nb.concepts.recipe.Recipe`, where all are explained: ``t``,
            ``strategy``, ``max_nodes``, ``max_channels``, ``random_state`` and more.
        """
        from stelle_nb.concepts.generation import generate

        recipe = Recipe(n_channels=n_channels, n_timepoints=n_timepoints, n_concepts=n_concepts, **options)
        return generate(recipe, progress=progress)

    def for_data(self, n_channels: int, n_timepoints: int, n_concepts: int | None = None) -> ConceptSet:
        """The set for signals of another shape: times stretched, formulas of one channel copied to every one.

        Parameters
        ----------
        n_channels
            That of the set, or any number if the set uses only one channel.
        n_concepts
            The most there may be; 500 per channel and at least 1000 if omitted.
            Concepts are dropped from the end, the same ones for every channel.

        Notes
        -----
        The last sample goes to the last sample. On short signals windows may become equal; of equal formulas
        one stays.
        """
        n_channels = whole(n_channels, "n_channels", least=1, most=100_000, error=ConceptError)
        n_timepoints = whole(n_timepoints, "n_timepoints", least=1, error=ConceptError)
        if self.n_channels not in (1, n_channels):
            raise ConceptError(
                f"These concepts use {self.n_channels} channels, the data has {n_channels}. "
                "Generate concepts for it, or start from a set with one channel."
            )
        if n_concepts is not None:
            n_concepts = whole(n_concepts, "n_concepts", least=1, error=ConceptError)
        wanted = default_number(n_channels) if n_concepts is None else n_concepts
        factor = (n_timepoints - 1) / max(1, self.n_timepoints - 1)
        stretched = list(dict.fromkeys(rescale_time(phi, factor) for phi in self.formulas))
        if self.n_channels == n_channels:
            formulas = stretched[:wanted]
        else:
            each = stretched[: -(-wanted // n_channels)]
            formulas = [rename_channels(phi, {0: channel}) for channel in range(n_channels) for phi in each]
        shape = {"n_channels": n_channels, "n_timepoints": n_timepoints, "n_concepts": len(formulas)}
        provenance = {**self.provenance, "adapted_to": shape}
        return ConceptSet(tuple(formulas), n_channels, n_timepoints, provenance)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the set as a folder, or as a zip if the path ends in ``.zip``."""
        from stelle_nb.concepts.concept_files import save_concepts

        return save_concepts(self, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> ConceptSet:
        """Read what :meth:`save` wrote. Nothing in the file is executed; a corrupt one is rejected."""
        from stelle_nb.concepts.concept_files import load_concepts

        return load_concepts(path)

    def __len__(self) -> int:
        return len(self.formulas)

    def __iter__(self) -> Iterator[Formula]:
        return iter(self.formulas)

    def __getitem__(self, index: int) -> Formula:
        return self.formulas[index]

    def __repr__(self) -> str:
        formulas = f"{len(self)} formula{'s' * (len(self) > 1)}"
        channels = f"{self.n_channels} channel{'s' * (self.n_channels > 1)}"
        return f"ConceptSet({formulas}, {channels} x {self.n_timepoints} samples)"
