"""The table of planted formulas in the report of the explanation benchmark."""

from __future__ import annotations

import pandas as pd

from stelle_nb.bench.reports.tables import table

NOTES = """\
Every signal satisfies the planted formula of its class alone, so the accuracy of a model on fresh signals is
its agreement with the planted formulas. Method leading: the formula of the card that tells the class from the
others by the most points. Same form: share of the seeds, or of classes and seeds, in which the formula is the
planted idiom on the same channels, with windows that have half of their samples in common; of a planted
conjunction one part is enough. Shares are in percent."""


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
    return "\n\n".join(part for part in (NOTES, _leading(planted), table(head, lines, n_texts=6)) if part)


def _leading(planted: pd.DataFrame) -> str:
    """A row for each set and card: how far it and its leading formulas agree with what was planted."""
    leading = planted[planted["method"] == "leading"]
    lines = [
        [*map(str, key), *(f"{100 * float(rows[name].mean()):.1f}" for name in _LEADING)]
        for key, rows in leading.groupby(["set", "model"], sort=False)
    ]
    return table(["set", "model", *_LEADING.values()], lines, n_texts=2) if lines else ""


_LEADING = {
    "accuracy": "card agrees",
    "agreement": "leading formulas agree",
    "form": "leading formulas of the same form",
}
