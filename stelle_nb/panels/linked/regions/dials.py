"""The gammas as controls: from shorter to more complete, each with what it changed in this case."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from stelle_nb.explain.explanation import percent
from stelle_nb.explain.local.local_clause import Gammas
from stelle_nb.explain.local.local_explanation import LocalExplanation
from stelle_nb.explain.local.reasons import MAX_SHOWN

MAX_CONCEPTS = 40  # that are considered, of a model without a card
MOST_L, MOST_G = 0.95, 0.5


@dataclass(frozen=True, slots=True)
class Dial:
    """A control.

    Parameters
    ----------
    name
        The paper's name of it.
    label, left, right
        What it is called, and what its ends mean.
    value
        None if it is switched off.
    can_be_off
        Whether it may be switched off.
    effect
        What it changed.
    disabled
        Why it can do nothing here; empty if it can.
    """

    name: str
    label: str
    left: str
    right: str
    low: float
    high: float
    step: float
    value: float | None
    can_be_off: bool
    effect: str
    disabled: str = ""


def dials_of(
    why: LocalExplanation,
    gamma_g: float | None,
    target: str,
    of_class: str,
    explain: Callable[[Gammas], LocalExplanation],
) -> list[Dial]:
    """The four gammas for one explanation.

    Parameters
    ----------
    gamma_g
        As asked for; None if the formula of the class is not shown.
    target
        Name of the class.
    of_class
        What is said of the whole class, or that it is looked for.
    explain
        Explains the same case with other gammas, to see whether they make a difference.
    """
    return [
        _share_dial(why, target),
        _count_dial(why, target),
        _separating_dial(why, explain),
        Dial(
            "gamma_g",
            f"what all {target} have in common",
            "complete",
            "shorter",
            0.0,
            MOST_G,
            0.05,
            gamma_g,
            True,
            of_class if gamma_g is not None else "not shown",
        ),
    ]


def effect_of(why: LocalExplanation, target: str) -> str:
    """How much is shown.

    A score card shows some of the formulas that speak for the class; another model considers concepts.
    """
    share, n = percent(why.relevance_share), len(why.shown)
    if why.sheet is None:
        many = "concept" if n == 1 else "concepts"
        return f"{n} {many} of {why.considered} considered, {share} of the decision"
    n_for = len(why.sheet.speaking_for)
    return f"{n} of {n_for} reason{'s' * (n_for != 1)}, {share} of what speaks for {target}"


def _share_dial(why: LocalExplanation, target: str) -> Dial:
    gammas, disabled = why.gammas, ""
    if gammas.gamma is not None:
        disabled = "A fixed number of reasons is asked for."
    elif why.sheet is not None and len(why.sheet.speaking_for) < 2:
        disabled = f"No more than one formula speaks for {target} here: there is nothing to choose."
    return Dial(
        "gamma_t",
        "How long?",
        "shorter",
        "more complete",
        0.05,
        1.0,
        0.05,
        gammas.gamma_t,
        False,
        effect_of(why, target),
        disabled,
    )


def _count_dial(why: LocalExplanation, target: str) -> Dial:
    gamma = why.gammas.gamma
    most = MAX_CONCEPTS if why.sheet is None else min(MAX_SHOWN, max(1, len(why.sheet.speaking_for)))
    unit = "concepts considered" if why.sheet is None else "reasons"
    disabled = "" if most > 1 else f"No more than one formula speaks for {target} here."
    effect = "off: the share above decides" if gamma is None else effect_of(why, target)
    high = float(max(most, gamma or 1))
    value = None if gamma is None else float(gamma)
    return Dial(
        "gamma", f"a fixed number of {unit}", "1", f"{high:g}", 1.0, high, 1.0, value, True, effect, disabled
    )


def _separating_dial(why: LocalExplanation, explain: Callable[[Gammas], LocalExplanation]) -> Dial:
    gammas = why.gammas
    without = why if gammas.gamma_l == 0 else explain(replace(gammas, gamma_l=0.0))
    dropped = len(without.conjuncts) - len(why.conjuncts)
    n = len(without.conjuncts)
    if gammas.gamma_l > 0:
        effect = f"{max(0, dropped)} of {n} dropped, because they exclude fewer cases of other classes"
    else:
        effect = f"all {n} kept" if n != 1 else "the one reason is kept"
    strictest = explain(replace(gammas, gamma_l=MOST_L))
    same = _numbers(strictest) == _numbers(without)
    disabled = "Here it changes nothing: no reason would be dropped." if same and gammas.gamma_l == 0 else ""
    return Dial(
        "gamma_l",
        "drop reasons that exclude few other cases",
        "keep all",
        "drop most",
        0.0,
        MOST_L,
        0.05,
        gammas.gamma_l,
        False,
        effect,
        disabled,
    )


def _numbers(why: LocalExplanation) -> list[int]:
    return [part.number for part in why.conjuncts]
