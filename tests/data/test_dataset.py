"""SeriesDataset: what it accepts, what it refuses, how it shows itself."""

from __future__ import annotations

import html
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pandas as pd
import pytest
import torch

from stelle_nb.data import SeriesDataset
from stelle_nb.errors import DataError

X = np.arange(24, dtype=np.float64).reshape(4, 2, 3)
y = np.array(["a", "b", "a", "b"])


def test_half_a_surrogate_pair_is_no_name() -> None:
    with pytest.raises(DataError, match="A channel name must be text that can be stored as UTF-8"):
        SeriesDataset.from_arrays(np.zeros((2, 1, 3)), [0, 1], channel_names=["a\ud800"])


def test_half_a_surrogate_pair_is_no_label() -> None:
    with pytest.raises(DataError, match="A class label must be text that can be stored as UTF-8"):
        SeriesDataset.from_arrays(np.zeros((2, 1, 3)), ["a", "b\ud800"])


def test_holds_what_was_given() -> None:
    ds = SeriesDataset.from_arrays(X, y, X[:2], y[:2], channel_names=["p", "q"], step=0.5, unit="s", name="n")
    assert np.array_equal(ds.X_train, X)
    assert np.array_equal(ds.y_test, y[:2])
    assert (ds.n_train, ds.n_test, ds.n_channels, ds.n_timepoints, ds.n_classes) == (4, 2, 2, 3, 2)
    assert ds.channel_names == ("p", "q")
    assert ds.times.tolist() == [0.0, 0.5, 1.0]
    assert ds.class_counts() == {"a": (2, 1), "b": (2, 1)}
    assert ds.treatments == ()


def test_without_test_cases_the_test_part_is_empty() -> None:
    ds = SeriesDataset.from_arrays(X, [0, 1, 0, 1])
    assert ds.X_test.shape == (0, 2, 3)
    assert ds.y_test.dtype == ds.y_train.dtype
    assert ds.channel_names == ("x0", "x1")
    assert ds.times.tolist() == [0, 1, 2]


def test_is_frozen_and_apart_from_the_callers_arrays() -> None:
    mine = X.copy()
    ds = SeriesDataset.from_arrays(mine, y)
    mine[:] = 0
    assert np.array_equal(ds.X_train, X)
    with pytest.raises(ValueError, match="read-only"):
        ds.X_train[0] = 0
    with pytest.raises(ValueError, match="read-only"):
        ds.y_train[0] = "b"
    with pytest.raises(FrozenInstanceError):
        ds.name = "other"  # type: ignore[misc]


def test_replace_checks_again_and_shares_arrays() -> None:
    ds = SeriesDataset.from_arrays(X, y)
    assert replace(ds, name="other").X_train is ds.X_train
    with pytest.raises(DataError, match="one label"):
        replace(ds, y_train=y[:3])


@pytest.mark.parametrize(
    "given",
    [
        torch.tensor(X),
        torch.tensor(X, requires_grad=True),
        X.tolist(),
        list(X),
        X.astype(int),
        np.asfortranarray(X),
        X.astype(">f8"),
        np.ma.masked_invalid(X),
    ],
)
def test_containers_give_the_same_set(given: object) -> None:
    ds = SeriesDataset.from_arrays(given, torch.tensor([0, 1, 0, 1]))
    assert ds.X_train.dtype == np.float64
    assert ds.X_train.flags.c_contiguous
    assert np.array_equal(ds.X_train, X)
    assert ds.classes.tolist() == [0, 1]


def test_single_precision_is_kept_and_half_is_raised() -> None:
    assert SeriesDataset.from_arrays(X.astype(np.float32), y).X_train.dtype == np.float32
    assert SeriesDataset.from_arrays(X.astype(np.float16), y).X_train.dtype == np.float32
    mixed = SeriesDataset.from_arrays(X.astype(np.float32), y, X, y)
    assert mixed.X_train.dtype == mixed.X_test.dtype == np.float64


def test_two_axes_are_one_channel() -> None:
    frame = pd.DataFrame([[1.0, 2, 3], [4, 5, 6]])
    for given in (frame, frame.to_numpy(), [[1, 2, 3], [4, 5, 6]]):
        assert SeriesDataset.from_arrays(given, ["a", "b"]).X_train.shape == (2, 1, 3)


