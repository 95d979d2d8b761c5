"""Whether saliency maps find planted features: ``python -m stelle_nb.bench saliency``.

The maps of a score card are compared with Captum's integrated gradients and occlusion on a convolutional
network; tasks and scores are those of xaitimesynth.
"""

from __future__ import annotations

import argparse
import csv
import io
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import torch

from stelle_nb.bench.reports.tables import table
from stelle_nb.bench.workloads.saliency_peers import fit_network, integrated_gradients, occlusion, predicted
from stelle_nb.bench.workloads.saliency_tasks import (
    SaliencyTask,
    saliency_tasks,
    scores_of,
    share_on_features,
)
from stelle_nb.estimator.classifier import StelleClassifier
from stelle_nb.experiments.provenance import EXPLAINING, code_digest, git_commit, versions
from stelle_nb.explain.local.saliency import card_saliency, resting_level
from stelle_nb.files import write_text

SEEDS = (0, 1, 2)
PACKAGES = ("stelle_nb", "xaitimesynth", "captum", "torch", "numpy")
TARGETS = {"AUC-PR": 0.90, "mass accuracy": 0.75, "rank accuracy": 0.80}
PARTS: dict[str, Callable[[Any], Any]] = {"positive": lambda maps: np.maximum(maps, 0), "absolute": np.abs}
OURS, GRADIENTS, OCCLUSION = "score card", "integrated gradients, FCN", "occlusion, FCN"

NOTES = """\
Means over {n_tasks} tasks of xaitimesynth and the seeds {seeds}, on unseen cases, with its own scorers, over
the channels that hold a planted feature. *All channels*: the share of a map, over all channels, that lies on
planted features. The positive part of a map is scored, which speaks for the predicted class; scores of
absolute values are at the end. FCN: a fully convolutional network. Captum's methods start from zero, their
default; neither they nor the network were tuned, except that three widths of occlusion were compared.

The score card has its default settings. Its map was developed on these four tasks with the seeds 101 and
102, which are not among those reported: of about 180 constructions, most of them tried on seed 101 and two
tasks, the comparison with rest, the weight of deviations, how far contributions spread and the scoring of
the positive part were kept because they scored best or nearly so. The tasks are therefore not new to the
map, only the cases are.

Three tasks in the documentation of xaitimesynth were left out before any map of a card was scored on them:
two level shifts on random walks, which the network could not learn (accuracy 0.60 and 0.51), and one with a
feature in each of three channels (0.78), of which a short card reads only one. The two multivariate tasks
here were composed from its components instead."""


@dataclass(frozen=True, slots=True)
class Scored:
    """How well the maps of one method find the planted features of one task.

    Parameters
    ----------
    part
        What of a map is scored: its positive part, which speaks for the predicted class, or its absolute
        value.
    auc_pr, mass, rank
        The scores of xaitimesynth.
    on_features
        Share of the map, over all channels, that lies on planted features.
    milliseconds
        CPU time of a map, the model being fitted; all test cases are taken together.
    """

    task: str
    kind: str
    method: str
    part: str
    seed: int
    accuracy: float
    auc_pr: float
    mass: float
    rank: float
    on_features: float
    milliseconds: float


def main(arguments: Sequence[str]) -> None:
    """Print the report; write it and its rows if asked."""
    parser = argparse.ArgumentParser(prog="python -m stelle_nb.bench saliency", description=__doc__)
    parser.add_argument("--seeds", type=int, nargs="+", default=SEEDS, help="one run of every task for each")
    parser.add_argument("--cases", type=int, default=200, help="training cases of a task; half as many tests")
    parser.add_argument("--epochs", type=int, default=40, help="epochs of the network")
    parser.add_argument("--out", type=Path, help="write saliency.csv and saliency.md to this folder")
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)
    command = " ".join(["python -m stelle_nb.bench saliency", *arguments])
    code = f"Commit {git_commit()}, code {code_digest(EXPLAINING)}"  # as it is now, not when the run ends
    origin = f"```\n{command}\n```\n\n{code}. {versions(PACKAGES)}."
    rows: list[Scored] = []
    for task in saliency_tasks():
        for seed in options.seeds:
            rows += run_task(task, seed, n_cases=options.cases, n_epochs=options.epochs)
            print(f"{task.name}, seed {seed}: done", file=sys.stderr, flush=True)
    report = saliency_report(rows, origin)
    print(report)
    if options.out:
        write_text(options.out / "saliency.csv", to_csv(rows))
        write_text(options.out / "saliency.md", report + "\n")


