"""Cards as a data frame and as LaTeX."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from matplotlib.mathtext import MathTextParser

from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.printing.ascii import to_ascii
from stelle_nb.model.card.printing.card_tables import escaped
from stelle_nb.model.card.scorecard import Scorecard
from tests.model.card.strategies import cards


def test_a_frame_has_a_row_for_each_formula_and_a_column_for_each_class(card: Scorecard) -> None:
    frame = card.to_frame()
    assert list(frame.columns) == ["sentence", "formula", "idiom", "reach", "rest", "walk", "run"]
    assert frame["idiom"].tolist() == ["stays within", "reaches", None]
    assert frame["sentence"].tolist() == list(card.sentences)
    assert [parse(text, card.channel_names) for text in frame["formula"]] == list(card.formulas)
    assert frame["walk"].tolist() == card.points[:, 1].tolist() and frame["reach"].tolist() == [0.8, 1.5, 2.0]


@given(cards())
def test_any_card_becomes_a_frame(card: Scorecard) -> None:
    frame = card.to_frame()
    assert frame.shape == (card.n_formulas, 4 + card.n_classes)
    assert tuple(frame.columns[4:]) == card.classes
    assert (frame.iloc[:, 4:].to_numpy(float) == card.points).all()


def test_a_latex_table_names_only_the_classes_that_have_points(card: Scorecard) -> None:
    text = card.to_latex()
    assert all(rf"\{rule}rule" in text for rule in ("top", "mid", "bottom"))
    assert r"rest~$+2$, walk~$-1.5$ \\" in text and r"walk~$+3$, run~$-0.25$ \\" in text
    assert r"$\mathbf{F}_{[3,4]}\,(\mathrm{gyro\ x} \geq 2.2)$" in text and r"$0.8$~g" in text
    widths = [float(width) for width in re.findall(r"p\{([0-9.]+)\\linewidth\}", text)]
    assert sum(widths) <= 0.95  # the rest is for the space between the columns


@given(cards())
def test_latex_is_balanced_whatever_the_names(card: Scorecard) -> None:
    text = card.to_latex()
    bare = re.sub(r"\\.", "", text)
    assert bare.count("{") == bare.count("}") and bare.count("$") % 2 == 0
    rows = [line for line in text.split("\n") if line.endswith(r" \\")]
    assert len(rows) == card.n_formulas + 2  # the head and the bias
    assert all(re.sub(r"\\.", "", row).count("&") == 2 for row in rows)


def test_numbers_with_exponents_are_mathematics(card: Scorecard) -> None:
    text = replace(card, points=[[1e-7, -1e20, 0]] * 3).to_latex()
    assert r"rest~$+1 \times 10^{-7}$, walk~$-1 \times 10^{20}$" in text
    parser = MathTextParser("path")
    for formula in re.findall(r"(?<!\\)\$[^$]*\$", text):
        parser.parse(formula)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("50% of $x_1$", r"50\% of \$x\_1\$"),
        ("a\n b\x00c", "a b c"),
        ("below -2.5", "below $-$2.5"),
        ("[a] -- \\{", r"{[}a{]} {-}{-} \textbackslash{}\{"),
    ],
)
def test_text_is_escaped(text: str, expected: str) -> None:
    assert escaped(text) == expected


def test_a_frame_keeps_exact_formulas(card: Scorecard) -> None:
    assert card.to_frame()["formula"][0] == to_ascii(card.formulas[0], card.channel_names)
