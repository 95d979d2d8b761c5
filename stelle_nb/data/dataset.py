"""A labelled set of time series as one frozen value."""

from __future__ import annotations

import math
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, get_args

import numpy as np
import numpy.typing as npt

from stelle_nb.arguments import one_of, storable, validate_types
from stelle_nb.data.cases import Labels, Series, as_cases, as_labels
from stelle_nb.data.origin import Origin
from stelle_nb.data.readers.indexed import align_labels, is_indexed_by_case, series_by_case
from stelle_nb.data.treatment import Missing, Unequal, check_no_inf, make_whole
from stelle_nb.errors import DataError

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SeriesDataset:
    """Training and test series with their labels, and what is known about their axes.

    Everything is validated here once, so code that gets a ``SeriesDataset`` can trust it: finite
    numbers, one length, labels that fit, and every test class present in training (a class that
    was never seen cannot be predicted, so such a set is rejected). Arrays are read-only; use
    ``torch.tensor(ds.X_train)`` or ``.copy()`` for one to write into. Two sets are equal only if
    they are the same object.

    Parameters
    ----------
    X_train, X_test
        float32 or float64, axes (case, channel, time). Without test cases ``X_test`` has zero cases.
    y_train, y_test
        One label per case, kept as given: text, integers or booleans.
    channel_names
        One name per channel, all different; ``x0, x1, …`` if empty.
    step, unit
        Time between samples and its unit, such as ``0.1`` and ``"s"``; None if unknown.
    source
        Where the data came from.
    name
        What to call the set.
    treatments
        What was done to unequal lengths and missing values, in words.
    units
        The unit of each channel's values, such as ``"rad/s"``, None where it is unknown; all None if empty.
    unequal
        How series of unequal length were made equal; later cases are treated in the same way. ``"refuse"``
        if all had one length.

    Attributes
    ----------
    origin
        How the set was loaded, or None. Only :func:`load_dataset` sets it: a set that ``replace`` makes of
        a loaded one holds other data, so it does not take the origin with it.
    reading
        How a table was read when it was loaded, in words, or None: check once that every column was
        read as intended. It is lost with the origin.

    Examples
    --------
    >>> SeriesDataset.from_arrays([[0, 1, 2], [2, 1, 0]], ["up", "down"], name="ramps")
    SeriesDataset('ramps': 2 training and 0 test cases, 1 channel x 3 samples, 2 classes)
    """

    X_train: Series
    y_train: Labels
    X_test: Series
    y_test: Labels
    channel_names: tuple[str, ...] = ()
    step: float | None = None
    unit: str | None = None
    source: str = "memory"
    name: str = "unnamed"
    treatments: tuple[str, ...] = ()
    units: tuple[str | None, ...] = ()
    unequal: Unequal = "refuse"
    origin: Origin | None = field(default=None, init=False)
    reading: str | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        for part in ("train", "test"):
            X, y = getattr(self, f"X_{part}"), as_labels(getattr(self, f"y_{part}"), f"y_{part}")
            _check_series(X, f"X_{part}")
            if len(X) != len(y):
                raise DataError(
                    f"Every case needs one label, got {len(X)} cases in X_{part} "
                    f"and {len(y)} labels in y_{part}."
                )
            object.__setattr__(self, f"X_{part}", _frozen(X))
            object.__setattr__(self, f"y_{part}", _frozen(y))
        _check_parts(self)
        names = _as_names(self.channel_names) or tuple(f"x{i}" for i in range(self.n_channels))
        check_names(names, self.n_channels)
        object.__setattr__(self, "channel_names", names)
        object.__setattr__(self, "units", entered_units(self.units, self.n_channels))
        object.__setattr__(self, "step", _checked_step(self.step))
        one_of(self.unequal, "unequal", get_args(Unequal), error=DataError)
        for words in ("unit", "source", "name"):
            object.__setattr__(self, words, _plain_text(getattr(self, words)))

    @classmethod
    def from_arrays(
        cls,
        X_train: Any,
        y_train: Any,
        X_test: Any = None,
        y_test: Any = None,
        *,
        channel_names: Sequence[str] = (),
        step: float | None = None,
        unit: str | None = None,
        units: Sequence[str | None] | None = None,
        source: str = "memory",
        name: str = "unnamed",
        unequal: Unequal = "refuse",
        missing: Missing = "refuse",
    ) -> SeriesDataset:
        """A data set from numpy arrays, torch tensors, pandas frames or lists of arrays.

        Parameters
        ----------
        X_train, X_test
            Axes (case, channel, time), or (case, time) for one channel; a list with one array
            (channel, time) per case when the lengths differ; a pandas frame with a row per case, or with
            the index levels case and time.
        y_train, y_test
            One label per case. A pandas object that is indexed by case is put into the order of the cases.
        unequal, missing
            What to do with unequal lengths and NaN, see :func:`stelle_nb.data.make_whole`.
        """
        if (X_test is None) != (y_test is None):
            raise DataError("X_test and y_test must be given together, got only one of them.")
        y_train, y_test = align_labels(X_train, y_train, "y_train"), align_labels(X_test, y_test, "y_test")
        parts = {
            "X_train": _cases(X_train, "X_train"),
            "X_test": _cases([] if X_test is None else X_test, "X_test"),
        }
        (train, test), notes = make_whole(parts, unequal=unequal, missing=missing)
        n_lengths = len({case.shape[-1] for cases in parts.values() for case in cases})
        if not len(test):
            test = np.empty((0, *train.shape[1:]), dtype=train.dtype)
        precision = np.result_type(train, test)
        train, test = train.astype(precision, copy=False), test.astype(precision, copy=False)
        labels = as_labels(y_train, "y_train")
        # concatenating empty labels of another type would turn numbers into text later
        given = labels[:0] if y_test is None else as_labels(y_test, "y_test")
        test_labels = given if len(given) else labels[:0]
        names, of_values = _as_names(channel_names), entered_units(units, train.shape[1])
        return cls(
            train, labels, test, test_labels, names, step, unit, source, name, notes, of_values,
            unequal if n_lengths > 1 else "refuse",
        )  # fmt: skip

    @classmethod
    @validate_types(DataError)
    def from_frame(
        cls,
        frame: pd.DataFrame,
        *,
        label: str = "label",
        case: str | Sequence[str] | None = None,
        time: str | None = None,
        ignore: Sequence[str] | None = None,
        resample: bool = False,
        **options: Any,
    ) -> SeriesDataset:
        """A data set from a pandas frame in long, tidy or wide form, by the rules of :func:`load_dataset`.

        Index levels named ``case`` or ``time`` become such columns; any other index is ignored.

        Parameters
        ----------
        label, case, time, ignore, resample
            As in :func:`load_dataset`.
        **options
            As in :meth:`from_arrays`: channel_names, step, unit, units, source, name,
            unequal, missing.
        """
        from stelle_nb.data.readers.tables.read_table import read_table
        from stelle_nb.data.readers.tables.table import CellTable, TableOptions

        if not hasattr(frame, "itertuples") or not hasattr(frame, "columns"):
            raise DataError(f"frame must be a pandas DataFrame, got {type(frame).__name__}. Try from_arrays.")
        said = TableOptions(label, case, time, ignore, resample=resample)
        raw = read_table(CellTable.from_frame(frame), said)
        known = raw.known_options()
        if raw.is_stretched_by(options.get("unequal")):
            known["step"] = None
        found = cls.from_arrays(raw.train, raw.y_train, raw.test, raw.y_test, **(known | options))
        return as_read(found, raw.notes, raw.reading)

    @property
    def n_train(self) -> int:
        """Number of training cases."""
        return len(self.X_train)

    @property
    def n_test(self) -> int:
        """Number of test cases; 0 if there are none."""
        return len(self.X_test)

    @property
    def n_channels(self) -> int:
        """Number of channels of every case."""
        return int(self.X_train.shape[1])

    @property
    def n_timepoints(self) -> int:
        """Number of samples of every channel."""
        return int(self.X_train.shape[2])

    @property
    def classes(self) -> Labels:
        """The different training labels, sorted."""
        return np.unique(self.y_train)

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.classes)

    @property
    def times(self) -> npt.NDArray[np.float64]:
        """When each sample was taken, from 0 on: in ``unit`` if the step is known, else its index."""
        return np.arange(self.n_timepoints, dtype=np.float64) * (1.0 if self.step is None else self.step)

    def class_counts(self) -> dict[Any, tuple[int, int]]:
        """For every class, its number of training and of test cases."""
        return {
            label.item(): (int((self.y_train == label).sum()), int((self.y_test == label).sum()))
            for label in self.classes
        }

    def __repr__(self) -> str:
        channels = f"{self.n_channels} channel{'s' if self.n_channels > 1 else ''}"
        every = "" if self.step is None else f" every {self.step:g}{' ' + self.unit if self.unit else ''}"
        classes = f"{self.n_classes} class{'es' if self.n_classes > 1 else ''}"
        return (
            f"SeriesDataset({self.name!r}: {self.n_train} training and {self.n_test} test cases, "
            f"{channels} x {self.n_timepoints} samples{every}, {classes})"
        )

    def _repr_html_(self) -> str:
        from stelle_nb.data.html import dataset_html

        return dataset_html(self)


