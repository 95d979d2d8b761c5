"""The tables of the paper, filled with our figures and, where they are given, the published ones."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from stelle_nb.bench.explaining.explanation_pooling import Figures, percent, spread
from stelle_nb.bench.explaining.explanation_report import GROUPS, Published
from stelle_nb.bench.reports.accuracy_report import method_label, protocol, spread_of_runs
from stelle_nb.bench.reports.anchors import SHORT_NAMES, Anchor
from stelle_nb.bench.reports.critical_difference import Scores, mean_ranks
from stelle_nb.bench.reports.tables import ABSENT, PaperTable, numbered, short
from stelle_nb.data import SeriesDataset
from stelle_nb.experiments.contenders import PEERS
from stelle_nb.experiments.run import Row

DEFAULT_SPLIT = "default split"  # the protocol of anchors on the split as published
_PUBLISHED_GROUPS = ("correct", "misclassified_predicted", "misclassified_true")
_SHARES = ("recall", "specificity", "precision")


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Finished rows by method, beside published accuracies.

    ``counted`` are the data sets that means and ranks are taken over.
    """

    runs: Mapping[str, tuple[Row, ...]]
    anchors: tuple[Anchor, ...]
    datasets: tuple[str, ...]
    counted: tuple[str, ...]

    @classmethod
    def of(cls, rows: Sequence[Row], anchors: Sequence[Anchor], apart: Sequence[str]) -> Comparison:
        """Collect finished rows by method."""
        runs: dict[str, list[Row]] = {}
        for row in rows:
            runs.setdefault(method_label(row.variant, row.concepts), []).append(row)
        names = sorted({row.dataset for row in rows})
        ours_first = sorted(runs.items(), key=lambda item: (item[1][0].variant in PEERS, item[0]))
        fixed = {method: tuple(own) for method, own in ours_first}
        return cls(fixed, tuple(anchors), tuple(names), tuple(n for n in names if n not in apart))

    @property
    def scores(self) -> Scores:
        """Mean accuracy by method and data set, of ours and of published methods with a protocol like ours.

        Resamples stand beside resamples, the split as published beside itself.
        """
        has_resamples = any(row.resample for own in self.runs.values() for row in own)
        like = (a for a in self.anchors if (a.protocol == DEFAULT_SPLIT) != has_resamples)
        ours = {method: _means(own) for method, own in self.runs.items()}
        return {**ours, **{_named(anchor): anchor.accuracy for anchor in like}}


def dataset_table(datasets: Sequence[SeriesDataset]) -> PaperTable:
    """Table 1: sizes."""
    lines = tuple(
        (
            ds.name,
            SHORT_NAMES.get(ds.name, ABSENT),
            *map(str, (ds.n_train, ds.n_test, ds.n_timepoints, len(ds.classes), ds.n_channels)),
        )
        for ds in datasets
    )
    head = ("data set", "ID", "train size", "test size", "length", "classes", "channels")
    return PaperTable("datasets", "Data sets.", head, lines, 2)


def accuracy_table(comparison: Comparison) -> PaperTable:
    """Table 2: accuracy by method and data set, means and ranks."""
    names, counted = comparison.datasets, comparison.counted
    ranks = mean_ranks(comparison.scores, counted)
    lines = [
        (
            method,
            protocol(own),
            *(spread_of_runs(_accuracies(own, name)) for name in names),
            *numbered([_mean(_means(own), counted)], ".3f"),
            *numbered([ranks.get(method)], ".2f"),
        )
        for method, own in comparison.runs.items()
    ]
    for anchor in sorted(comparison.anchors, key=lambda a: -(_mean(a.accuracy, counted) or 0)):
        values = [anchor.accuracy.get(name) for name in names]
        ends = (_mean(anchor.accuracy, counted), ".3f"), (ranks.get(_named(anchor)), ".2f")
        shown = (text for value, form in ends for text in numbered([value], form))
        lines.append((f"{anchor.method}, published", anchor.protocol, *numbered(values, ".3f"), *shown))
    head = ("method", "protocol", *(SHORT_NAMES.get(name, name) for name in names), "mean", "mean rank")
    caption = (
        "Accuracy: mean ± standard deviation over runs. Means and ranks are over "
        f"{len(counted)} data sets ({', '.join(SHORT_NAMES.get(name, name) for name in counted)}); ranks are "
        "among methods with figures on all of them whose protocol is like ours."
    )
    return PaperTable("accuracy", caption, head, tuple(lines), 2)


