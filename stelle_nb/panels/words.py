"""Words of panels as HTML: every text of the user's is escaped here."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from html import escape
from typing import Any

import pandas as pd

from stelle_nb.explain.explanation import Explanation
from stelle_nb.explain.local_explanation import LocalExplanation
from stelle_nb.explain.page import facts_html, table_html
from stelle_nb.explain.regions import Case
from stelle_nb.explain.rows import row_names
from stelle_nb.explain.wording import Wording
from stelle_nb.logic.clock import Clock
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.syntax import Truth
from stelle_nb.logic.traversal import Path, node_at, quantities, replace_at
from stelle_nb.semantics.witness import witness


def code_html(text: str) -> str:
    """A formula in symbols."""
    return f'<code class="stelle-formula">{escape(text)}</code>'


def marked_html(formula: Formula, path: Path, wording: Wording) -> str:
    """A formula in symbols with one of its parts marked.

    Examples
    --------
    >>> from stelle_nb.logic.parser import parse
    >>> marked_html(parse("x0 > 1 & F x1 > 2"), (1,), Wording())
    '<code class="stelle-formula">x₀ &gt; 1 ∧ <mark>◇ (x₁ &gt; 2)</mark></code>'
    """
    whole = wording.unicode(formula)
    # what changes in the text when the part is exchanged is the text of the part
    other = wording.unicode(replace_at(formula, path, Truth(node_at(formula, path) != Truth(True))))
    start = _n_equal(whole, other)
    rest = min(len(whole), len(other)) - start
    end = len(whole) - min(rest, _n_equal(whole[::-1], other[::-1]))
    marked = f"{escape(whole[:start])}<mark>{escape(whole[start:end])}</mark>{escape(whole[end:])}"
    return f'<code class="stelle-formula">{marked}</code>'


def _n_equal(one: str, other: str) -> int:
    same = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return sum(1 for _ in same)


def explanation_html(explanation: Explanation, facts: Mapping[str, str]) -> str:
    """The question, the answer as a sentence and in symbols, and the measures."""
    return (
        f"<strong>{escape(explanation.title)}</strong><br>{escape(explanation.to_english())}<br>"
        f"{code_html(explanation.to_unicode())}{facts_html(facts)}"
    )


def witness_html(explanation: LocalExplanation) -> str:
    """Which sample decides how clearly the case satisfies the explanation."""
    return decision_html(explanation.formula, explanation.case, explanation.wording)


def decision_html(formula: Formula, case: Case, wording: Wording) -> str:
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
        f"the formula holds by a margin of {value}" if found.value >= 0 else f"it fails to hold by {value}"
    )
    return f"Decided at {escape(when)} by {escape(subject)}: {escape(holds)}."


def looking_for_html(label: Any) -> str:
    """That the formula of a class is looked for, as the beginning of a sentence."""
    return f"Looking for what {escape(str(label))} has in common"


def frame_html(table: pd.DataFrame) -> str:
    """A table of parts."""
    return f'<div style="overflow-x: auto">{table_html(table)}</div>'