def with_origin(dataset: SeriesDataset, origin: Origin) -> SeriesDataset:
    """The same set with a record of how it was loaded."""
    loaded = copy(dataset)
    object.__setattr__(loaded, "origin", origin)
    return loaded


def as_read(dataset: SeriesDataset, notes: tuple[str, ...], reading: str | None) -> SeriesDataset:
    """The same set with a record of how its table was read and its values treated."""
    found = replace(dataset, treatments=(*notes, *dataset.treatments)) if notes else copy(dataset)
    object.__setattr__(found, "reading", reading)
    return found


def _cases(X: Any, what: str) -> Sequence[Series]:
    return as_cases(series_by_case(X, what) if is_indexed_by_case(X) else X, what)


def _check_series(X: Any, what: str) -> None:
    if not isinstance(X, np.ndarray) or X.ndim != 3 or X.dtype not in (np.float32, np.float64):
        got = f"{X.dtype} of shape {X.shape}" if isinstance(X, np.ndarray) else type(X).__name__
        raise DataError(
            f"{what} must be a float32 or float64 array with the axes (case, channel, time), got {got}. "
            "SeriesDataset.from_arrays converts tensors, frames, lists and 2-D arrays."
        )
    finite = np.isfinite(X).all(axis=(1, 2))
    if not finite.all():
        case = int(np.argmin(finite))
        check_no_inf(X[case], f"{what}[{case}]")
        raise DataError(
            f"{what}[{case}] has missing values (NaN). "
            "SeriesDataset.from_arrays(..., missing='interpolate') fills them."
        )


