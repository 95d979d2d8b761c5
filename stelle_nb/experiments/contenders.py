"""The classifiers that a benchmark compares, by name."""

from __future__ import annotations

import time
from typing import Any, Literal, get_args

import numpy as np

Variant = Literal["scorecard", "dense", "paper"]
Peer = Literal["rocket", "multirocket_hydra", "quant", "rdst"]
VARIANTS: tuple[Variant, ...] = get_args(Variant)
PEERS: tuple[Peer, ...] = get_args(Peer)
RENAMED = {"default": "dense"}  # former names of variants in older tables, and their present names
FORMULAS = 5  # for each class of a score card, if nothing else is asked for
WARM_UP_SHAPE = (8, 64)  # cases and samples


def make_classifier(name: str, *, n_concepts: int | None = None, seed: int = 0, is_tiny: bool = False) -> Any:
    """An unfitted classifier with its authors' settings.

    Parameters
    ----------
    n_concepts
        Size of the vocabulary of ours; of a score card, formulas for each class.
    is_tiny
        Whether a peer gets few features, only to be compiled.

    Notes
    -----
    Imports are deferred, so that the memory of a run is that of its own classifier.
    """
    match name:
        case "scorecard":
            from stelle_nb.estimator.classifier import StelleClassifier

            size = FORMULAS if n_concepts is None else n_concepts
            return StelleClassifier(name, n_formulas=size, random_state=seed, device="cpu")
        case "dense" | "paper":
            from stelle_nb.estimator.classifier import StelleClassifier

            return StelleClassifier(name, n_concepts=n_concepts, random_state=seed, device="cpu")
        case "rocket":
            from aeon.classification.convolution_based import RocketClassifier

            return RocketClassifier(n_kernels=50 if is_tiny else 10_000, random_state=seed)
        case "multirocket_hydra":
            from stelle_nb.experiments.multirocket import PaddedMultiRocketHydra

            return PaddedMultiRocketHydra(n_groups=4 if is_tiny else 64, random_state=seed)
        case "quant":
            from aeon.classification.interval_based import QUANTClassifier

            return QUANTClassifier(random_state=seed)
        case "rdst":
            from aeon.classification.shapelet_based import RDSTClassifier

            return RDSTClassifier(max_shapelets=50 if is_tiny else 10_000, random_state=seed)
    raise ValueError(f"There is no classifier {name!r}. Choose among {', '.join((*VARIANTS, *PEERS))}.")


def warm_up(name: str, n_channels: int, dtype: np.dtype[Any]) -> float:
    """Let numba compile a peer on a little noise of the same kind; return the CPU seconds it took.

    Ours have nothing to compile.
    """
    if name not in PEERS:
        return 0.0
    began = time.process_time()
    n_cases, n_timepoints = WARM_UP_SHAPE
    X = np.random.default_rng(0).normal(size=(n_cases, n_channels, n_timepoints)).astype(dtype)
    X.setflags(write=False)  # as in a SeriesDataset: numba compiles again for writable arrays
    y = np.array(["a", "b"] * (n_cases // 2))
    tiny = make_classifier(name, is_tiny=True).fit(X, y)
    tiny.predict(X)
    tiny.predict(X[:1])
    return time.process_time() - began
