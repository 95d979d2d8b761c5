"""Rows and tables of the benchmark of uncertainty."""

from __future__ import annotations

import csv
import io
import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path

from stelle_nb.bench.reports.anchors import SHORT_NAMES
from stelle_nb.bench.reports.tables import ABSENT, table
from stelle_nb.errors import BenchError
from stelle_nb.experiments.provenance import git_commit, versions
from stelle_nb.files import write_text


@dataclass(frozen=True, slots=True)
class UncertaintyFigure:
    """One number of one split of a data set.

    Parameters
    ----------
    table
        ``"novelty"`` or ``"coverage"``.
    condition
        The disturbance, or the way to calibrate with the coverage asked for.
    what
        What was measured.
    """

    table: str
    dataset: str
    resample: int
    condition: str
    what: str
    value: float


COLUMNS = tuple(field.name for field in fields(UncertaintyFigure))
HEAD = """# Known or foreign, and sets of classes

```
{command}
```

Commit {commit}. {versions}.

## Novelty

Share of unseen cases called foreign, in percent: mean over {n_novelty} splits of each set, and the least of
these in brackets. The first split is the published one. *Undisturbed* are false alarms; the target is 5 %.
At most 300 test cases of each split.

{novelty}

The figures of the published split alone:

{published}

## Coverage

Share of sets that hold the true class, in percent: mean ± standard error over {n_coverage} splits. *Refits*:
calibrated on training cases by refitting (`predict_set`); *held-out*: on one half of the test cases and
judged on the other (`calibrate`), 20 times. The score cards are small (3 formulas for each class, chosen from
150, with a teacher of 120 concepts) so that they can be refitted often; the last column is their accuracy.
Rows are kept from run to run: a set that is missing, or has fewer splits, was not measured further yet. One
split alone has a standard error of 2 to 9 points.

{coverage}

Of the sets of the first way: mean size, share of empty ones, and coverage if the predicted class is put into
empty sets (`allow_empty=False`).

{sizes}
"""


def read_figures(path: Path) -> list[UncertaintyFigure]:
    """The rows of a file; none if it is not there."""
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    if not rows or tuple(rows[0]) != COLUMNS:
        raise BenchError(f"{path} does not have the columns {', '.join(COLUMNS)}. Choose another --out.")
    return [UncertaintyFigure(row[0], row[1], int(row[2]), row[3], row[4], float(row[5])) for row in rows[1:]]


def write_figures(path: Path, figures: Iterable[UncertaintyFigure]) -> None:
    """Write rows in an order that does not depend on when they were made."""
    buffer = io.StringIO()
    lines = csv.writer(buffer, lineterminator="\n")
    lines.writerow(COLUMNS)
    lines.writerows(sorted(astuple(figure) for figure in figures))
    write_text(path, buffer.getvalue())


def report(figures: Sequence[UncertaintyFigure], command: str) -> str:
    """The page of all tables."""
    novelty = [figure for figure in figures if figure.table == "novelty"]
    coverage = [figure for figure in figures if figure.table == "coverage"]
    return HEAD.format(
        command=command,
        commit=git_commit(),
        versions=versions(),
        n_novelty=_n_splits(novelty),
        n_coverage=_n_splits(coverage),
        novelty=_novelty_table(novelty),
        published=_novelty_table([figure for figure in novelty if figure.resample == 0]),
        coverage=_coverage_table(coverage),
        sizes=_size_table(coverage),
    )


def _novelty_table(figures: Sequence[UncertaintyFigure]) -> str:
    sets, conditions = _names(figures), list(dict.fromkeys(figure.condition for figure in figures))
    conditions.sort(key=lambda condition: condition != "undisturbed")
    lines = []
    for condition in conditions:
        cells = [_values(figures, name, condition, "flagged") for name in sets]
        lines.append((condition, *map(_mean_and_least, cells)))
    return table(("unseen cases", *(SHORT_NAMES.get(name, name) for name in sets)), lines, n_texts=1)


def _coverage_table(figures: Sequence[UncertaintyFigure]) -> str:
    conditions = _conditions(figures, "covered")
    lines = []
    for name in _names(figures):
        cells = [_mean_and_error(_values(figures, name, condition, "covered")) for condition in conditions]
        accuracies = _values(figures, name, "card", "accuracy")
        lines.append((name, str(len(accuracies)), *cells, _percent(accuracies)))
    return table(("set", "splits", *conditions, "accuracy"), lines, n_texts=1)


def _size_table(figures: Sequence[UncertaintyFigure]) -> str:
    conditions = _conditions(figures, "size")
    lines = []
    for name in _names(figures):
        cells = []
        for condition in conditions:
            size = statistics.fmean(_values(figures, name, condition, "size") or [math.nan])
            empty = _percent(_values(figures, name, condition, "empty"))
            never = _percent(_values(figures, name, condition, "never empty"))
            cells.append(f"{size:.2f} / {empty} % / {never} %")
        lines.append((name, *cells))
    return table(("set", *conditions), lines, n_texts=1)


def _names(figures: Iterable[UncertaintyFigure]) -> list[str]:
    return sorted({figure.dataset for figure in figures})


def _conditions(figures: Iterable[UncertaintyFigure], what: str) -> list[str]:
    return sorted({figure.condition for figure in figures if figure.what == what}, key=_by_way)


def _by_way(condition: str) -> tuple[bool, str]:
    return not condition.startswith("refits"), condition


def _values(figures: Iterable[UncertaintyFigure], name: str, condition: str, what: str) -> list[float]:
    wanted = name, condition, what
    return [each.value for each in figures if (each.dataset, each.condition, each.what) == wanted]


def _n_splits(figures: Iterable[UncertaintyFigure]) -> str:
    counts = {len({each.resample for each in figures if each.dataset == name}) for name in _names(figures)}
    return " to ".join(str(n) for n in sorted({min(counts), max(counts)})) if counts else "0"


def _percent(values: Sequence[float]) -> str:
    return f"{100 * statistics.fmean(values):.1f}" if values else ABSENT


def _mean_and_least(values: Sequence[float]) -> str:
    return f"{_percent(values)} ({100 * min(values):.0f})" if len(values) > 1 else _percent(values)


def _mean_and_error(values: Sequence[float]) -> str:
    if len(values) < 2:
        return _percent(values)
    return f"{_percent(values)} ± {100 * statistics.stdev(values) / math.sqrt(len(values)):.1f}"
