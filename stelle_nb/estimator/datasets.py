"""The part of the classifier that accepts data sets: their training cases, names and units."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self

from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.data.treatment import Unequal
from stelle_nb.depict.wording import Wording
from stelle_nb.errors import DataError
from stelle_nb.logic.printing.notation import checked_names, checked_units


class FitsDatasets:
    """Fitting to data sets; names and units that parameters leave open come from the data set of ``fit``.

    Attributes
    ----------
    axes_
        Names, step and units of the data set that was given to ``fit``; nothing for arrays.
    unequal_
        How that data set made series of unequal length equal; later cases are treated alike.
    """

    channel_names: Sequence[str] | None
    step: float | None
    unit: str | None
    units: Sequence[str | None] | None
    axes_: Wording
    unequal_: Unequal

    @classmethod
    def for_dataset(cls, dataset: SeriesDataset, **params: Any) -> Self:
        """An unfitted classifier with the channel names, time step and units of the data set.

        Parameters
        ----------
        **params
            As for the class; they take precedence over the data set.

        Examples
        --------
        >>> from stelle_nb.estimator.classifier import StelleClassifier
        >>> ds = SeriesDataset.from_arrays([[0, 1], [1, 0]], [0, 1], step=0.1, unit="s", units=["m"])
        >>> StelleClassifier.for_dataset(ds, n_concepts=5).units
        ('m',)
        """
        _check_dataset(dataset)
        axes = Wording.of(dataset)
        given = {
            "channel_names": axes.channel_names,
            "step": axes.step,
            "unit": axes.unit,
            "units": axes.units,
        }
        return cls(**(given | params))

    def fit(self, X: Any, y: Any = None) -> Self:
        """Fit to cases and their labels, or to the training part of a data set.

        Parameters
        ----------
        X
            Cases ``(n_cases, n_channels, n_timepoints)``, or a :class:`stelle_nb.SeriesDataset`, which then
            supplies names, step and units that parameters leave open. If its series had unequal lengths,
            later cases may have unequal lengths, too, and are treated alike.
        y
            One label for each case; left out with a data set.
        """
        axes = Wording()
        unequal: Unequal = "refuse"
        if isinstance(X, SeriesDataset):
            if y is not None:
                raise DataError("A data set brings its own labels, got y as well. Leave y out.")
            X, y, axes, unequal = X.X_train, X.y_train, Wording.of(X), X.unequal
        if y is None:
            raise DataError(
                "fit requires y to be passed, but the target y is None. Give one label for each case, or a "
                "SeriesDataset alone."
            )
        given = self.units
        if given is None:
            self.units = axes.units  # while the model is fitted: channels of different units are not compared
        try:
            super().fit(X, y)  # type: ignore[misc]
        finally:
            self.units = given
        self.axes_, self.unequal_ = axes, unequal
        return self

    @property
    def wording_(self) -> Wording:
        """What channels and units are called: by the parameters, or else by the data set of ``fit``."""
        own: dict[str, Any] = {
            "channel_names": checked_names(self.channel_names),
            "step": self.step,
            "unit": self.unit,
            "units": checked_units(self.units),
        }
        return replace(self.axes_, **{name: value for name, value in own.items() if value is not None})


def _check_dataset(dataset: Any) -> None:
    if not isinstance(dataset, SeriesDataset):
        raise DataError(
            f"A SeriesDataset was expected, got {type(dataset).__name__}. "
            "SeriesDataset.from_arrays makes one."
        )
