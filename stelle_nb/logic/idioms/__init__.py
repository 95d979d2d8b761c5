"""Idioms: the ways in which people describe signals, each an ordinary formula.

An idiom is one module of ``catalogue``: its canonical form, its sentence, what to draw, and how it is
sampled from training cases. A new module there is found automatically.
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
