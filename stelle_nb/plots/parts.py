"""Charts below each other, one for each part of a formula."""

from __future__ import annotations

import altair as alt

from stelle_nb.plots.theme import MONOSPACE


def rows_of_parts() -> alt.Row:
    """A row for each ``part`` of the data, in the order of their ``place``, with its formula above."""
    return alt.Row(
        "part:N",
        sort=alt.EncodingSortField(field="place", op="min"),
        header=alt.Header(
            title=None, labelOrient="top", labelAnchor="start", labelPadding=2, labelFont=MONOSPACE
        ),
    )
