"""Fitted models as JSON and tensors, and back: formulas as exact text, numbers to the last bit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any, TypeVar

import numpy as np
import torch
from torch import Tensor

from stelle_nb.data.basis import SignalBasis
from stelle_nb.data.preprocess import Standardiser
from stelle_nb.errors import BundleError
from stelle_nb.estimator.stored import Stored, prefixed
from stelle_nb.kernels.moments import TrajectoryMoments
from stelle_nb.kernels.terms import EmbeddingTerms, PairwiseTerms, Terms
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.traversal import channels
from stelle_nb.model.card.card_config import CardConfig
from stelle_nb.model.card.card_model import ScorecardModel
from stelle_nb.model.card.scorecard import Scorecard
from stelle_nb.model.concept_model import ConceptModel
from stelle_nb.model.dense.dense_config import DenseConfig
from stelle_nb.model.dense.dense_model import LinearConceptModel
from stelle_nb.model.dense.ranks import Ranks
from stelle_nb.model.dense.ridge import LinearHead
from stelle_nb.model.dense.scale import Scale
from stelle_nb.model.paper.history import EpochRow, History
from stelle_nb.model.paper.network import PaperNetwork
from stelle_nb.model.paper.paper_config import PaperConfig
from stelle_nb.model.paper.paper_model import PaperConceptModel
from stelle_nb.semantics.derived import settling_time

Config = TypeVar("Config", CardConfig, DenseConfig, PaperConfig)
Parts = tuple[dict[str, Any], dict[str, Tensor]]


def pack_model(model: ConceptModel) -> Parts:
    """The document and the tensors of a fitted model."""
    scaling = model.basis.standardiser
    document: dict[str, Any] = {
        "concepts": [str(phi) for phi in model.concepts],
        "signals": [asdict(signal) for signal in model.basis.signals],
    }
    tensors = {
        "offset": torch.from_numpy(scaling.offset.copy()),
        "scale": torch.from_numpy(scaling.scale.copy()),
    }
    if isinstance(model, LinearConceptModel):
        own, own_tensors = _pack_linear(model.head)
    elif isinstance(model, ScorecardModel):
        own, own_tensors = {"kind": "scorecard", "card": model.card.to_json()}, {}
    elif isinstance(model, PaperConceptModel):
        own, own_tensors = _pack_paper(model)
    else:
        raise BundleError(f"A {type(model).__name__} cannot be saved.")
    return {**document, **own}, {**tensors, **own_tensors}


def unpack_model(
    stored: Stored, *, n_channels: int, n_timepoints: int, n_classes: int, device: torch.device
) -> ConceptModel:
    """The model that :func:`pack_model` was given, on the requested device."""
    basis = _unpack_basis(stored, n_channels)
    concepts = tuple(map(parse, stored.texts("concepts")))
    _check_concepts(concepts, basis.n_signals)
    kind = stored.field("kind", str)
    if kind == "linear":
        head = _unpack_linear(stored, len(concepts), n_classes)
        return LinearConceptModel(concepts, basis, head, device=device)
    if kind == "scorecard":
        return _unpack_card(stored, basis, n_classes, device)
    if kind == "paper":
        return _unpack_paper(stored, concepts, basis, n_timepoints, n_classes, device)
    raise BundleError(
        f"A model must be 'linear', 'scorecard' or 'paper', got {kind[:80]!r}. "
        "Is the file from a newer release?"
    )


def pack_terms(terms: Terms | None) -> dict[str, Tensor]:
    """The tensors of a kernel's data on cases."""
    return {} if terms is None else {field.name: getattr(terms, field.name) for field in fields(terms)}


def unpack_terms(stored: Stored, model: ConceptModel, n_cases: int) -> Terms | None:
    """A kernel's data on cases; None for a model without a kernel."""
    if not isinstance(model, PaperConceptModel) or model.moments is None:
        return None
    n_concepts, n_draws = len(model.concepts), len(model.moments.draws)
    device = model.device
    if model.network.config.kernel == "exponential":
        d, rho = stored.tensor("d", n_cases, n_draws), stored.tensor("rho", n_draws, n_concepts)
        return PairwiseTerms(d.to(device), rho.to(device))
    return EmbeddingTerms(
        b=stored.tensor("b", n_concepts).to(device),
        D=stored.tensor("D", n_cases, n_concepts).to(device),
        mean_d=stored.tensor("mean_d", n_cases).to(device),
        mean_d2=stored.tensor("mean_d2", n_cases).to(device),
        norm=stored.tensor("norm", n_concepts).to(device),
    )


def _unpack_basis(stored: Stored, n_channels: int) -> SignalBasis:
    try:
        signals = tuple(Signal(**given) for given in stored.field("signals", list))
    except TypeError as error:
        raise BundleError(f"The signals of the model cannot be read: {error}.") from error
    if not signals or max(signal.channel for signal in signals) >= n_channels:
        raise BundleError(f"The signals of the model must be of the {n_channels} channels of the data.")
    settling_time(signals)  # rejects signals that look back too far
    offset = stored.tensor("offset", len(signals), dtype=torch.float64).numpy()
    scale = stored.tensor("scale", len(signals), dtype=torch.float64).numpy()
    if not (np.isfinite(offset).all() and np.isfinite(scale).all() and (scale > 0).all()):
        raise BundleError("The scales of the model must be positive and finite. Was the file edited?")
    return SignalBasis(signals, Standardiser(offset, scale))