def run_task(
    task: SaliencyTask,
    seed: int,
    *,
    n_cases: int,
    n_epochs: int,
    classifier: StelleClassifier | None = None,
) -> list[Scored]:
    """Fit the models to one training set, and score the maps of all methods on one test set.

    Parameters
    ----------
    classifier
        With a score card, not fitted; the default settings if left out.
    """
    train, test = task.make(n_cases, 2 * seed), task.make(n_cases // 2, 2 * seed + 1)
    X = test["X"]
    clf = classifier or StelleClassifier("scorecard", random_state=seed)
    card = clf.fit(train["X"], train["y"]).card_
    rest = resting_level(train["X"])
    network = fit_network(train["X"], train["y"], n_epochs=n_epochs, seed=seed)
    card_accuracy = float((card.predict(X) == test["y"]).mean())
    network_accuracy = float((predicted(network, X).numpy() == test["y"]).mean())
    methods: dict[str, tuple[float, Callable[[], Any]]] = {
        OURS: (card_accuracy, lambda: card_saliency(card, X, rest=rest)),
        OCCLUSION: (network_accuracy, lambda: occlusion(network, X)),
        GRADIENTS: (network_accuracy, lambda: integrated_gradients(network, X)),
    }
    rows = []
    for method, (accuracy, make_maps) in methods.items():
        began = time.process_time()
        maps = make_maps()
        figures = {"milliseconds": 1000 * (time.process_time() - began) / len(X)}
        for part, take in PARTS.items():
            taken = take(maps)
            figures |= {**scores_of(taken, test), "on_features": share_on_features(taken, test)}
            rows.append(Scored(task.name, task.kind, method, part, seed, accuracy, **figures))
    return rows


def saliency_report(rows: Sequence[Scored], origin: str) -> str:
    """Means over seeds, of all tasks together and of each; ``origin`` says what the figures came from."""
    head = ("method", *TARGETS, "all channels", "accuracy", "ms per case")
    n_tasks = len({row.task for row in rows})
    goal = ", ".join(f"{name} at least {value:.2f}" for name, value in TARGETS.items())
    seeds = ", ".join(map(str, sorted({row.seed for row in rows})))
    parts = [
        "# Saliency: do maps find what was planted?",
        origin,
        NOTES.format(n_tasks=n_tasks, seeds=seeds),
        f"Aims: {goal}.",
        "## All tasks",
        table(head, _lines([row for row in rows if row.part == "positive"]), n_texts=1),
    ]
    for kind in dict.fromkeys(row.kind for row in rows):
        for task in dict.fromkeys(row.task for row in rows if row.kind == kind):
            mine = [row for row in rows if row.task == task and row.part == "positive"]
            parts += [f"## {task[:1].upper()}{task[1:]} ({kind})", table(head, _lines(mine), n_texts=1)]
    absolute = [row for row in rows if row.part == "absolute"]
    parts += ["## All tasks, absolute values of the maps", table(head, _lines(absolute), n_texts=1)]
    return "\n\n".join(parts)


def to_csv(rows: Sequence[Scored]) -> str:
    """A line for each method, part, task and seed."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow([field.name for field in fields(Scored)])
    for row in rows:
        values = asdict(row).values()
        writer.writerow([f"{value:.4f}" if isinstance(value, float) else value for value in values])
    return buffer.getvalue()


def _lines(rows: Sequence[Scored]) -> list[tuple[str, ...]]:
    lines = []
    for method in dict.fromkeys(row.method for row in rows):
        mine = [row for row in rows if row.method == method]
        names = "auc_pr", "mass", "rank", "on_features", "accuracy"
        means = (statistics.fmean(getattr(row, name) for row in mine) for name in names)
        milliseconds = statistics.fmean(row.milliseconds for row in mine)
        lines.append((method, *(f"{value:.3f}" for value in means), f"{milliseconds:.1f}"))
    return lines
