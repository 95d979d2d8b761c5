"""Altair charts for the screen."""
