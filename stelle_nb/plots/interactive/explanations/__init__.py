"""Altair charts of explanations."""
