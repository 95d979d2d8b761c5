"""Explanations of cases and classes by formulas, with their quality."""
