"""Compares the examples of the guide with what its code prints now: ``python docs/examples.py [--write]``.

A block of kind ``none`` shows what the python block above it printed. Learned numbers may differ between
machines, so the tests do not compare them. With ``--write`` blocks that differ are replaced, and so are the
rows of the card on the first pages.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import re
import tempfile
import textwrap
from pathlib import Path
from typing import Any

import stelle_nb as st

DOCS = Path(__file__).resolve().parent
README, INDEX = DOCS.parent / "README.md", DOCS / "index.md"
PAGES = ("training", "local", "reading", "gammas", "classes", "changes", "trust")  # the first saves the model
FENCE = re.compile(r"^```(python|none)\n(.*?)^```$", re.M | re.S)
TABLE = re.compile(r"(?<=^\|---\|---:\|---:\|---:\|---:\|\n)(\|.*\n)+", re.M)
QUOTE = re.compile(r"^> .* points for .*$", re.M)
REASON = re.compile(r"(?<=^print\(why\.to_frame\(\)\[\"sentence\"\]\[0\]\)  # ).*$", re.M)
IDIOMS = ("falls to", "swings", "stays below", "keeps calm")  # of the rows in the README
NEW_LINE = re.compile(
    r" (?=\(\d\) [A-Z]|Together they carry|This carries|No training case|Some training cases)"
)
WIDTH = 88


def main() -> None:
    """Run the pages, and report or replace what differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="replace what differs")
    is_writing = parser.parse_args().write
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name in PAGES:
            update_page(DOCS / "guide" / f"{name}.md", is_writing)
        update_first_pages(st.StelleClassifier.load("motions.zip"), is_writing)
        os.chdir(DOCS)


def update_page(path: Path, is_writing: bool) -> None:
    """Run the code of a page and compare its examples."""
    namespace: dict[str, Any] = {"__name__": path.stem}
    printed = ""

    def checked(match: re.Match[str]) -> str:
        nonlocal printed
        kind, body = match.groups()
        if kind == "python":
            with contextlib.redirect_stdout(io.StringIO()) as out:
                exec(compile(body, str(path), "exec"), namespace)
            printed = out.getvalue()
            return match[0]
        now = wrapped(printed)
        if now != body:
            print(f"{path.name} shows\n{body}\nand prints\n{now}")
        return f"```none\n{now}```"

    text = FENCE.sub(checked, path.read_text(encoding="utf-8"))
    if is_writing:
        path.write_text(text, encoding="utf-8")


def wrapped(text: str) -> str:
    """The text in lines that fit a page, a line for each sentence of an explanation."""
    lines = (part for line in text.splitlines() for part in NEW_LINE.split(line))
    return "".join(f"{part}\n" for line in lines for part in textwrap.wrap(line, WIDTH) or [""])


def update_first_pages(classifier: st.StelleClassifier, is_writing: bool) -> None:
    """Compare what the README and the first page show with the model of the guide."""
    card = classifier.card_
    frame = card.to_frame()
    order = frame["idiom"].map(lambda idiom: IDIOMS.index(idiom) if idiom in IDIOMS else len(IDIOMS))
    chosen = frame.loc[order.sort_values(kind="stable").index].drop_duplicates("idiom").head(len(IDIOMS))
    rows = [row for _, row in chosen.iterrows()]
    table = "".join(
        f"| {row['sentence']} | {' | '.join(f'{row[label]:g}' for label in card.classes)} |\n" for row in rows
    )
    points = {label: rows[0][label] for label in card.classes if rows[0][label]}
    named = [f"{value:g} points for {label}" for label, value in points.items() if value > 0]
    named += [f"{-value:g} against {label}" for label, value in points.items() if value < 0]
    quote = f"> {rows[0]['sentence'][:-1]}: {', '.join(named)}."
    (why,) = classifier.explain_local(st.load_dataset("BasicMotions").X_test[35:36])
    reason = str(why.to_frame()["sentence"][0])
    for path, pattern, now in ((README, TABLE, table), (README, REASON, reason), (INDEX, QUOTE, quote)):
        text = path.read_text(encoding="utf-8")
        if now not in text:
            print(f"{path.name} does not show\n{now}")
        if is_writing:
            path.write_text(pattern.sub(lambda _, now=now: now, text, count=1), encoding="utf-8")


if __name__ == "__main__":
    main()
