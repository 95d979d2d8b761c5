"""The signals of a data set, for each class and channel: the usual range, the middle and some cases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import altair as alt
import numpy as np

from stelle_nb.arguments import validate_types, whole
from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.depict.wording import Wording
from stelle_nb.errors import PlotError
from stelle_nb.plots.chart import PlotChart, Rows, finish
from stelle_nb.plots.heading import Heading
from stelle_nb.plots.lines import at_time, line_row, short, time_title
from stelle_nb.plots.theme import CASE, WIDTH, Body, colours_of, names_of

SIGNALS = "signals"
MAX_POINTS = 16_000  # in all, as the browser sees them
MAX_CHANNELS, MAX_CLASSES = 6, 8

Part = Literal["train", "test", "all"]


@validate_types(PlotError)
def plot_signals(
    dataset: SeriesDataset,
    *,
    part: Part = "train",
    channels: Sequence[int] | None = None,
    classes: Sequence[Any] | None = None,
    n_cases: int = 3,
    highlighted: int | None = None,
) -> PlotChart:
    """Show what each class looks like on each channel.

    The band holds the middle 80 % of the cases at each time, the heavy line is their median, thin lines are
    cases. The columns of a row share their scale, so classes can be compared.

    Parameters
    ----------
    part
        Which part to show.
    channels
        Numbers of channels; the first six if left out.
    classes
        Labels; the first eight if left out.
    n_cases
        How many cases of each class to draw.
    highlighted
        Number of a case, among those of the part, that stands out; it is always drawn.
    """
    X, y, shown, numbers = choose_signals(dataset, part, channels, classes)
    every = dataset.classes.tolist()
    wording = Wording.of(dataset)
    rows = signal_rows(X, y, shown, numbers, wording, n_cases)
    if highlighted is not None:
        if not 0 <= highlighted < len(y):
            raise PlotError(f"highlighted must lie from 0 to {len(y) - 1}, got {highlighted!r}.")
        rows += highlighted_rows(X, y, highlighted, numbers, wording)
    names = names_of(shown)
    titles = wording.channel_titles(numbers)
    bodies = [_row_of(i, len(numbers), title, names, wording) for i, title in enumerate(titles)]
    left_out = [
        f"{len(some)} of {n} {what}"
        for some, n, what in ((numbers, dataset.n_channels, "channels"), (shown, len(every), "classes"))
        if len(some) < n
    ]
    text = f"{len(y)} cases{_legend(max(int((y == label).sum()) for label in shown), n_cases)}"
    note = f"Shown: {', '.join(left_out)}." if left_out else ""
    heading = Heading(f"{dataset.name}: signals by class", text=text, note=note)
    return finish(heading, *bodies, data={SIGNALS: rows}, description="Signals of each class on each channel")


def _legend(n_largest: int, n_cases: int) -> str:
    if n_largest == 1:
        return ", one of each class."
    drawn = min(n_cases, n_largest)
    return f". Band: middle 80 % of each class; heavy line: median; thin lines: {drawn} cases."


def choose_signals(
    dataset: SeriesDataset, part: Part, channels: Sequence[int] | None, classes: Sequence[Any] | None
) -> tuple[Any, Any, list[Any], list[int]]:
    """Cases, their labels, and which classes and channels to show."""
    X, y = _part_of(dataset, part)
    every = dataset.classes.tolist()
    shown = every[:MAX_CLASSES] if classes is None else np.asarray(classes).tolist()
    numbers = list(range(min(dataset.n_channels, MAX_CHANNELS)) if channels is None else channels)
    _check(shown, every, numbers, dataset.n_channels)
    return X, y, shown, numbers


def signal_rows(
    X: Any, y: Any, classes: Sequence[Any], channels: Sequence[int], wording: Wording, n_cases: int
) -> Rows:
    """A row for each band and each line; ``t``, ``low``, ``high`` and ``middle`` are lists."""
    whole(n_cases, "n_cases", error=PlotError, way="0 draws only the bands.")
    n_points = max(20, MAX_POINTS // (len(classes) * len(channels) * (n_cases + 1)))
    rows: Rows = []
    for place, channel in enumerate(channels):
        for label in classes:
            members = np.flatnonzero(np.asarray([one == label for one in y.tolist()], dtype=bool))
            if not len(members):
                continue
            facts = {"place": place, "label": str(label)}
            rows.append(
                {**facts, "kind": "band", "case": -1, **_band(X[members, channel], wording, n_points)}
            )
            for case in members[np.linspace(0, len(members) - 1, min(n_cases, len(members))).astype(int)]:
                line = line_row(X[case, channel], wording, n_points, **facts, kind="case", case=int(case))
                rows.append({**line, "middle": []})
    return rows


def highlighted_rows(X: Any, y: Any, case: int, channels: Sequence[int], wording: Wording) -> Rows:
    """A row for each line of a case that stands out."""
    n_points = max(20, MAX_POINTS // (8 * len(channels)))
    facts = {"label": str(y[case]), "kind": "highlighted", "case": int(case), "middle": []}
    return [
        {**line_row(X[case, channel], wording, n_points, **facts), "place": place}
        for place, channel in enumerate(channels)
    ]


def _band(values: Any, wording: Wording, n_points: int) -> dict[str, Any]:
    kept = np.unique(np.linspace(0, values.shape[1] - 1, min(values.shape[1], n_points)).astype(int))
    low, middle, high = np.quantile(values[:, kept], [0.1, 0.5, 0.9], axis=0)
    return {"t": at_time(kept, wording), "low": short(low), "high": short(high), "middle": short(middle)}


def _row_of(place: int, n_rows: int, channel: str, names: list[str], wording: Wording) -> Body:
    is_last, is_first = place == n_rows - 1, place == 0
    base = alt.Chart().encode(
        x=alt.X(
            "t:Q", title=time_title(wording) if is_last else None, axis=alt.Axis(labels=is_last, tickCount=4)
        ),
        color=alt.Color("label:N", legend=None, scale=alt.Scale(domain=names, range=colours_of(names))),
    )
    tooltip = [alt.Tooltip("label:N", title="class"), alt.Tooltip("case:Q", title="case")]
    y = alt.Y("low:Q", title=None, axis=alt.Axis(tickCount=3, minExtent=34), scale=alt.Scale(zero=False))
    band = base.transform_filter("datum.kind == 'band'").mark_area(opacity=0.25).encode(y=y, y2="high:Q")
    middle = base.transform_filter("datum.kind == 'band'").mark_line(strokeWidth=2).encode(y="middle:Q")
    lines = base.transform_filter("datum.kind == 'case'").encode(y="low:Q", detail="case:N")
    cases = lines.mark_line(strokeWidth=0.8, opacity=0.75)
    chosen = (
        base.transform_filter("datum.kind == 'highlighted'")
        .mark_line(strokeWidth=1.8)
        .encode(y="low:Q", color=alt.value(CASE), tooltip=tooltip)
    )
    # a line thinner than a pixel cannot be hit
    targets = lines.mark_line(strokeWidth=9, opacity=0, cursor="pointer").encode(tooltip=tooltip)
    width = max(70, (WIDTH - 34) // len(names) - 10)
    return (
        alt.layer(band, cases, middle, chosen, targets)
        .properties(width=width, height=70, data=alt.NamedData(SIGNALS))
        .transform_filter(f"datum.place == {place}")
        .transform_flatten(["t", "low", "high", "middle"])
        .facet(
            column=alt.Column("label:N", sort=names, title=None, header=alt.Header(labels=is_first)),
            title=alt.Title(channel, fontWeight="normal", offset=0),
        )
    )


def _part_of(dataset: SeriesDataset, part: Part) -> tuple[Any, Any]:
    if part == "all":
        return (
            np.concatenate([dataset.X_train, dataset.X_test]),
            np.concatenate([dataset.y_train, dataset.y_test]),
        )
    if part not in ("train", "test"):
        raise PlotError(f"part must be 'train', 'test' or 'all', got {part!r}.")
    if part == "test" and not dataset.n_test:
        raise PlotError(f"{dataset.name} has no test cases. Use part='train'.")
    return (dataset.X_train, dataset.y_train) if part == "train" else (dataset.X_test, dataset.y_test)


def _check(classes: list[Any], every: list[Any], channels: list[int], n_channels: int) -> None:
    for label in classes:
        if label not in every:
            raise PlotError(f"classes must be among {every}, got {label!r}.")
    for channel in channels:
        if not 0 <= channel < n_channels:
            raise PlotError(f"channels must be numbers from 0 to {n_channels - 1}, got {channel!r}.")
    if not classes or not channels:
        raise PlotError("At least one class and one channel must be shown, got none.")
