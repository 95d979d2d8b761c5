"""Concepts: templates, samplers, selection, and the sets that models see the world through."""

from stelle_nb.concepts.concept_set import ConceptSet
from stelle_nb.concepts.families import sample_averages, sample_intervals, sample_nested, sample_two_events
from stelle_nb.concepts.files import default_concepts
from stelle_nb.concepts.grammar import Grammar, sample_grammar
from stelle_nb.concepts.parameters import ParameterGrid
from stelle_nb.concepts.recipe import Recipe
from stelle_nb.concepts.templates import templates
from stelle_nb.concepts.tubes import sample_tubes

__all__ = [
    "ConceptSet",
    "Recipe",
    "default_concepts",
    "templates",
    "ParameterGrid",
    "Grammar",
    "sample_grammar",
    "sample_intervals",
    "sample_nested",
    "sample_two_events",
    "sample_averages",
    "sample_tubes",
]
