"""Units of channels: entered with the data, checked, and kept by all that makes sets of sets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from stelle_nb import SeriesDataset, keep_channels, load_dataset
from stelle_nb.data.resampling import resample
from stelle_nb.errors import DataError
from stelle_nb.panels.session import dataset_code

UNITS = ["rad/s", None, "°C"]
X = np.arange(36.0).reshape(4, 3, 3)
y = ["a", "b", "a", "b"]


def made(**options: Any) -> SeriesDataset:
    return SeriesDataset.from_arrays(X, y, X, y, **options)


def test_units_are_none_unless_given() -> None:
    assert made().units == (None, None, None)
    assert made(units=UNITS).units == ("rad/s", None, "°C")
    found = made(units=np.array(["rad/s", "g", "°C"])).units
    assert all(type(unit) is str for unit in found)


@pytest.mark.parametrize(
    ("units", "problem"),
    [
        ("m", "units must be a list"),
        (3, "units must be a list"),
        (["m", "s"], "one entry for each of the 3 channels, got 2"),
        (["m", "", None], "not empty, or None if unknown, got ''"),
        (["m", 3, None], "A unit must be text"),
        (["m", "\ud800", None], "can be stored as UTF-8"),
    ],
)
def test_other_units_are_refused(units: Any, problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        made(units=units)


def test_channels_and_resamples_keep_their_units() -> None:
    ds = made(units=UNITS)
    assert keep_channels(ds, [2, 0]).units == ("rad/s", "°C")
    assert resample(ds, 1).units == ds.units


def test_files_and_frames_have_units(tmp_path: Path) -> None:
    path = tmp_path / "mine.npz"
    np.savez(path, X=X, y=y, units=np.array([unit or "" for unit in UNITS]))
    assert load_dataset(path=path).units == ("rad/s", None, "°C")
    given = load_dataset(path=path, units=["m", "m", None])
    assert given.units == ("m", "m", None)
    assert given.origin is not None and given.origin.arguments()["units"] == ("m", "m", None)
    assert "units=('m', 'm', None)" in dataset_code(given)
    frame = pd.DataFrame({"t0": [0.0, 1.0], "t1": [1.0, 0.0], "label": ["a", "b"]})
    assert SeriesDataset.from_frame(frame, units=["V"]).units == ("V",)


def test_a_page_and_code_say_units() -> None:
    ds = made(units=UNITS, channel_names=["gyro x", "load", "<t>"])
    assert "gyro x (rad/s), load, &lt;t&gt; (°C)" in ds._repr_html_()
    assert "units=['rad/s', None, '°C']" in dataset_code(ds)
    assert "units" not in dataset_code(made())
