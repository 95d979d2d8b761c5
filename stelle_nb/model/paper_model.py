"""The paper's model: a generic concept set, the trajectory kernel and a small network."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import torch
from captum.attr import IntegratedGradients
from jaxtyping import Float, Int
from torch import Tensor, nn

from stelle_nb.concepts.files import default_concepts
from stelle_nb.data.basis import SignalBasis
from stelle_nb.data.cases import Series
from stelle_nb.data.preprocess import Standardiser, drop_correlated
from stelle_nb.kernels.moments import TrajectoryMoments
from stelle_nb.kernels.terms import Terms
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.signal import Signal
from stelle_nb.model.concept_model import Attributions, ConceptModel, Evidence, evaluate
from stelle_nb.model.config import PaperConfig
from stelle_nb.model.history import History
from stelle_nb.model.history import Progress as EpochProgress
from stelle_nb.model.network import PaperNetwork
from stelle_nb.model.training import fit_network
from stelle_nb.progress import Progress, as_progress
from stelle_nb.semantics.bank import FormulaBank

STEPS = (32, 128, 512)  # of the Gauss-Legendre rule; more only for cases that need them
TOLERANCE = 1e-3  # of a logit
ATTRIBUTION_BUDGET = 2**23  # values of z held at once while attributing


class PaperConceptModel(ConceptModel):
    """Scores are the logits of the paper's network; attributions are integrated gradients on its ``z``.

    Parameters
    ----------
    concepts, basis, device
        As for :class:`ConceptModel`; the basis holds the channels that were kept, standardised.
    network
        Trained, and on the device.
    moments
        Of mu0 and the concepts, from which the trajectory kernel follows; None for ``kernel="none"``.
    history
        The course of training.
    """

    def __init__(
        self,
        concepts: tuple[Formula, ...],
        basis: SignalBasis,
        network: PaperNetwork,
        moments: TrajectoryMoments | None,
        *,
        device: torch.device,
        history: History | None = None,
    ) -> None:
        super().__init__(concepts, basis, device=device)
        self.network = network
        self.moments = moments
        self.history = history

    @property
    def n_classes(self) -> int:
        return self.network.n_classes

    def scores(self, evidence: Evidence) -> Float[Tensor, "case cls"]:
        return self.network.predict_logits(evidence.robustness, evidence.terms)

    def predict_proba(self, evidence: Evidence) -> Float[Tensor, "case cls"]:
        return self.network.predict_proba(evidence.robustness, evidence.terms)

    def attributions(self, evidence: Evidence) -> Attributions:
        """Integrated gradients from ``z = 0``, summed over the class axis of ``z``.

        Notes
        -----
        Without hidden layers a logit is a sum of functions of single entries of ``z``: the integral is known.
        """
        with torch.no_grad():
            z = self.network.z(evidence.robustness, evidence.terms)
        if self.network.config.n_layers == 0:
            return _closed_form(self.network, z)
        return _integrated_gradients(self.network, z)

    def _terms(self, X: Series) -> Terms | None:
        return kernel_terms(self.moments, self.basis.transform(X), self.network.config, device=self.device)


def fit_paper(
    X: Series,
    labels: Int[Tensor, " case"],
    *,
    n_classes: int,
    n_concepts: int | None = None,
    config: PaperConfig | None = None,
    random_state: int | np.random.Generator | None = None,
    device: torch.device,
    progress: Progress | bool | None = None,
) -> tuple[PaperConceptModel, Evidence]:
    """Fit the paper's model; also return what it knows about the training cases.

    Parameters
    ----------
    X, labels
        Finite training cases, and their class numbers from 0 on.
    n_concepts
        500 per channel and at least 1000 if left out.
    config
        The paper's values if None.
    """
    config = config or PaperConfig()
    report = as_progress(progress, "training")
    rng = np.random.default_rng(random_state)
    basis = paper_basis(X)
    shape = {"n_channels": basis.n_signals, "n_timepoints": X.shape[2]}
    concepts = default_concepts().for_data(n_concepts=n_concepts, **shape).formulas
    moments = None
    if config.kernel != "none":
        moments = TrajectoryMoments.of(concepts, random_state=rng, **shape)
    evidence = Evidence(
        evaluate(FormulaBank(concepts, device=device), basis, X),
        kernel_terms(moments, basis.transform(X), config, device=device),
    )
    report(0, config.max_epochs)

    def on_epoch(epoch: EpochProgress) -> None:
        report(epoch.row.epoch, epoch.max_epochs)

    fitted = fit_network(
        evidence.robustness,
        labels.to(device),
        evidence.terms,
        n_classes=n_classes,
        config=config,
        generator=torch.Generator().manual_seed(int(rng.integers(2**62))),
        on_epoch=on_epoch,
    )
    model = PaperConceptModel(concepts, basis, fitted.network, moments, device=device, history=fitted.history)
    return model, evidence


def paper_basis(X: Series) -> SignalBasis:
    """The channels as the paper prepares them: standardised, those that repeat another one dropped."""
    standardiser = Standardiser.fit(X)
    kept = list(drop_correlated(standardiser.transform(X)).kept)
    return SignalBasis(
        tuple(map(Signal, kept)), Standardiser(standardiser.offset[kept], standardiser.scale[kept])
    )


def kernel_terms(
    moments: TrajectoryMoments | None, signals: Series, config: PaperConfig, *, device: torch.device
) -> Terms | None:
    """What the kernel of the configuration needs to know about cases."""
    if moments is None:
        return None
    terms = moments.pairs(signals) if config.kernel == "exponential" else moments.terms(signals)
    return replace(terms, **{f.name: getattr(terms, f.name).to(device) for f in fields(terms)})


def _closed_form(network: PaperNetwork, z: Float[Tensor, "case concept cls"]) -> Attributions:
    linear = network.head.get_submodule("linears.0")
    assert isinstance(linear, nn.Linear)
    weight = linear.weight.detach().view(-1, *z.shape[1:])  # (logit, concept, class)
    values = torch.einsum("icj,kcj->ick", nn.functional.softsign(z), weight)
    return Attributions(values, torch.zeros(len(z), device=z.device))


def _integrated_gradients(network: PaperNetwork, z: Float[Tensor, "case concept cls"]) -> Attributions:
    values = torch.empty(len(z), z.shape[1], network.n_classes, device=z.device)
    error = torch.full((len(z),), torch.inf, device=z.device)
    for n_steps in STEPS:
        unsettled = torch.nonzero(error > TOLERANCE).flatten()
        at_once = max(1, ATTRIBUTION_BUDGET // (n_steps * z.shape[1] * z.shape[2]))
        for some in torch.split(unsettled, at_once) if len(unsettled) else ():
            values[some], error[some] = _integrate(network, z[some], n_steps)
    return Attributions(values, error)


def _integrate(
    network: PaperNetwork, z: Float[Tensor, "case concept cls"], n_steps: int
) -> tuple[Float[Tensor, "case concept cls"], Float[Tensor, " case"]]:
    method = IntegratedGradients(network.logits_from_z)
    at_once = max(1, ATTRIBUTION_BUDGET // (z.shape[1] * z.shape[2]))
    values, errors = [], []
    for k in range(network.n_classes):
        found, error = method.attribute(
            z, target=k, n_steps=n_steps, internal_batch_size=at_once, return_convergence_delta=True
        )
        values.append(found.sum(2).float())
        errors.append(error.abs().float())
    return torch.stack(values, dim=2), torch.stack(errors).amax(0)
