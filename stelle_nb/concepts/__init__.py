"""Concepts: templates, samplers, selection, and concept sets, the vocabulary of models."""

from stelle_nb.concepts.concept_files import default_concepts
from stelle_nb.concepts.concept_set import ConceptSet
from stelle_nb.concepts.recipe import Recipe
from stelle_nb.concepts.sampling.families import (
    sample_averages,
    sample_intervals,
    sample_nested,
    sample_two_events,
)
from stelle_nb.concepts.sampling.grammar import Grammar, sample_grammar
from stelle_nb.concepts.sampling.parameters import ParameterGrid
from stelle_nb.concepts.sampling.templates import templates
from stelle_nb.concepts.sampling.tubes import sample_tubes

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
