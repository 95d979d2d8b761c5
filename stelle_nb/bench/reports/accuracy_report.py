"""The tables of the accuracy benchmark, in Markdown."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from stelle_nb.bench.reports.anchors import SHORT_NAMES, Anchor
from stelle_nb.bench.reports.tables import ABSENT, short, table
from stelle_nb.experiments.contenders import PEERS, VARIANTS
from stelle_nb.experiments.run import Row

NOTES = """\
Accuracy is the share of test cases predicted right: mean ± standard deviation over the runs of a data set.
Resample 0 is the split as published, the others are aeon's stratified resamples. Seconds are CPU seconds of
one thread, each run in a fresh process; memory is the peak of that process while it fitted and predicted,
libraries included. The Brier score is summed over classes (0 is best, 2 is worst); ROCKET and RDST give no
probabilities but 0 and 1."""
PEER_NAMES = {"multirocket_hydra": "MultiRocket-Hydra"}
COMPILING = """\
Peers have aeon's default settings. Before their times were taken, numba compiled them on 8 cases of noise."""


@dataclass(frozen=True, slots=True)
class Header:
    """How the figures came about."""

    command: str
    commit: str
    versions: str
    n_resamples: int
    n_seeds: int
    n_left_out: int = 0


def write_report(
    header: Header,
    rows: Sequence[Row],
    *,
    datasets: Sequence[str],
    apart: Sequence[str],
    anchors: Sequence[Anchor],
) -> str:
    """The whole report on the given runs.

    Parameters
    ----------
    rows
        One for each run, finished or failed.
    datasets
        The order of the columns.
    apart
        Data sets that are shown but do not count in means over data sets.
    """
    finished = [row for row in rows if row.status == "finished"]
    counted = [name for name in datasets if name not in apart]
    parts = [_head(header, rows, apart), _accuracies(finished, datasets, counted, anchors)]
    if len({row.concepts for row in finished}) > 1:
        parts.append(_curve(finished, datasets, counted))
    parts += [_details(finished, datasets), _failures(rows)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _head(header: Header, rows: Sequence[Row], apart: Sequence[str]) -> str:
    lines = [
        "# Accuracy",
        f"```\n{header.command}\n```",
        f"Commit {header.commit}. {header.versions}. Resamples 0 to {header.n_resamples - 1}, "
        f"seeds 0 to {header.n_seeds - 1}.",
        NOTES,
    ]
    if any(row.variant in PEERS for row in rows):
        lines.append(COMPILING)
    if apart:
        lines.append(f"Left out of the means over data sets: {', '.join(apart)}.")
    if header.n_left_out:
        lines.append(f"Not used: {header.n_left_out} earlier rows of other code, versions or data.")
    return "\n\n".join(lines)


def _accuracies(
    rows: Sequence[Row], datasets: Sequence[str], counted: Sequence[str], anchors: Sequence[Anchor]
) -> str:
    lines = []
    for method in _methods(rows):
        own = [row for row in rows if (row.variant, row.concepts) == method]
        cells = {name: _values(own, name, "accuracy") for name in datasets}
        means = {name: statistics.mean(values) for name, values in cells.items() if values}
        lines.append(
            [
                method_label(*method),
                protocol(own),
                *(spread_of_runs(cells[name]) for name in datasets),
                _mean(means, counted),
            ]
        )
    for anchor in sorted(anchors, key=lambda anchor: -(_mean_or_none(anchor.accuracy, counted) or 0)):
        shown = (f"{anchor.accuracy[name]:.3f}" if name in anchor.accuracy else ABSENT for name in datasets)
        lines.append(
            [f"{anchor.method}, published", anchor.protocol, *shown, _mean(anchor.accuracy, counted)]
        )
    head = ["method", "runs of a set", *(SHORT_NAMES.get(name, name) for name in datasets), "mean"]
    return "## Accuracy by data set\n\n" + table(head, lines, n_texts=2)


def _curve(rows: Sequence[Row], datasets: Sequence[str], counted: Sequence[str]) -> str:
    lines = []
    for variant, concepts in _methods(rows):
        own = [row for row in rows if (row.variant, row.concepts) == (variant, concepts)]
        values = {name: _values(own, name, "accuracy") for name in datasets}
        means = {name: statistics.mean(found) for name, found in values.items() if found}
        sizes = sorted({row.n_concepts for row in own if row.n_concepts is not None})
        if not sizes:
            continue
        used = f"{sizes[0]}" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
        shown = (f"{means[name]:.3f}" if name in means else ABSENT for name in datasets)
        lines.append(
            [variant, "all" if concepts is None else str(concepts), used, *shown, _mean(means, counted)]
        )
    head = ["variant", "asked", "concepts", *(SHORT_NAMES.get(name, name) for name in datasets), "mean"]
    return "## Accuracy by size of the vocabulary\n\n" + table(head, lines, n_texts=1)


def _details(rows: Sequence[Row], datasets: Sequence[str]) -> str:
    columns: tuple[tuple[str, str, Callable[[Sequence[float]], str]], ...] = (
        ("accuracy", "accuracy", spread_of_runs),
        ("balanced", "balanced_accuracy", spread_of_runs),
        ("Brier", "brier", _short),
        ("fit s", "fit_cpu_s", _seconds),
        ("predict s", "predict_cpu_s", _seconds),
        ("one case ms", "one_case_cpu_ms", _seconds),
        ("peak MB", "peak_rss_mb", _largest),
        ("concepts", "n_concepts", _largest),
    )
    lines = []
    for name in datasets:
        for method in _methods(rows):
            own = [row for row in rows if row.dataset == name and (row.variant, row.concepts) == method]
            if own:
                shown = (show(_values(own, name, field)) for _, field, show in columns)
                lines.append([name, method_label(*method), str(len(own)), *shown])
    head = ["data set", "method", "runs", *(title for title, _, _ in columns)]
    return "## Every data set\n\n" + table(head, lines, n_texts=2)


def _failures(rows: Iterable[Row]) -> str:
    failed = [row for row in rows if row.status != "finished"]
    listed = (
        f"- {method_label(row.variant, row.concepts)} on {row.dataset}, resample {row.resample}, "
        f"seed {row.seed}: {row.error}"
        for row in failed
    )
    return "\n".join(["## Failed\n", *listed]) if failed else ""


def spread_of_runs(values: Sequence[float]) -> str:
    """Mean and standard deviation; the mean alone for a single run.

    Examples
    --------
    >>> spread_of_runs([0.5, 0.6]), spread_of_runs([0.5]), spread_of_runs([])
    ('0.550 ± 0.071', '0.500', '–')
    """
    if len(values) < 2:
        return _short(values)
    return f"{statistics.mean(values):.3f} ± {statistics.stdev(values):.3f}"


def _short(values: Sequence[float]) -> str:
    return f"{statistics.mean(values):.3f}" if values else ABSENT


def _seconds(values: Sequence[float]) -> str:
    return short(statistics.mean(values)) if values else ABSENT


def _largest(values: Sequence[float]) -> str:
    return f"{max(values):.0f}" if values else ABSENT


def _values(rows: Iterable[Row], dataset: str, field: str) -> list[float]:
    found = (getattr(row, field) for row in rows if row.dataset == dataset)
    return [value for value in found if value is not None]


def _methods(rows: Iterable[Row]) -> list[tuple[str, int | None]]:
    """Ours first, the larger vocabularies last, then the peers."""
    order = (*VARIANTS, *PEERS)
    found = {(row.variant, row.concepts) for row in rows}
    return sorted(found, key=lambda one: (order.index(one[0]), one[1] is None, one[1] or 0))


def method_label(variant: str, concepts: int | None) -> str:
    """What tables call a classifier."""
    if variant in PEERS:
        return f"{PEER_NAMES.get(variant, variant.upper())}, aeon"
    noun = "formulas per class" if variant == "scorecard" else "concepts"
    return f"stelle_nb {variant}" + ("" if concepts is None else f", {concepts} {noun}")


def protocol(rows: Sequence[Row]) -> str:
    """How many runs of a data set there are."""
    resamples, seeds = {row.resample for row in rows}, {row.seed for row in rows}
    return f"{_count(len(resamples), 'resample')} x {_count(len(seeds), 'seed')}"


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}{'' if n == 1 else 's'}"


def _mean(values: dict[str, float], names: Sequence[str]) -> str:
    mean = _mean_or_none(values, names)
    return ABSENT if mean is None else f"{mean:.4f}"


def _mean_or_none(values: dict[str, float], names: Sequence[str]) -> float | None:
    """None unless every data set has a value: a mean over fewer would be misleading."""
    return statistics.mean(values[name] for name in names) if names and set(names) <= set(values) else None
