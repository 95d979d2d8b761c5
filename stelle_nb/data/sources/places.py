"""Where data sets are: the user's folders, the cache, those bundled with aeon, and the archives."""

from __future__ import annotations

import importlib.util
import os
import platform
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from stelle_nb.data.readers.ts_file import read_ts_header
from stelle_nb.errors import DataError

_NAME = re.compile(r"\w[\w .+-]{0,99}")
SINGLE_FILES = (".ts", ".npz", ".csv", ".tsv")


def check_name(name: Any) -> None:
    """Reject names that could lead out of the folder they are looked up in."""
    if not _NAME.fullmatch(text := name if isinstance(name, str) else "") or ".." in text:
        raise DataError(
            f"A data set's name is letters, digits, spaces, and . + - _, got {name!r}. "
            "Use path= for a file or folder."
        )


def user_folders() -> list[Path]:
    """The folders listed in the environment variable ``STELLE_NB_DATA``."""
    listed = os.environ.get("STELLE_NB_DATA", "")
    return [Path(part).expanduser() for part in listed.split(os.pathsep) if part]


def cache_folder() -> Path:
    """Where downloads are kept: ``STELLE_NB_CACHE``, or the platform's cache folder."""
    chosen = os.environ.get("STELLE_NB_CACHE")
    return Path(chosen).expanduser() if chosen else _platform_cache() / "stelle_nb" / "datasets"


def _platform_cache() -> Path:
    match platform.system():
        case "Windows":
            return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
        case "Darwin":
            return Path.home() / "Library" / "Caches"
        case _:
            return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def bundled_folder() -> Path | None:
    """The sets that come with aeon, found without importing it."""
    spec = importlib.util.find_spec("aeon")
    return Path(spec.origin).parent / "datasets" / "data" if spec and spec.origin else None


def all_folders() -> list[Path]:
    """Every place to look, in order of precedence."""
    bundled = bundled_folder()
    return [*user_folders(), *([bundled] if bundled else []), cache_folder()]


def find_in(folder: Path, name: str) -> Path | None:
    """What :func:`stelle_nb.data.sources.loading.read_path` finds by name: a stem of .ts files, or a file."""
    base = original_name(name)  # the archive keeps variants beside it
    for stem in (folder / name / name, folder / base / name, folder / name):
        if stem.with_name(f"{name}_TRAIN.ts").is_file():
            return stem
    return next((path for end in SINGLE_FILES if (path := folder / f"{name}{end}").is_file()), None)


def find_everywhere(name: str) -> Path | None:
    """The first place on this machine that holds the set."""
    return next((found for folder in all_folders() if (found := find_in(folder, name))), None)


def names_in(folder: Path) -> list[str]:
    """The names of the sets a folder holds."""
    return sorted(set(_names_in(folder))) if folder.is_dir() else []


def _names_in(folder: Path) -> Iterator[str]:
    for path in [*folder.glob("*_TRAIN.ts"), *folder.glob("*/*_TRAIN.ts")]:
        name = path.name.removesuffix("_TRAIN.ts")
        if find_in(folder, name) and not name.startswith("UnitTest") and _is_classification(path):
            yield name
    for path in folder.iterdir():
        if path.suffix in SINGLE_FILES and path.is_file() and not path.stem.endswith(("_TRAIN", "_TEST")):
            yield path.stem


def _is_classification(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return read_ts_header(file, path).is_classification
    except (DataError, OSError):  # a broken file is reported when it is asked for by name
        return False


def original_name(name: str) -> str:
    """The name of the set that a variant was made of; its own if it is not a variant.

    Examples
    --------
    >>> original_name("JapaneseVowels_eq"), original_name("DodgerLoopDay_nmv"), original_name("GunPoint")
    ('JapaneseVowels', 'DodgerLoopDay', 'GunPoint')
    """
    return name.removesuffix("_nmv").removesuffix("_eq")


def downloadable_names() -> tuple[str, ...]:
    """Every classification set that aeon knows how to fetch."""
    from aeon.datasets.tsc_datasets import tsc_zenodo

    return tuple(sorted(tsc_zenodo))


def download(name: str) -> Path:
    """Download a set through aeon into the cache, atomically.

    Errors (no network, a broken archive) are raised as aeon raises them.
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
