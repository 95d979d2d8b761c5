"""The data that a panel is given, and the code that loads them again."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.data.origin import Origin
from stelle_nb.data.sources.loading import load_dataset
from stelle_nb.errors import DataError

Part = Literal["test", "train"]
PART_NAMES: dict[Part, str] = {"test": "unseen cases", "train": "training cases"}


def as_dataset(dataset: SeriesDataset | str) -> SeriesDataset:
    """The data set itself, or the one of that name."""
    if isinstance(dataset, SeriesDataset):
        return dataset
    if not isinstance(dataset, str):
        raise DataError(
            f"A data set or the name of one is required, got {type(dataset).__name__}. "
            "SeriesDataset.from_arrays makes one."
        )
    return load_dataset(dataset)


def dataset_code(dataset: SeriesDataset) -> str:
    """Python that loads a data set as it was loaded; if it was made in memory, its arrays must be defined."""
    head = "import stelle_nb as st\n\n"
    origin = dataset.origin
    if origin is not None and _is_there(origin):
        given = [f"{name}={value!r}" for name, value in origin.arguments().items()]
        code = f"{head}dataset = st.load_dataset({', '.join(given).removeprefix('name=')})"
        kept = "" if origin.kept is None else f"\ndataset = st.keep_channels(dataset, {list(origin.kept)!r})"
        return code + kept
    units = f"units={list(dataset.units)!r}, " if any(dataset.units) else ""
    options = (
        f"channel_names={list(dataset.channel_names)!r}, step={dataset.step!r}, unit={dataset.unit!r}, "
        f"{units}name={dataset.name!r}"
    )
    arrays = "X_train, y_train, X_test, y_test" if dataset.n_test else "X_train, y_train"
    return (
        f"{head}# These data were in memory: {arrays} must be defined.\n"
        f"dataset = st.SeriesDataset.from_arrays({arrays}, {options})"
    )


def _is_there(origin: Origin) -> bool:
    """Whether the files that a set came from can be read again."""
    if origin.path is None:
        return True
    path = Path(origin.path)
    return path.exists() or path.with_name(f"{path.name}_TRAIN.ts").is_file()
