"""Every printer knows every kind of node, rounds as asked and escapes what it must."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from matplotlib.mathtext import MathTextParser

from stelle_nb.errors import FormulaError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.printing.ascii import to_ascii
from stelle_nb.logic.printing.english import to_english
from stelle_nb.logic.printing.latex import to_latex
from stelle_nb.logic.printing.notation import PRECEDENCE, rounded
from stelle_nb.logic.printing.rtamt import to_rtamt
from stelle_nb.logic.printing.unicode import to_unicode
from stelle_nb.logic.syntax import Atom
from stelle_nb.testing import strategies as draw

PRINTERS: list[Callable[[Formula], str]] = [to_ascii, to_unicode, to_latex, to_english, to_rtamt]

# One formula for each kind of node, and more for the kinds of signals and windows.
SAMPLES = [
    "true", "false", "x0 >= 0.3", "x1 < -1e-07", "!(x0 > 1)", "x0 > 1 & x1 <= 2", "x0 > 1 | x1 <= 2",
    "x0 > 1 -> x1 <= 2", "G[0,20] (x0 > 1)", "F[3,inf) (x0 > 1)", "x0 > 1 U[0,5] x1 > 2",
    "tube[0,9](x0 ~ 0.1 0.5 +- 0.2, rel(x1) ~ 0.5 +- 0.3; step 3)",
    "atleast(2; x0 > 1, F[0,5] (x1 <= 2 | x0 < 0), !(x1 > 3))", "atleast(1; x0 > 1)",
    "atleast(2; atleast(1; x0 > 1, x1 > 1), atleast(2; x0 < 1, x1 < 1, x0 > 2), G x1 < 0)",
    "diff(x0) > 1", "(x0 - x0@5) > 1", "mean(x0, 20) > 1", "mean(abs(x0 - x0@5), 20) > 1",
    "sum(0.6*mean(x0, 13)@20, -1e-07*x1) >= 0.2", "F[9,9] sum(-x0@3, abs(x1 - x1@5)@4, 2*diff(x0)) < 1",
]  # fmt: skip


def test_the_samples_hold_every_kind_of_node() -> None:
    assert {type(parse(text)) for text in SAMPLES} == set(draw.KINDS) == set(PRECEDENCE)
    # By name, as a dataclass with slots leaves its draft among the subclasses.
    assert {kind.__name__ for kind in draw.KINDS} == {kind.__name__ for kind in Formula.__subclasses__()}


@pytest.mark.parametrize("text", SAMPLES)
@pytest.mark.parametrize("printer", PRINTERS)
def test_every_printer_covers_every_kind(printer: Callable[[Formula], str], text: str) -> None:
    formula = parse(text)
    assert printer(formula)
    assert printer(~formula.always(1, 2)) != printer(formula)


@pytest.mark.parametrize("printer", PRINTERS)
def test_what_is_no_formula_is_refused(printer: Callable[[Formula], str]) -> None:
    with pytest.raises(TypeError, match="formula"):
        printer("x0 > 1")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "unicode", "latex"),
    [
        ("G[0,20] F[5,10] (x0 >= 0.3) & (x1 <= 2 U[0,5] x2 > 1)",
         "□[0,20] ◇[5,10] (x₀ ≥ 0.3) ∧ x₁ ≤ 2 𝒰[0,5] x₂ > 1",
         r"\mathbf{G}_{[0,20]}\,\mathbf{F}_{[5,10]}\,(x_{0} \geq 0.3) "
         r"\wedge x_{1} \leq 2 \mathbf{U}_{[0,5]} x_{2} > 1"),
        ("G !(x0 > 1 | true) -> false", "□ ¬(x₀ > 1 ∨ ⊤) → ⊥",
         r"\mathbf{G}\,\neg (x_{0} > 1 \vee \top) \rightarrow \bot"),
        ("F[3,inf) x12 < 1.23456789e-12", "◇[3,∞) (x₁₂ < 1.23456789e-12)",
         r"\mathbf{F}_{[3,\infty)}\,(x_{12} < 1.23456789 \times 10^{-12})"),
        ("mean(diff(x0), 20) > 1 & abs(x0 - x0@5) > 1", "mean(diff(x₀), 20) > 1 ∧ abs(x₀ - x₀@5) > 1",
         r"\mathrm{mean}_{20}(\Delta x_{0}) > 1 \wedge |\Delta_{5} x_{0}| > 1"),
        ("tube[0,9](x0 ~ 0.1 0.5 +- 0.2, rel(x1) ~ 0.5 +- 0.3; step 3)",
         "tube[0,9](x₀ ~ 0.1 0.5 ± 0.2, rel(x₁) ~ 0.5 ± 0.3; step 3)",
         r"\mathrm{tube}_{[0,9]}(x_{0} \sim (0.1,\,0.5) \pm 0.2,\ \mathrm{rel}(x_{1}) \sim (0.5) \pm 0.3;"
         r"\ \mathrm{step}\ 3)"),
        ("!atleast(2; x0 > 1, G[0,5] (x1 <= 2), x2 < 1 | true)",
         "¬atleast(2; x₀ > 1, □[0,5] (x₁ ≤ 2), x₂ < 1 ∨ ⊤)",
         r"\neg \mathrm{atleast}_{2}(x_{0} > 1,\ \mathbf{G}_{[0,5]}\,(x_{1} \leq 2),\ x_{2} < 1 \vee \top)"),
        ("!(sum(0.612345*mean(x0, 13)@20, -x1, 0.5*(x1 - x1@5)@3) >= 0.2)",
         "¬(sum(0.612345·mean(x₀, 13)@20, -1·x₁, 0.5·(x₁ - x₁@5)@3) ≥ 0.2)",
         r"\neg (0.612345\,\mathrm{mean}_{13}(x_{0})(t-20) - x_{1} + 0.5\,\Delta_{5} x_{1}(t-3) \geq 0.2)"),
    ],
)  # fmt: skip
def test_symbols(text: str, unicode: str, latex: str) -> None:
    assert to_unicode(parse(text)) == unicode
    assert to_latex(parse(text)) == latex


@pytest.mark.parametrize("text", SAMPLES)
def test_latex_is_understood_by_mathtext(text: str) -> None:
    parser = MathTextParser("path")
    parser.parse(parse(text)._repr_latex_())
    named = to_latex(parse(text), ["50% of a_b", "a-b {c} \\d ^e ~f $g"])
    parser.parse(f"${named}$")


@settings(max_examples=50)
@given(draw.formulas())
def test_latex_has_balanced_braces(formula: Formula) -> None:
    latex = to_latex(formula, ["}{", "\\{"]).replace(r"\{", "").replace(r"\}", "")
    assert latex.count("{") == latex.count("}")
    assert formula._repr_latex_() == f"${to_latex(formula)}$"


def test_special_characters_in_names_are_escaped() -> None:
    latex = to_latex(parse("x0 > 1"), ["a_b $c #1 50% {x} \\y & ~z ^w\n-"])
    assert latex == (r"\mathrm{a\_b\ \$c\ \#1\ 50\%\ \{x\}\ \backslash y\ \&\ \sim z\ \wedge w\ {-}} > 1")


@pytest.mark.parametrize("printer", [to_ascii, to_unicode, to_latex, to_english])
def test_names_must_name_every_channel(printer: Callable[..., str]) -> None:
    with pytest.raises(FormulaError, match="must name every channel, got 1 names and a formula on x1"):
        printer(parse("x1 > 1"), ["acc"])
    with pytest.raises(FormulaError, match="a list of names"):
        printer(parse("x1 > 1"), "acc")


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (0.0, 3, "0"), (-0.0, 3, "0"), (1.0, 3, "1"), (-1.5, 3, "-1.5"), (2.15649, 3, "2.16"),
        (0.00012345, 3, "0.000123"), (1e-05, 3, "1e-05"), (12345.678, 3, "12346"), (100.0, 1, "100"),
        (1234567.8, 2, "1234568"), (1.5e7, 3, "1.5e+07"), (0.999999, 3, "1"),
        (0.1 + 0.2, None, repr(0.1 + 0.2)),
        (1013.25, None, "1013.25"), (2.0, None, "2"), (-0.0, None, "0"), (1e22, None, "1e+22"),
    ],
)  # fmt: skip
def test_rounding(value: float, digits: int | None, text: str) -> None:
    assert rounded(value, digits) == text


def test_digits_are_passed_on() -> None:
    atom = Atom(0, ">=", 2.15649)
    assert to_unicode(atom, digits=None) == "x₀ ≥ 2.15649"
    assert to_latex(atom, digits=2) == r"x_{0} \geq 2.2"
    assert to_english(atom, digits=2) == "At the start, x0 is above 2.2."
