"""Shorter formulas of equal meaning, with every step of the way named and guaranteed."""

from stelle_nb.simplify.rule import Guarantee, Rule
from stelle_nb.simplify.rules import LOGICAL_RULES
from stelle_nb.simplify.rules.data import DATA_RULES, TRUTH_RULES
from stelle_nb.simplify.simplification import simplify
from stelle_nb.simplify.trace import Step, Trace

__all__ = ["simplify", "Trace", "Step", "Rule", "Guarantee", "LOGICAL_RULES", "DATA_RULES", "TRUTH_RULES"]