def _check_parts(ds: SeriesDataset) -> None:
    if 0 in ds.X_train.shape:
        raise DataError(
            f"X_train needs at least one case, one channel and one sample, got shape {ds.X_train.shape}."
        )
    if ds.X_test.dtype != ds.X_train.dtype:
        raise DataError(f"Both parts must have one precision, got {ds.X_train.dtype} and {ds.X_test.dtype}.")
    if ds.X_test.shape[1:] != ds.X_train.shape[1:]:
        raise DataError(
            "Test series must have the channels and samples of the training series, "
            f"got (channel, time) = {ds.X_test.shape[1:]} and {ds.X_train.shape[1:]}."
        )
    if (ds.y_train.dtype.kind == "U") != (ds.y_test.dtype.kind == "U") and ds.n_test:
        raise DataError(
            f"Labels must be of one kind, got {ds.y_train.dtype} and {ds.y_test.dtype}. Try y.astype(str)."
        )
    unseen = np.setdiff1d(ds.y_test, ds.y_train)
    if unseen.size:
        raise DataError(
            f"Every test class must occur in training, but y_train has no case of {unseen[0].item()!r}. "
            "Drop those test cases or move some of them to the training part."
        )


def _as_names(given: Any) -> tuple[Any, ...]:
    if isinstance(given, (str, bytes)) or not hasattr(given, "__iter__"):
        raise DataError(
            f"channel_names must be a list of names, got {given!r}. Put a single name into a list."
        )
    return tuple(_plain_text(name) for name in given)


def _plain_text(given: Any) -> Any:
    """NumPy text as plain text: otherwise the code of a panel would contain ``np.str_('a')``."""
    return str(given) if isinstance(given, str) else given


def check_names(names: Sequence[Any], n_channels: int) -> None:
    """Reject names that do not identify the channels."""
    if len(names) != n_channels:
        raise DataError(f"channel_names must name all {n_channels} channels, got {len(names)}: {names!r}.")
    for name in names:
        if not isinstance(name, str) or not name.strip():
            raise DataError(f"A channel name must be text that is not empty, got {name!r}.")
        storable(name, "A channel name", error=DataError)
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise DataError(f"Channel names must differ, got {twice!r} more than once.")


def entered_units(units: Sequence[str | None] | None, n_channels: int) -> tuple[str | None, ...]:
    """The unit of each channel's values, or None where it is unknown; none given, all are unknown.

    Examples
    --------
    >>> entered_units(["m", None], 2), entered_units(None, 2)
    (('m', None), (None, None))
    """
    if units is None:
        return (None,) * n_channels
    if isinstance(units, (str, bytes)) or not hasattr(units, "__iter__"):
        raise DataError(f"units must be a list, one text or None for each channel, got {units!r}.")
    found = tuple(_plain_text(unit) for unit in units) or (None,) * n_channels
    for unit in found:
        if unit is not None and (not isinstance(unit, str) or not unit.strip()):
            raise DataError(f"A unit must be text that is not empty, or None if unknown, got {unit!r}.")
        storable(unit or "", "A unit", error=DataError)
    if len(found) != n_channels:
        raise DataError(
            f"units must hold one entry for each of the {n_channels} channels, got {len(found)}: {found!r}. "
            "Use None where a unit is unknown."
        )
    return found


def _checked_step(step: Any) -> float | None:
    if step is None:
        return None
    try:
        number = float(step)
    except (TypeError, ValueError):
        number = math.nan
    if not 0 < number < math.inf:
        raise DataError(f"step must be the time between samples, a positive number, got {step!r}.")
    return number


def _frozen(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The array itself if it is read-only, else a read-only copy."""
    owner: Any = array
    while isinstance(owner, np.ndarray) and not owner.flags.writeable:
        owner = owner.base
    if owner is None and array.flags.c_contiguous:
        return array
    copy = np.array(array, order="C")
    copy.setflags(write=False)
    return copy
