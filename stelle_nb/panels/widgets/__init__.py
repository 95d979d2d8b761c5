"""Widgets that panels are made of: charts, the signal editor, the formula field, controls."""
