"""A rewriting rule: a small function on formulas with a name and a stated guarantee."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, final

from stelle_nb.logic.syntax import Formula

Guarantee = Literal["every signal", "given signals", "sign on given signals"]
"""Where a step keeps what: robustness on every signal, robustness on the signals that were given,
or only satisfaction (the sign of robustness) on the signals that were given."""

Rewriting = Callable[[Formula], Formula | None]

GUARANTEES: tuple[Guarantee, ...] = ("every signal", "given signals", "sign on given signals")


@final
@dataclass(frozen=True, slots=True)
class Rule:
    """One law by which a formula may be rewritten.

    Parameters
    ----------
    name
        Unique among all rules.
    explanation
        Why the law holds, in words for a student.
    guarantee
        The strongest guarantee a step by this rule can have.
    function
        From a node to what it becomes, or None where the rule has nothing to say. A rule that
        holds on every signal gives a result; a data-aware one gives a proposal, which counts
        only after it has been tried on the given signals.
    """

    name: str
    explanation: str
    guarantee: Guarantee
    function: Rewriting

    def __str__(self) -> str:
        return self.name


def law(name: str) -> Callable[[Rewriting], Rule]:
    """Decorate a function as a rule that keeps robustness on every signal; its docstring explains."""
    return lambda function: Rule(name, _explanation(function), "every signal", function)


def proposal(name: str, guarantee: Guarantee = "given signals") -> Callable[[Rewriting], Rule]:
    """Decorate a function as a rule whose results must be tried on the given signals."""
    return lambda function: Rule(name, _explanation(function), guarantee, function)


def _explanation(function: Rewriting) -> str:
    return " ".join((function.__doc__ or "").split())
