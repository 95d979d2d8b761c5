"""Score cards as tables: a data frame, and LaTeX for a paper."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import pandas as pd

from stelle_nb.logic.printing.latex import to_latex
from stelle_nb.model.card.printing.card_text import number_text
from stelle_nb.model.card.printing.card_words import (
    exact_digits,
    formula_text,
    idiom_name,
    spoken_names,
    unit_of_reach,
)

if TYPE_CHECKING:
    from stelle_nb.logic.formula import Formula
    from stelle_nb.model.card.scorecard import Scorecard

_LATEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%",
    "_": r"\_", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "|": r"\textbar{}", '"': "''", "-": "{-}", "[": "{[}", "]": "{]}",
}  # fmt: skip


def card_to_frame(card: Scorecard) -> pd.DataFrame:
    """A row for each formula; the points of a class stand in the column that is its label."""
    frame = pd.DataFrame(
        {
            "sentence": card.sentences,
            "formula": [formula_text(formula, card.channel_names) for formula in card.formulas],
            "idiom": pd.Series([idiom_name(formula) for formula in card.formulas], dtype=object),
            "reach": card.reach,
        }
    )
    labels = pd.Index([*frame.columns, *card.classes], dtype=object, tupleize_cols=False)
    points = pd.DataFrame(card.points)
    return pd.concat([frame, points], axis=1).set_axis(labels, axis=1)


def card_to_latex(card: Scorecard) -> str:
    r"""A table of booktabs that fits one column, however many classes there are.

    Points of zero are left out, so that a row names only the classes that its formula speaks for or against.
    """
    rows = [
        rf"{escaped(said)} \newline {{\footnotesize ${_formula(card, formula)}$}}"
        rf" & {_math(card.reach[j])}{_unit(card, j)} & {_points(card.classes, card.points[j])} \\"
        for j, (said, formula) in enumerate(zip(card.sentences, card.formulas, strict=True))
    ]
    head = (
        r"\begin{tabular}{@{}>{\raggedright\arraybackslash}p{0.56\linewidth}",
        r"  >{\raggedright\arraybackslash}p{0.12\linewidth}",
        r"  >{\raggedright\arraybackslash}p{0.22\linewidth}@{}}",
    )
    return "\n".join(
        [
            r"% needs \usepackage{array,booktabs}",
            *head,
            r"\toprule",
            r"Formula & Reach & Points \\",
            r"\midrule",
            rf"Start & & {_points(card.classes, card.bias)} \\",
            r"\addlinespace",
            ("\n" + r"\addlinespace" + "\n").join(rows),
            r"\bottomrule",
            r"\end{tabular}",
            "",
        ]
    )


def escaped(text: str) -> str:
    r"""Any text for LaTeX outside of mathematics, on one line.

    Examples
    --------
    >>> print(escaped("50% of $x_1$ is below -2.5"))
    50\% of \$x\_1\$ is below $-$2.5
    """
    plain = "".join(char if char.isprintable() else " " for char in text)
    written = "".join(_LATEX.get(char, char) for char in " ".join(plain.split()))
    return re.sub(r"(?<!\S)\{-\}(?=[0-9])", "$-$", written)


def _math(value: float, sign: str = "") -> str:
    mantissa, _, exponent = number_text(value).partition("e")
    power = rf" \times 10^{{{int(exponent)}}}" if exponent else ""
    return f"${sign}{mantissa}{power}$"


def _points(classes: tuple[Any, ...], points: Iterable[float]) -> str:
    pairs = zip(classes, points, strict=True)
    said = [f"{escaped(str(label))}~{_math(p, '+' if p > 0 else '')}" for label, p in pairs if p]
    return ", ".join(said) or "0"


def _formula(card: Scorecard, formula: Formula) -> str:
    return to_latex(formula, spoken_names(card.channel_names), exact_digits(formula))


def _unit(card: Scorecard, j: int) -> str:
    unit = unit_of_reach(card, j)
    return f"~{escaped(unit)}" if unit else ""
