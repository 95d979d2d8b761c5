"""A table of texts, written as Markdown, CSV or LaTeX; and whether a report can be written at all."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from stelle_nb.errors import BenchError
from stelle_nb.files import write_text

ABSENT = "–"
_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "±": r"$\pm$",
    "–": "--",
}


@dataclass(frozen=True, slots=True)
class PaperTable:
    """What a table of the paper holds.

    Parameters
    ----------
    name
        Of its files, without ending.
    caption
        What it shows, and how the figures came about.
    n_texts
        How many of the first columns are texts; the others are numbers.
    """

    name: str
    caption: str
    head: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    n_texts: int = 1

    def to_markdown(self) -> str:
        """The caption, and the table below it."""
        return f"{self.caption}\n\n{table(self.head, self.lines, n_texts=self.n_texts)}"

    def to_csv(self) -> str:
        """Head and lines."""
        buffer = io.StringIO()
        csv.writer(buffer, lineterminator="\n").writerows([self.head, *self.lines])
        return buffer.getvalue()

    def to_latex(self) -> str:
        r"""A table for the package booktabs.

        Examples
        --------
        >>> print(PaperTable("t", "50 % of it", ("set", "share"), (("a_b", "0.5 ± 0.1"),)).to_latex())
        \begin{table}
        \caption{50 \% of it}
        \label{tab:t}
        \begin{tabular}{lr}
        \toprule
        set & share \\
        \midrule
        a\_b & 0.5 $\pm$ 0.1 \\
        \bottomrule
        \end{tabular}
        \end{table}
        <BLANKLINE>
        """
        columns = "l" * self.n_texts + "r" * (len(self.head) - self.n_texts)
        rows = [" & ".join(map(escape_latex, line)) + r" \\" for line in (self.head, *self.lines)]
        parts = [
            r"\begin{table}",
            rf"\caption{{{escape_latex(self.caption)}}}",
            rf"\label{{tab:{self.name}}}",
            rf"\begin{{tabular}}{{{columns}}}",
            r"\toprule",
            rows[0],
            r"\midrule",
            *rows[1:],
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
        ]
        return "\n".join(parts) + "\n"

    def write(self, folder: Path) -> None:
        """Three files, one for each form."""
        for ending, text in (
            ("md", self.to_markdown() + "\n"),
            ("csv", self.to_csv()),
            ("tex", self.to_latex()),
        ):
            write_text(folder / f"{self.name}.{ending}", text)


def table(head: Sequence[str], lines: Iterable[Sequence[str]], *, n_texts: int) -> str:
    """A Markdown table whose first columns are texts and whose others are numbers."""
    rule = ["---"] * n_texts + ["---:"] * (len(head) - n_texts)
    escaped = ([cell.replace("|", "\\|") for cell in line] for line in (head, rule, *lines))
    return "\n".join(f"| {' | '.join(line)} |" for line in escaped)


def escape_latex(text: str) -> str:
    r"""Text that LaTeX sets as it is.

    Examples
    --------
    >>> print(escape_latex("a_b & 5 %"))
    a\_b \& 5 \%
    """
    return "".join(_LATEX.get(character, character) for character in text)


def short(value: float) -> str:
    """Three digits, or the integer if that has more.

    Examples
    --------
    >>> short(0.01234), short(1534.2)
    ('0.0123', '1534')
    """
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def numbered(values: Sequence[float | None], form: str) -> tuple[str, ...]:
    """Numbers as texts, a dash for those that are not known.

    Examples
    --------
    >>> numbered([0.5, None], ".2f")
    ('0.50', '–')
    """
    return tuple(ABSENT if value is None else format(value, form) for value in values)


def check_writable(path: Path) -> Path:
    """Fail now if the file could not be written later; the folder need not exist yet."""
    folder = next(parent for parent in path.absolute().parents if parent.exists())
    target = path if path.exists() else folder
    if path.is_dir() or not folder.is_dir() or not os.access(target, os.W_OK):
        raise BenchError(f"{path} cannot be written. Choose another --out.")
    return path
