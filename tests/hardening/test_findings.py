"""What fuzzing found in files, each kept as it was found: all are refused by an error of ours."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load, save

import stelle_nb as st
from stelle_nb.data.sources.loading import load_dataset
from stelle_nb.errors import BenchError, BundleError, DataError, SignalError
from stelle_nb.experiments.ledger import read_entries
from tests.hardening.mutation import members_of, zipped
from tests.hardening.targets import MANIFEST, TENSORS, ledger, of_case, of_class, saved


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("saved")


@pytest.mark.parametrize("kind", ["dense", "paper"])
def test_weights_that_are_no_numbers(kind: str, folder: Path) -> None:
    members = members_of(saved(kind, folder))
    tensors = load(members[TENSORS])
    path = folder / "spoilt.zip"
    for name, tensor in tensors.items():
        if tensor.is_floating_point() and tensor.numel():
            spoilt = tensor.clone()
            spoilt.view(-1)[-1] = float("nan")
            path.write_bytes(zipped({**members, TENSORS: save({**tensors, name: spoilt})}))
            with pytest.raises(BundleError):
                st.StelleClassifier.load(path)


def test_signals_that_look_back_further_than_memory_goes(folder: Path) -> None:
    members = members_of(saved("dense", folder))
    manifest = members[MANIFEST].decode()
    assert '"lag": 0' in manifest
    path = folder / "spoilt.zip"
    path.write_bytes(
        zipped({**members, MANIFEST: manifest.replace('"lag": 0', '"lag": 1000000000000').encode()})
    )
    with pytest.raises((BundleError, SignalError), match="look back at most"):
        st.StelleClassifier.load(path)


def test_text_with_characters_that_do_not_exist(folder: Path) -> None:
    y = np.frombuffer(np.array([0x110000, 97], "<u4").tobytes(), "<U1")
    path = folder / "text.npz"
    np.savez(path, X_train=np.zeros((2, 1, 4)), y_train=y)
    with pytest.raises(DataError, match="invalid characters"):
        load_dataset(path=path)


@pytest.mark.parametrize("column", ["content", "result", "error"])
def test_a_ledger_with_bytes_that_are_no_text(column: str, folder: Path) -> None:
    path = folder / f"{column}.sqlite"
    path.write_bytes(ledger(folder))
    with sqlite3.connect(path) as opened:
        opened.execute(f"UPDATE entries SET {column} = CAST(x'ff' AS TEXT)")
    with pytest.raises(BenchError):
        read_entries(path)


def test_numbers_too_large_for_a_float(folder: Path) -> None:
    saved("dense", folder)
    clf = st.StelleClassifier.load(folder / "dense.zip")
    document = json.loads(clf.explain_local(np.zeros((1, *clf.series_.shape[1:])))[0].to_json())
    document["robustness"] = 10**400
    with pytest.raises(st.StelleError, match="broken"):
        st.LocalExplanation.from_json(json.dumps(document))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("n_own", 0),
        ("n_own", 0.5),
        ("n_opponents", 0),
        ("n_opponents", False),
        ("n_satisfied", 10**400),
        ("n_mistaken", 10**400),
        ("n_mistaken", -1),
    ],
    ids=lambda each: str(each)[:12],
)
def test_counts_of_a_class_that_cannot_be(name: str, value: object, folder: Path) -> None:
    document = json.loads(of_class(folder))
    document[name] = value
    with pytest.raises(st.StelleError, match="broken"):
        st.ClassExplanation.from_json(json.dumps(document))


def test_numbers_that_json_or_single_precision_cannot_hold(folder: Path) -> None:
    written = of_class(folder)
    document = json.loads(written)
    document["background"]["cases"][0][0][0] = 1e300
    with pytest.raises(st.StelleError, match="single precision"):
        st.ClassExplanation.from_json(json.dumps(document))
    assert '"gamma_g": 0.0' in written
    with pytest.raises(st.StelleError, match="1e400"):
        st.ClassExplanation.from_json(written.replace('"gamma_g": 0.0', '"gamma_g": 1e400'))


def test_a_backward_interval_of_huge_numbers_is_refused_in_few_words() -> None:
    with pytest.raises(st.StelleError, match="must not end before") as error:
        st.parse(f"F[{10**700},1] x0 > 0")
    assert len(str(error.value)) < 500


@pytest.mark.parametrize("value", ["inf", "NaN", "0.5", True, None, 10**400], ids=lambda each: str(each)[:5])
def test_text_in_the_place_of_a_number(value: object, folder: Path) -> None:
    document = json.loads(of_class(folder))
    document["gamma_g"] = value
    with pytest.raises(st.StelleError, match="broken"):
        st.ClassExplanation.from_json(json.dumps(document))
    document = json.loads(of_case(folder))
    document["coverage"] = value
    with pytest.raises(st.StelleError, match="broken"):
        st.LocalExplanation.from_json(json.dumps(document))


@pytest.mark.parametrize("number", ["1" + 400 * "0", "1" + 200 * "0", "1e60"], ids=len)
def test_numbers_of_a_model_that_single_precision_cannot_hold(number: str, folder: Path) -> None:
    members = members_of(saved("dense", folder))
    path = folder / "spoilt.zip"
    n_concepts = len(json.loads(members[MANIFEST])["model"]["concepts"])
    scale = {f"model.{name}": torch.ones(n_concepts) for name in ("mean", "std", "centre")}
    tensors = {name: tensor for name, tensor in load(members[TENSORS]).items() if name != "model.knots"}
    older = {**members, TENSORS: save({**tensors, **scale})}  # as versions with a clip wrote it
    for name, files in (("clip", older), ("sharpness", members)):
        spoilt = json.loads(files[MANIFEST])
        spoilt["model"][name] = int(number) if number.isdigit() else float(number)
        path.write_bytes(zipped({**files, MANIFEST: json.dumps(spoilt).encode()}))
        with pytest.raises(BundleError, match=f"{name} must be a number"):
            st.StelleClassifier.load(path)


def test_tensors_of_more_axes_than_torch_knows(folder: Path) -> None:
    members = members_of(saved("paper", folder))
    tensors = load(members[TENSORS])
    name = next(name for name, tensor in tensors.items() if tensor.is_floating_point())
    spoilt = save({**tensors, name: tensors[name].reshape(*(70 * [1]), *tensors[name].shape)})
    path = folder / "spoilt.zip"
    path.write_bytes(zipped({**members, TENSORS: spoilt}))
    with pytest.raises(BundleError, match="axes"):
        st.StelleClassifier.load(path)
