"""Explanations: which formula speaks for a case or a class, and what it is worth."""
