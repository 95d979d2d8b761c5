"""The paper's model: a generic concept set, the trajectory kernel and a small network."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from stelle_nb.concepts.concept_files import default_concepts
from stelle_nb.data.basis import SignalBasis
from stelle_nb.data.cases import Series
from stelle_nb.data.preprocess import Standardiser, drop_correlated
from stelle_nb.errors import Cancelled
from stelle_nb.kernels.moments import TrajectoryMoments
from stelle_nb.kernels.terms import Terms
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.signal import Signal
from stelle_nb.model.concept_model import Attributions, ConceptModel, Evidence, evaluate
from stelle_nb.model.paper.history import EpochProgress, History
from stelle_nb.model.paper.integrated_gradients import attribute
from stelle_nb.model.paper.network import PaperNetwork
from stelle_nb.model.paper.paper_config import PaperConfig
from stelle_nb.model.paper.training import OnEpoch, fit_network
from stelle_nb.progress import Progress, as_progress
from stelle_nb.semantics.bank import FormulaBank


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
        """Integrated gradients from ``z = 0``, summed over the class axis of ``z``."""
        with torch.no_grad():
            z = self.network.z(evidence.robustness, evidence.terms)
        return attribute(self.network, z)

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
    on_epoch: OnEpoch | None = None,
) -> tuple[PaperConceptModel, Evidence]:
    """Fit the paper's model; also return its evidence on the training cases.

    Parameters
    ----------
    X, labels
        Finite training cases, and their class numbers from 0 on.
    n_concepts
        500 per channel and at least 1000 if left out.
    config
        The paper's values if None.
    progress, on_epoch
        Called after every epoch. Either may cancel: before the first epoch nothing is left and
        :class:`stelle_nb.errors.Cancelled` is raised, later the best state so far is returned.
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

    def listen(epoch: EpochProgress) -> bool:
        goes_on = on_epoch is None or on_epoch(epoch) is not False
        try:
            report(epoch.row.epoch, epoch.max_epochs)
        except Cancelled:
            return False
        return goes_on

    fitted = fit_network(
        evidence.robustness,
        labels.to(device),
        evidence.terms,
        n_classes=n_classes,
        config=config,
        generator=torch.Generator().manual_seed(int(rng.integers(2**62))),
        on_epoch=listen,
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