def _check_concepts(concepts: tuple[Formula, ...], n_signals: int) -> None:
    if not concepts:
        raise BundleError("A model needs at least one concept, got none.")
    highest = max((channel for phi in concepts for channel in channels(phi)), default=0)
    if highest >= n_signals:
        raise BundleError(f"A concept uses signal {highest}, but the model has {n_signals}.")


def _pack_linear(head: LinearHead) -> Parts:
    document = {"kind": "linear", "sharpness": head.sharpness}
    tensors = {"weights": head.weights, "bias": head.bias}
    match head.scale:
        case Ranks(knots, values):
            return document, {**tensors, "knots": knots, "values": values}
        case Scale(mean, std, centre, clip):
            return {**document, "clip": clip}, {**tensors, "mean": mean, "std": std, "centre": centre}


def _unpack_linear(stored: Stored, n_concepts: int, n_classes: int) -> LinearHead:
    return LinearHead(
        _unpack_ranks(stored, n_concepts) if "knots" in stored.tensors else _unpack_scale(stored, n_concepts),
        stored.tensor("weights", n_concepts, n_classes),
        stored.tensor("bias", n_classes),
        stored.number("sharpness"),
    )


def _unpack_ranks(stored: Stored, n_concepts: int) -> Ranks:
    knots = stored.tensor("knots", n_concepts, None)
    values = stored.tensor("values", *knots.shape)
    are_sound = all(bool(row.isfinite().all() and (row.diff(dim=1) >= 0).all()) for row in (knots, values))
    if knots.shape[1] < 2 or not are_sound:
        raise BundleError(
            "The knots of a model must be two or more finite numbers in order. Was the file changed?"
        )
    return Ranks(knots, values)


def _unpack_scale(stored: Stored, n_concepts: int) -> Scale:
    """How robustness was standardised by versions before ranks."""
    return Scale(
        stored.tensor("mean", n_concepts),
        stored.tensor("std", n_concepts),
        stored.tensor("centre", n_concepts),
        stored.number("clip"),
    )


def _unpack_card(stored: Stored, basis: SignalBasis, n_classes: int, device: torch.device) -> ScorecardModel:
    card = Scorecard.from_json(stored.field("card", str))
    if card.n_classes != n_classes:
        raise BundleError(f"The card must be about {n_classes} classes, got {card.n_classes}.")
    _check_concepts(card.formulas, basis.n_signals)
    if len(set(basis.standardiser.scale.tolist())) > 1:
        raise BundleError("The channels of a card must share one scale. Was the file changed?")
    return ScorecardModel(card, basis, device=device)


def _pack_paper(model: PaperConceptModel) -> Parts:
    document = {
        "kind": "paper",
        "config": asdict(model.network.config),
        "history": None if model.history is None else asdict(model.history),
        "network": {},
    }
    tensors = prefixed("network", model.network.state_dict())
    if model.moments is not None:  # drawn in single precision: the moments follow from these exactly
        tensors |= {"draws": model.moments.draws.float(), "rho": model.moments.rho.float()}
    return document, tensors


def _unpack_paper(
    stored: Stored,
    concepts: tuple[Formula, ...],
    basis: SignalBasis,
    n_timepoints: int,
    n_classes: int,
    device: torch.device,
) -> PaperConceptModel:
    config = unpack_config(stored.field("config", dict), PaperConfig)
    state = {name: tensor.to(device) for name, tensor in stored.part("network").tensors.items()}
    if not all(bool(tensor.isfinite().all()) for tensor in state.values()):
        raise BundleError("The weights of the network must be finite numbers. Was the file changed?")
    network = PaperNetwork.from_state(state, config)
    if (network.n_concepts, network.n_classes) != (len(concepts), n_classes):
        raise BundleError(
            f"The network must be about {len(concepts)} concepts and {n_classes} classes, "
            f"got {network.n_concepts} and {network.n_classes}."
        )
    moments = None
    if config.kernel != "none":
        draws = stored.tensor("draws", None, basis.n_signals * n_timepoints)
        rho = stored.tensor("rho", len(draws), len(concepts))
        moments = TrajectoryMoments.from_draws(draws.view(len(draws), basis.n_signals, n_timepoints), rho)
    history = _unpack_history(stored.document.get("history"))
    return PaperConceptModel(concepts, basis, network, moments, device=device, history=history)


def unpack_config(given: Mapping[str, Any], kind: type[Config]) -> Config:
    """The settings of a model; older files have none for the teacher of a card, which is its defaults."""
    teacher = given.get("teacher")
    if isinstance(teacher, Mapping):
        given = {**given, "teacher": unpack_config(teacher, DenseConfig)}
    try:
        return kind(**given)
    except TypeError as error:
        raise BundleError(f"The configuration cannot be read: {error}.") from error


def _unpack_history(given: Any) -> History | None:
    if given is None:
        return None
    try:
        return History(**{**given, "rows": tuple(EpochRow(**row) for row in given["rows"])})
    except (TypeError, KeyError) as error:
        raise BundleError(f"The course of training cannot be read: {error}.") from error
