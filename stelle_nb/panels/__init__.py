"""Panels for notebooks: choose data, train, read explanations, tune and simplify them."""

from stelle_nb.panels.concepts import ConceptsPanel, ConceptsState
from stelle_nb.panels.dataset import DatasetPanel, DatasetState
from stelle_nb.panels.editor import EditPanel, EditState
from stelle_nb.panels.explanation import ExplanationPanel, ExplanationState
from stelle_nb.panels.explorer import Explorer, ExplorerState, explore
from stelle_nb.panels.gamma import GammaPanel, GammaState
from stelle_nb.panels.parts.training_state import TrainingState
from stelle_nb.panels.playground import PlaygroundPanel, PlaygroundState, playground
from stelle_nb.panels.session import Session
from stelle_nb.panels.simplifier import SimplifierPanel, SimplifierState
from stelle_nb.panels.training import TrainingPanel
from stelle_nb.panels.what_if import WhatIfPanel, WhatIfState

__all__ = [
    "ConceptsPanel",
    "ConceptsState",
    "DatasetPanel",
    "DatasetState",
    "EditPanel",
    "EditState",
    "ExplanationPanel",
    "ExplanationState",
    "Explorer",
    "ExplorerState",
    "GammaPanel",
    "GammaState",
    "PlaygroundPanel",
    "PlaygroundState",
    "Session",
    "SimplifierPanel",
    "SimplifierState",
    "TrainingPanel",
    "TrainingState",
    "WhatIfPanel",
    "WhatIfState",
    "explore",
    "playground",
]
