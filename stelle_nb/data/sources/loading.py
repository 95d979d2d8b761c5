"""Data sets by name or path."""

from __future__ import annotations

import difflib
import os
from collections.abc import Sequence
from pathlib import Path

from stelle_nb.arguments import path_of, validate_types
from stelle_nb.data.dataset import SeriesDataset, as_read, with_origin
from stelle_nb.data.origin import Origin
from stelle_nb.data.readers.class_folders import has_class_folders, read_class_folders
from stelle_nb.data.readers.csv_file import read_csv
from stelle_nb.data.readers.npz_file import read_npz
from stelle_nb.data.readers.raw import MAX_BYTES, RawSeries
from stelle_nb.data.readers.tables.read_table import read_table
from stelle_nb.data.readers.tables.table import Decimal, TableOptions
from stelle_nb.data.readers.ts_file import read_ts, read_ts_pair
from stelle_nb.data.sources.known import known_axes
from stelle_nb.data.sources.places import (
    SINGLE_FILES,
    all_folders,
    bundled_folder,
    cache_folder,
    check_name,
    download,
    downloadable_names,
    find_everywhere,
    find_in,
    names_in,
    original_name,
)
from stelle_nb.data.treatment import Missing, Unequal
from stelle_nb.errors import DataError, DataNotFoundError


@validate_types(DataError)
def available_datasets(*, include_downloads: bool = False) -> tuple[str, ...]:
    """Names that :func:`load_dataset` finds on this machine, or could also fetch.

    Examples
    --------
    >>> "BasicMotions" in available_datasets()
    True
    """
    names = {name for folder in all_folders() for name in names_in(folder)}
    return tuple(sorted(names.union(downloadable_names() if include_downloads else ())))


@validate_types(DataError)
def load_dataset(
    name: str | None = None,
    *,
    path: str | os.PathLike[str] | None = None,
    unequal: Unequal = "refuse",
    missing: Missing = "refuse",
    channel_names: Sequence[str] | None = None,
    step: float | None = None,
    unit: str | None = None,
    units: Sequence[str | None] | None = None,
    label: str = "label",
    case: str | Sequence[str] | None = None,
    time: str | None = None,
    ignore: Sequence[str] | None = None,
    decimal: Decimal = "auto",
    resample: bool = False,
    may_download: bool = True,
    max_bytes: int = MAX_BYTES,
) -> SeriesDataset:
    """Load a set by its name in the archives, or from your own file or folder.

    Parameters
    ----------
    name
        A set of the UEA or UCR archive. It is looked for in the folders of ``STELLE_NB_DATA``, among
        those that come with aeon, in the cache (``STELLE_NB_CACHE``), and then fetched through aeon.
        Together with ``path``: which set of that folder.
    path
        A folder with ``NAME_TRAIN.ts`` and ``NAME_TEST.ts``; a ``.ts``, ``.npz`` or ``.csv`` file;
        or a folder of several sets together with ``name``. A single ``.ts`` is all training data.
        An ``.npz`` holds ``X_train, y_train, X_test, y_test`` or ``X, y``. A ``.csv`` is *long*, with columns
        ``case, time, channel, value, label``; or *tidy*, with a row per sample, a column per channel and
        ``case``, ``label`` and optionally ``time``; or *wide*, with a row per case. Each may have a
        column ``split`` (train or test). A folder with a sub-folder per class holds a ``.csv`` per case, with
        a row per sample; the sub-folders may lie in two folders ``train`` and ``test``.
    unequal
        ``"refuse"`` series of unequal length, ``"hold"`` their last sample up to the longest,
        or ``"resample"`` them linearly to the longest.
    missing
        ``"refuse"`` missing values, ``"interpolate"`` linearly, or ``"hold"`` the last observed value.
    channel_names, step, unit
        Override what the file or the archive says.
    units
        The unit of each channel's values, None where it is unknown; they override those of an ``.npz`` file.
    label
        In a csv file: the name of the label column, or ``"first"`` / ``"last"`` to select it by position.
        If omitted, a column called label, class, target or y is used; in a table without a header, the first
        or last column if it is text.
    case, time
        In a csv file: the column that identifies the recording of each row, or a list of columns that do so
        together, and the column of times. If omitted, they are recognised by their usual names.
    ignore
        In a csv file: columns to set aside, such as notes. Row numbers under the usual names are set aside
        anyway. A list, even an empty one, also means that all other columns are data.
    decimal
        In a csv file: the decimal mark, ``"."`` or ``","``; ``"auto"`` infers it from the numbers.
    resample
        In a csv file with times: whether irregular ones are made even, by linear interpolation to the median
        step. Otherwise they are rejected if one is off by more than a quarter of a step.
    may_download
        Whether the network may be used.
    max_bytes
        Larger files, and archives that would unpack to more, are rejected.

    Examples
    --------
    >>> ds = load_dataset("BasicMotions")
    >>> ds.X_train.shape, ds.classes.tolist(), ds.step, ds.unit
    ((40, 6, 100), ['Badminton', 'Running', 'Standing', 'Walking'], 0.1, 's')
    """
    if name is None and path is None:
        raise DataError(
            "A data set is required: a name, such as 'BasicMotions', or path= to a file or folder."
        )
    if name is not None:
        check_name(name)
    if path is None:
        found = _by_name(str(name), may_download)
    else:
        found = _located(path_of(path, "path", error=DataError).expanduser(), name)
    options = TableOptions(label, case, time, ignore, decimal, resample)
    raw = read_path(found, options, max_bytes=max_bytes)
    origin = Origin(
        *_place(found, name, path),
        unequal=unequal,
        missing=missing,
        channel_names=channel_names,
        step=step,
        unit=unit,
        units=units,
        label=label,
        case=case,
        time=time,
        ignore=ignore,
        decimal=decimal,
        resample=resample,
        max_bytes=max_bytes,
    )
    name = name or (found.stem if found.is_file() else found.name)
    known = known_axes(name, len(raw.train[0]) if len(raw.train) else 0)
    own_step = None if raw.is_stretched_by(unequal) else raw.step or known.step
    dataset = SeriesDataset.from_arrays(
        raw.train,
        raw.y_train,
        raw.test,
        raw.y_test,
        channel_names=channel_names or raw.channel_names or known.channel_names,
        step=own_step if step is None else step,
        unit=unit or raw.unit or (known.unit if own_step else None),
        units=raw.units if units is None else units,
        source=_source(found),
        name=name,
        unequal=unequal,
        missing=missing,
    )
    return with_origin(as_read(dataset, raw.notes, raw.reading), origin)


