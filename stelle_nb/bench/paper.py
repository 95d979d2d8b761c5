"""All tables of the paper from the available results: ``python -m stelle_nb.bench paper``.

Reads the ledgers and tables that the accuracy and the explanation benchmark left, and writes each table as
Markdown, CSV and LaTeX, the critical-difference diagram, and a page that holds all and says what is missing.
"""

from __future__ import annotations

import argparse
import shlex
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from stelle_nb.bench.explaining.explanation_pooling import Figures
from stelle_nb.bench.explaining.explanation_report import Published
from stelle_nb.bench.explanations import read_published
from stelle_nb.bench.reports.anchors import Anchor, full_name, read_anchors
from stelle_nb.bench.reports.critical_difference import figure_critical_difference
from stelle_nb.bench.reports.paper_tables import (
    Comparison,
    accuracy_table,
    dataset_table,
    global_table,
    readability_table,
    time_table,
)
from stelle_nb.bench.reports.tables import PaperTable, check_writable
from stelle_nb.data import load_dataset
from stelle_nb.errors import BenchError, DataError
from stelle_nb.experiments.accuracy_rows import read_rows, rows_of
from stelle_nb.experiments.contenders import PEERS, RENAMED
from stelle_nb.experiments.ledger import read_entries
from stelle_nb.experiments.provenance import code_digest, git_commit
from stelle_nb.experiments.run import Row
from stelle_nb.files import draft_of, write_text

PAGE = "README.md"
DIAGRAM = "critical_difference.svg"


def main(arguments: Sequence[str]) -> None:
    """Read what there is and write the tables."""
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        check_writable(options.out / PAGE)
        command = f"python -m stelle_nb.bench paper {shlex.join(arguments)}".strip()
        missing = write_paper(options, command)
    except (BenchError, DataError) as error:
        parser.error(str(error))
    print(f"Tables: {options.out}.")
    for line in missing:
        print(f"Missing: {line}")


def write_paper(options: argparse.Namespace, command: str) -> list[str]:
    """Write all files; return what could not be filled, and why."""
    rows, notes = newest(read_results(options.results / options.accuracy))
    found = [read_figures(options.results / name) for name in options.explanations]
    frames = [each for each in found if each is not None]
    frame = pd.concat(frames, ignore_index=True) if frames else None
    anchors: tuple[Anchor, ...] = ()
    published: Published = {}
    if options.anchors is not None:
        anchors = read_anchors(options.anchors / "accuracy.csv")
        published = read_published(options.anchors / "explanations.csv")
    options.out.mkdir(parents=True, exist_ok=True)
    finished = [row for row in rows if row.status == "finished"]
    comparison = Comparison.of(finished, anchors, [full_name(name) for name in options.apart])
    tables: list[PaperTable] = []
    if options.data is not None:
        names = comparison.datasets or tuple(frame["dataset"].unique() if frame is not None else ())
        tables.append(dataset_table([load_dataset(n, path=options.data, may_download=False) for n in names]))
    else:
        notes.append("the table of data sets: give their folder with --data.")
    figures = None if frame is None else Figures.of(frame)
    if finished:
        tables.append(accuracy_table(comparison))
    else:
        notes.append("accuracies: run `python -m stelle_nb.bench accuracy`.")
    if figures is not None:
        tables += [
            readability_table(figures, published, is_before=True),
            readability_table(figures, published, is_before=False),
            global_table(figures, published),
        ]
    else:
        notes.append("explanations: run `python -m stelle_nb.bench explanations`.")
    if finished:
        tables.append(time_table(finished, figures))
    if options.anchors is None:
        notes.append("published figures: give the folder of anchors with --anchors.")
    notes += _failures(rows)
    has_diagram = _draw(comparison, options.out / DIAGRAM, notes)
    for table in tables:
        table.write(options.out)
    write_text(options.out / PAGE, _page(command, tables, notes, has_diagram=has_diagram))
    return notes


