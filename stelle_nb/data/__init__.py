"""Labelled sets of time series: loading, checking, preprocessing, splits."""

from stelle_nb.data.channels import keep_channels
from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.data.preprocess import (
    ChannelSelection,
    DroppedChannel,
    Standardiser,
    channel_correlation,
    drop_correlated,
)
from stelle_nb.data.resampling import resample
from stelle_nb.data.sources.loading import available_datasets, load_dataset
from stelle_nb.data.treatment import Missing, Unequal, make_whole
from stelle_nb.data.units import to_original_units, to_standardised

__all__ = [
    "ChannelSelection",
    "DroppedChannel",
    "Missing",
    "SeriesDataset",
    "Standardiser",
    "Unequal",
    "available_datasets",
    "channel_correlation",
    "drop_correlated",
    "keep_channels",
    "load_dataset",
    "make_whole",
    "resample",
    "to_original_units",
    "to_standardised",
]
