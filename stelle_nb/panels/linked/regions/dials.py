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
LENGTH, SEPARATING, OF_CLASS = (
    ("shorter", "more complete"),
    ("keep all", "drop most"),
    ("complete", "shorter"),
)
NOTHING_DROPPED = "Here it changes nothing: no reason would be dropped."


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
        What it changed, or why it can change nothing.
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


@dataclass(frozen=True, slots=True)
class OfClass:
    """What is known of a whole class.

    Parameters
    ----------
    words
        What its cases have in common, or a note that this is being computed.
    is_fixed
        Whether its formula stays the same, however many cases it may give up.
    """

    words: str = ""
    is_fixed: bool = False


def dials_of(
    why: LocalExplanation,
    gamma_g: float | None,
    target: str,
    of_class: OfClass,
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
        What is known of the whole class.
    explain
        Explains the same case with other gammas, to see whether they make a difference.
    """
    return [
        _share_dial(why, target),
        _count_dial(why, target),
        separating_dial(why, explain),
        _class_dial(gamma_g, target, of_class),
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
    is_cut = n == MAX_SHOWN and why.gammas.gamma is None and why.relevance_share < why.gammas.gamma_t
    most = f" (at most {MAX_SHOWN} are shown)" if is_cut else ""
    return f"{n} of {n_for} reason{'s' * (n_for != 1)}{most}, {share} of what speaks for {target}"


def _class_dial(gamma_g: float | None, target: str, of_class: OfClass) -> Dial:
    disabled = f"Here it changes nothing: giving up cases makes the formula of {target} no shorter."
    disabled = disabled if of_class.is_fixed else ""
    effect = f"{of_class.words} {disabled}".strip() if gamma_g is not None else "not shown"
    label = f"what all cases of {target} have in common"
    return Dial("gamma_g", label, *OF_CLASS, 0.0, MOST_G, 0.05, gamma_g, True, effect, disabled)


def _share_dial(why: LocalExplanation, target: str) -> Dial:
    gammas, disabled = why.gammas, ""
    if gammas.gamma is not None:
        disabled = "A fixed number of reasons is set."
    elif why.sheet is not None and len(why.sheet.speaking_for) < 2:
        disabled = f"No more than one formula speaks for {target} here: there is nothing to choose."
    return Dial(
        "gamma_t",
        "Length of the explanation",
        *LENGTH,
        0.05,
        1.0,
        0.05,
        gammas.gamma_t,
        False,
        disabled or effect_of(why, target),
        disabled,
    )


def _count_dial(why: LocalExplanation, target: str) -> Dial:
    gamma = why.gammas.gamma
    most = MAX_CONCEPTS if why.sheet is None else min(MAX_SHOWN, max(1, len(why.sheet.speaking_for)))
    unit = "concepts considered" if why.sheet is None else "reasons"
    disabled = "" if most > 1 else f"No more than one formula speaks for {target} here."
    effect = disabled or ("off: the share above decides" if gamma is None else effect_of(why, target))
    high = float(max(most, gamma or 1))
    value = None if gamma is None else float(gamma)
    return Dial(
        "gamma", f"a fixed number of {unit}", "1", f"{high:g}", 1.0, high, 1.0, value, True, effect, disabled
    )


def separating_dial(why: LocalExplanation, explain: Callable[[Gammas], LocalExplanation]) -> Dial:
    """The dial that drops reasons; see :func:`dials_of`."""
    gammas = why.gammas
    without = why if gammas.gamma_l == 0 else explain(replace(gammas, gamma_l=0.0))
    dropped = len(without.conjuncts) - len(why.conjuncts)
    n = len(without.conjuncts)
    if gammas.gamma_l > 0:
        few = "because they exclude too few cases of other classes"
        effect = f"{dropped} of {n} dropped, {few}" if dropped > 0 else f"none of {n} dropped"
    else:
        effect = f"all {n} kept" if n != 1 else "the one reason is kept"
    strictest = explain(replace(gammas, gamma_l=MOST_L))
    same = _numbers(strictest) == _numbers(without)
    disabled = NOTHING_DROPPED if same and gammas.gamma_l == 0 else ""
    return Dial(
        "gamma_l",
        "drop reasons that exclude few other cases",
        *SEPARATING,
        0.0,
        MOST_L,
        0.05,
        gammas.gamma_l,
        False,
        disabled or effect,
        disabled,
    )


def _numbers(why: LocalExplanation) -> list[int]:
    return [part.number for part in why.conjuncts]
