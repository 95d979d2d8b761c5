"""The paper's network: relevance times discriminability, then a small head."""

from __future__ import annotations

import math
from collections.abc import Mapping

import torch
from jaxtyping import Float
from torch import Tensor, nn

from stelle_nb.errors import ModelError
from stelle_nb.kernels.terms import Terms
from stelle_nb.kernels.trajectory_kernel import trajectory_kernel
from stelle_nb.model.paper.head import Head
from stelle_nb.model.paper.losses import regularisation
from stelle_nb.model.paper.modulation import saturated_product
from stelle_nb.model.paper.paper_config import LOCALITY_BOUNDS, TEMPERATURE_BOUNDS, PaperConfig
from stelle_nb.model.paper.statistics import ClassStatistics, discriminability

STRENGTH_FLOOR = 0.01  # of its first value
FLAT = 1e-6  # a cosine in float32 carries no smaller differences
PREDICT_BUDGET = 2**24  # values of z held at once while predicting


class PaperNetwork(nn.Module):
    """Classify cases from the robustness of concepts and the trajectory kernel.

    A prediction depends only on its own case: all statistics are those of the training cases and are kept in
    the model. The network starts out untrained; see ``fit_network``.

    Parameters
    ----------
    statistics
        Of the training cases.
    config
        Shape of the head, kernel, first values.
    generator
        On the CPU, draws the first weights.

    Notes
    -----
    ``gamma = H/T``, ``z = gamma * G``, logits = head(softsign(z)), Eqs. (T) and (z) of the paper. H is the
    kernel standardised per concept, so z takes both signs although the paper writes [0, inf). T, eps and the
    strengths are exponentials of parameters, hence positive, and ``constrain`` holds them within bounds.
    """

    class_mean: Tensor
    class_std: Tensor
    embedding_mean: Tensor
    embedding_std: Tensor

    def __init__(
        self, statistics: ClassStatistics, config: PaperConfig, *, generator: torch.Generator
    ) -> None:
        super().__init__()
        self.config = config
        self.n_classes, self.n_concepts = statistics.mean.shape
        device = statistics.mean.device
        self.register_buffer("class_mean", statistics.mean)
        self.register_buffer("class_std", statistics.std)
        self.register_buffer("embedding_mean", torch.zeros(self.n_concepts, device=device))
        self.register_buffer("embedding_std", torch.ones(self.n_concepts, device=device))
        self.log_temperature = _log_parameter(config.temperature, device)
        self.log_locality = _log_parameter(config.locality, device)
        self.log_temperature_strength = _log_parameter(config.temperature_strength, device)
        self.log_locality_strength = _log_parameter(config.locality_strength, device)
        hidden = (config.hidden_dim,) * config.n_layers
        self.head = Head(
            (self.n_concepts * self.n_classes, *hidden, self.n_classes),
            dropout=config.dropout,
            generator=generator,
            device=device,
        )

    @classmethod
    def from_state(cls, state: Mapping[str, Tensor], config: PaperConfig) -> PaperNetwork:
        """Rebuild a network from its ``state_dict`` and its configuration."""
        missing = {"class_mean", "class_std"} - state.keys()
        if missing:
            raise ModelError(
                f"the state of a network must hold {sorted(missing)}. Is this another model's file?"
            )
        statistics = ClassStatistics(mean=state["class_mean"].clone(), std=state["class_std"].clone())
        network = cls(statistics, config, generator=torch.Generator().manual_seed(0))
        try:
            network.load_state_dict(dict(state))
        except RuntimeError as error:
            raise ModelError(f"the state does not fit a network of this configuration: {error}") from error
        return network

    @property
    def temperature(self) -> Float[Tensor, ""]:
        """T, the divisor of relevance."""
        return self.log_temperature.exp()

    @property
    def locality(self) -> Float[Tensor, ""]:
        """The eps of the trajectory kernel."""
        return self.log_locality.exp()

    def forward(
        self,
        robustness: Float[Tensor, "case concept"],
        terms: Terms | None,
        *,
        generator: torch.Generator | None = None,
    ) -> Float[Tensor, "case cls"]:
        """Return the logits; a generator asks for dropout, as in a training step."""
        saturated = saturated_product(self.relevance(terms), self.discriminability(robustness))
        logits: Tensor = self.head(saturated.flatten(1), generator=generator)
        return logits

    def z(
        self, robustness: Float[Tensor, "case concept"], terms: Terms | None
    ) -> Float[Tensor, "case concept cls"]:
        """Relevance times discriminability: what explanations attribute to."""
        return self.relevance(terms).unsqueeze(2) * self.discriminability(robustness)

    def logits_from_z(self, z: Float[Tensor, "case concept cls"]) -> Float[Tensor, "case cls"]:
        """Return the logits of raw ``z``; without hidden layers they are linear in softsign(z)."""
        logits: Tensor = self.head(nn.functional.softsign(z).flatten(1))
        return logits

    def discriminability(
        self, robustness: Float[Tensor, "case concept"]
    ) -> Float[Tensor, "case concept cls"]:
        """Return G, how unusual each robustness would be outside each class."""
        return discriminability(
            robustness,
            self.class_mean,
            self.class_std,
            floor=self.config.discriminability_floor,
            absolute=self.config.absolute,
        )

    def relevance(self, terms: Terms | None) -> Float[Tensor, "#case concept"]:
        """Return gamma, the embedding over T."""
        return self.embedding(terms) / self.temperature

    def embedding(self, terms: Terms | None) -> Float[Tensor, "#case concept"]:
        """Return H, the kernel standardised by the training cases; 1 for every concept without a kernel."""
        if self.config.kernel == "none":
            return torch.ones_like(self.embedding_mean).unsqueeze(0)
        return (self.kernel(terms) - self.embedding_mean) / self.embedding_std

    def kernel(self, terms: Terms | None) -> Float[Tensor, "case concept"]:
        """Return the embedding before it is standardised, at the present eps."""
        form = self.config.kernel
        if terms is None or form == "none":
            raise ModelError(
                f"an embedding needs a kernel and terms, got kernel={form!r} and terms={terms!r}. "
                "Take the terms of these cases from TrajectoryMoments."
            )
        return trajectory_kernel(terms, self.locality, form=form, bandwidth=self.config.kernel_bandwidth)

    @torch.no_grad()
    def keep_embedding_statistics(self, terms: Terms | None) -> None:
        """Take mean and deviation of the training embedding at the present eps into the model.

        A concept whose kernel is the same for every training case gets deviation 1: left out, not blown up.
        """
        if self.config.kernel == "none":
            return
        kernel = self.kernel(terms)
        std = kernel.std(0, correction=0)
        self.embedding_mean = kernel.mean(0)
        self.embedding_std = torch.where(std > FLAT, std, 1.0)

    def regularisation(self) -> Float[Tensor, ""]:
        """Return the two penalties of the loss at the present parameters."""
        return regularisation(
            temperature=self.temperature,
            eps=self.locality,
            temperature_strength=self.log_temperature_strength.exp(),
            locality_strength=self.log_locality_strength.exp(),
            sharpness=self.config.sharpness,
        )

    @torch.no_grad()
    def constrain(self) -> None:
        """Bring T, eps and the strengths back into their bounds."""
        self.log_temperature.clamp_(*map(math.log, TEMPERATURE_BOUNDS))
        self.log_locality.clamp_(*map(math.log, LOCALITY_BOUNDS))
        self.log_temperature_strength.clamp_(math.log(self.config.temperature_strength * STRENGTH_FLOOR))
        self.log_locality_strength.clamp_(math.log(self.config.locality_strength * STRENGTH_FLOOR))

    def auxiliary_parameters(self) -> list[nn.Parameter]:
        """T, eps and the strengths, which have their own learning rate."""
        return [
            self.log_temperature,
            self.log_locality,
            self.log_temperature_strength,
            self.log_locality_strength,
        ]

    @torch.no_grad()
    def predict_logits(
        self, robustness: Float[Tensor, "case concept"], terms: Terms | None
    ) -> Float[Tensor, "case cls"]:
        """Return logits without gradient, computed in batches that bound memory and change nothing else."""
        size = max(1, PREDICT_BUDGET // (self.n_concepts * self.n_classes))
        cases = torch.arange(robustness.shape[0], device=robustness.device)
        return torch.cat(
            [
                self(robustness.index_select(0, some), None if terms is None else terms.take(some))
                for some in torch.split(cases, size)
            ]
        )

    def predict_proba(
        self, robustness: Float[Tensor, "case concept"], terms: Terms | None
    ) -> Float[Tensor, "case cls"]:
        """Return the probability of each class."""
        return self.predict_logits(robustness, terms).softmax(1)


def _log_parameter(value: float, device: torch.device) -> nn.Parameter:
    return nn.Parameter(torch.tensor(math.log(value), device=device))
