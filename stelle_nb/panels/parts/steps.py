"""The steps of a simplification: their words, and the buttons that go through them."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.depict.wording import Wording
from stelle_nb.explain.explanation import nodes_text
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.syntax import Not
from stelle_nb.logic.traversal import conjuncts, disjunction
from stelle_nb.markup import render_macro
from stelle_nb.panels.base import Panel
from stelle_nb.panels.widgets.controls import button, row
from stelle_nb.panels.widgets.panel_words import code_html, marked_html
from stelle_nb.rewrite import Trace, simplify
from stelle_nb.rewrite.trace import Step
from stelle_nb.semantics.robustness import robustness

_TEMPLATE = "panels/parts/templates/steps.html"
PACE = 1.5  # seconds in which a step can be read
_KEPT = {
    "every signal": "keeps robustness on every signal, so it may be used on any data",
    "given signals": "keeps robustness on the given signals",
    "sign on given signals": "keeps on the given signals whether the formula holds",
}


class StepButtons:
    """Start, back, next, end and play.

    Parameters
    ----------
    panel
        Its state has a ``step``, and its ``_later`` does what takes long.
    go
        Shows a step.
    total
        How many steps there are.
    """

    def __init__(self, panel: Panel[Any], go: Callable[[int], None], total: Callable[[], int]) -> None:
        self._panel, self._go, self._total = panel, go, total
        self.first = button("start", "Back to the formula before the first step")
        self.back = button("◀ back", "One step back")
        self.forth = button("next ▶", "One step forward")
        self.last = button("end", "To the last step")
        self.play = button("play", "All steps, one after the other")
        self.first.on_click(lambda _: go(0))
        self.back.on_click(lambda _: go(max(0, panel.state.step - 1)))
        self.forth.on_click(lambda _: go(min(total(), panel.state.step + 1)))
        self.last.on_click(lambda _: go(total()))
        self.play.on_click(lambda _: panel._later(self._play))
        self.view = row(self.first, self.back, self.forth, self.last, self.play)

    def show(self, step: int) -> None:
        """Enable what leads somewhere from a step."""
        n = self._total()
        self.first.disabled = self.back.disabled = step == 0
        self.last.disabled = self.forth.disabled = step == n
        self.play.disabled = n == 0

    def _play(self) -> None:
        """One step after the other, from the start if all are done; any other choice ends it."""
        panel = self._panel
        with panel.lock:
            if panel.state.step == self._total():
                self._go(0)
            shown = panel.state
        while shown.step < self._total():
            time.sleep(PACE)
            with panel.lock:
                if panel.state != shown:
                    return
                self._go(shown.step + 1)
                if panel.state == shown:
                    return  # it could not be shown, and the panel says why
                shown = panel.state


def steps_html(
    trace: Trace,
    number: int,
    wording: Wording,
    dataset: SeriesDataset | None = None,
    start: str = "The formula as it was",
) -> str:
    """A step in words, with its rule, its guarantee and the part that it changes; 0 is before the first.

    Parameters
    ----------
    dataset
        Whose training cases show whether robustness stays the same.
    start
        What to call the formula before the first step.
    """
    formula = trace.formulas[number]
    size = nodes_text(formula) + (f", at first {trace.formula.size}" if number else "")
    below = wording.english(formula), size
    if number == 0:
        symbols = code_html(wording.unicode(formula))
        return render_macro(_TEMPLATE, "start", start, _to_go(len(trace)), symbols, *below)
    step = trace.steps[number - 1]
    parts = (marked_html(each, step.path, wording) for each in (step.before, step.after))
    said = _KEPT[step.guarantee], _comparison(step, dataset)
    return render_macro(_TEMPLATE, "step", number, step.rule, *parts, *said, *below)


def _comparison(step: Step, dataset: SeriesDataset | None) -> str:
    if dataset is None:
        return "no data were given"
    rho = np.asarray(robustness([step.before, step.after], dataset.X_train.copy()), dtype=np.float64)
    same = int((rho[:, 0] == rho[:, 1]).sum())
    held = [int((column >= 0).sum()) for column in rho.T]
    return (
        f"robustness is equal before and after on {same} of {len(rho)} training cases; "
        f"the formula holds for {held[0]} before and {held[1]} after"
    )


def with_steps(formula: Formula) -> Formula:
    """The formula itself if a rule makes it shorter, else the same as "none of its opposites holds".

    Where no rule makes that shorter either, the formula is negated twice.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> short = parse("G[0,9] x0 <= 1 & F[2,3] x1 >= 2")
    >>> print(with_steps(short), "|", simplify(with_steps(short)).result == short)
    !(F[0,9] (x0 > 1.0) | G[2,3] (x1 < 2.0)) | True
    """
    if len(simplify(formula)):
        return formula
    opposite = Not(disjunction(simplify(Not(part)).result for part in conjuncts(formula)))
    return opposite if len(simplify(opposite)) else Not(Not(formula))


def _to_go(n: int) -> str:
    if n == 0:
        return "no rule makes it shorter"
    return f"{n} step{'s' * (n != 1)} to go"
