"""Formulas as values: syntax tree, parser, notations. Pure Python, no torch."""
