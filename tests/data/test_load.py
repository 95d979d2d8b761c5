"""Loading by name and by path: where sets are looked for, and what is said when they are absent."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.error import URLError

import numpy as np
import pytest

from stelle_nb.data import available_datasets, load_dataset
from stelle_nb.data.sources.places import bundled_folder, cache_folder
from stelle_nb.errors import DataError, DataNotFoundError

UEA_SHAPES = {  # training cases, test cases, channels, samples, classes: the archive's own figures
    "ArticularyWordRecognition": (275, 300, 9, 144, 25),
    "AtrialFibrillation": (15, 15, 2, 640, 3),
    "BasicMotions": (40, 40, 6, 100, 4),
    "Cricket": (108, 72, 6, 1197, 12),
    "ERing": (30, 270, 4, 65, 6),
    "Epilepsy": (137, 138, 3, 206, 4),
    "HandMovementDirection": (160, 74, 10, 400, 4),
    "Handwriting": (150, 850, 3, 152, 26),
    "Libras": (180, 180, 2, 45, 15),
}


@pytest.fixture(autouse=True)
def _own_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STELLE_NB_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("STELLE_NB_DATA", raising=False)


def make_pair(folder: Path, name: str, *, value: float = 1.0) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    header = f"@problemName {name}\n@classLabel true a b\n@data\n"
    (folder / f"{name}_TRAIN.ts").write_text(f"{header}{value},2:a\n3,4:b\n")
    (folder / f"{name}_TEST.ts").write_text(f"{header}5,6:b\n")
    return folder


@pytest.mark.parametrize("name", UEA_SHAPES)
def test_archive_folders_load_by_path(uea: Path, name: str) -> None:
    ds = load_dataset(path=uea / name)
    assert (ds.n_train, ds.n_test, ds.n_channels, ds.n_timepoints, ds.n_classes) == UEA_SHAPES[name]
    assert ds.name == name
    assert ds.treatments == ()


def test_values_are_those_aeon_reads(uea: Path) -> None:
    from aeon.datasets import load_from_ts_file

    for split in ("TRAIN", "TEST"):
        X, y = load_from_ts_file(str(uea / "Libras" / f"Libras_{split}.ts"))
        ds = load_dataset(path=uea / "Libras")
        assert np.array_equal(getattr(ds, f"X_{split.lower()}"), X)
        assert np.array_equal(getattr(ds, f"y_{split.lower()}"), y)


def test_bundled_sets_need_no_network_and_no_aeon_import() -> None:
    code = (
        "import socket, sys; socket.socket = None\n"
        "from stelle_nb.data import load_dataset, available_datasets\n"
        "assert load_dataset('BasicMotions').n_train == 40 and len(available_datasets()) >= 9\n"
        "assert 'aeon' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_every_available_set_loads() -> None:
    for name in available_datasets():
        ds = load_dataset(name, unequal="hold", missing="interpolate")
        assert ds.n_train > 1
        assert ds.n_test > 1
        assert ds.source.startswith("bundled with aeon")


def test_axes_of_well_known_sets() -> None:
    ds = load_dataset("BasicMotions")
    assert ds.channel_names[0] == "accelerometer x"
    assert ds.channel_names[5] == "gyroscope z"
    assert (ds.step, ds.unit) == (0.1, "s")
    assert ds.classes.tolist() == ["Badminton", "Running", "Standing", "Walking"]
    other = load_dataset("BasicMotions", channel_names=list("abcdef"), step=100, unit="ms")
    assert (other.channel_names[5], other.step, other.unit) == ("f", 100.0, "ms")
    assert load_dataset("OSULeaf").channel_names == ("x0",)
    assert load_dataset("OSULeaf").step is None


def test_unequal_bundled_set_names_the_remedy() -> None:
    with pytest.raises(DataError, match="unequal='hold'"):
        load_dataset("JapaneseVowels")
    held = load_dataset("JapaneseVowels", unequal="hold")
    assert (held.n_channels, held.n_timepoints) == (12, 29)
    assert held.treatments == ("lengths 7 to 29 made 29 by holding the last sample",)


def test_a_pair_is_found_however_it_lies(tmp_path: Path) -> None:
    make_pair(tmp_path / "sets" / "Mine", "Mine")
    make_pair(tmp_path / "flat", "Mine")
    for options in (
        {"path": tmp_path / "sets" / "Mine"},
        {"path": str(tmp_path / "sets" / "Mine" / "Mine")},
        {"path": tmp_path / "sets", "name": "Mine"},
        {"path": tmp_path / "flat", "name": "Mine"},
        {"path": tmp_path / "flat" / "Mine"},
        {"path": tmp_path / "flat"},
    ):
        ds = load_dataset(**options)  # type: ignore[arg-type]
        assert ds.X_train.tolist() == [[[1, 2]], [[3, 4]]]
        assert ds.y_test.tolist() == ["b"]
        assert ds.name == "Mine"


def test_dots_in_a_stem_are_part_of_its_name(tmp_path: Path) -> None:
    make_pair(tmp_path, "run.1")
    assert load_dataset(path=tmp_path / "run.1").name == "run.1"


def test_single_ts_is_all_training(tmp_path: Path) -> None:
    make_pair(tmp_path, "Mine")
    assert load_dataset(path=tmp_path / "Mine_TRAIN.ts").n_test == 0
    (tmp_path / "Mine_TEST.ts").unlink()
    assert load_dataset(path=tmp_path).n_test == 0


def test_user_folders_come_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_pair(tmp_path / "one" / "Mine", "Mine")
    make_pair(tmp_path / "two" / "Mine", "Mine", value=9)
    make_pair(tmp_path / "two" / "GunPoint", "GunPoint")
    np.savez(tmp_path / "two" / "boxed.npz", X=np.ones((1, 1, 2)), y=["a"])
    monkeypatch.setenv("STELLE_NB_DATA", os.pathsep.join([str(tmp_path / "one"), str(tmp_path / "two")]))
    assert {"Mine", "boxed", "BasicMotions"} <= set(available_datasets())
    assert load_dataset("Mine").X_train[0, 0, 0] == 1
    assert load_dataset("GunPoint").n_train == 2
    assert load_dataset("boxed").n_train == 1


def test_cache_is_looked_at(tmp_path: Path) -> None:
    assert cache_folder() == tmp_path / "cache"
    make_pair(cache_folder() / "Kept", "Kept")
    assert load_dataset("Kept").n_train == 2


def test_default_cache_is_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("STELLE_NB_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for system, part in (("Linux", tmp_path.name), ("Darwin", "Caches"), ("Windows", "Local")):
        monkeypatch.setattr("platform.system", lambda system=system: system)
        monkeypatch.delenv("LOCALAPPDATA", raising=False)
        assert cache_folder().parts[-3:] == (part, "stelle_nb", "datasets")


@pytest.mark.parametrize(
    "name", ["../secret", "/etc/passwd", "a/b", "a\\b", "..", ".hidden", "", "a\n", "n" * 200, "a..b", "a\0b"]
)
def test_names_cannot_lead_elsewhere(name: str) -> None:
    with pytest.raises(DataError, match="path="):
        load_dataset(name)


def test_nothing_asked_for() -> None:
    with pytest.raises(DataError, match="BasicMotions"):
        load_dataset()


def test_folders_that_do_not_say_which(tmp_path: Path) -> None:
    make_pair(tmp_path / "A", "A")
    make_pair(tmp_path / "B", "B")
    with pytest.raises(DataNotFoundError, match="name= among: A, B"):
        load_dataset(path=tmp_path)
    with pytest.raises(DataNotFoundError, match="holds no set 'C'"):
        load_dataset("C", path=tmp_path)
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataNotFoundError, match="No set was recognised"):
        load_dataset(path=tmp_path / "empty")


def test_unknown_name_says_what_there_is() -> None:
    with pytest.raises(DataNotFoundError, match="Did you mean BasicMotions") as caught:
        load_dataset("BasicMotion")
    message = str(caught.value)
    assert "OSULeaf" in message
    assert "STELLE_NB_DATA" in message
    assert isinstance(caught.value, FileNotFoundError)


def test_downloads_can_be_switched_off() -> None:
    with pytest.raises(DataNotFoundError, match="switched off"):
        load_dataset("NATOPS", may_download=False)


def test_offline_says_where_to_put_files(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(name: str, extract_path: str, **_: object) -> None:
        make_pair(Path(extract_path) / name, name)  # what an interrupted download leaves
        raise URLError("no route to host")

    monkeypatch.setattr("aeon.datasets.load_classification", fail)
    with pytest.raises(DataNotFoundError, match="no route to host") as caught:
        load_dataset("NATOPS")
    message = str(caught.value)
    assert str(cache_folder() / "NATOPS") in message
    assert "NATOPS_TRAIN.ts" in message
    assert "BasicMotions" in message
    assert list(cache_folder().iterdir()) == []


def test_download_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []

    def fetch(name: str, extract_path: str, **_: object) -> None:
        calls.append(name)
        make_pair(Path(extract_path) / name, name)
        make_pair(Path(extract_path) / name, f"{name}_eq", value=8)

    monkeypatch.setattr("aeon.datasets.load_classification", fetch)
    assert load_dataset("NATOPS").n_train == 2
    assert load_dataset("NATOPS").n_train == 2
    assert load_dataset("NATOPS_eq").X_train[0, 0, 0] == 8
    assert calls == ["NATOPS"]
    assert [path.name for path in cache_folder().iterdir()] == ["NATOPS"]


def test_a_download_leaves_what_users_put_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def fetch(name: str, extract_path: str, **_: object) -> None:
        make_pair(Path(extract_path) / name, name)

    folder = cache_folder() / "NATOPS"
    folder.mkdir(parents=True)
    (folder / "notes.csv").write_text("mine")
    monkeypatch.setattr("aeon.datasets.load_classification", fetch)
    assert load_dataset("NATOPS").n_train == 2
    assert (folder / "notes.csv").read_text() == "mine"


def test_archive_names_can_be_listed() -> None:
    names = available_datasets(include_downloads=True)
    assert len(names) > 150
    assert {"NATOPS", "BasicMotions", "Adiac"} <= set(names)


def test_regression_sets_are_not_offered() -> None:
    folder = bundled_folder()
    assert folder is not None
    assert (folder / "Covid3Month").is_dir()
    assert "Covid3Month" not in available_datasets()
    with pytest.raises(DataError, match="classification"):
        load_dataset("Covid3Month")


def test_broken_sets_do_not_hide_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_pair(tmp_path / "sets" / "Good", "Good")
    shutil.copytree(tmp_path / "sets" / "Good", tmp_path / "sets" / "Bad")
    (tmp_path / "sets" / "Bad" / "Bad_TRAIN.ts").write_bytes(b"\xff\xfe")
    monkeypatch.setenv("STELLE_NB_DATA", str(tmp_path / "sets"))
    assert "Good" in available_datasets()
    assert "Bad" not in available_datasets()