def test_from_frame_wide_and_long() -> None:
    wide = pd.DataFrame({"label": [3, 4], "a": [1.0, 2.0], "b": [5, 6]})
    ds = SeriesDataset.from_frame(wide, name="frame")
    assert ds.X_train.tolist() == [[[1, 5]], [[2, 6]]]
    assert ds.classes.tolist() == [3, 4]  # labels stay numbers
    long = pd.DataFrame(
        {
            "case": [1, 1, 2, 2],
            "time": [0, 2, 0, 2],
            "channel": "p",
            "value": [1.0, 2, 3, 4],
            "target": list("uuvv"),
        }
    )
    ds = SeriesDataset.from_frame(long, label="target", unit="s")
    assert ds.X_train.tolist() == [[[1, 2]], [[3, 4]]]
    assert (ds.channel_names, ds.step, ds.unit) == (("p",), 2.0, "s")
    with pytest.raises(DataError, match="row 1, column a: 'x' is not a number"):
        SeriesDataset.from_frame(pd.DataFrame({"label": [1, 2], "a": [1.0, "x"]}))


def test_from_frame_reads_tidy_frames_and_says_so() -> None:
    frame = pd.DataFrame(
        {
            "who": list("aaabbb"),
            "when": pd.to_datetime("2024-05-01") + pd.to_timedelta([0, 5, 10, 0, 5, 10], unit="ms"),
            "note": "fine",
            "p": [1.0, 4, 2, 3, 5, 4],
            "label": list("uuuvvv"),
        }
    )
    ds = SeriesDataset.from_frame(frame, case="who", time="when", ignore=["note"])
    assert ds.X_train.tolist() == [[[1, 4, 2]], [[3, 5, 4]]]
    assert (ds.channel_names, ds.step, ds.unit) == (("p",), 0.005, "s")
    assert ds.reading == (
        "2 recordings, 1 channel of 3 samples, label column 'label'; one row per sample; "
        "case column 'who'; time column 'when'; set aside: 'note'"
    )
    assert f"read as: {ds.reading}" in html.unescape(ds._repr_html_())
    assert replace(ds, name="other").reading is None  # it may hold other data
    durations = frame.assign(when=frame["when"] - frame["when"].min())
    assert SeriesDataset.from_frame(durations, case="who", time="when", ignore=["note"]).step == 0.005


def test_from_frame_sets_row_numbers_aside() -> None:
    wide = pd.DataFrame({"t0": [1.0, 2], "t1": [5.0, 6], "label": ["u", "v"]}).reset_index()
    assert SeriesDataset.from_frame(wide).X_train.tolist() == [[[1, 5]], [[2, 6]]]
    with pytest.raises(DataError, match="'a' is in the header 2 times"):
        SeriesDataset.from_frame(pd.DataFrame([[1, 2, "u"]], columns=["a", "a", "label"]))


@pytest.mark.parametrize("given", [{"case": [1]}, {"ignore": "t0"}, {"case": "nobody"}, {"time": "never"}])
def test_columns_that_are_not_there_are_told(given: dict[str, object]) -> None:
    frame = pd.DataFrame({"t0": [1.0, 2], "label": ["u", "v"]})
    with pytest.raises(DataError, match=r"list of text|No column is called"):
        SeriesDataset.from_frame(frame, **given)  # type: ignore[arg-type]


