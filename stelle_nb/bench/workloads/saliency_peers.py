"""Other maps to compare with: Captum's integrated gradients and occlusion on a convolutional network."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

Floats = npt.NDArray[np.float64]
BATCH = 16
OCCLUDED = 10  # samples that are set to 0 at a time
STEPS = 50  # of the path that gradients are integrated along


class FullyConvolutional(nn.Module):
    """Three blocks of convolution, normalisation and ReLU, then the mean over time and a linear layer.

    Notes
    -----
    Wang, Yan and Oates, "Time series classification from scratch with deep neural networks", 2017, with a
    quarter of the filters.
    """

    def __init__(self, n_channels: int, n_classes: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            *_block(n_channels, 32, 7),
            *_block(32, 64, 5),
            *_block(64, 32, 3),
            nn.AdaptiveAvgPool1d(1),
            nn.Flatten(),
            nn.Linear(32, n_classes),
        )

    def forward(self, x: Float[Tensor, "case channel time"]) -> Float[Tensor, "case cls"]:
        """One number for each class."""
        scores: Tensor = self.layers(x)
        return scores


def fit_network(
    X: Any, codes: Int[npt.NDArray[Any], " case"], *, n_epochs: int, seed: int
) -> FullyConvolutional:
    """Train a network by Adam; the random numbers of torch elsewhere are not touched."""
    cases, labels = torch.from_numpy(np.array(X, dtype=np.float32)), torch.from_numpy(np.array(codes))
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network = FullyConvolutional(cases.shape[1], int(labels.max()) + 1)
        optimiser = torch.optim.Adam(network.parameters(), lr=1e-3)
        for _ in range(n_epochs):
            for some in torch.split(torch.randperm(len(cases)), BATCH):
                optimiser.zero_grad()
                loss = nn.functional.cross_entropy(network(cases[some]), labels[some])
                loss.backward()  # type: ignore[no-untyped-call]
                optimiser.step()
    return network.eval()


def predicted(network: FullyConvolutional, X: Any) -> Int[Tensor, " case"]:
    """The class number of each case."""
    with torch.no_grad():
        scores: Tensor = network(torch.from_numpy(np.array(X, dtype=np.float32)))
    return scores.argmax(1)


def integrated_gradients(network: FullyConvolutional, X: Any) -> Float[Floats, "case channel time"]:
    """What captum's integrated gradients attribute to each sample, from zero, for the predicted class."""
    from captum.attr import IntegratedGradients

    cases = torch.from_numpy(np.array(X, dtype=np.float32))
    found = IntegratedGradients(network).attribute(cases, target=predicted(network, X), n_steps=STEPS)
    return np.asarray(found.detach().double().numpy())


def occlusion(network: FullyConvolutional, X: Any) -> Float[Floats, "case channel time"]:
    """What captum's occlusion attributes to each sample, windows of one channel set to 0, likewise."""
    from captum.attr import Occlusion

    cases = torch.from_numpy(np.array(X, dtype=np.float32))
    with torch.no_grad():
        found = Occlusion(network).attribute(
            cases, sliding_window_shapes=(1, OCCLUDED), target=predicted(network, X)
        )
    return np.asarray(found.double().numpy())


def _block(n_in: int, n_out: int, width: int) -> tuple[nn.Module, nn.Module, nn.Module]:
    return nn.Conv1d(n_in, n_out, width, padding=width // 2), nn.BatchNorm1d(n_out), nn.ReLU()
