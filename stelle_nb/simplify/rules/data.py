"""Rules that hold on given signals only: proposals to leave out what decides nothing there."""

from __future__ import annotations

from stelle_nb.logic.interval import Interval
from stelle_nb.logic.syntax import Always, And, Eventually, Formula, Implies, Not, Or, Truth, Until
from stelle_nb.simplify.rule import Rule, proposal


@proposal("idle left conjunct")
def idle_left_conjunct(formula: Formula) -> Formula | None:
    """On none of the given signals is the left part the one that decides."""
    return formula.right if isinstance(formula, And) else None


@proposal("idle right conjunct")
def idle_right_conjunct(formula: Formula) -> Formula | None:
    """On none of the given signals is the right part the one that decides."""
    return formula.left if isinstance(formula, And) else None


@proposal("idle left disjunct")
def idle_left_disjunct(formula: Formula) -> Formula | None:
    """On none of the given signals is the left alternative the one that decides."""
    return formula.right if isinstance(formula, Or) else None


@proposal("idle right disjunct")
def idle_right_disjunct(formula: Formula) -> Formula | None:
    """On none of the given signals is the right alternative the one that decides."""
    return formula.left if isinstance(formula, Or) else None


@proposal("idle condition")
def idle_condition(formula: Formula) -> Formula | None:
    """On none of the given signals does the condition decide: its conclusion is enough."""
    return formula.right if isinstance(formula, Implies) else None


@proposal("idle conclusion")
def idle_conclusion(formula: Formula) -> Formula | None:
    """On none of the given signals does the conclusion decide: the condition fails."""
    return Not(formula.left) if isinstance(formula, Implies) else None


@proposal("idle window")
def idle_window(formula: Formula) -> Formula | None:
    """On the given signals the present sample decides: no other of the window does."""
    return formula.child if isinstance(formula, Always | Eventually) else None


@proposal("idle left of until")
def idle_left_of_until(formula: Formula) -> Formula | None:
    """On none of the given signals does the left side decide: only the right one does."""
    return Eventually(formula.right, formula.interval) if isinstance(formula, Until) else None


@proposal("idle right of until")
def idle_right_of_until(formula: Formula) -> Formula | None:
    """On none of the given signals does the right side decide: only the left one does."""
    if not isinstance(formula, Until):
        return None
    start = formula.interval.start
    return formula.left if start == 0 else Always(formula.left, Interval(0, start))


@proposal("true on the given signals", "sign on given signals")
def true_on_the_given_signals(formula: Formula) -> Formula | None:
    """Each given signal is satisfied or violated as before if this part is taken as true."""
    return None if isinstance(formula, Truth) else Truth(True)


@proposal("false on the given signals", "sign on given signals")
def false_on_the_given_signals(formula: Formula) -> Formula | None:
    """Each given signal is satisfied or violated as before if this part is taken as false."""
    return None if isinstance(formula, Truth) else Truth(False)


DATA_RULES: tuple[Rule, ...] = (
    idle_left_conjunct,
    idle_right_conjunct,
    idle_left_disjunct,
    idle_right_disjunct,
    idle_condition,
    idle_conclusion,
    idle_window,
    idle_left_of_until,
    idle_right_of_until,
)

TRUTH_RULES: tuple[Rule, ...] = (true_on_the_given_signals, false_on_the_given_signals)
"""The truth map of the paper: these keep satisfaction, never robustness."""