def read_results(table: Path) -> list[Row]:
    """The rows of the accuracy benchmark: of its table, and of its ledger where that is at hand."""
    ledger = table.with_suffix(".sqlite")
    found = read_rows(table) if table.exists() else []
    if ledger.exists():
        found += rows_of(read_entries(ledger))
    return list({row.key: row for row in found}.values())


def newest(rows: Sequence[Row]) -> tuple[list[Row], list[str]]:
    """Rows of one state of the code, or of the packages, for each method and data set.

    Those of the code that is installed are taken; failing them, those of the state with most rows.
    """
    kept: list[Row] = []
    notes = []
    for variant in dict.fromkeys(row.variant for row in rows):
        own = [row for row in rows if row.variant == variant]
        counts = Counter(_state(row) for row in own if row.status == "finished")
        if not counts:
            kept += own
            continue
        now = [state for state in counts if f"code-{code_digest()}" in state]
        state = (now or [counts.most_common(1)[0][0]])[0]
        kept += [row for row in own if _state(row) == state]
        if variant not in PEERS and not now:
            notes.append(f"figures of the present code for {variant}; those of {state} are shown.")
    return kept, notes


def read_figures(path: Path) -> pd.DataFrame | None:
    """The figures of the explanation benchmark, None if there are none."""
    if not path.exists():
        return None
    try:
        frame = pd.read_csv(path)
        texts = ["method", "group"]
        frame[texts] = frame[texts].fillna("").astype(str)
        frame["variant"] = frame["variant"].replace(RENAMED)
    except (OSError, ValueError, KeyError) as error:
        raise BenchError(f"{path} is not a table of figures ({error}). Run the benchmark again.") from error
    return frame


def _state(row: Row) -> str:
    return " ".join(part for part in row.settings.split() if not part.startswith("data-"))


def _failures(rows: Sequence[Row]) -> list[str]:
    return [
        f"{row.variant} on {row.dataset}, resample {row.resample}, seed {row.seed}: {row.error}"
        for row in rows
        if row.status != "finished"
    ]


def _draw(comparison: Comparison, path: Path, notes: list[str]) -> bool:
    try:
        figure = figure_critical_difference(
            comparison.scores, comparison.counted, highlight=list(comparison.runs)
        )
    except BenchError as error:
        notes.append(f"the diagram. {error}")
        return False
    with draft_of(path) as draft:
        figure.savefig(draft, format=path.suffix[1:], bbox_inches="tight", metadata={"Date": None})
    return True


def _page(command: str, tables: Sequence[PaperTable], notes: Sequence[str], *, has_diagram: bool) -> str:
    parts = ["# The paper's tables", f"```\n{command}\n```\n\nCommit {git_commit()}."]
    parts += [f"## {table.name.replace('_', ' ').capitalize()}\n\n{table.to_markdown()}" for table in tables]
    if has_diagram:
        parts.append(
            "## Critical differences\n\nMean ranks; a bar joins methods that Wilcoxon's test with Holm's "
            f"correction cannot tell apart at 0.05.\n\n![mean ranks]({DIAGRAM})"
        )
    if notes:
        parts.append("## Missing\n\n" + "\n".join(f"- {note}" for note in notes))
    return "\n\n".join(parts) + "\n"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m stelle_nb.bench paper", description=__doc__)
    parser.add_argument("--results", type=Path, default=Path("results"), help="folder of results")
    parser.add_argument("--accuracy", default="accuracy.csv", help="table of accuracies in that folder")
    parser.add_argument(
        "--explanations",
        nargs="+",
        default=["explanations.csv"],
        help="tables of explanations in that folder, such as one for each variant",
    )
    parser.add_argument("--data", type=Path, help="folder of data sets, for their sizes")
    parser.add_argument("--anchors", type=Path, help="folder of published figures, two CSV files")
    parser.add_argument("--apart", nargs="+", default=[], help="data sets to leave out of means and ranks")
    parser.add_argument("--out", type=Path, default=Path("results/paper"), help="folder of the tables")
    return parser
