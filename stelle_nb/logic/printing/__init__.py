"""Formulas as text: plain, in symbols, as LaTeX, in English and for other tools."""
