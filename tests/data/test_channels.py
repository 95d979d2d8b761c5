"""Some channels of a data set as a set of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from stelle_nb.data import SeriesDataset, keep_channels, load_dataset
from stelle_nb.errors import DataError


@pytest.fixture
def ds() -> SeriesDataset:
    X = np.arange(24.0).reshape(4, 3, 2)
    options: dict[str, Any] = {"channel_names": ["u", "v", "w"], "step": 0.5, "unit": "s", "name": "set"}
    return SeriesDataset.from_arrays(X[:2], ["a", "b"], X[2:], ["a", "b"], **options)


def test_channels_stay_in_their_order_and_all_else_stays(ds: SeriesDataset) -> None:
    some = keep_channels(ds, [2, 0, 2])
    np.testing.assert_array_equal(some.X_train, ds.X_train[:, [0, 2]])
    np.testing.assert_array_equal(some.X_test, ds.X_test[:, [0, 2]])
    assert some.channel_names == ("u", "w") and some.source == "2 of 3 channels of memory"
    assert (some.step, some.unit, some.name) == (0.5, "s", "set") and some.y_test.tolist() == ["a", "b"]
    assert keep_channels(ds, range(3)) is ds


@pytest.mark.parametrize("channels", [[], [3], [-1], ["u"], "u", None, [0.0], [True, "u"]])
def test_what_names_no_channel_is_refused(channels: Any, ds: SeriesDataset) -> None:
    with pytest.raises(DataError, match="channel"):
        keep_channels(ds, channels)


def test_the_origin_counts_channels_as_they_were_loaded() -> None:
    ds = load_dataset("BasicMotions", step=0.2)
    assert ds.origin is not None and ds.origin.kept is None
    origin = keep_channels(keep_channels(ds, [1, 3, 5]), [0, 2]).origin
    assert origin is not None and origin.kept == (1, 5)
    assert origin.arguments() == {"name": "BasicMotions", "step": 0.2}
