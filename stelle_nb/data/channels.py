"""A data set with some of its channels."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import replace

from stelle_nb.arguments import shortened, validate_types
from stelle_nb.data.dataset import SeriesDataset, with_origin
from stelle_nb.errors import DataError


@validate_types(DataError)
def keep_channels(dataset: SeriesDataset, channels: Sequence[int]) -> SeriesDataset:
    """The same cases with some of their channels, in their old order; with all of them, the set itself.

    Parameters
    ----------
    channels
        The numbers of those to keep, such as ``drop_correlated(dataset.X_train).kept``.

    Examples
    --------
    >>> ds = SeriesDataset.from_arrays([[[0, 1], [5, 6], [8, 9]]], ["a"], channel_names=["u", "v", "w"])
    >>> keep_channels(ds, [2, 0]).channel_names
    ('u', 'w')
    """
    kept = sorted({operator.index(channel) for channel in channels})
    last = dataset.n_channels - 1
    if not kept:
        raise DataError("At least one channel must be kept, got none. Select one, or several.")
    for channel in kept:
        if not 0 <= channel <= last:
            raise DataError(
                f"A channel to keep must be a number from 0 to {last}, got {channel}. "
                f"{dataset.name} has the channels {shortened(list(dataset.channel_names))}."
            )
    if len(kept) == dataset.n_channels:
        return dataset
    some = replace(
        dataset,
        X_train=dataset.X_train[:, kept],
        X_test=dataset.X_test[:, kept],
        channel_names=tuple(dataset.channel_names[channel] for channel in kept),
        units=tuple(dataset.units[channel] for channel in kept),
        source=f"{len(kept)} of {dataset.n_channels} channels of {dataset.source}",
    )
    if dataset.origin is None:
        return some
    before = dataset.origin.kept or range(dataset.n_channels)
    return with_origin(some, replace(dataset.origin, kept=tuple(before[channel] for channel in kept)))
