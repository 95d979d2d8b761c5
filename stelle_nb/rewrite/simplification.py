"""One call that simplifies a formula."""

from __future__ import annotations

from typing import get_args

from stelle_nb.errors import NotAFormulaError, SimplifyError
from stelle_nb.logic.syntax import Formula
from stelle_nb.rewrite.engine import Engine
from stelle_nb.rewrite.idle_parts import drop_idle_parts
from stelle_nb.rewrite.judge import Judge, Keep
from stelle_nb.rewrite.narrow import narrow_windows as _narrow_windows
from stelle_nb.rewrite.trace import Trace
from stelle_nb.semantics.arrays import Array


def simplify(
    formula: Formula, X: Array | None = None, *, keep: Keep = "robustness", narrow_windows: bool = False
) -> Trace:
    """Rewrite a formula into a shorter one of equal meaning, with all steps.

    Without ``X`` the result has exactly the robustness of the input on every signal and at every
    time. With ``X`` parts that decide nothing on these signals are left out as well. The result is
    never longer than the input, and simplifying it again changes nothing.

    Parameters
    ----------
    formula
        Any formula.
    X
        Signals ``(n_cases, n_channels, n_timepoints)`` on which the result must agree with the input
        at the first sample.
    keep
        What must stay as it was on ``X``: ``"robustness"``, or only its ``"sign"``, that is whether
        each case satisfies the formula. The latter is the truth map of the paper; it says
        something only if some cases of ``X`` satisfy the formula and some do not.
    narrow_windows
        Also shrink windows to the samples that decide on ``X``. This makes a formula more
        definite, not shorter.

    Returns
    -------
    Trace
        ``trace.result`` is the simplified formula, ``trace.steps`` the way there.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> trace = simplify(parse("!(G[0,20] G[5,10] x0 <= 0.3)"))
    >>> print(trace.result)
    F[5,30] (x0 > 0.3)
    >>> [step.rule.name for step in trace.steps]
    ['negated always', 'negated always', 'negated bound', 'nested windows']
    """
    if not isinstance(formula, Formula):
        raise NotAFormulaError(f"A formula was expected, got {formula!r}. Use parse() to convert text.")
    if str(keep) not in get_args(Keep):
        raise SimplifyError(f'keep must be "robustness" or "sign", got {keep!r}.')
    if not isinstance(narrow_windows, bool):
        raise SimplifyError(f"narrow_windows must be True or False, got {narrow_windows!r}.")
    if X is None and (keep == "sign" or narrow_windows):
        raise SimplifyError("keep and narrow_windows need signals, got X=None. Pass the signals as X.")
    judge = None if X is None else Judge(formula, X, keep)  # validates X before any work is done
    engine = Engine(formula)
    engine.rest()
    if judge is not None:
        drop_idle_parts(engine, judge)
        if narrow_windows:
            _narrow_windows(engine, judge)
            drop_idle_parts(engine, judge)
    return Trace(formula, engine.formula, tuple(engine.edits))