def read_path(path: Path, options: TableOptions | None = None, *, max_bytes: int = MAX_BYTES) -> RawSeries:
    """What a file holds, by its ending, or a folder; anything else is the stem of a pair of .ts files."""
    if path.is_dir() and has_class_folders(path):
        return read_class_folders(path, options, max_bytes=max_bytes)
    match path.suffix.lower() if path.is_file() else "":
        case ".ts":
            return RawSeries(*read_ts(path, max_bytes=max_bytes))
        case ".npz":
            return read_npz(path, max_bytes=max_bytes)
        case ".csv" | ".tsv":
            return read_table(read_csv(path, options, max_bytes=max_bytes), options)
        case "":
            test = path.with_name(f"{path.name}_TEST.ts")
            train = path.with_name(f"{path.name}_TRAIN.ts")
            return read_ts_pair(train, test if test.is_file() else None, max_bytes=max_bytes)
        case other:
            raise DataError(
                f"{path.name}: files of kind {other} are not read. Use one of {', '.join(SINGLE_FILES)}."
            )


def _located(path: Path, name: str | None) -> Path:
    if name is not None:
        found = find_in(path, name)
        if found is None:
            raise DataNotFoundError(f"{path} holds no set {name!r}. {_held(path)}")
        return found
    if path.is_file():
        return path
    if path.is_dir():
        inside = sorted(file.name.removesuffix("_TRAIN.ts") for file in path.glob("*_TRAIN.ts"))
        if len(inside) == 1 or path.resolve().name in inside:
            return path / (inside[0] if len(inside) == 1 else path.resolve().name)
        if has_class_folders(path):
            _refuse_both(path)
            return path
        raise DataNotFoundError(
            f"{path} holds neither one pair NAME_TRAIN.ts, NAME_TEST.ts nor a folder per class. {_held(path)}"
        )
    if path.with_name(f"{path.name}_TRAIN.ts").is_file():
        return path
    raise DataNotFoundError(
        f"There is nothing at {path}. It may be a folder with NAME_TRAIN.ts and NAME_TEST.ts, "
        f"or a file ending in {', '.join(SINGLE_FILES)}."
    )


def _refuse_both(folder: Path) -> None:
    if names := names_in(folder):
        raise DataNotFoundError(
            f"{folder} holds folders of tables, perhaps one per class, beside the sets {', '.join(names)}. "
            "Choose a set with name=, or move these files out of the folder to read the folders as classes."
        )


def _held(folder: Path) -> str:
    names = names_in(folder)
    return f"Choose with name= among: {', '.join(names)}." if names else "No set was recognised in it."


def _by_name(name: str, may_download: bool) -> Path:
    found = find_everywhere(name)
    if found is not None:
        return found
    reason = "downloads are switched off (may_download=False)"
    close = difflib.get_close_matches(name, available_datasets(include_downloads=True), n=3)
    is_known = original_name(name) in downloadable_names()
    if not is_known:
        reason = "neither this machine nor the UEA/UCR archive has it"
    elif may_download:
        try:
            return download(name)
        except Exception as error:  # aeon and the network fail in many ways, the remedy is the same
            reason = f"the download failed ({type(error).__name__}: {error})"
            raise DataNotFoundError(_absent(name, reason, [])) from error
    raise DataNotFoundError(_absent(name, reason, [] if is_known else close))


def _absent(name: str, reason: str, close: list[str]) -> str:
    meant = f" Did you mean {' or '.join(close)}?" if close else ""
    return (
        f"Data set {name!r} is not available: {reason}.{meant} Available without network: "
        f"{', '.join(available_datasets())}. To add it, put {name}_TRAIN.ts and {name}_TEST.ts into "
        f"{cache_folder() / name}, or into a folder named {name} in a folder listed in STELLE_NB_DATA, "
        "or pass path= to where they are."
    )


def _place(
    found: Path, name: str | None, path: str | os.PathLike[str] | None
) -> tuple[str | None, str | None]:
    """The name and path that find the same set again; a name alone where every installation has it."""
    if _is_bundled(found) and not found.is_file():  # one file of the two is not a set of that name
        return found.name, None
    if path is None:  # a folder of STELLE_NB_DATA or the cache, which another kernel may not know
        return None, str(found)
    return name, str(Path(path).expanduser())


def _is_bundled(found: Path) -> bool:
    bundled = bundled_folder()
    return bundled is not None and found.is_relative_to(bundled)


def _source(found: Path) -> str:
    if _is_bundled(found):
        from importlib.metadata import version

        return f"bundled with aeon {version('aeon')}"
    return str(found)
