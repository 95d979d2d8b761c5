"""Shorter formulas of equal meaning, with a named rule and a guarantee for every step."""

from stelle_nb.rewrite.idle_parts import DATA_RULES, TRUTH_RULES
from stelle_nb.rewrite.rule import Guarantee, Rule
from stelle_nb.rewrite.rules import LOGICAL_RULES
from stelle_nb.rewrite.simplification import simplify
from stelle_nb.rewrite.trace import Step, Trace

__all__ = ["simplify", "Trace", "Step", "Rule", "Guarantee", "LOGICAL_RULES", "DATA_RULES", "TRUTH_RULES"]
