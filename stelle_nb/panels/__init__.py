"""Panels for notebooks: choose data, train, read explanations, tune and simplify them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stelle_nb.lazy import fetching

if TYPE_CHECKING:
    from stelle_nb.panels.concepts_panel import ConceptsPanel, ConceptsState
    from stelle_nb.panels.dataset_panel import DatasetPanel
    from stelle_nb.panels.editor import EditPanel, EditState
    from stelle_nb.panels.explanation_panel import ExplanationPanel, ExplanationState
    from stelle_nb.panels.explorer import Explorer, ExplorerState, explore
    from stelle_nb.panels.gamma import GammaPanel, GammaState
    from stelle_nb.panels.parts.dataset_state import DatasetState
    from stelle_nb.panels.parts.training_state import TrainingState
    from stelle_nb.panels.playground import PlaygroundPanel, PlaygroundState, playground
    from stelle_nb.panels.session import Session
    from stelle_nb.panels.simplifier import SimplifierPanel, SimplifierState
    from stelle_nb.panels.training_panel import TrainingPanel
    from stelle_nb.panels.what_if import WhatIfPanel, WhatIfState

_HOMES: dict[str, tuple[str, ...]] = {
    "stelle_nb.panels.concepts_panel": ("ConceptsPanel", "ConceptsState"),
    "stelle_nb.panels.dataset_panel": ("DatasetPanel",),
    "stelle_nb.panels.editor": ("EditPanel", "EditState"),
    "stelle_nb.panels.explanation_panel": ("ExplanationPanel", "ExplanationState"),
    "stelle_nb.panels.explorer": ("Explorer", "ExplorerState", "explore"),
    "stelle_nb.panels.gamma": ("GammaPanel", "GammaState"),
    "stelle_nb.panels.parts.dataset_state": ("DatasetState",),
    "stelle_nb.panels.parts.training_state": ("TrainingState",),
    "stelle_nb.panels.playground": ("PlaygroundPanel", "PlaygroundState", "playground"),
    "stelle_nb.panels.session": ("Session",),
    "stelle_nb.panels.simplifier": ("SimplifierPanel", "SimplifierState"),
    "stelle_nb.panels.training_panel": ("TrainingPanel",),
    "stelle_nb.panels.what_if": ("WhatIfPanel", "WhatIfState"),
}

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

__getattr__ = fetching(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted(__all__)
