"""Training of the paper's network: Adam at two rates, early stopping, the best state restored."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from stelle_nb.errors import ModelError
from stelle_nb.kernels.terms import Terms
from stelle_nb.model.paper.history import Ending, EpochProgress, EpochRow, History
from stelle_nb.model.paper.losses import class_weights
from stelle_nb.model.paper.network import PaperNetwork
from stelle_nb.model.paper.paper_config import PaperConfig
from stelle_nb.model.paper.statistics import ClassStatistics
from stelle_nb.model.paper.training_cases import Cases, check_cases, split_off

OnEpoch = Callable[[EpochProgress], bool | None]


@dataclass(frozen=True, slots=True, eq=False)
class FittedNetwork:
    """A trained network and the course of its training."""

    network: PaperNetwork
    history: History


def fit_network(
    robustness: Float[Tensor, "case concept"],
    labels: Int[Tensor, " case"],
    terms: Terms | None = None,
    *,
    n_classes: int,
    config: PaperConfig | None = None,
    generator: torch.Generator,
    on_epoch: OnEpoch | None = None,
) -> FittedNetwork:
    """Train the paper's network and return it in its best state.

    Equal inputs and an equally seeded generator give the same network to the last bit, on one device with one
    number of threads. Torch's global generator is neither read nor changed.

    Parameters
    ----------
    robustness, labels, terms
        The training cases, all on the device that shall train.
        Terms may be None for ``kernel="none"``.
    n_classes
        Every class from 0 on has a case.
    config
        The paper's values if None.
    generator
        On the CPU; draws the held-out cases, the first weights, the order of cases and dropout.
    on_epoch
        Called after every epoch; ``False`` cancels, any other value continues. A cancelled run keeps its
        best state.

    Notes
    -----
    Early stopping and the choice of the best state use only the weighted cross-entropy: the strengths of
    the regularisers fade during training, and their sum would seem to improve without any better prediction.
    Class and embedding statistics come from the cases that are trained on, never from the held-out ones; as
    eps moves, the embedding statistics are taken anew after every epoch, before the state is judged.

    Examples
    --------
    >>> generator = torch.Generator().manual_seed(0)
    >>> labels = torch.arange(40) % 2
    >>> robustness = labels[:, None] + 0.1 * torch.randn(40, 3, generator=generator)
    >>> config = PaperConfig(n_layers=0, kernel="none", learning_rate=0.1, max_epochs=20)
    >>> fitted = fit_network(robustness, labels, n_classes=2, config=config, generator=generator)
    >>> fitted.history.rows[-1].watched_accuracy
    1.0
    """
    config = config or PaperConfig()
    if generator.device.type != "cpu":
        raise ModelError(f"generator must be on the CPU, got {generator.device}. Use torch.Generator().")
    if terms is None and config.kernel != "none":
        raise ModelError(
            f"kernel {config.kernel!r} needs embedding terms, got None. Use kernel='none' to do without."
        )
    cases = check_cases(robustness, labels, terms, n_classes=n_classes)
    training = watched = cases
    if config.validation_share:
        kept, held = split_off(labels, config.validation_share, generator=generator)
        training, watched = cases.take(kept), cases.take(held)
    statistics = ClassStatistics.of(training.robustness, training.labels, n_classes=n_classes)
    network = PaperNetwork(statistics, config, generator=generator)
    history = train(network, training, watched, generator=generator, on_epoch=on_epoch)
    return FittedNetwork(network, history)


def train(
    network: PaperNetwork,
    training: Cases,
    watched: Cases,
    *,
    generator: torch.Generator,
    on_epoch: OnEpoch | None = None,
) -> History:
    """Train a network in place on checked cases and leave it in its best state."""
    config = network.config
    weight = class_weights(training.labels, n_classes=network.n_classes)
    optimiser = make_optimiser(network)
    network.keep_embedding_statistics(training.terms)
    best = _Best()
    rows: list[EpochRow] = []
    ending: Ending = "finished"
    for epoch in range(1, config.max_epochs + 1):
        loss = _run_epoch(network, optimiser, training, weight, generator=generator)
        if not math.isfinite(loss):
            ending = "diverged"
            break
        network.keep_embedding_statistics(training.terms)
        looks = epoch % config.check_every == 0 or epoch == config.max_epochs
        look = _look(network, watched, weight) if looks else None
        if look is not None:
            best.offer(network, epoch, look.loss)
        rows.append(_describe(network, epoch, loss, look))
        progress = EpochProgress(row=rows[-1], max_epochs=config.max_epochs, best_epoch=best.epoch)
        if on_epoch is not None and on_epoch(progress) is False:
            if look is None:
                best.offer(network, epoch, _look(network, watched, weight).loss)
            ending = "cancelled"
            break
        if best.misses >= config.patience:
            ending = "patience"
            break
    if best.epoch is None:
        raise ModelError(
            f"the training loss must stay finite, got {loss} in epoch {epoch}. "
            f"Lower learning_rate (now {config.learning_rate})."
        )
    network.load_state_dict(best.state)
    return History(
        rows=tuple(rows),
        best_epoch=best.epoch,
        ending=ending,
        watched="training" if watched is training else "validation",
    )


def make_optimiser(network: PaperNetwork) -> torch.optim.Adam:
    """Adam, at the learning rate for the head and at a multiple of it for T, eps and the strengths."""
    config = network.config
    groups: list[dict[str, Any]] = [
        {"params": list(network.head.parameters())},
        {"params": network.auxiliary_parameters(), "lr": config.learning_rate * config.auxiliary_rate},
    ]
    return torch.optim.Adam(groups, lr=config.learning_rate, fused=True)


def take_step(
    network: PaperNetwork,
    optimiser: torch.optim.Optimizer,
    batch: Cases,
    weight: Float[Tensor, " cls"],
    *,
    generator: torch.Generator,
) -> Float[Tensor, ""]:
    """Descend once on a batch and return its loss, without waiting for the device."""
    logits = network(batch.robustness, batch.terms, generator=generator)
    loss = nn.functional.cross_entropy(logits, batch.labels, weight=weight) + network.regularisation()
    optimiser.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    nn.utils.clip_grad_norm_(network.parameters(), network.config.gradient_norm)
    optimiser.step()
    network.constrain()
    return loss.detach()


@dataclass(frozen=True, slots=True)
class _Look:
    loss: float
    accuracy: float


class _Best:
    """The best state so far, as a copy that later steps cannot reach."""

    def __init__(self) -> None:
        self.epoch: int | None = None
        self.loss = math.inf
        self.misses = 0
        self.state: dict[str, Tensor] = {}

    def offer(self, network: PaperNetwork, epoch: int, loss: float) -> None:
        if loss < self.loss:
            self.epoch, self.loss, self.misses = epoch, loss, 0
            self.state = {name: value.detach().clone() for name, value in network.state_dict().items()}
        else:
            self.misses += 1


def _run_epoch(
    network: PaperNetwork,
    optimiser: torch.optim.Optimizer,
    training: Cases,
    weight: Tensor,
    *,
    generator: torch.Generator,
) -> float:
    order = torch.randperm(len(training), generator=generator)
    losses = [
        take_step(network, optimiser, training.take(some), weight, generator=generator)
        for some in torch.split(order, network.config.batch_size)
    ]
    return float(torch.stack(losses).mean())


def _look(network: PaperNetwork, watched: Cases, weight: Tensor) -> _Look:
    logits = network.predict_logits(watched.robustness, watched.terms)
    return _Look(
        loss=float(nn.functional.cross_entropy(logits, watched.labels, weight=weight)),
        accuracy=float((logits.argmax(1) == watched.labels).float().mean()),
    )


def _describe(network: PaperNetwork, epoch: int, loss: float, look: _Look | None) -> EpochRow:
    temperature, locality, temperature_strength, locality_strength = (
        parameter.exp().item() for parameter in network.auxiliary_parameters()
    )
    return EpochRow(
        epoch=epoch,
        loss=loss,
        watched_loss=None if look is None else look.loss,
        watched_accuracy=None if look is None else look.accuracy,
        temperature=temperature,
        locality=locality,
        temperature_strength=temperature_strength,
        locality_strength=locality_strength,
    )
