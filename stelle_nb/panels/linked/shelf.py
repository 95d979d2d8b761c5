"""The panels of a drawer by name, each made when it is first asked for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, cast

from stelle_nb.panels.linked.drawer import Tab

if TYPE_CHECKING:
    from stelle_nb.panels.concepts_panel import ConceptsPanel
    from stelle_nb.panels.dataset_panel import DatasetPanel
    from stelle_nb.panels.editor import EditPanel
    from stelle_nb.panels.explanation_panel import ExplanationPanel
    from stelle_nb.panels.gamma import GammaPanel
    from stelle_nb.panels.playground import PlaygroundPanel
    from stelle_nb.panels.simplifier import SimplifierPanel
    from stelle_nb.panels.training_panel import TrainingPanel
    from stelle_nb.panels.what_if import WhatIfPanel


class Shelf(ABC):
    """One that has all single panels."""

    @abstractmethod
    def _panel(self, tab: Tab) -> Any:
        """The panel of a tab."""

    @property
    def gamma(self) -> GammaPanel:
        """The panel that tunes the length of an explanation."""
        return cast("GammaPanel", self._panel("Tune"))

    @property
    def explanation(self) -> ExplanationPanel:
        """The panel of explanations in full."""
        return cast("ExplanationPanel", self._panel("Why"))

    @property
    def simplifier(self) -> SimplifierPanel:
        """The panel that simplifies a formula step by step."""
        return cast("SimplifierPanel", self._panel("Simplify"))

    @property
    def concepts(self) -> ConceptsPanel:
        """The panel of the model's vocabulary."""
        return cast("ConceptsPanel", self._panel("Concepts"))

    @property
    def data(self) -> DatasetPanel:
        """The panel of the data."""
        return cast("DatasetPanel", self._panel("Data"))

    @property
    def training(self) -> TrainingPanel:
        """The panel that trains another model."""
        return cast("TrainingPanel", self._panel("Train"))

    @property
    def what_if(self) -> WhatIfPanel:
        """The panel that changes the case."""
        return cast("WhatIfPanel", self._panel("What if"))

    @property
    def playground(self) -> PlaygroundPanel:
        """The panel that plays with formulas."""
        return cast("PlaygroundPanel", self._panel("Playground"))

    @property
    def edit(self) -> EditPanel:
        """The panel that edits the score card."""
        return cast("EditPanel", self._panel("Edit"))
