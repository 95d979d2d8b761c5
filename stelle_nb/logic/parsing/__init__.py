"""Formulas from text."""
