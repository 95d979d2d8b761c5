"""Applying rules until none applies, with a record of every step."""

from __future__ import annotations

from stelle_nb.errors import FormulaError
from stelle_nb.logic.syntax import MAX_DEPTH, And, Formula, Or
from stelle_nb.logic.traversal import Path, children, rebuild
from stelle_nb.rewrite.rule import Guarantee, Rule
from stelle_nb.rewrite.rules import EARLY_RULES, LOGICAL_RULES
from stelle_nb.rewrite.trace import NodeChange, exchanged


class Engine:
    """A formula being simplified.

    Constants and negations are handled on the way down, everything else on the way up: parts are
    simplified before the whole they belong to, left before right. At each node the first rule that
    applies wins, so the steps are deterministic.

    Notes
    -----
    It ends: let the measure of a formula be its size with every negation pushed as far as that
    pays (:func:`stelle_nb.rewrite.rules.negation.sizes`). No rule raises it, and rules
    that leave it alone push a negation down, or make fewer implications, untils, atoms,
    one-sample eventuallys or smaller interval bounds, none of which another rule undoes. At rest no
    negation is left to push, so the measure is the size itself and the result is never
    longer than the input.
    """

    def __init__(self, formula: Formula) -> None:
        self.formula = formula
        self.edits: list[NodeChange] = []
        self._at_rest: dict[int, Formula] = {}  # by identity; the value keeps the identity taken

    def rest(self) -> None:
        """Apply the rules that hold on every signal until none applies."""
        self.formula = self._settle((), self.formula, None)

    def apply(self, rule: Rule, path: Path, part: Formula, guarantee: Guarantee) -> None:
        """Exchange the node at ``path`` for ``part``, and bring the formula to rest again."""
        self.edits.append(NodeChange(rule, path, part, guarantee))
        self.formula = exchanged(self.formula, path, part)
        self.rest()

    def _settle(self, path: Path, node: Formula, parent: Formula | None) -> Formula:
        while id(node) not in self._at_rest:
            # A link of a longer chain is left to the top of the chain, which sees it as a whole.
            is_link = isinstance(node, And | Or) and type(node) is type(parent)
            new = None if is_link else self._rewrite(path, node, EARLY_RULES)
            if new is None:
                parts = tuple(self._settle((*path, i), part, node) for i, part in enumerate(children(node)))
                node = rebuild(node, parts)
                if is_link:
                    return node
                new = self._rewrite(path, node, LOGICAL_RULES)
            if new is None:
                self._at_rest[id(node)] = node
            else:
                node = new
        return node

    def _rewrite(self, path: Path, node: Formula, rules: tuple[Rule, ...]) -> Formula | None:
        for rule in rules:
            try:
                part = rule.function(node)
            except FormulaError:  # the one a rule can meet: its result would be nested too deep
                continue
            if part is not None and len(path) + part.depth <= MAX_DEPTH:
                self.edits.append(NodeChange(rule, path, part, rule.guarantee))
                return part
        return None
