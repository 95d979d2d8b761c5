"""Texts of panels as HTML, with all user text escaped."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

import pandas as pd

from stelle_nb.depict.class_names import class_name
from stelle_nb.depict.page import facts_html, table_html
from stelle_nb.depict.regions import Case
from stelle_nb.depict.rows import row_names
from stelle_nb.depict.wording import Wording
from stelle_nb.explain.explanation import Explanation
from stelle_nb.explain.local.local_explanation import LocalExplanation
from stelle_nb.explain.local.printing.reasons_html import reasons_html, sheet_html, verdict_text, warning_html
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.printing.time_words import Clock
from stelle_nb.logic.syntax import Truth
from stelle_nb.logic.traversal import Path, node_at, quantities, replace_at
from stelle_nb.markup import render_macro
from stelle_nb.semantics.witness import witness

_TEMPLATE = "panels/widgets/templates/panel_words.html"


def code_html(text: str) -> str:
    """A formula in symbols."""
    return render_macro(_TEMPLATE, "code", text)


def marked_html(formula: Formula, path: Path, wording: Wording) -> str:
    """A formula in symbols with one of its parts marked.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> marked_html(parse("x0 > 1 & F x1 > 2"), (1,), Wording())
    '<code class="stelle-formula">x₀ &gt; 1 ∧ <mark>◇ (x₁ &gt; 2)</mark></code>'
    """
    whole = wording.unicode(formula)
    # what changes in the text when the part is exchanged is the text of the part
    other = wording.unicode(replace_at(formula, path, Truth(node_at(formula, path) != Truth(True))))
    start = _n_equal(whole, other)
    rest = min(len(whole), len(other)) - start
    end = len(whole) - min(rest, _n_equal(whole[::-1], other[::-1]))
    return render_macro(_TEMPLATE, "code", whole[:start], whole[start:end], whole[end:])


def _n_equal(one: str, other: str) -> int:
    same = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return sum(1 for _ in same)


def explanation_html(explanation: Explanation, facts: Mapping[str, str], *, has_sheet: bool = False) -> str:
    """The question, the answer in words and in symbols, and the measures; for a case, the verdict first.

    Parameters
    ----------
    has_sheet
        Whether the score sheet of a card is shown below the reasons.
    """
    symbols = f"{code_html(explanation.to_unicode())}{facts_html(facts)}"
    if not isinstance(explanation, LocalExplanation):
        return render_macro(_TEMPLATE, "answer", explanation, "", symbols)
    verdict = verdict_text(explanation)
    if explanation.sheet is None:
        return render_macro(_TEMPLATE, "answer", explanation, verdict, symbols)
    reasons = reasons_html(explanation, explanation.sheet)
    if has_sheet:
        reasons += sheet_html(explanation, explanation.sheet)
    warning = warning_html(explanation)
    return render_macro(_TEMPLATE, "reasons", explanation, verdict, warning, reasons, symbols)


def witness_text(explanation: LocalExplanation) -> str:
    """Which sample decides how clearly the case satisfies the explanation."""
    return decision_text(explanation.formula, explanation.case, explanation.wording)


def decision_text(formula: Formula, case: Case, wording: Wording) -> str:
    """Which sample decides how clearly a case satisfies a formula."""
    if not formula.channels:
        return ""
    found = witness(formula, case.copy())
    if found.atom is None:
        return ""
    clock = Clock(wording.step, wording.unit)
    subject = row_names([*quantities(formula), found.atom.signal], wording)[found.atom.signal]
    when = clock.moment(min(found.time, case.shape[1] - 1))
    value = wording.value(abs(found.value), found.atom.signal)
    holds = (
        f"the formula holds by a margin of {value}" if found.value >= 0 else f"the formula fails by {value}"
    )
    return f"Decided at {when} by {subject}: {holds}."


def looking_for_html(label: Any) -> str:
    """That the formula of a class is being computed, as the beginning of a sentence."""
    return render_macro(_TEMPLATE, "looking_for", class_name(label))


def frame_html(table: pd.DataFrame) -> str:
    """A table of parts."""
    return f'<div style="overflow-x: auto">{table_html(table)}</div>'
