"""What score cards consist of, and whether a printed card is the model: ``python -m stelle_nb.bench cards``.

For each data set a card is learned from the training cases. Counted are its formulas, their sizes, idioms and
sentences; compared on the test cases are the card and what is read back from its text, the sums of
contributions and the scores, and the truth of each formula. With ``--teacher`` a card also imitates a
classifier of aeon, and its agreement with that teacher on the test cases is reported.
"""

from __future__ import annotations

import argparse
import math
import re
import shlex
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from stelle_nb.bench.reports.anchors import full_name
from stelle_nb.bench.reports.cards_report import CardFacts, cards_report, read_facts, write_facts
from stelle_nb.data import SeriesDataset, load_dataset
from stelle_nb.estimator import StelleClassifier
from stelle_nb.experiments.contenders import PEERS, make_classifier
from stelle_nb.files import write_text
from stelle_nb.logic.idioms import recognise
from stelle_nb.logic.traversal import size
from stelle_nb.model.card.card_config import CardConfig
from stelle_nb.model.card.distillation import distil
from stelle_nb.model.card.scorecard import Scorecard
from stelle_nb.semantics.robustness import satisfies

OUT = Path("results/cards.csv")
SETS = ("AW", "BM", "CR", "ER", "EP", "HD", "HW", "LI")
NUMBER = re.compile(r"(?<![\w.])[-−]?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w])")


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure what is missing, and write the rows and the report."""
    parser = argparse.ArgumentParser(prog="python -m stelle_nb.bench cards", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of data sets")
    parser.add_argument("--datasets", nargs="+", default=SETS, help="names, or two-letter abbreviations")
    parser.add_argument("--formulas", nargs="+", type=int, default=[5], help="formulas for each class")
    parser.add_argument("--teacher", choices=PEERS, help="let a card imitate this classifier instead")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=OUT, help="CSV file; its rows are kept")
    given = list(sys.argv[2:] if arguments is None else arguments)
    options = parser.parse_args(given)
    torch.set_num_threads(1)
    known = read_facts(options.out)
    for name in map(full_name, options.datasets):
        for n_formulas in options.formulas:
            teacher = options.teacher or "dense"
            if (name, teacher, n_formulas, options.seed) in {row.key for row in known}:
                continue
            dataset = load_dataset(name, path=options.data)
            known.append(measure(dataset, n_formulas, teacher=teacher, seed=options.seed))
            write_facts(options.out, known)
            print(f"{name}, {n_formulas} formulas for each class, taught by {teacher}", flush=True)
    command = shlex.join(["python", "-m", "stelle_nb.bench", "cards", *given])
    report = write_text(options.out.with_suffix(".md"), cards_report(known, command))
    print(f"Rows: {options.out}. Report: {report}.")


def measure(
    dataset: SeriesDataset,
    n_formulas: int,
    *,
    teacher: str = "dense",
    seed: int = 0,
    config: CardConfig | None = None,
) -> CardFacts:
    """Learn a card from the training cases of a data set, and describe it."""
    began = time.process_time()
    if teacher == "dense":
        clf = StelleClassifier.for_dataset(
            dataset, n_formulas=n_formulas, config=config, random_state=seed, device="cpu"
        ).fit(dataset.X_train, dataset.y_train)
        card, fidelity = clf.card_, math.nan
        followed = dataset.y_test
    else:
        other = make_classifier(teacher, seed=seed).fit(dataset.X_train, dataset.y_train)
        card = distil(
            other, dataset.X_train, dataset.y_train,
            n_formulas=n_formulas, config=config, random_state=seed, device="cpu",
        )  # fmt: skip
        fidelity = math.nan if card.fidelity is None else card.fidelity
        followed = other.predict(dataset.X_test)
    seconds = time.process_time() - began
    return describe(
        card, dataset, n_formulas=n_formulas, teacher=teacher, seed=seed, seconds=seconds,
        fidelity=fidelity, agreement=float(np.mean(card.predict(dataset.X_test) == followed)),
    )  # fmt: skip


def describe(card: Scorecard, dataset: SeriesDataset, **known: Any) -> CardFacts:
    """What the card consists of, and how far its text, its sums and its formulas agree with it."""
    X = np.asarray(dataset.X_test, dtype=np.float64)
    accuracy = float(np.mean(card.predict(X) == dataset.y_test))
    read_back = Scorecard.from_text(card.to_text(digits=3))
    sums = card.bias + np.asarray(card.contributions(X)).sum(axis=1)
    holds = np.asarray(card.holds(X))
    true = np.stack([np.asarray(satisfies(formula, X)) for formula in card.formulas], axis=1)
    matches = [recognise(formula) for formula in card.formulas]
    idioms = Counter(match.idiom for match in matches if match is not None)
    return CardFacts(
        dataset=dataset.name,
        accuracy=accuracy,
        n_card=card.n_formulas,
        n_classes=card.n_classes,
        without_idiom=sum(match is None for match in matches),
        largest=max(size(formula) for formula in card.formulas),
        most_words=max(len(sentence.split()) for sentence in card.sentences),
        most_numbers=max(count_numbers(text, card.channel_names or ()) for text in card.sentences),
        same_from_text=float(np.mean(read_back.predict(X) == card.predict(X))),
        sum_error=float(np.abs(sums - np.asarray(card.scores(X))).max()),
        same_truth=float(np.mean(holds == true)),
        points_per_formula=float((card.points != 0).sum(axis=1).mean()),
        idioms="; ".join(f"{name}: {n}" for name, n in idioms.most_common()),
        **known,
    )


def count_numbers(sentence: str, channel_names: Sequence[str]) -> int:
    """Numbers of a sentence, those in names of channels aside.

    Examples
    --------
    >>> count_numbers("Between 3 and 4 s, electrode 1 reaches -2.2.", ["electrode 1"])
    3
    """
    for name in sorted(channel_names, key=len, reverse=True):
        sentence = sentence.replace(name, "it")
    return len(NUMBER.findall(sentence))
