"""Leaving out the parts of a formula that decide nothing on given signals: proposals and their choice."""

from __future__ import annotations

from dataclasses import dataclass, replace

from stelle_nb.logic.interval import Interval
from stelle_nb.logic.syntax import Always, And, Eventually, Formula, Implies, Not, Or, Truth, Tube, Until
from stelle_nb.logic.traversal import Path, walk
from stelle_nb.rewrite.engine import Engine
from stelle_nb.rewrite.judge import Judge
from stelle_nb.rewrite.rule import Rule, proposal
from stelle_nb.rewrite.rules.temporal import lasting


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
    return lasting(formula.left, formula.interval.start) if isinstance(formula, Until) else None


@proposal("idle first track")
def idle_first_track(formula: Formula) -> Formula | None:
    """On none of the given signals does the first signal of the shape decide."""
    return _without_track(formula, 0)


@proposal("idle second track")
def idle_second_track(formula: Formula) -> Formula | None:
    """On none of the given signals does the second signal of the shape decide."""
    return _without_track(formula, 1)


@proposal("idle third track")
def idle_third_track(formula: Formula) -> Formula | None:
    """On none of the given signals does the third signal of the shape decide."""
    return _without_track(formula, 2)


@proposal("idle end of a shape")
def idle_end_of_a_shape(formula: Formula) -> Formula | None:
    """On none of the given signals does the last point of the shape decide."""
    if not isinstance(formula, Tube):
        return None
    last = max(track.first_offset + len(track.points) for track in formula.tracks)
    points = [t.points[: last - 1 - t.first_offset] for t in formula.tracks]
    return _with_points(formula, points, formula.interval)


@proposal("idle beginning of a shape")
def idle_beginning_of_a_shape(formula: Formula) -> Formula | None:
    """On none of the given signals does the first point of the shape decide, so it begins a step later."""
    if not isinstance(formula, Tube) or any(track.is_relative for track in formula.tracks):
        return None
    later = formula.interval + Interval(formula.step, formula.step)
    return _with_points(formula, [track.points[1:] for track in formula.tracks], later)


@proposal("true on the given signals", "sign on given signals")
def true_on_the_given_signals(formula: Formula) -> Formula | None:
    """Each given signal is satisfied or violated as before if this part is taken as true."""
    return None if isinstance(formula, Truth) else Truth(True)


@proposal("false on the given signals", "sign on given signals")
def false_on_the_given_signals(formula: Formula) -> Formula | None:
    """Each given signal is satisfied or violated as before if this part is taken as false."""
    return None if isinstance(formula, Truth) else Truth(False)


def _without_track(formula: Formula, i: int) -> Formula | None:
    if not isinstance(formula, Tube) or not i < len(formula.tracks) > 1:
        return None
    return replace(formula, tracks=formula.tracks[:i] + formula.tracks[i + 1 :])


def _with_points(tube: Tube, points: list[tuple[float, ...]], interval: Interval) -> Formula | None:
    """The tube with other points; a track that has none left goes, and the tube with the last track."""
    pairs = zip(tube.tracks, points, strict=True)
    tracks = tuple(replace(track, points=kept) for track, kept in pairs if kept)
    return replace(tube, tracks=tracks, interval=interval) if tracks else None


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
    idle_first_track,
    idle_second_track,
    idle_third_track,
    idle_end_of_a_shape,
    idle_beginning_of_a_shape,
)

TRUTH_RULES: tuple[Rule, ...] = (true_on_the_given_signals, false_on_the_given_signals)
"""The truth map of the paper: these keep satisfaction, never robustness."""


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
