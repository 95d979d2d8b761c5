"""The record of a simplification: every step with its rule, its place and its guarantee."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import final

from stelle_nb.errors import SimplifyError
from stelle_nb.logic.syntax import Formula
from stelle_nb.logic.traversal import Path, children, node_at, rebuild
from stelle_nb.rewrite.rule import GUARANTEES, Guarantee, Rule


@final
@dataclass(frozen=True, slots=True)
class Step:
    """One application of one rule.

    Parameters
    ----------
    rule
        What was applied; ``rule.name`` and ``rule.explanation`` say it in words.
    path
        Where: the node of ``before`` that was exchanged, see :func:`stelle_nb.logic.traversal.node_at`.
    before, after
        The whole formula on both sides of the step.
    guarantee
        On which signals the step keeps robustness, or its sign.
    """

    rule: Rule
    path: Path
    before: Formula
    after: Formula
    guarantee: Guarantee

    @property
    def part_before(self) -> Formula:
        """The part that the rule rewrote."""
        return node_at(self.before, self.path)

    @property
    def part_after(self) -> Formula:
        """What the part became."""
        return node_at(self.after, self.path)

    def __str__(self) -> str:
        return f"{self.rule.name}: {self.part_before} => {self.part_after}"


@final
@dataclass(frozen=True, slots=True)
class NodeChange:
    """A step without the formula around it: what the node at ``path`` became, and by which rule."""

    rule: Rule
    path: Path
    part: Formula
    guarantee: Guarantee


@final
@dataclass(frozen=True, repr=False)
class Trace:
    """A formula, the steps of its simplification and what came out.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> from stelle_nb.rewrite import simplify
    >>> trace = simplify(parse("!(x0 <= 1 | !F x1 > 2)"))
    >>> print(trace.result)
    x0 > 1.0 & F (x1 > 2.0)
    >>> for step in trace.steps:
    ...     print(step)
    negated disjunction: !(x0 <= 1.0 | !F (x1 > 2.0)) => !(x0 <= 1.0) & !!F (x1 > 2.0)
    negated bound: !(x0 <= 1.0) => x0 > 1.0
    double negation: !!F (x1 > 2.0) => F (x1 > 2.0)
    """

    formula: Formula
    result: Formula
    edits: tuple[NodeChange, ...]

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The steps with the whole formulas before and after; these are built when first asked for."""
        steps: list[Step] = []
        current = self.formula
        for edit in self.edits:
            after = exchanged(current, edit.path, edit.part)
            steps.append(Step(edit.rule, edit.path, current, after, edit.guarantee))
            current = after
        return tuple(steps)

    @property
    def formulas(self) -> tuple[Formula, ...]:
        """The input and the whole formula after each step."""
        return (self.formula, *(step.after for step in self.steps))

    @property
    def guarantee(self) -> Guarantee:
        """What the result keeps of the input: the weakest guarantee of any step."""
        return max((edit.guarantee for edit in self.edits), key=GUARANTEES.index, default="every signal")

    def replay(self) -> Iterator[Formula]:
        """Replay the steps, one formula at a time, beginning with the input.

        Rules that hold on every signal are applied again and must give what was recorded;
        a data-aware step is taken from the record.
        """
        current = self.formula
        yield current
        for edit in self.edits:
            part = node_at(current, edit.path)
            if edit.guarantee == "every signal" and edit.rule.function(part) != edit.part:
                raise SimplifyError(
                    f"A step must follow from its rule, got {edit.part} from {part} by {edit.rule}. "
                    "Simplify the formula again."
                )
            current = exchanged(current, edit.path, edit.part)
            yield current

    def __len__(self) -> int:
        return len(self.edits)

    def __repr__(self) -> str:
        sizes = f"{self.formula.size} -> {self.result.size} nodes"
        return f"<Trace: {len(self)} steps, {sizes}, keeps {_kept(self.guarantee)}; result {self.result}>"


def _kept(guarantee: Guarantee) -> str:
    what = "satisfaction" if guarantee.startswith("sign") else "robustness"
    return f"{what} on {'every signal' if guarantee == 'every signal' else 'the given signals'}"


def exchanged(formula: Formula, path: Path, new: Formula) -> Formula:
    """The formula with the node at ``path`` exchanged for ``new``, in time linear in its depth."""
    above: list[Formula] = []
    for i in path:
        above.append(formula)
        formula = children(formula)[i]
    for node, i in zip(reversed(above), reversed(path), strict=True):
        parts = children(node)
        new = rebuild(node, (*parts[:i], new, *parts[i + 1 :]))
    return new
