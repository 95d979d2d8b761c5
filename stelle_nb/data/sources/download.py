"""Sets of the UEA and UCR archives, downloaded once and cached."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from stelle_nb.data.sources.archive_variants import original_name
from stelle_nb.data.sources.places import cache_folder, find_in


def downloadable_names() -> tuple[str, ...]:
    """Every classification set that aeon knows how to fetch."""
    from aeon.datasets.tsc_datasets import tsc_zenodo

    return tuple(sorted(tsc_zenodo))


def download(name: str) -> Path:
    """Download a set through aeon into the cache, atomically.

    Whatever goes wrong on the way (no network, a broken archive) is raised as aeon raises it.
    """
    from aeon.datasets import load_classification

    base = original_name(name)
    cache = cache_folder()
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache, prefix=".incoming-") as incoming:
        load_classification(base, split="train", extract_path=incoming)
        target = cache / base
        target.mkdir(exist_ok=True)
        # in order, as nothing is found as long as _TRAIN, the last, is missing
        for file in sorted((Path(incoming) / base).iterdir()):
            if not (target / file.name).exists():  # what users put there stays
                os.replace(file, target / file.name)
    found = find_in(cache, name)
    if found is None:
        raise FileNotFoundError(f"the archive of {base} holds no {name}_TRAIN.ts")
    return found
