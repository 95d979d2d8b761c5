"""Charts below each other, one for each part of a formula or for each signal."""

from __future__ import annotations

from typing import Any

import altair as alt

from stelle_nb.plots.theme import MONOSPACE


def rows_of_parts() -> alt.Row:
    """A row for each ``part`` of the data, in the order of their ``place``, with its formula above."""
    return _rows("part", labelPadding=2, labelFont=MONOSPACE)


def rows_of_signals() -> alt.Row:
    """A row for each ``signal`` of the data, in the order of their ``place``, with its name above."""
    return _rows("signal", labelPadding=3)


def _rows(field: str, **header: Any) -> alt.Row:
    return alt.Row(
        f"{field}:N",
        sort=alt.EncodingSortField(field="place", op="min"),
        header=alt.Header(title=None, labelOrient="top", labelAnchor="start", **header),
    )
