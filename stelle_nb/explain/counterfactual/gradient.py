"""The class scores of a model as a differentiable function of raw cases."""

from __future__ import annotations

from dataclasses import fields, replace

import torch
from jaxtyping import Float
from torch import Tensor

from stelle_nb.kernels.terms import Terms
from stelle_nb.model.concept_model import ConceptModel, Evidence
from stelle_nb.model.paper.paper_model import PaperConceptModel
from stelle_nb.semantics.derived import derive


def differentiable_scores(
    model: ConceptModel, X: Float[Tensor, "case channel time"]
) -> Float[Tensor, "case cls"]:
    """What :meth:`ConceptModel.scores` gives, through which gradients flow back to ``X``.

    Parameters
    ----------
    X
        Finite cases in double precision on the CPU, in the units of the data.
    """
    scaling = model.basis.standardiser
    values = torch.stack([derive(X[:, s.channel], s, X.shape[2]) for s in model.basis.signals], dim=1)
    offset, scale = torch.tensor(scaling.offset), torch.tensor(scaling.scale)
    signals = ((values - offset[:, None]) / scale[:, None]).float().to(model.device)
    robustness = model.bank.evaluate(signals)
    if isinstance(model, PaperConceptModel):
        # its scores() is meant for predictions and keeps no graph
        scores: Tensor = model.network(robustness, _terms(model, signals))
    else:
        scores = model.scores(Evidence(robustness))
    return scores.cpu().double()


def _terms(model: PaperConceptModel, signals: Float[Tensor, "case signal time"]) -> Terms | None:
    moments = model.moments
    if moments is None:
        return None
    is_pairwise = model.network.config.kernel == "exponential"
    terms = moments.pairs(signals) if is_pairwise else moments.terms(signals)
    return replace(terms, **{f.name: getattr(terms, f.name).to(signals.device) for f in fields(terms)})
