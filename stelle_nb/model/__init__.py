"""Models that classify by the robustness of formulas; here, the network of the paper and its training."""

from __future__ import annotations

from stelle_nb.model.config import PaperConfig
from stelle_nb.model.history import EpochRow, History, Progress
from stelle_nb.model.network import PaperNetwork
from stelle_nb.model.statistics import ClassStatistics
from stelle_nb.model.training import FittedNetwork, fit_network

__all__ = [
    "ClassStatistics",
    "EpochRow",
    "FittedNetwork",
    "History",
    "PaperConfig",
    "PaperNetwork",
    "Progress",
    "fit_network",
]
