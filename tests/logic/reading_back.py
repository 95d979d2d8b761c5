"""Readers of what only printers write here: LaTeX and RTAMT's text become formulas again."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.printing.rtamt import rtamt_variables, to_rtamt
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Atom
from stelle_nb.logic.traversal import children, rebuild
from stelle_nb.logic.weighted_sum import Quantity

_NUMBER = r"-?\d+(?:\.\d+)?(?:e-?\d+)?"
_NAME = r'(?:x\d+|"[^"]*")'
_CHANNEL = rf"(?:{_NAME}|zscore\({_NAME}\))"
_CHANGE = rf"\\Delta(?:_\{{(\d+)\}})? ({_CHANNEL})"
_SIGNAL = rf"(?:{_CHANNEL}|\({_CHANNEL} - {_CHANNEL}@\d+\)|abs\({_CHANNEL} - {_CHANNEL}@\d+\))"
_MEAN = rf"\\mathrm\{{mean\}}_\{{(\d+)\}}\(({_SIGNAL})\)"
_ANY = rf"(?:mean\({_SIGNAL}, \d+\)|{_SIGNAL})"
_TERM = rf"(?:\d[\d.e-]*\\,)?{_ANY}(?:\(t-\d+\))?"
_SUM = rf"-?{_TERM}(?: [+-] {_TERM})*(?= (?:\\leq|\\geq|<|>) )"
_ONE_TERM = re.compile(rf"(?:^(-)?| ([+-]) )(?:(\d[\d.e-]*)\\,)?({_ANY})(?:\(t-(\d+)\))?")

_WORDS = (
    (r"\mathbf{G}", "G"), (r"\mathbf{F}", "F"), (r"\mathbf{U}", "U"), (r"\neg ", "!"), (r"\wedge", "&"),
    (r"\vee", "|"), (r"\rightarrow", "->"), (r"\top", "true"), (r"\bot", "false"), (r"\leq", "<="),
    (r"\geq", ">="), (r"\mathrm{tube}", "tube"), (r"\mathrm{rel}", "rel"), (r"\mathrm{step}", "step"),
    (r"\sim", "~"), (r"\pm", "+-"), (r"\infty", "inf"), (r",\,", " "), (r"\,", " "), ("\\ ", " "),
)  # fmt: skip


def from_latex(text: str, channel_names: Sequence[str] | None = None) -> Formula:
    """The formula that :meth:`Formula.to_latex` wrote; names hold letters, digits, spaces and underscores."""
    plain = re.sub(r" \\times 10\^\{(-?\d+)\}", r"e\1", text)
    plain = re.sub(r"x_\{(\d+)\}", r"x\1", plain)
    for name in sorted(channel_names or (), key=len, reverse=True):
        written = name.replace("_", r"\_").replace(" ", r"\ ")
        plain = plain.replace(rf"\mathrm{{{written}}}", f'"{name}"')
    plain = plain.replace(r"\mathrm{zscore}", "zscore")
    plain = re.sub(rf"\|{_CHANGE}\|", lambda m: f"abs({m[2]} - {m[2]}@{m[1] or 1})", plain)
    plain = re.sub(_CHANGE, lambda m: f"({m[2]} - {m[2]}@{m[1] or 1})", plain)
    plain = re.sub(_MEAN, r"mean(\2, \1)", plain)
    plain = re.sub(_SUM, _sum_text, plain)
    plain = re.sub(r"\\mathrm\{atleast\}_\{(\d+)\}\(", r"atleast(\1; ", plain)
    plain = re.sub(rf"(~|\\sim) \(({_NUMBER}(?:,\\,{_NUMBER})*)\)", r"\1 \2", plain)
    plain = re.sub(r"_\{([\[(][^}]*[\])])\}", r"\1", plain)
    for written, read in _WORDS:
        plain = plain.replace(written, read)
    return parse(plain, channel_names)


def _sum_text(found: re.Match[str]) -> str:
    """A sum as the parser reads it; a lone signal without weight and delay stays as it is."""
    terms = [
        (one or other or "+", weight or "1", signal, delay)
        for one, other, weight, signal, delay in _ONE_TERM.findall(found[0])
    ]
    if len(terms) == 1 and terms[0][:2] == ("+", "1") and not terms[0][3]:
        return found[0]
    said = [
        f"{'-' if sign == '-' else ''}{weight}*{signal}{f'@{delay}' if delay else ''}"
        for sign, weight, signal, delay in terms
    ]
    return f"sum({', '.join(said)})"


def through_rtamt(formula: Formula) -> Formula:
    """The formula that RTAMT is told, with the signals that its variables stand for."""
    variables = rtamt_variables(formula)
    text = to_rtamt(formula).replace("0 <= 1e999", "true").replace("0 >= 1e999", "false")
    return _with_signals(parse(text, list(variables)), dict(enumerate(variables.values())))


def _with_signals(formula: Formula, by_number: Mapping[int, Quantity]) -> Formula:
    if isinstance(formula, Atom):
        assert isinstance(formula.signal, Signal)
        return Atom(by_number[formula.signal.channel], formula.relation, formula.threshold)
    return rebuild(formula, tuple(_with_signals(part, by_number) for part in children(formula)))
