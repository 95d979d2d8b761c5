"""Concept sets on disk: formulas as text, signatures as tensors."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from stelle_nb.concepts.bundle import read_bundle, write_bundle
from stelle_nb.concepts.concept_set import ConceptSet
from stelle_nb.concepts.recipe import MOST_CONCEPTS as MAX_FORMULAS
from stelle_nb.errors import BundleError, StelleError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.parsing.parser import parse

KIND = "stelle_nb concepts"
VERSION = 1


def save_concepts(concepts: ConceptSet, path: str | os.PathLike[str]) -> Path:
    """Write a concept set as a folder, or as a zip if the path ends in ``.zip``."""
    document = {
        "n_channels": concepts.n_channels,
        "n_timepoints": concepts.n_timepoints,
        "provenance": dict(concepts.provenance),
        "formulas": [str(phi) for phi in concepts.formulas],
    }
    tensors = None if concepts.signatures is None else {"signatures": concepts.signatures}
    return write_bundle(path, document, tensors, kind=KIND, version=VERSION)


def load_concepts(path: str | os.PathLike[str]) -> ConceptSet:
    """Read what :func:`save_concepts` wrote; a corrupt file is rejected with the reason."""
    document, tensors = read_bundle(path, kind=KIND, version=VERSION)
    try:
        return ConceptSet(
            formulas=_formulas(document),
            n_channels=_field(document, "n_channels", int),
            n_timepoints=_field(document, "n_timepoints", int),
            provenance=_field(document, "provenance", dict),
            signatures=tensors.get("signatures"),
        )
    except StelleError as error:
        raise BundleError(f"The concepts in {str(path)!r} cannot be used: {error}") from error


@cache
def default_concepts() -> ConceptSet:
    """The concepts that ship with the package: 1000 formulas on one channel of 100 samples.

    Use ``default_concepts().for_data(n_channels, n_timepoints)`` for data of another shape.

    Examples
    --------
    >>> default_concepts()
    ConceptSet(1000 formulas, 1 channel x 100 samples)
    """
    with as_file(files("stelle_nb.concepts") / "shipped" / "univariate") as path:
        return load_concepts(path)


def _formulas(document: Mapping[str, Any]) -> tuple[Formula, ...]:
    texts = _field(document, "formulas", list)
    if len(texts) > MAX_FORMULAS or not all(isinstance(text, str) for text in texts):
        raise BundleError(f"formulas must be at most {MAX_FORMULAS} texts, got {len(texts)} entries.")
    with _without_collection():
        return tuple(map(parse, texts))


@contextmanager
def _without_collection() -> Iterator[None]:
    """Pause garbage collection: thousands of new objects would trigger it several times, in vain."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _field(document: Mapping[str, Any], name: str, kind: type) -> Any:
    value = document.get(name)
    if isinstance(value, bool) or not isinstance(value, kind):
        raise BundleError(f"{name} must be a JSON {kind.__name__}, got {str(value)[:80]!r}.")
    return value
