"""Matplotlib figures for print."""
