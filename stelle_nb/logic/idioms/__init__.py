"""Idioms: the ways in which people speak of signals, each an ordinary formula.

An idiom is one module here: what it looks like in canonical form, its sentence, what to draw, and how it is
drawn from training cases. A new one is added to the tuple of :mod:`stelle_nb.logic.idioms.registry`.
"""

from __future__ import annotations

from stelle_nb.logic.idioms.idiom import Idiom, Mark, Match
from stelle_nb.logic.idioms.material import Material
from stelle_nb.logic.idioms.registry import BY_NAME, IDIOMS, brief, clause, recognise, sentence
from stelle_nb.logic.idioms.words import Words

__all__ = [
    "IDIOMS",
    "BY_NAME",
    "Idiom",
    "Match",
    "Mark",
    "Material",
    "Words",
    "recognise",
    "sentence",
    "brief",
    "clause",
]
