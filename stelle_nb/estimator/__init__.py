"""The classifier: concepts, model and explanations behind the interface of aeon and scikit-learn."""

from __future__ import annotations

from stelle_nb.estimator.classifier import StelleClassifier

__all__ = ["StelleClassifier"]
