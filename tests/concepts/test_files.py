"""Concept sets on disk: nothing is lost, nothing is run, nothing is believed."""

from __future__ import annotations

import io
import json
import os
import zipfile
from pathlib import Path

import pytest
import torch

from stelle_nb.concepts import ConceptSet, Recipe, bundle, sample_grammar
from stelle_nb.concepts.bundle import MANIFEST, TENSORS, read_bundle, write_bundle
from stelle_nb.concepts.generation import generate
from stelle_nb.errors import BundleError
from stelle_nb.logic.parsing.parser import parse


@pytest.fixture(scope="module")
def concepts() -> ConceptSet:
    return generate(Recipe(n_timepoints=20, n_concepts=30, n_trajectories=100))


@pytest.mark.parametrize("name", ["set", "set.zip", "deep/er/set.zip"])
def test_round_trip(concepts: ConceptSet, tmp_path: Path, name: str) -> None:
    path = concepts.save(tmp_path / name)
    assert path == tmp_path / name
    loaded = ConceptSet.load(path)
    assert loaded == concepts
    assert loaded.signatures is not None
    assert concepts.signatures is not None
    assert torch.equal(loaded.signatures, concepts.signatures)
    assert [item.name for item in path.parent.iterdir()] == [path.name]  # nothing left beside it


def test_all_formulas_survive(tmp_path: Path) -> None:
    formulas = tuple(dict.fromkeys(sample_grammar(300)))
    tube = parse("tube[0,9](x0 ~ 1.0 2.0 +- 0.5; step 3)")
    concepts = ConceptSet((*formulas, tube), 1, 100)
    assert ConceptSet.load(concepts.save(tmp_path / "set")).formulas == concepts.formulas


@pytest.mark.parametrize("name", ["set", "set.zip"])
def test_saving_replaces_a_set(concepts: ConceptSet, tmp_path: Path, name: str) -> None:
    ConceptSet((parse("x0 >= 0"),), 1, 10, signatures=torch.zeros(2, 1)).save(tmp_path / name)
    concepts.save(tmp_path / name)
    assert ConceptSet.load(tmp_path / name) == concepts


