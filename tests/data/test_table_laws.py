"""A set that is written as a table, in whatever layout and spelling, is read as it was."""

from __future__ import annotations

import csv
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as hs

from stelle_nb.data import SeriesDataset, load_dataset
from stelle_nb.data.readers.tables.timestamps import TOLERANCE, common_step, median_gap, sample_numbers
from stelle_nb.errors import DataError

CHANNELS = ("acc_x", "acc_y", "gyro z")
INDEX = {"none": [], "empty": [""], "pandas": ["Unnamed: 0"], "index": ["index"]}
SPELLINGS = hs.fixed_dictionaries(
    {
        "separator": hs.sampled_from([",", ";", "\t", "|"]),
        "decimal": hs.sampled_from([".", ","]),
        "encoding": hs.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
        "end": hs.sampled_from(["\n", "\r\n"]),
        "index": hs.sampled_from(list(INDEX)),
        "label": hs.sampled_from(["label", "Label", "CLASS", "target", "y"]),
        "comment": hs.booleans(),
        "sep line": hs.booleans(),
    }
)


@hs.composite
def series(draw: Any, n_channels: int | None = None) -> np.ndarray:
    shape = draw(hs.integers(2, 5)), n_channels or draw(hs.integers(1, 3)), draw(hs.integers(3, 6))
    rng = np.random.default_rng(draw(hs.integers(0, 2**20)))
    return rng.normal(size=shape).round(3)


def labels_of(X: np.ndarray) -> list[str]:
    return ["up" if i % 2 else "down" for i in range(len(X))]


def write(path: Path, header: list[str], rows: list[list[Any]], spelling: dict[str, Any]) -> Path:
    """Rows as a text file; numbers get the decimal mark of the spelling."""
    index = INDEX[spelling["index"]]
    with path.open("w", encoding=spelling["encoding"], newline="") as file:
        if spelling["sep line"]:
            file.write(f"sep={spelling['separator']}{spelling['end']}")
        if spelling["comment"]:
            file.write(f"# written by hand{spelling['end']}")
        table = csv.writer(file, delimiter=spelling["separator"], lineterminator=spelling["end"])
        table.writerow([*index, *header])
        for i, row in enumerate(rows):
            cells = [str(cell).replace(".", spelling["decimal"]) for cell in row]
            table.writerow([*[i for _ in index], *cells])
    return path


def load(header: list[str], rows: list[list[Any]], spelling: dict[str, Any]) -> SeriesDataset:
    with tempfile.TemporaryDirectory() as folder:
        return load_dataset(path=write(Path(folder) / "set.csv", header, rows, spelling))


def check(ds: SeriesDataset, X: np.ndarray, step: float | None) -> None:
    np.testing.assert_array_equal(ds.X_train, X)
    assert ds.y_train.tolist() == labels_of(X)
    assert ds.step == (pytest.approx(step) if step else None)


@given(series(n_channels=1), SPELLINGS, hs.booleans())
def test_wide(X: np.ndarray, spelling: dict[str, Any], last: bool) -> None:
    names = [f"t{t}" for t in range(X.shape[2])]
    ends = [[label] for label in labels_of(X)]
    rows = [[*x[0], *end] if last else [*end, *x[0]] for x, end in zip(X, ends, strict=True)]
    label = spelling["label"]
    check(load([*names, label] if last else [label, *names], rows, spelling), X, None)


@given(series(), SPELLINGS, hs.sampled_from([None, 0.1, 2, 1 / 64]))
def test_tidy(X: np.ndarray, spelling: dict[str, Any], step: float | None) -> None:
    times = [[]] * X.shape[2] if step is None else [[round(step * t, 6)] for t in range(X.shape[2])]
    rows = [
        [f"shot {i}", *times[t], *X[i, :, t], label]
        for i, label in enumerate(labels_of(X))
        for t in range(X.shape[2])
    ]
    names = list(CHANNELS[: X.shape[1]])
    ds = load(["case", *(["time"] if step else []), *names, spelling["label"]], rows, spelling)
    check(ds, X, step)
    assert list(ds.channel_names) == names


@given(series(), SPELLINGS, hs.randoms(use_true_random=False))
def test_long_in_any_order_of_rows_of_a_case(X: np.ndarray, spelling: dict[str, Any], random: Any) -> None:
    rows = []
    for i, label in enumerate(labels_of(X)):
        own = [
            [i, t / 2, CHANNELS[c], X[i, c, t], label] for c in range(X.shape[1]) for t in range(X.shape[2])
        ]
        rows += [own[0], *random.sample(own[1:], len(own) - 1)] if X.shape[1] == 1 else own
    header = ["case", "time", "channel", "value", spelling["label"]]
    check(load(header, rows, spelling), X, 0.5)


@given(series(), SPELLINGS)
def test_a_folder_per_class(X: np.ndarray, spelling: dict[str, Any]) -> None:
    with tempfile.TemporaryDirectory() as name:
        for i, (x, label) in enumerate(zip(X, labels_of(X), strict=True)):
            folder = Path(name) / label
            folder.mkdir(exist_ok=True)
            rows = [[t / 10, *x[:, t]] for t in range(X.shape[2])]
            write(folder / f"{i}.csv", ["time", *CHANNELS[: X.shape[1]]], rows, spelling)
        ds = load_dataset(path=name)
    order = sorted(range(len(X)), key=lambda i: (labels_of(X)[i], str(i)))
    np.testing.assert_array_equal(ds.X_train, X[order])
    assert ds.y_train.tolist() == [labels_of(X)[i] for i in order]
    assert ds.step == pytest.approx(0.1)


