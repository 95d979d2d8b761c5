"""The table of planted formulas in the report of the explanation benchmark."""

from __future__ import annotations

import pandas as pd

from stelle_nb.bench.reports.tables import table

NOTES = """\
Method leading: the formula of the card that tells the class from the others by the most points. Same form:
share of the seeds in which the formula is the planted idiom on the same channels, with windows that have half
of their samples in common; of a planted conjunction one part is enough."""


def planted_table(planted: pd.DataFrame) -> str:
    """What the columns mean, then a row for each set, model, method and class."""
    lines = []
    for _, row in planted.iterrows():
        texts = [str(row[name]) for name in ("set", "model", "method", "class")]
        shares = [f"{100 * float(row[name]):.1f}" for name in ("agreement", "least")]
        shares += [f"{100 * float(row['form']):.0f}", f"{100 * float(row['accuracy']):.1f}"]
        lines.append([*texts, f"`{row['planted']}`", f"`{row['found']}`", *shares])
    head = [
        "set",
        "model",
        "method",
        "class",
        "planted",
        "found (seed 0)",
        "agreement",
        "of the worst seed",
        "same form",
        "model's accuracy",
    ]
    return f"{NOTES}\n\n{table(head, lines, n_texts=6)}"
