"""Classifiers on disk: a bundle of JSON and tensors that executes nothing when it is loaded."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, get_args

import numpy as np
import torch
from torch import Tensor

from stelle_nb.arguments import as_index, one_of
from stelle_nb.concepts.bundle import read_bundle, write_bundle
from stelle_nb.data.treatment import Unequal
from stelle_nb.depict.background import Background
from stelle_nb.depict.wording import Wording
from stelle_nb.errors import BundleError, StelleError
from stelle_nb.estimator.labelling import pack_labels, unpack_labels
from stelle_nb.estimator.stored import Stored, prefixed
from stelle_nb.estimator.stored_models import (
    pack_model,
    pack_terms,
    unpack_config,
    unpack_model,
    unpack_terms,
)
from stelle_nb.estimator.validation import training_metadata
from stelle_nb.explain.document import wording_to_json
from stelle_nb.explain.reference import Reference
from stelle_nb.logic.printing.notation import checked_units
from stelle_nb.model.card.card_config import CardConfig
from stelle_nb.model.card.card_model import ScorecardModel
from stelle_nb.model.card.edits.edit_history import Edit, check_history, edit_document, edit_from_document
from stelle_nb.model.concept_model import ConceptModel, Evidence
from stelle_nb.model.conformal import Calibration
from stelle_nb.model.dense.dense_config import DenseConfig
from stelle_nb.model.paper.paper_config import PaperConfig
from stelle_nb.semantics.device import resolve_device

if TYPE_CHECKING:
    from stelle_nb.estimator.classifier import StelleClassifier

KIND = "stelle_nb classifier"
VERSION = 1
DEFAULT_FORMULAS = 5
OLD_SEED = 0  # of class formulas in files without a seed


def save_classifier(classifier: StelleClassifier, path: str | os.PathLike[str]) -> Path:
    """Write a fitted classifier as a folder, or as a zip if the path ends in ``.zip``."""
    classifier._check_is_fitted()
    model, model_tensors = pack_model(classifier.model_)
    background, background_tensors = _pack_background(classifier.background_, classifier.classes_.tolist())
    evidence = classifier.evidence_
    document = {
        "parameters": _pack_parameters(classifier),
        "axes": wording_to_json(classifier.axes_),
        "classes": pack_labels(classifier.classes_),
        "n_cases": classifier.metadata_["n_cases"],
        "n_channels": classifier.metadata_["n_channels"],
        "n_timepoints": classifier.metadata_["n_timepoints"],
        "seed": classifier.seed_,
        "precision": str(classifier.series_.dtype),
        "model": model,
        "evidence": {},
        "background": background,
        "calibration": _pack_calibration(classifier.calibration_),
    }
    if classifier.unequal_ != "refuse":
        document["unequal"] = classifier.unequal_
    if classifier.edits_:
        document["edits"] = [_pack_edit(edit) for edit in classifier.edits_]
    tensors = {
        **prefixed("model", model_tensors),
        **prefixed("evidence", {"robustness": evidence.robustness, **pack_terms(evidence.terms)}),
        **prefixed("background", background_tensors),
        "codes": torch.from_numpy(classifier.reference_.labels.astype(np.int64)),
        "series": torch.from_numpy(np.ascontiguousarray(classifier.series_, dtype=np.float64)),
    }
    return write_bundle(path, document, tensors, kind=KIND, version=VERSION)


def restore(classifier: StelleClassifier, stored: Stored) -> None:
    """Bring a classifier into the state that the file describes."""
    classes = unpack_labels(stored.part("classes"))
    shape = {
        "n_channels": stored.whole("n_channels", least=1),
        "n_timepoints": stored.whole("n_timepoints", least=1),
    }
    device = resolve_device(classifier.device)
    model = unpack_model(stored.part("model"), n_classes=len(classes), device=device, **shape)
    codes = stored.tensor("codes", None, dtype=torch.int64).numpy().astype(np.intp)
    if not len(codes) or codes.min() < 0 or codes.max() >= len(classes):
        raise BundleError(f"The labels of the cases must be from 0 to {len(classes) - 1}.")
    if len(np.unique(codes)) < len(classes):
        raise BundleError(f"Each of the {len(classes)} classes must have a case.")
    evidence = _unpack_evidence(stored.part("evidence"), model, len(codes))
    background = _unpack_background(stored.part("background"), classes.tolist(), shape["n_channels"])
    series = stored.tensor(
        "series", len(codes), shape["n_channels"], shape["n_timepoints"], dtype=torch.float64
    ).numpy()
    classifier._set_classes(classes)
    classifier.seed_ = stored.whole("seed", least=0) if "seed" in stored.document else OLD_SEED
    classifier.metadata_ = training_metadata(stored.whole("n_cases", least=1), **shape)
    classifier.model_ = model
    classifier.axes_ = _unpack_axes(stored, shape["n_channels"])
    classifier.unequal_ = _unpack_unequal(stored)
    reference = Reference(evidence.robustness.cpu().numpy(), codes, len(classes))
    classifier._remember(
        reference, evidence, background, series.astype(_unpack_precision(stored), copy=False)
    )
    classifier.calibration_ = _unpack_calibration(stored)
    classifier.edits_ = _unpack_edits(stored, model)
    classifier.is_fitted = True


def load_classifier(
    cls: type[StelleClassifier], path: str | os.PathLike[str], *, device: str | torch.device | None = None
) -> StelleClassifier:
    """Read what :func:`save_classifier` wrote; a corrupt or foreign file is rejected with the reason."""
    stored = Stored(*read_bundle(path, kind=KIND, version=VERSION))
    try:
        classifier = cls(**_unpack_parameters(stored.field("parameters", dict)))
        if device is not None:
            classifier.device = device
        restore(classifier, stored)
    except StelleError as error:
        raise BundleError(f"The classifier in {str(path)!r} cannot be used: {error}") from error
    return classifier


def _pack_parameters(classifier: StelleClassifier) -> dict[str, Any]:
    names = classifier.channel_names
    return {
        "variant": classifier.variant,
        "n_formulas": int(classifier.n_formulas),
        "n_concepts": None if classifier.n_concepts is None else int(classifier.n_concepts),
        "config": None if classifier.config is None else asdict(classifier.config),
        "random_state": as_index(classifier.random_state),
        "device": str(classifier.device),
        "channel_names": None if names is None else [str(name) for name in names],
        "step": None if classifier.step is None else float(classifier.step),
        "unit": classifier.unit,
        "units": None if classifier.units is None else list(checked_units(classifier.units) or ()),
    }


def _unpack_parameters(given: Mapping[str, Any]) -> dict[str, Any]:
    kinds = {
        "variant": (str,),
        "n_formulas": (int,),
        "n_concepts": (int, type(None)),
        "config": (dict, type(None)),
        "random_state": (int, type(None)),
        "device": (str,),
        "channel_names": (list, type(None)),
        "step": (float, int, type(None)),
        "unit": (str, type(None)),
        "units": (list, type(None)),  # missing in older files, which is None, too
    }
    stored = Stored({"n_formulas": DEFAULT_FORMULAS, **given}, {})  # older files have no such field
    parameters = {name: stored.field(name, *allowed) for name, allowed in kinds.items()}
    if parameters["variant"] == "default":
        parameters["variant"] = "dense"  # as it was called before there were score cards
    if parameters["config"] is not None:
        kinds_of_config: dict[str, Any] = {"scorecard": CardConfig, "dense": DenseConfig}
        kind = kinds_of_config.get(parameters["variant"], PaperConfig)
        parameters["config"] = unpack_config(parameters["config"], kind)
    if parameters["channel_names"] is not None:
        parameters["channel_names"] = stored.texts("channel_names")
    return parameters


def _unpack_unequal(stored: Stored) -> Unequal:
    """How further cases get the length of the training cases; older files lack it."""
    if "unequal" not in stored.document:
        return "refuse"
    name = stored.field("unequal", str)
    return cast(Unequal, one_of(name, "unequal", get_args(Unequal), error=BundleError))


def _unpack_axes(stored: Stored, n_channels: int) -> Wording:
    """The axes of the data set given to ``fit``; older files lack them."""
    if "axes" not in stored.document:
        return Wording()
    part = stored.part("axes")
    axes = Wording(
        part.field("channel_names", list, type(None)),
        part.field("step", float, int, type(None)),
        part.field("unit", str, type(None)),
        part.field("units", list, type(None)),
    )
    for named in (axes.channel_names, axes.units):
        if named is not None and len(named) != n_channels:
            raise BundleError(f"The axes must name all {n_channels} channels, got {len(named)}.")
    return axes


def _pack_calibration(calibration: Calibration | None) -> dict[str, Any] | None:
    if calibration is None:
        return None
    return {"scores": calibration.scores.tolist(), "n_folds": calibration.n_folds}


def _unpack_calibration(stored: Stored) -> Calibration | None:
    """Also None for files of versions without prediction sets."""
    if stored.document.get("calibration") is None:
        return None
    part = stored.part("calibration")
    scores = part.field("scores", list)
    if not scores or not all(type(score) in (int, float) and 0 <= score <= 1 for score in scores):
        raise BundleError("The scores of the calibration must be numbers from 0 to 1, at least one.")
    return Calibration(np.array(scores, dtype=np.float64), part.whole("n_folds", least=0))


def _pack_edit(edit: Edit) -> dict[str, Any]:
    return {"edit": edit_document(edit), "calibration": _pack_calibration(edit.calibration)}


def _unpack_edits(stored: Stored, model: ConceptModel) -> tuple[Edit, ...]:
    """None for files without edits, such as older ones."""
    if "edits" not in stored.document:
        return ()
    found = []
    for given in stored.field("edits", list):
        part = Stored(given if isinstance(given, dict) else {}, {})
        found.append(edit_from_document(part.field("edit", dict), _unpack_calibration(part)))
    if not isinstance(model, ScorecardModel):
        raise BundleError("Only a score card has edits. Was the file edited?")
    check_history(found, model.card)
    return tuple(found)


def _unpack_precision(stored: Stored) -> str:
    """Precision of the series as they were given; files without this field hold double precision."""
    precision = stored.field("precision", str) if "precision" in stored.document else "float64"
    if precision not in ("float32", "float64"):
        raise BundleError(f"precision must be 'float32' or 'float64', got {precision[:80]!r}.")
    return precision


def _unpack_evidence(stored: Stored, model: ConceptModel, n_cases: int) -> Evidence:
    robustness = stored.tensor("robustness", n_cases, len(model.concepts)).to(model.device)
    return Evidence(robustness, unpack_terms(stored, model, n_cases))


def _pack_background(background: Background, classes: list[Any]) -> tuple[dict[str, Any], dict[str, Tensor]]:
    codes = [classes.index(label) for label in background.labels]
    document = {"channels": list(background.channels), "stride": background.stride, "codes": codes}
    return document, {"cases": torch.from_numpy(np.ascontiguousarray(background.cases))}


def _unpack_background(stored: Stored, classes: list[Any], n_channels: int) -> Background:
    channels, codes = stored.field("channels", list), stored.field("codes", list)
    for what, numbers, high in (("channels", channels, n_channels), ("codes", codes, len(classes))):
        if not all(type(number) is int and 0 <= number < high for number in numbers):
            raise BundleError(f"The {what} of the background must be integers from 0 to {high - 1}.")
    cases = stored.tensor("cases", len(codes), len(channels), None).numpy()
    return Background(
        cases, tuple(classes[k] for k in codes), tuple(channels), stored.whole("stride", least=1)
    )
