"""Rows and tables of the benchmark of score cards."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path

from stelle_nb.bench.reports.anchors import SHORT_NAMES
from stelle_nb.bench.reports.tables import ABSENT, table
from stelle_nb.errors import BenchError
from stelle_nb.experiments.provenance import git_commit, versions
from stelle_nb.files import write_text


@dataclass(frozen=True, slots=True)
class CardFacts:
    """One card of one data set.

    Parameters
    ----------
    teacher
        What the card imitates: ``"dense"`` for the dense model of a fit, or the name of a classifier.
    n_formulas, n_card, n_classes
        Formulas asked for (for each class, on average), formulas of the card, and classes.
    agreement
        Share of test cases with the teacher's class; for ``"dense"`` with the true class.
    fidelity
        Share of training cases left out on which a card learned without them follows its teacher.
    without_idiom, largest, most_words, most_numbers
        Formulas that are no idiom; the largest size; the most words and numbers of a sentence.
    same_from_text
        Share of test cases to which the card read back from its rounded text gives the same class.
    sum_error
        Largest distance of bias plus contributions from the score.
    same_truth
        Share of formulas and test cases for which ``holds`` is what ``satisfies`` says.
    points_per_formula
        Classes for which a formula has points, on average.
    idioms
        How many formulas are of each idiom.
    """

    dataset: str
    teacher: str
    n_formulas: int
    seed: int
    accuracy: float
    agreement: float
    fidelity: float
    n_card: int
    n_classes: int
    without_idiom: int
    largest: int
    most_words: int
    most_numbers: int
    same_from_text: float
    sum_error: float
    same_truth: float
    points_per_formula: float
    idioms: str
    seconds: float

    @property
    def key(self) -> tuple[str, str, int, int]:
        """What names the card."""
        return self.dataset, self.teacher, self.n_formulas, self.seed


COLUMNS = tuple(field.name for field in fields(CardFacts))
KINDS = {"str": str, "int": int, "float": float}
HEAD = """# Score cards

```
{command}
```

Commit {commit}. {versions}.

## Is the printed card the model?

Measured on the test cases. *Same class*: the card that is read back from its text, rounded to three digits,
predicts the same. *Sum*: largest distance of bias plus contributions from the score. *Same truth*: a formula
holds on the card exactly if `st.satisfies` says so. *Words*, *numbers*: the most of any sentence, digits of
channel names aside. *Points*: classes for which a formula has points, on average. Seconds are CPU seconds
of one thread, taken beside other work unless said otherwise.

{laws}

## Idioms used

Formulas of each card by idiom.

{idioms}
"""
DISTILLED = """
## Imitating another classifier

*Agreement*: test cases that get the teacher's class. *Fidelity*: the same on training cases left out, as the
card itself states it. *Accuracy*: of the card, on test cases.

{distilled}
"""


def cards_report(rows: Sequence[CardFacts], command: str) -> str:
    """A page about cards."""
    taught = [row for row in rows if row.teacher == "dense"]
    others = [row for row in rows if row.teacher != "dense"]
    page = HEAD.format(
        command=command, commit=git_commit(), versions=versions(), laws=_laws(taught), idioms=_idioms(taught)
    )
    return page + (DISTILLED.format(distilled=_distilled(others)) if others else "")


def _laws(rows: Sequence[CardFacts]) -> str:
    head = [
        "data set", "asked", "formulas", "accuracy", "no idiom", "largest size", "words", "numbers",
        "same class", "sum", "same truth", "points", "fit s",
    ]  # fmt: skip
    lines = [
        [
            row.dataset, str(row.n_formulas), str(row.n_card), f"{row.accuracy:.3f}", str(row.without_idiom),
            str(row.largest), str(row.most_words), str(row.most_numbers), f"{100 * row.same_from_text:.1f} %",
            f"{row.sum_error:.0e}", f"{100 * row.same_truth:.2f} %", f"{row.points_per_formula:.1f}",
            f"{row.seconds:.1f}",
        ]
        for row in rows
    ]  # fmt: skip
    return table(head, lines, n_texts=1)


def _idioms(rows: Sequence[CardFacts]) -> str:
    counts = [_counts(row.idioms) for row in rows]
    total = {name: sum(count.get(name, 0) for count in counts) for count in counts for name in count}
    names = sorted(total, key=lambda name: (-total[name], name))
    heads = [f"{SHORT_NAMES.get(row.dataset, row.dataset)} {row.n_formulas}" for row in rows]
    lines = [[name, *(str(count.get(name, ABSENT)) for count in counts)] for name in names]
    return table(["idiom", *heads], lines, n_texts=1)


def _distilled(rows: Sequence[CardFacts]) -> str:
    head = ["data set", "teacher", "seed", "asked", "formulas", "agreement", "fidelity", "accuracy"]
    lines = [
        [
            row.dataset, row.teacher, str(row.seed), str(row.n_formulas), str(row.n_card),
            f"{100 * row.agreement:.1f} %",
            ABSENT if math.isnan(row.fidelity) else f"{100 * row.fidelity:.1f} %", f"{row.accuracy:.3f}",
        ]
        for row in rows
    ]  # fmt: skip
    return table(head, lines, n_texts=2)


def _counts(text: str) -> dict[str, int]:
    pairs = (part.rpartition(": ") for part in text.split("; ") if part)
    return {name: int(number) for name, _, number in pairs}


def write_facts(path: Path, rows: Iterable[CardFacts]) -> None:
    """Write the rows as CSV, in order."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(astuple(row) for row in sorted(rows, key=lambda row: row.key))
    write_text(path, text.getvalue())


def read_facts(path: Path) -> list[CardFacts]:
    """Read what :func:`write_facts` wrote; nothing if there is no such file."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        head, *lines = csv.reader(file)
    if tuple(head) != COLUMNS:
        raise BenchError(f"{path} must have the columns {', '.join(COLUMNS)}. Give another file as --out.")
    kinds = [KINDS[str(field.type)] for field in fields(CardFacts)]
    return [CardFacts(*(kind(cell) for kind, cell in zip(kinds, line, strict=True))) for line in lines]