def test_saving_leaves_what_is_not_ours(concepts: ConceptSet, tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.tex").write_text("precious")
    (tmp_path / "file").write_text("precious")
    for name in ("thesis", "file"):
        with pytest.raises(BundleError, match="not a bundle"):
            concepts.save(tmp_path / name)
    (tmp_path / "folder.zip").mkdir()
    with pytest.raises(BundleError, match="is a folder"):
        concepts.save(tmp_path / "folder.zip")
    assert (tmp_path / "thesis" / "chapter.tex").read_text() == (tmp_path / "file").read_text() == "precious"


@pytest.mark.parametrize("name", ["set", "set.zip"])
def test_a_failure_while_writing_keeps_the_old_set(
    concepts: ConceptSet, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    concepts.save(tmp_path / name)

    def fail(*args: object, **kwargs: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(Path, "write_bytes", fail)
    monkeypatch.setattr(zipfile.ZipFile, "writestr", fail)
    with pytest.raises(OSError, match="disk full"):
        ConceptSet((parse("x0 >= 0"),), 1, 10).save(tmp_path / name)
    monkeypatch.undo()
    assert ConceptSet.load(tmp_path / name) == concepts
    assert os.listdir(tmp_path) == [name]


def _manifest(**changes: object) -> bytes:
    document = {
        "kind": "stelle_nb concepts", "version": 1, "n_channels": 1, "n_timepoints": 10, "provenance": {},
        "formulas": ["x0 >= 0.0"],
    } | changes  # fmt: skip
    return json.dumps({key: value for key, value in document.items() if value is not None}).encode()


def _zip(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def test_the_manifest_of_these_tests_is_good(tmp_path: Path) -> None:
    assert len(ConceptSet.load(_zip(tmp_path / "a.zip", {MANIFEST: _manifest()}))) == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{", "not valid JSON"),
        (b"[" * 100_000, "not valid JSON"),
        (b"\xff\xfe\x00", "not valid JSON"),
        (b"[]", "must hold an object"),
        (b'{"kind": NaN}', "not valid JSON"),
        (b'{"kind": 1, "kind": 2}', "occurs twice"),
        (_manifest(kind="model"), "must hold stelle_nb concepts"),
        (_manifest(version=2), "version 1 to 1"),
        (_manifest(version=True), "version"),
        (_manifest(version="1"), "version"),
        (_manifest(formulas=None), "formulas must be"),
        (_manifest(formulas="x0 >= 0"), "formulas must be"),
        (_manifest(formulas=[1]), "formulas must be"),
        (_manifest(formulas=[]), "at least one formula"),
        (_manifest(formulas=["x0 >="]), "cannot be used"),
        (_manifest(formulas=["(" * 100_000]), "cannot be used"),
        (_manifest(formulas=["__import__('os').system('true')"]), "cannot be used"),
        (_manifest(formulas=["x5 >= 0"]), "channel 5"),
        (_manifest(n_channels="1"), "n_channels"),
        (_manifest(n_timepoints=-4), "a channel and a sample"),
        (_manifest(n_timepoints=1.5), "n_timepoints"),
        (_manifest(provenance=[]), "provenance"),
    ],
)  # fmt: skip
def test_broken_manifests(tmp_path: Path, content: bytes, message: str) -> None:
    folder = tmp_path / "set"
    folder.mkdir()
    (folder / MANIFEST).write_bytes(content)
    for path in (folder, _zip(tmp_path / "set.zip", {MANIFEST: content})):
        with pytest.raises(BundleError, match=message):
            ConceptSet.load(path)


@pytest.mark.parametrize("content", [b"", b"x", b"\xff" * 64, (10**9).to_bytes(8, "little") + b"{}"])
def test_broken_tensors(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(BundleError, match="is broken"):
        ConceptSet.load(_zip(tmp_path / "a.zip", {MANIFEST: _manifest(), TENSORS: content}))


def test_tensors_that_do_not_fit(tmp_path: Path) -> None:
    folder = write_bundle(
        tmp_path / "a", json.loads(_manifest()), {"signatures": torch.zeros(3, 7)}, kind="x", version=1
    )
    (folder / MANIFEST).write_bytes(_manifest())
    with pytest.raises(BundleError, match="Signatures"):
        ConceptSet.load(folder)


@pytest.mark.parametrize("name", ["../evil", "/etc/evil", "evil.py", "a/b/c", "MANIFEST.JSON"])
def test_other_members_are_refused_and_written_nowhere(tmp_path: Path, name: str) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    path = _zip(inside / "a.zip", {MANIFEST: _manifest(), name: b"evil"})
    with pytest.raises(BundleError, match="alone"):
        ConceptSet.load(path)
    assert os.listdir(tmp_path) == ["inside"]
    assert os.listdir(inside) == ["a.zip"]


def test_a_member_twice(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(MANIFEST, _manifest())
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr(MANIFEST, _manifest(n_channels=2))
    with pytest.raises(BundleError, match="alone"):
        ConceptSet.load(path)


def test_zip_bombs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(bundle.MAX_BYTES, MANIFEST, 2**20)
    path = _zip(tmp_path / "a.zip", {MANIFEST: b" " * (50 * 2**20)})
    assert path.stat().st_size < 2**17
    with pytest.raises(BundleError, match="larger than 1 MiB"):
        ConceptSet.load(path)


def test_what_is_no_bundle(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "text").write_text("x0 >= 0")
    truncated = _zip(tmp_path / "whole.zip", {MANIFEST: _manifest()}).read_bytes()[:60]
    (tmp_path / "half.zip").write_bytes(truncated)
    for name, message in (("absent", "There is no"), ("empty", "no manifest"), ("text", "not a readable zip"),
                          ("half.zip", "not a readable zip")):  # fmt: skip
        with pytest.raises(BundleError, match=message):
            ConceptSet.load(tmp_path / name)


def test_a_damaged_member(tmp_path: Path) -> None:
    content = bytearray(_zip(tmp_path / "a.zip", {MANIFEST: _manifest()}).read_bytes())
    content[60] ^= 0xFF
    (tmp_path / "a.zip").write_bytes(content)
    with pytest.raises(BundleError):
        ConceptSet.load(tmp_path / "a.zip")


def test_documents_hold_what_json_can(tmp_path: Path) -> None:
    for value in (float("nan"), io.BytesIO(), "\ud800"):
        with pytest.raises(BundleError, match="can be saved"):
            write_bundle(tmp_path / "a", {"x": value}, kind="k", version=1)
    assert not list(tmp_path.iterdir())
    write_bundle(tmp_path / "a", {"x": "Übung"}, kind="k", version=3)
    document, tensors = read_bundle(tmp_path / "a", kind="k", version=4)
    assert (document["x"], tensors) == ("Übung", {})