REFUSED: dict[str, tuple[tuple[object, ...], dict[str, object], str]] = {
    "labels of another length": ((X, y[:3]), {}, "4 cases in X_train and 3 labels"),
    "test labels of another length": ((X, y, X, y[:1]), {}, "4 cases in X_test and 1 labels"),
    "test series without labels": ((X, y, X), {}, "given together"),
    "class without training cases": ((X, y, X, ["a", "b", "c", "a"]), {}, "no case of 'c'"),
    "text against numbers": ((X, y, X, [0, 1, 0, 1]), {}, "of one kind"),
    "no cases": ((X[:0], y[:0]), {}, "at least"),
    "empty list": (([], []), {}, "at least"),
    "no channels": ((X[:, :0], y), {}, "at least one channel"),
    "no samples": ((X[:, :, :0], y), {}, "at least one channel and one sample"),
    "an empty case": (([X[0], X[0][:, :0]], y[:2]), {}, r"X_train\[1\]"),
    "NaN": ((np.where(X == 7, np.nan, X), y), {}, r"X_train\[1\], channel 0, sample 1"),
    "inf": ((np.where(X == 7, -np.inf, X), y), {}, "is -inf"),
    "inf under a treatment": ((np.where(X == 7, np.inf, X), y), {"missing": "hold"}, "must be finite"),
    "masked": ((np.ma.masked_equal(X, 7.0), y), {}, "missing"),
    "object array": ((X.astype(object), y), {}, "object array"),
    "text": ((X.astype(str), y), {}, "real numbers"),
    "complex": ((X.astype(complex), y), {}, "real numbers"),
    "four axes": ((X[None], y), {}, "4 axes"),
    "one axis": ((X.ravel(), y), {}, "1 axes"),
    "ragged rows": (([[[1, 2], [3]]], ["a"]), {}, "rectangle"),
    "other channels in a case": (([X[0], X[0][:1]], y[:2]), {}, "same channels"),
    "other channels in the test part": ((X, y, X[:, :1], y), {}, "channels and samples"),
    "unequal lengths": (([X[0], X[0][:, :2]], y[:2]), {}, "unequal='hold'"),
    "unequal test lengths": ((X, y, X[:, :, :2], y), {}, "unequal='hold'"),
    "unknown choice": ((X, y), {"unequal": "cut"}, "must be one of 'refuse', 'resample', 'hold', got 'cut'"),
    "unknown choice for gaps": ((X, y), {"missing": "zero"}, "must be one of"),
    "labels with two axes": ((X, y[:, None]), {}, "1-D"),
    "fractional labels": ((X, [0.5, 1, 2, 3]), {}, r"y_train\[0\] is 0.5"),
    "NaN label": ((X, [0, np.nan, 1, 1]), {}, r"y_train\[1\]"),
    "None label": ((X, ["a", None, "b", "b"]), {}, r"y_train\[1\] is missing"),
    "mixed labels": ((X, np.array(["a", 1, 2, "b"], dtype=object)), {}, "got int, str"),
    "bytes labels": ((X, y.astype(bytes)), {}, "astype"),
    "too few names": ((X, y), {"channel_names": ["p"]}, "all 2 channels"),
    "names twice": ((X, y), {"channel_names": ["p", "p"]}, "'p' more than once"),
    "empty name": ((X, y), {"channel_names": ["p", " "]}, "not empty"),
    "step zero": ((X, y), {"step": 0}, "positive"),
    "step NaN": ((X, y), {"step": float("nan")}, "positive"),
    "step text": ((X, y), {"step": "fast"}, "positive"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refuses(case: str) -> None:
    arguments, options, message = REFUSED[case]
    with pytest.raises(DataError, match=message):
        SeriesDataset.from_arrays(*arguments, **options)  # type: ignore[arg-type]


def test_constructor_is_as_strict() -> None:
    for bad in (X[0], X.astype(int), X.tolist(), np.where(X == 7, np.nan, X)):
        with pytest.raises(DataError):
            SeriesDataset(bad, y, X[:0], y[:0])  # type: ignore[arg-type]


def test_html_escapes_what_users_wrote() -> None:
    evil = "<script>alert(1)</script>"
    ds = SeriesDataset.from_arrays(
        X, [evil, "b", evil, "b"], channel_names=[evil, "q"], name=evil, source=evil, unit=evil, step=1
    )
    html = ds._repr_html_()
    assert "<script" not in html
    assert html.count("&lt;script&gt;") == 5


def test_repr_is_short() -> None:
    ds = SeriesDataset.from_arrays(X, y, step=0.1, unit="s", name="set")
    assert repr(ds) == (
        "SeriesDataset('set': 4 training and 0 test cases, 2 channels x 3 samples every 0.1 s, 2 classes)"
    )


def test_series_of_a_frame_that_are_stretched_have_no_step() -> None:
    rows = [(case, 0.5 * t, "x", t, "ab"[case]) for case, n in enumerate((4, 6)) for t in range(n)]
    frame = pd.DataFrame(rows, columns=["case", "time", "channel", "value", "label"])
    assert SeriesDataset.from_frame(frame, unequal="resample").step is None
    assert SeriesDataset.from_frame(frame, unequal="hold").step == 0.5
