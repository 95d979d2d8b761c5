"""The report on cross-validation inside training parts, in Markdown."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from stelle_nb.bench.reports.accuracy_report import method_label
from stelle_nb.bench.reports.critical_difference import mean_ranks
from stelle_nb.bench.reports.tables import ABSENT, short, table
from stelle_nb.experiments.run import Row

OURS = "dense"
BEHIND = 0.04  # what is worth a line of its own
NOTES = """\
Accuracy on held-out folds of the training parts, the mean over the folds of a set; test parts are not used.
Means and ranks are over the sets that every method has finished: 1 is the best rank, ties share theirs.
Seconds are CPU seconds of one thread for one fit."""
Means = dict[str, dict[str, float]]  # from method and data set


def develop_report(head: str, rows: Sequence[Row], *, n_planned: int) -> str:
    """The whole report.

    Parameters
    ----------
    rows
        One for each fit of the plan that was made, finished or failed.
    n_planned
        How many fits the plan has.
    """
    finished = [row for row in rows if row.status == "finished"]
    scores, seconds = means_of(finished, "accuracy"), means_of(finished, "fit_cpu_s")
    datasets = list(dict.fromkeys(row.dataset for row in rows))
    shared = [name for name in datasets if all(name in own for own in scores.values())]
    parts = ["# Development sets", head, NOTES]
    if shared:
        parts.append(_summary(scores, seconds, shared))
    parts += [_losses(scores, shared), _sets(scores, finished, datasets)]
    failed = [row for row in rows if row.status != "finished"]
    if failed:
        lines = [f"- {row.variant} on {row.dataset}, fold {row.resample}: {row.error}" for row in failed]
        parts.append("\n".join(["## Failed\n", *lines]))
    if len(rows) < n_planned:
        parts.append(f"{n_planned - len(rows)} of {n_planned} fits are still to be made.")
    return "\n\n".join(part for part in parts if part) + "\n"


def means_of(rows: Sequence[Row], field: str) -> Means:
    """The mean of a figure over the folds of each data set, by method."""
    found: dict[str, dict[str, list[float]]] = {}
    for row in rows:
        found.setdefault(row.variant, {}).setdefault(row.dataset, []).append(getattr(row, field))
    return {m: {name: statistics.mean(v) for name, v in own.items()} for m, own in found.items()}


def _summary(scores: Means, seconds: Means, shared: Sequence[str]) -> str:
    ranks = mean_ranks(scores, shared)
    lines = [
        [
            method_label(method, None),
            f"{statistics.mean(scores[method][name] for name in shared):.4f}",
            f"{ranks[method]:.2f}",
            str(sum(scores[method][n] == max(own[n] for own in scores.values()) for n in shared)),
            short(sum(seconds[method][name] for name in shared)),
        ]
        for method in sorted(ranks, key=ranks.__getitem__)
    ]
    head = ["method", "mean", "mean rank", "best or equal", "fit s, sum"]
    return f"## Over {len(shared)} {'set' if len(shared) == 1 else 'sets'}\n\n" + table(
        head, lines, n_texts=1
    )


def _losses(scores: Means, shared: Sequence[str]) -> str:
    if OURS not in scores or len(scores) < 2:
        return ""
    lines = []
    for name in shared:
        best = max((m for m in scores if m != OURS), key=lambda m: scores[m][name])
        ours, theirs = scores[OURS][name], scores[best][name]
        if theirs - ours > BEHIND:
            lines.append((theirs - ours, [name, f"{ours:.3f}", method_label(best, None), f"{theirs:.3f}"]))
    if not lines:
        return f"{OURS} is nowhere more than {BEHIND:.2f} behind the best of the others."
    shown = [[*line, f"{behind:.3f}"] for behind, line in sorted(lines, reverse=True)]
    head = ["data set", OURS, "best other", "its accuracy", "behind"]
    title = f"## Where {OURS} is more than {BEHIND:.2f} behind the best of the others"
    return f"{title}\n\n" + table(head, shown, n_texts=1)


def _sets(scores: Means, rows: Sequence[Row], datasets: Sequence[str]) -> str:
    lines = []
    for name in datasets:
        own = [row for row in rows if row.dataset == name]
        n_judged = sum({row.resample: row.n_test or 0 for row in own}.values())
        n_train = round(statistics.mean(row.n_train or 0 for row in own)) if own else 0
        shown = (f"{means[name]:.3f}" if name in means else ABSENT for means in scores.values())
        lines.append([name, str(n_train), str(n_judged), *shown])
    head = ["data set", "fitted on", "judged", *(method_label(method, None) for method in scores)]
    return "## Every data set\n\n" + table(head, lines, n_texts=1)
