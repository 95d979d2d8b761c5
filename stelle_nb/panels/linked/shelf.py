"""The panels of a drawer by name, each made when it is first asked for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, TypeVar

from stelle_nb.panels.base import Panel
from stelle_nb.panels.concepts import ConceptsPanel
from stelle_nb.panels.dataset import DatasetPanel
from stelle_nb.panels.editor import EditPanel
from stelle_nb.panels.explanation import ExplanationPanel
from stelle_nb.panels.gamma import GammaPanel
from stelle_nb.panels.linked.drawer import Tab
from stelle_nb.panels.playground import PlaygroundPanel
from stelle_nb.panels.simplifier import SimplifierPanel
from stelle_nb.panels.training import TrainingPanel
from stelle_nb.panels.what_if import WhatIfPanel

_Kind = TypeVar("_Kind", bound=Panel[Any])


class Shelf(ABC):
    """One that has all single panels."""

    @abstractmethod
    def _panel(self, tab: Tab, kind: type[_Kind]) -> _Kind:
        """The panel of a tab."""

    @property
    def gamma(self) -> GammaPanel:
        """The panel that tunes the length of an explanation."""
        return self._panel("Tune", GammaPanel)

    @property
    def explanation(self) -> ExplanationPanel:
        """The panel of explanations in full."""
        return self._panel("Why", ExplanationPanel)

    @property
    def simplifier(self) -> SimplifierPanel:
        """The panel that simplifies a formula step by step."""
        return self._panel("Simplify", SimplifierPanel)

    @property
    def concepts(self) -> ConceptsPanel:
        """The panel of the model's vocabulary."""
        return self._panel("Concepts", ConceptsPanel)

    @property
    def data(self) -> DatasetPanel:
        """The panel of the data."""
        return self._panel("Data", DatasetPanel)

    @property
    def training(self) -> TrainingPanel:
        """The panel that trains another model."""
        return self._panel("Train", TrainingPanel)

    @property
    def what_if(self) -> WhatIfPanel:
        """The panel that changes the case."""
        return self._panel("What if", WhatIfPanel)

    @property
    def playground(self) -> PlaygroundPanel:
        """The panel that plays with formulas."""
        return self._panel("Playground", PlaygroundPanel)

    @property
    def edit(self) -> EditPanel:
        """The panel that edits the score card."""
        return self._panel("Edit", EditPanel)
