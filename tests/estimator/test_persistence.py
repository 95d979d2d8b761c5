"""A saved classifier comes back the same; whatever else a file holds is refused and never run."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from stelle_nb.errors import BundleError
from stelle_nb.estimator import StelleClassifier
from stelle_nb.model import PaperConfig
from stelle_nb.model.dense.scale import Scale
from tests.estimator.conftest import make_bursts, make_classifier


@pytest.mark.parametrize("name", ["model", "model.zip"])
def test_a_loaded_classifier_predicts_and_explains_the_same(
    fitted: StelleClassifier, tmp_path: Path, name: str
) -> None:
    X, _ = make_bursts(seed=1)
    assert fitted.save(tmp_path / name) == tmp_path / name
    loaded = StelleClassifier.load(tmp_path / name)
    np.testing.assert_array_equal(loaded.predict_proba(X), fitted.predict_proba(X))
    assert loaded.predict(X).tolist() == fitted.predict(X).tolist()
    assert loaded.concepts_ == fitted.concepts_
    np.testing.assert_array_equal(loaded.reference_.robustness, fitted.reference_.robustness)
    np.testing.assert_array_equal(loaded.series_, fitted.series_)
    np.testing.assert_array_equal(loaded.background_.cases, fitted.background_.cases)
    formulas = [explanation.formula for explanation in fitted.explain_local(X[:4])]
    assert [explanation.formula for explanation in loaded.explain_local(X[:4])] == formulas


@pytest.mark.parametrize("kernel", ["exponential", "none"])
def test_every_kernel_comes_back(tmp_path: Path, kernel: str) -> None:
    X, y = make_bursts()
    config = PaperConfig(kernel=kernel, hidden_dim=8, max_epochs=2)
    clf = make_classifier("paper", config=config).fit(X, y)
    clf.save(tmp_path / "model")
    loaded = StelleClassifier.load(tmp_path / "model")
    np.testing.assert_array_equal(loaded.predict_proba(X), clf.predict_proba(X))
    assert loaded.config == config
    assert loaded.model_.history.to_frame().equals(clf.model_.history.to_frame())


def test_parameters_come_back(tmp_path: Path) -> None:
    clf = make_classifier(channel_names=["arm", "leg"], step=0.1, unit="s").fit(*make_bursts())
    clf.save(tmp_path / "model")
    assert StelleClassifier.load(tmp_path / "model").get_params() == clf.get_params()
    assert StelleClassifier.load(tmp_path / "model", device="cpu").model_.device == torch.device("cpu")


@pytest.mark.parametrize(
    "labels",
    [
        ["a", "b", "c"],
        [3, 1, 2],
        [True, False],
        [("left", 1), ("right", (2,)), ("none", 3)],
        ["a", 1, ("b", True)],
    ],
)
def test_labels_come_back_with_their_types(tmp_path: Path, labels: list[Any]) -> None:
    X, _ = make_bursts(n_classes=len(labels))
    y = [labels[i % len(labels)] for i in range(len(X))]
    clf = make_classifier().fit(X, y)
    clf.save(tmp_path / "model")
    loaded = StelleClassifier.load(tmp_path / "model")
    assert loaded.classes_.tolist() == clf.classes_.tolist()
    assert loaded.classes_.dtype == clf.classes_.dtype
    assert list(map(type, loaded.predict(X).tolist())) == list(map(type, clf.predict(X).tolist()))


def test_labels_that_json_cannot_hold_are_refused_and_nothing_is_written(tmp_path: Path) -> None:
    X, _ = make_bursts(n_classes=2)
    clf = make_classifier().fit(X, [frozenset({i % 2}) for i in range(len(X))])
    with pytest.raises(BundleError, match="can be saved, got frozenset"):
        clf.save(tmp_path / "model")
    assert not list(tmp_path.iterdir())


def test_saving_again_replaces_and_a_foreign_folder_is_left_alone(tmp_path: Path) -> None:
    clf = make_classifier().fit(*make_bursts())
    clf.save(tmp_path / "model")
    clf.save(tmp_path / "model")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")
    with pytest.raises(BundleError):
        clf.save(tmp_path / "mine")
    assert (tmp_path / "mine" / "thesis.txt").read_text() == "years of work"


def test_what_is_no_classifier_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BundleError, match="no stelle_nb classifier"):
        StelleClassifier.load(tmp_path / "nothing")
    (tmp_path / "text.zip").write_text("hello")
    with pytest.raises(BundleError, match="zip"):
        StelleClassifier.load(tmp_path / "text.zip")


Change = Callable[[dict[str, Any], dict[str, torch.Tensor]], object]


def as_before_ranks(document: dict[str, Any], tensors: dict[str, torch.Tensor]) -> None:
    """Turn a saved dense model into what earlier versions wrote: clipped deviations, no word of z-scores."""
    for signal in document["model"]["signals"]:
        if not signal["zscore"]:
            del signal["zscore"]
    del tensors["model.knots"], tensors["model.values"]
    scale = Scale.fit(tensors["evidence.robustness"], clip=2.5)
    tensors.update({"model.mean": scale.mean, "model.std": scale.std, "model.centre": scale.centre})
    document["model"]["clip"] = scale.clip


def older(change: Change) -> Change:
    def changed(document: dict[str, Any], tensors: dict[str, torch.Tensor]) -> None:
        as_before_ranks(document, tensors)
        change(document, tensors)

    return changed


COMMON: dict[str, Change] = {
    "newer version": lambda d, t: d.update(version=99),
    "another kind": lambda d, t: d.update(kind="stelle_nb concepts"),
    "no parameters": lambda d, t: d.pop("parameters"),
    "parameter of wrong type": lambda d, t: d["parameters"].update(n_concepts="many"),
    "parameter that is no device": lambda d, t: d["parameters"].update(device="__import__('os')"),
    "one class": lambda d, t: d["classes"].update(values=["left"]),
    "equal classes": lambda d, t: d["classes"].update(values=["left", "left", "none"]),
    "label type": lambda d, t: d["classes"].update(dtype="|O8"),
    "label values": lambda d, t: d["classes"].update(dtype="<i8", values=["a", "b", "c"]),
    "too few classes": lambda d, t: d["classes"].update(values=["left", "none"]),
    "negative shape": lambda d, t: d.update(n_timepoints=-1),
    "shape that is no number": lambda d, t: d.update(n_channels=True),
    "formula that is none": lambda d, t: d["model"]["concepts"].__setitem__(0, "import os"),
    "concept that is no text": lambda d, t: d["model"]["concepts"].__setitem__(0, 3),
    "no concepts": lambda d, t: d["model"].update(concepts=[]),
    "concept of a missing signal": lambda d, t: d["model"]["concepts"].__setitem__(0, "x99 > 0"),
    "signal of a missing channel": lambda d, t: d["model"]["signals"][0].update(channel=9),
    "signal of a wrong kind": lambda d, t: d["model"]["signals"].__setitem__(0, {"code": "os"}),
    "signal that is no object": lambda d, t: d["model"]["signals"].__setitem__(0, 3),
    "kind of model": lambda d, t: d["model"].update(kind="pickle"),
    "seed that is no number": lambda d, t: d.update(seed="0"),
    "negative seed": lambda d, t: d.update(seed=-1),
    "precision that is none": lambda d, t: d.update(precision="object"),
    "missing tensor": lambda d, t: t.pop("codes"),
    "tensor of wrong type": lambda d, t: t.update(codes=t["codes"].double()),
    "class number out of range": lambda d, t: t["codes"].fill_(7),
    "scale of zero": lambda d, t: t["model.scale"].zero_(),
    "reference of another size": lambda d, t: t.update({"evidence.robustness": torch.zeros(2, 2)}),
    "background channel": lambda d, t: d["background"].update(channels=[0, 99]),
    "background code": lambda d, t: d["background"]["codes"].__setitem__(0, "0"),
    "background stride": lambda d, t: d["background"].update(stride=0),
}
LINEAR: dict[str, Change] = {
    "weights of another shape": lambda d, t: t.update({"model.weights": torch.zeros(3, 3)}),
    "knots without values": lambda d, t: t.pop("model.values"),
    "knots out of order": lambda d, t: t["model.knots"].neg_(),
    "values that fall": lambda d, t: t["model.values"].neg_(),
    "knots without end": lambda d, t: t["model.knots"][:, -1].fill_(torch.inf),
    "one knot": lambda d, t: t.update({f"model.{name}": torch.zeros(10, 1) for name in ("knots", "values")}),
    "clip that is no number": older(lambda d, t: d["model"].update(clip="2")),
    "missing deviations": older(lambda d, t: t.pop("model.std")),
}
CARD: dict[str, Change] = {
    "card that is no JSON": lambda d, t: d["model"].update(card="{"),
    "card of other classes": lambda d, t: d["model"].update(
        card=d["model"]["card"].replace('"left", ', "", 1).replace('"left",', "", 1)
    ),
    "card about a missing channel": lambda d, t: d["model"].update(
        card=d["model"]["card"].replace("x0", "x9").replace("x1", "x9")
    ),
    "scales that differ": lambda d, t: t["model.scale"][0].mul_(2),
    "formulas that are no number": lambda d, t: d["parameters"].update(n_formulas="5"),
}
PAPER: dict[str, Change] = {
    "unknown setting": lambda d, t: d["model"]["config"].update(code="os"),
    "setting out of range": lambda d, t: d["model"]["config"].update(dropout=2),
    "network of another shape": lambda d, t: t.update({"model.network.class_mean": torch.zeros(3, 7)}),
    "missing weights": lambda d, t: t.pop("model.network.head.linears.0.weight"),
    "draws of another length": lambda d, t: t.update({"model.draws": torch.zeros(10, 7)}),
    "broken history": lambda d, t: d["model"]["history"].update(rows=[{"epoch": 1}]),
}


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("saved")
    return {
        variant: make_classifier(variant, n_concepts=10).fit(*make_bursts()).save(folder / variant)
        for variant in ("scorecard", "dense", "paper")
    }


@pytest.mark.parametrize(
    ("variant", "change"),
    [("dense", change) for change in (COMMON | LINEAR).values()]
    + [("scorecard", change) for change in CARD.values()]
    + [("paper", change) for change in (COMMON | PAPER).values()],
    ids=[f"dense: {name}" for name in COMMON | LINEAR]
    + [f"scorecard: {name}" for name in CARD]
    + [f"paper: {name}" for name in COMMON | PAPER],
)
def test_a_changed_file_is_refused_with_a_reason(
    saved: dict[str, Path], tmp_path: Path, variant: str, change: Change
) -> None:
    document = json.loads((saved[variant] / "manifest.json").read_text())
    tensors = {
        name: tensor.clone() for name, tensor in load_file(saved[variant] / "tensors.safetensors").items()
    }
    change(document, tensors)
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "manifest.json").write_text(json.dumps(document))
    save_file(tensors, tmp_path / "model" / "tensors.safetensors")
    with pytest.raises(BundleError):
        StelleClassifier.load(tmp_path / "model")


def test_a_model_of_before_ranks_loads_predicts_and_is_saved_again(
    saved: dict[str, Path], tmp_path: Path
) -> None:
    document = json.loads((saved["dense"] / "manifest.json").read_text())
    tensors = dict(load_file(saved["dense"] / "tensors.safetensors"))
    as_before_ranks(document, tensors)
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "manifest.json").write_text(json.dumps(document))
    save_file(tensors, tmp_path / "model" / "tensors.safetensors")
    loaded = StelleClassifier.load(tmp_path / "model")
    X, _ = make_bursts(seed=1)
    rho = loaded.model_.evidence(X).robustness
    z = ((rho - tensors["model.mean"]) / tensors["model.std"]).clamp(-2.5, 2.5) - tensors["model.centre"]
    scores = z @ tensors["model.weights"] + tensors["model.bias"]
    assert loaded.predict(X).tolist() == loaded.classes_[scores.argmax(1).numpy()].tolist()
    loaded.save(tmp_path / "again")
    again = StelleClassifier.load(tmp_path / "again")
    np.testing.assert_array_equal(again.predict_proba(X), loaded.predict_proba(X))


@pytest.mark.parametrize("member", ["manifest.json", "tensors.safetensors"])
def test_a_file_cut_short_is_refused(saved: dict[str, Path], tmp_path: Path, member: str) -> None:
    for file in saved["dense"].iterdir():
        content = file.read_bytes()
        (tmp_path / file.name).write_bytes(content[: len(content) // 2] if file.name == member else content)
    with pytest.raises(BundleError):
        StelleClassifier.load(tmp_path)


@pytest.mark.parametrize(
    "random_state", [None, 7, np.random.RandomState(0), np.random.default_rng(0)], ids=str
)
def test_a_loaded_classifier_describes_classes_the_same(tmp_path: Path, random_state: Any) -> None:
    X, y = make_bursts(n_cases=12)
    clf = make_classifier(random_state=random_state).fit(X.astype(np.float32), y)
    clf.save(tmp_path / "model")
    loaded = StelleClassifier.load(tmp_path / "model")
    assert loaded.seed_ == clf.seed_
    assert loaded.series_.dtype == clf.series_.dtype == np.float32
    found = [each.explain_global(target="left")["left"] for each in (clf, loaded)]
    assert found[0].to_json() == found[1].to_json()


def test_a_file_from_before_seeds_were_kept_still_loads(saved: dict[str, Path], tmp_path: Path) -> None:
    document = json.loads((saved["dense"] / "manifest.json").read_text())
    del document["seed"], document["precision"]
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "manifest.json").write_text(json.dumps(document))
    tensors = (saved["dense"] / "tensors.safetensors").read_bytes()
    (tmp_path / "model" / "tensors.safetensors").write_bytes(tensors)
    loaded = StelleClassifier.load(tmp_path / "model")
    assert loaded.seed_ == 0 and loaded.series_.dtype == np.float64
