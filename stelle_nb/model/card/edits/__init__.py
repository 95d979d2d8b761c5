"""Edits of a card by hand: their history, refitted points, and further formulas."""