def readability_table(figures: Figures, published: Published, *, is_before: bool) -> PaperTable:
    """Table 3 or 4: nodes and variables of local explanations before or after postprocessing."""
    ending = "_before" if is_before else ""
    lines = []
    for run in figures.runs:
        cells = [
            spread(figures.get(run, "local", f"{measure}{ending}", group=group))
            for measure in ("nodes", "channels")
            for group in GROUPS
        ]
        lines.append((*run, *cells))
    for name in dict.fromkeys(run[0] for run in figures.runs):
        found = [
            published.get((SHORT_NAMES.get(name, name), "local", f"{measure}_{group}"))
            for measure in (f"nodes{ending}", "vars")
            for group in _PUBLISHED_GROUPS
        ]
        if any(value is not None for value in found):
            lines.append((name, "published", *numbered(found, ".2f")))
    groups = tuple(GROUPS.values())
    head = ("data set", "variant", *(f"{g} nodes" for g in groups), *(f"{g} vars" for g in groups))
    when = "before" if is_before else "after"
    caption = (
        f"Local explanations {when} postprocessing: mean ± standard deviation over explanations. "
        "C: correctly classified test cases; Pred IC, True IC: misclassified ones, for the predicted and the "
        "true class. A tube counts one plus its points."
    )
    return PaperTable(f"readability_{when}", caption, head, tuple(lines), 2)


def global_table(figures: Figures, published: Published) -> PaperTable:
    """Table 5: separability and readability of class formulas."""
    lines = []
    for run in figures.runs:
        for method in figures.methods:
            separability = [
                figures.get(run, "class", "separability", group=part, method=method)
                for part in ("correct", "misclassified", "all")
            ]
            sizes = [
                f"{spread(figures.get(run, 'class', f'nodes{end}', method=method))} n, "
                f"{spread(figures.get(run, 'class', f'channels{end}', method=method))} v"
                for end in ("_before", "")
            ]
            shares = [figures.get(run, "class", name, group="all", method=method) for name in _SHARES]
            lines.append((*run, method, *map(percent, separability), *sizes, *map(percent, shares)))
    for name in dict.fromkeys(run[0] for run in figures.runs):
        short = SHORT_NAMES.get(name, name)
        separated, nodes, channels, *known = (
            published.get((short, "global", measure))
            for measure in ("separability_percent", "nodes", "vars", *(f"{s}_percent" for s in _SHARES))
        )
        if separated is not None:
            size = f"{nodes} n, {channels} v"
            middle = (ABSENT, ABSENT, *numbered([separated], ".1f"), ABSENT, size)
            lines.append((name, "published", ABSENT, *middle, *numbered(known, ".1f")))
    head = ("data set", "variant", "method", "Sep C", "Sep IC", "Sep", "readability pre", "readability post")
    caption = (
        "Class formulas on unseen test cases, shares in percent; n nodes, v variables. Published figures "
        "were taken on cases of the paper's own choice."
    )
    return PaperTable("global", caption, (*head, "recall", "specificity", "precision"), tuple(lines), 3)


def time_table(rows: Sequence[Row], figures: Figures | None) -> PaperTable:
    """CPU seconds of training, prediction and explanation."""
    lines = []
    groups: dict[tuple[str, str, int | None], list[Row]] = {}
    for row in rows:
        groups.setdefault((row.dataset, row.variant, row.concepts), []).append(row)
    for (dataset, variant, concepts), own in sorted(groups.items(), key=str):
        measured = [
            _average([getattr(row, name) for row in own])
            for name in ("fit_cpu_s", "predict_cpu_s", "one_case_cpu_ms", "peak_rss_mb")
        ]
        explained = _explaining(figures, (dataset, variant)) if concepts is None else (None, None)
        lines.append(
            (
                dataset,
                method_label(variant, concepts),
                *(ABSENT if value is None else short(value) for value in (*measured, *explained)),
            )
        )
    head = ("data set", "method", "fit s", "predict s", "one case ms", "peak MB", "local ms", "classes s")
    caption = (
        "CPU time of one thread: training, prediction of all test cases, of one, one local explanation with "
        "the concepts of its case, all class formulas; and peak memory. The paper publishes no table of "
        "times, but says that inference takes less than a minute, and training with explanation less than an "
        "hour, on a server with two A100."
    )
    return PaperTable("times", caption, head, tuple(lines), 2)


def _explaining(figures: Figures | None, run: tuple[str, str]) -> tuple[float | None, float | None]:
    if figures is None or run not in figures.runs:
        return None, None
    names = ("milliseconds", "milliseconds of evaluation")
    local = sum(figures.get(run, "local", name).value for name in names)
    return local, figures.get(run, "class", "seconds", method=figures.methods[0]).value


def _named(anchor: Anchor) -> str:
    return f"{anchor.method}, {anchor.protocol}"


def _accuracies(rows: Sequence[Row], dataset: str) -> list[float]:
    return [row.accuracy for row in rows if row.dataset == dataset and row.accuracy is not None]


def _means(rows: Sequence[Row]) -> dict[str, float]:
    names = dict.fromkeys(row.dataset for row in rows)
    return {name: statistics.mean(found) for name in names if (found := _accuracies(rows, name))}


def _mean(values: Mapping[str, float], names: Sequence[str]) -> float | None:
    return statistics.mean(values[n] for n in names) if names and set(names) <= set(values) else None


def _average(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return statistics.mean(known) if known else None
