"""The dataset panel: choose data, see what each class looks like, pick a case."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any, final

import ipywidgets

from stelle_nb.data.channels import keep_channels
from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.data.preprocess import drop_correlated
from stelle_nb.data.sources.loading import available_datasets, load_dataset
from stelle_nb.depict.class_names import class_name, named_classes
from stelle_nb.depict.wording import Wording
from stelle_nb.errors import DataError, DataNotFoundError, PanelError
from stelle_nb.markup import render
from stelle_nb.panels.base import Panel, guarded
from stelle_nb.panels.parts.chosen_data import as_dataset, dataset_code
from stelle_nb.panels.parts.dataset_state import IN_MEMORY, DatasetState
from stelle_nb.panels.widgets.chart_view import INK, ChartView, bare_rows, bare_spec
from stelle_nb.panels.widgets.controls import (
    dropdown,
    multi_list,
    row,
    show_options,
    show_selection,
    text_field,
)
from stelle_nb.plots.chart import Rows
from stelle_nb.plots.interactive.signals import MAX_CLASSES, SIGNALS, highlighted_rows, plot_signals
from stelle_nb.plots.theme import BLUE, CASE

_N_CHANNELS = 6  # in one picture
_N_LISTED = 30  # classes, in the table
_N_CASES = 4  # of a class, as lines to click
_N_ROWS = 4  # of the list of channels to keep
_N_REDUCED = 8  # choices of channels that are cached
_REPEATS = 0.9  # as in the paper: above it two channels say the same


@final
class DatasetPanel(Panel[DatasetState]):
    """Choose a data set, see its classes and channels, and pick a case.

    Parameters
    ----------
    dataset
        A data set, or the name of one.
    state
        What to show first.
    """

    title = "Data"
    help = (
        "Choose a data set that is on this machine, or enter the name of a set of the UEA or UCR archive, "
        "or the path of your own file or folder (.ts, .npz, .csv). Each column of the picture is a "
        "class, each row a channel: the band holds the middle 80 % of the cases, the heavy line is their "
        "median. Click a thin line, or choose from the list, to select a case; it is drawn in black, on "
        "dark pages in white. The channels selected under 'keep' stay; leave out those that repeat another. "
        "A click with Ctrl adds or removes one; on the keyboard, Ctrl with the arrow keys goes to it and "
        "Ctrl with the space bar adds or removes it."
    )

    def __init__(
        self, dataset: SeriesDataset | str | None = None, *, state: DatasetState | None = None
    ) -> None:
        self._loaded: dict[str, SeriesDataset] = {}
        self._reduced: dict[tuple[str, tuple[int, ...]], SeriesDataset] = {}
        self._wanted: str | None = None  # what is to be loaded next
        self._drawn: Any = None
        self._spec: dict[str, Any] = {}
        self._rows: Rows = []
        if state is not None:
            self._check_state(state)
        else:
            state = DatasetState(source=dataset if isinstance(dataset, str) else IN_MEMORY)
        if dataset is None and state.source == IN_MEMORY:
            state = DatasetState(source="BasicMotions")
        if dataset is not None:
            self._loaded[state.source] = as_dataset(dataset)
        super().__init__(state)

    @property
    def dataset(self) -> SeriesDataset:
        """The data that are shown."""
        return self.dataset_of(self.state)

    def dataset_of(self, state: DatasetState) -> SeriesDataset:
        """The data that a state of this panel shows, the same object as long as it is in use."""
        whole = self._load(state.source)
        if state.kept is None:
            return whole
        key = state.source, tuple(state.kept)
        found = self._reduced.pop(key, None) or keep_channels(whole, key[1])
        self._reduced[key] = found  # as the one used last
        if len(self._reduced) > _N_REDUCED:
            del self._reduced[next(iter(self._reduced))]
        return found

    def to_code(self) -> str:
        code = dataset_code(self._load(self.state.source))
        return f"{code}\npanel = st.panels.DatasetPanel(dataset, state=st.panels.{self.state!r})\npanel"

    def _load(self, source: str) -> SeriesDataset:
        if source not in self._loaded:
            if source == IN_MEMORY:
                raise PanelError("source must name a data set or a path, got nothing.")
            is_path = any(mark in source for mark in "/\\") or Path(source).expanduser().exists()
            self._loaded[source] = _load_path(source) if is_path else load_dataset(source)
        return self._loaded[source]

    def _build(self) -> list[Any]:
        self.known = dropdown("data set", "Data sets on this machine.", [])
        self.other = text_field(
            "or", "A name of the archives or a path; press Enter.", placeholder="name or path"
        )
        self.kept = multi_list("keep", "Channels to keep. Ctrl-click adds or removes one.")
        self.part = dropdown("cases", "Training cases, or cases held out for testing.", [])
        self.case = dropdown("case", "Select a case: number and class.", [])
        self.channels = dropdown("channels", "Which channels to draw.", [])
        self.facts = ipywidgets.HTML()
        self.chart = ChartView()
        self.known.observe(self._on_known, "value")
        self.other.observe(self._on_other, "value")
        self.kept.observe(self._on_kept, "value")
        for control in (self.part, self.case, self.channels):
            control.observe(self._on_change, "value")
        self.chart.on_click(self._on_click)
        left = ipywidgets.VBox([self.known, self.other])
        right = ipywidgets.VBox([self.part, self.case, self.channels, self.kept])
        return [row(left, right), self.facts, self.chart]

    def _set_controls(self, state: DatasetState) -> None:
        ds, whole = self.dataset_of(state), self._load(state.source)
        labels = (ds.y_train if state.part == "train" else ds.y_test).tolist()
        if state.part not in ("train", "test") or not 0 <= state.case < len(labels):
            raise PanelError(
                f"part and case must name a case, got part={state.part!r} and case={state.case!r} "
                f"where {ds.name} has {ds.n_train} training and {ds.n_test} test cases."
            )
        names = dict.fromkeys([*self._loaded, *available_datasets()])
        options = [(name or f"{self._load(name).name} (given)", name) for name in names]
        show_options(self.known, options, state.source)
        numbers = range(whole.n_channels)
        self.kept.disabled, self.kept.rows = len(numbers) == 1, min(len(numbers), _N_ROWS)
        names_of_all = list(zip(whole.channel_names, numbers, strict=True))
        show_selection(self.kept, names_of_all, numbers if state.kept is None else sorted(set(state.kept)))
        parts = [("training cases", "train"), *([("unseen cases", "test")] if ds.n_test else [])]
        show_options(self.part, parts, state.part)
        show_options(
            self.case, [(f"{i} · {class_name(label)}", i) for i, label in enumerate(labels)], state.case
        )
        groups = [(_group(ds, i), i) for i in range(0, ds.n_channels, _N_CHANNELS)]
        show_options(self.channels, groups, state.first_channel)

    @guarded
    def _on_known(self, _: Any) -> None:
        self._open(self.known.value)

    @guarded
    def _on_other(self, _: Any) -> None:
        if self.other.value.strip():
            self._open(self.other.value.strip())

    @guarded
    def _on_kept(self, _: Any) -> None:
        is_all = len(self.kept.value) == len(self.kept.options)
        self.change(kept=None if is_all else tuple(sorted(self.kept.value)), first_channel=0)

    def _open(self, source: str) -> None:
        """Load on another thread: a file may be large, and a named set may have to be downloaded."""
        with self.lock:
            self._wanted = source
            self.facts.value = f"Loading {escape(source)} …"
            self._later(self._load_wanted)

    def _load_wanted(self) -> None:
        while (source := self._wanted) is not None:  # another may be chosen meanwhile
            self._wanted = None
            try:
                self._load(source)
                self.state = DatasetState(source=source)
            except Exception:
                if self._wanted is None:
                    with self.lock:
                        self._follow(self._state)
                    raise

    def _show_again(self) -> None:
        super()._show_again()
        if self._wanted is not None:
            self._open(self._wanted)

    @guarded
    def _on_change(self, _: Any) -> None:
        is_same = self.part.value == self.state.part
        self.change(
            part=self.part.value,
            case=self.case.value if is_same else 0,
            first_channel=self.channels.value,
        )

    @guarded
    def _on_click(self, case: int) -> None:
        self.change(case=case)

    def _show(self, state: DatasetState) -> None:
        ds = self.dataset_of(state)
        self.facts.value = _facts_html(ds, state, self._load(state.source).n_channels)
        last = min(ds.n_channels, state.first_channel + _N_CHANNELS)
        channels = list(range(state.first_channel, last))
        X, y = (ds.X_train, ds.y_train) if state.part == "train" else (ds.X_test, ds.y_test)
        classes = _shown_classes(ds, y[state.case])
        shown = state.source, state.kept, state.part, state.first_channel, tuple(classes)
        if shown != self._drawn:
            chart = plot_signals(ds, part=state.part, channels=channels, classes=classes, n_cases=_N_CASES)
            self._spec, self._rows = bare_spec(chart), bare_rows(chart)[SIGNALS]
            self._drawn = shown
        wording = Wording.of(ds)
        rows = [*self._rows, *highlighted_rows(X, y, state.case, channels, wording)]
        label = f"Signals of {ds.name} for each class and channel, case {state.case} on top"
        self.chart.draw(self._spec, {SIGNALS: rows}, label)

    def _still(self) -> tuple[str, ChartView | None]:
        return self.facts.value.replace(INK, CASE), self.chart


def _load_path(path: str) -> SeriesDataset:
    """The set at a path; a panel has no field for arguments, so a refusal says where they are given."""
    try:
        return load_dataset(path=path)
    except DataNotFoundError:
        raise
    except DataError as error:
        raise PanelError(
            f"{error}\nThis field takes no arguments: load the data in code, with "
            f"dataset = st.load_dataset(path={path!r}, …), and open the panel on dataset."
        ) from error


def _shown_classes(ds: SeriesDataset, label: Any) -> list[Any]:
    """As many classes as there is room for, that of the selected case among them."""
    every = ds.classes.tolist()
    shown = every[:MAX_CLASSES]
    return shown if label in shown else [*shown[:-1], label]


def _group(ds: SeriesDataset, first: int) -> str:
    names = ds.channel_names[first : first + _N_CHANNELS]
    return names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"


def _facts_html(ds: SeriesDataset, state: DatasetState, n_all: int) -> str:
    label = (ds.y_train if state.part == "train" else ds.y_test)[state.case]
    which = "training" if state.part == "train" else "unseen"
    every = "" if ds.step is None else f", one every {ds.step:g} {ds.unit or ''}".rstrip()
    kept = ds.n_channels if ds.n_channels == n_all else f"{ds.n_channels} of {n_all}"
    counts = ds.class_counts()
    rows = [(name, counts[label]) for name, label in named_classes(counts)]
    return render(
        "panels/templates/dataset.html",
        ds=ds,
        size=f"{kept} channel{'s' * (n_all > 1)} of {ds.n_timepoints} samples{every}",
        part=which,
        case=state.case,
        label=class_name(label),
        case_colour=INK,
        counts=rows[:_N_LISTED],
        most=max(train for train, _ in counts.values()),
        n_more=len(rows[_N_LISTED:]),
        bar_colour=BLUE,
        repeats=_repeats(ds),
        left_out=_left_out(ds),
    )


def _left_out(ds: SeriesDataset) -> str:
    n = len(ds.classes)
    return f" The picture shows {MAX_CLASSES} of {n} classes." if n > MAX_CLASSES else ""


def _repeats(ds: SeriesDataset) -> str:
    found = drop_correlated(ds.X_train, threshold=_REPEATS).dropped
    if not found:
        return f"No channel repeats another (correlation at most {_REPEATS})."
    names = ds.channel_names
    said = [f"{names[d.channel]} repeats {names[d.in_favour_of]} ({d.correlation:.2f})" for d in found]
    return f"Channels that repeat each other, by correlation: {'; '.join(said)}."