@given(series())
def test_a_frame_with_index_levels_is_a_tidy_table(X: np.ndarray) -> None:
    index = pd.MultiIndex.from_product([range(len(X)), range(X.shape[2])], names=["case", "time"])
    names = list(CHANNELS[: X.shape[1]])
    frame = pd.DataFrame(X.transpose(0, 2, 1).reshape(-1, X.shape[1]), index=index, columns=names)
    frame["label"] = np.repeat(labels_of(X), X.shape[2])
    check(SeriesDataset.from_frame(frame), X, 1.0)


# clocks ----------------------------------------------------------------------------------------


@given(
    hs.floats(1e-4, 1e4),
    hs.integers(20, 120).flatmap(
        lambda n: hs.tuples(hs.just(n), hs.sets(hs.integers(3, n), max_size=n // 3))
    ),
    hs.floats(-1e4, 1e4),
    hs.integers(0, 2**20),
    hs.floats(0, 0.08),
)
def test_samples_are_found_again(
    step: float, case: tuple[int, set[int]], start: float, seed: int, jitter: float
) -> None:
    """Whatever the step, where the clock begins, how it trembles and which samples are absent."""
    n, absent = case
    wanted = np.array([number for number in range(n) if number not in absent])
    assume(np.median(np.diff(wanted)) == 1)
    shaken = wanted + np.random.default_rng(seed).uniform(-jitter, jitter, len(wanted))
    clock = start * step + step * shaken
    found = common_step([clock])
    assert found == pytest.approx(step, rel=2.1 * jitter + 1e-6)
    numbers, off = sample_numbers(clock, float(clock[0]), step)
    assert off is None
    np.testing.assert_array_equal(numbers, wanted)


@given(hs.integers(1, 400), hs.integers(3, 300))
def test_clocks_in_whole_milliseconds(rate: int, n: int) -> None:
    """Any rate of up to 400 Hz, written in milliseconds: the step is right to what n samples can tell."""
    clock = np.round(np.arange(n) * 1000 / rate)
    step = common_step([clock])
    assert step is not None
    numbers, off = sample_numbers(clock, 0.0, step)
    assert off is None or 1000 / rate < 1 / TOLERANCE
    if off is None:
        np.testing.assert_array_equal(numbers, np.arange(n))
        assert step == pytest.approx(1000 / rate, abs=1 / (n - 1) + 1e-9)


def interpolated(times: list[float], values: list[float], at: float) -> float:
    """The textbook line between the two neighbours of a time."""
    for (t0, v0), (t1, v1) in zip(
        zip(times, values, strict=True), zip(times[1:], values[1:], strict=True), strict=False
    ):
        if t0 <= at <= t1:
            return v0 + (v1 - v0) * (at - t0) / (t1 - t0)
    raise AssertionError(at)


@given(hs.lists(hs.integers(1, 40), min_size=4, max_size=12), hs.integers(0, 2**20))
def test_irregular_times_are_refused_or_interpolated(gaps: list[int], seed: int) -> None:
    times = [0.0, *np.cumsum(gaps).astype(float).tolist()]
    values = np.random.default_rng(seed).normal(size=len(times)).tolist()
    frame = pd.DataFrame({"case": 0, "time": times, "acc": values, "label": "up"})
    ds = SeriesDataset.from_frame(frame, resample=True, missing="interpolate")
    if not any("resampled" in note for note in ds.treatments):
        return  # even, with absent samples perhaps
    with pytest.raises(DataError, match="resample=True"):
        SeriesDataset.from_frame(frame)
    step = sorted(gaps)[(len(gaps) - 1) // 2]
    assert ds.step == step
    wanted = [interpolated(times, values, t) for t in np.arange(0, times[-1] + 1e-9, step)]
    np.testing.assert_allclose(ds.X_train[0, 0], wanted, atol=1e-9)
    assert ds.treatments == (f"irregular times resampled linearly to even steps of {step}",)


@given(hs.lists(hs.integers(1, 9999), min_size=3, max_size=12), hs.integers(0, 10**6))
def test_the_median_gap_is_as_short_as_the_times_are_written(gaps: list[int], start: int) -> None:
    clock = np.cumsum([start * 10_000, *gaps]) / 10_000
    assert median_gap([clock]) == sorted(gaps)[(len(gaps) - 1) // 2] / 10_000


@given(hs.integers(0, 2**20))
def test_times_that_are_even_are_left_alone_by_resampling(seed: int) -> None:
    X = np.random.default_rng(seed).normal(size=(2, 1, 9))
    rows = [(i, round(t * 1000 / 60), X[i, 0, t], "ab"[i]) for i in range(2) for t in range(9)]
    frame = pd.DataFrame(rows, columns=["case", "time", "acc", "label"])
    ds = SeriesDataset.from_frame(frame, resample=True)
    np.testing.assert_array_equal(ds.X_train, X)
    assert ds.treatments == ()
