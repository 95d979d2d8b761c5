"""Panels for notebooks: choose data, read explanations, tune and simplify them."""

from stelle_nb.panels.gamma import GammaPanel, GammaState

__all__ = ["GammaPanel", "GammaState"]
