"""Formulas sampled at random: from templates, from the grammar, and in families that fit given data."""
