"""Models that classify by the robustness of formulas; here, the network of the paper and its training."""

from __future__ import annotations

from stelle_nb.model.paper.history import EpochProgress, EpochRow, History
from stelle_nb.model.paper.network import PaperNetwork
from stelle_nb.model.paper.paper_config import PaperConfig
from stelle_nb.model.paper.statistics import ClassStatistics
from stelle_nb.model.paper.training import FittedNetwork, fit_network

Progress = EpochProgress  # its former name

__all__ = [
    "ClassStatistics",
    "EpochProgress",
    "EpochRow",
    "FittedNetwork",
    "History",
    "PaperConfig",
    "PaperNetwork",
    "Progress",
    "fit_network",
]
