"""Leaving out the parts of a formula that decide nothing on given signals."""

from __future__ import annotations

from dataclasses import dataclass

from stelle_nb.logic.syntax import Formula
from stelle_nb.logic.traversal import Path, walk
from stelle_nb.rewrite.engine import Engine
from stelle_nb.rewrite.judge import Judge
from stelle_nb.rewrite.rule import Rule
from stelle_nb.rewrite.rules.data import DATA_RULES, TRUTH_RULES


@dataclass(frozen=True, slots=True)
class _Proposal:
    rule: Rule
    path: Path
    part: Formula
    gain: int


def drop_idle_parts(engine: Engine, judge: Judge) -> None:
    """Accept the proposal that saves most, bring the formula to rest, and begin again."""
    groups = (DATA_RULES,) if judge.guarantee == "given signals" else (TRUTH_RULES, DATA_RULES)
    while True:
        for rules in groups:
            accepted = _best(engine.formula, rules, judge)
            if accepted is not None:
                break
        else:
            return
        engine.apply(accepted.rule, accepted.path, accepted.part, judge.guarantee)


def _best(formula: Formula, rules: tuple[Rule, ...], judge: Judge) -> _Proposal | None:
    proposals = _proposals(formula, rules)
    i = judge.first(formula, [(proposal.path, proposal.part) for proposal in proposals])
    return None if i is None else proposals[i]


def _proposals(formula: Formula, rules: tuple[Rule, ...]) -> list[_Proposal]:
    """What could be left out, the largest savings first, then in reading order."""
    found = [
        _Proposal(rule, path, part, node.size - part.size)
        for path, node in walk(formula)
        for rule in rules
        if (part := rule.function(node)) is not None
    ]
    return sorted(found, key=lambda proposal: -proposal.gain)
