"""Killed at every step, killed at any time, no room on the disk: the old state is there, and work goes on."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

import stelle_nb as st
from stelle_nb import files
from stelle_nb.data.sources import places
from stelle_nb.errors import StelleError
from tests.hardening.faults import WRITERS, killed_after, killed_at_step, with_small_files
from tests.hardening.hostile import good_labels, good_series
from tests.small import TINY_DENSE

ROUNDS = int(os.environ.get("STELLE_NB_KILLS", "6"))  # kills at any time, for each kind of file
pytestmark = pytest.mark.skipif(
    not hasattr(os, "fork"), reason="children are forked, which this system cannot"
)


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("first") / "first.zip"
    clf = st.StelleClassifier("dense", n_concepts=6, config=TINY_DENSE, random_state=0)
    clf.fit(good_series(), good_labels()).save(path)
    return path


@pytest.fixture
def folder(tmp_path: Path, first: Path) -> Path:
    shutil.copy(first, tmp_path)
    return tmp_path


def shown(folder: Path) -> list[str]:
    """What a person sees: names that do not begin with a dot."""
    return sorted(path.name for path in folder.iterdir() if path.name[0] != "." and path.name != "first.zip")


@pytest.fixture(params=["exchanged in one step", "moved in two steps"])
def moving(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """How a folder takes the place of another: as this system does it, and as others do."""
    if request.param == "moved in two steps":
        monkeypatch.setattr(files, "exchange", lambda one, other: False)
        return
    for name in ("one", "other"):
        (tmp_path / "probe" / name).mkdir(parents=True)
    can = files.exchange(tmp_path / "probe" / "one", tmp_path / "probe" / "other")
    shutil.rmtree(tmp_path / "probe")
    if not can:
        pytest.skip("this system cannot exchange two folders in one step; two steps are tested")


@pytest.mark.usefixtures("moving")
@pytest.mark.parametrize("kind", WRITERS)
def test_killed_before_every_step(kind: str, folder: Path) -> None:
    write, read, name = WRITERS[kind]
    path = folder / name
    write(path, 0)
    states: list[int] = []
    while killed_at_step(len(states) + 1, folder, lambda: write(path, 1)):
        states.append(read(path))
        assert shown(folder) == [name] or kind == "ledger"  # beside it SQLite keeps its journal
        if kind != "ledger":  # which never takes back what is finished
            write(path, 0)  # what the kill left behind is in nobody's way
    assert set(states) <= {0, 1} and states == sorted(states)  # the old, and from one step on the new
    assert len(states) >= 2 or kind == "ledger"  # SQLite writes without telling Python
    assert read(path) == 1 and shown(folder) == [name]
    write(path, 2)
    assert read(path) == 2


@pytest.mark.parametrize("kind", WRITERS)
def test_killed_at_any_time(kind: str, folder: Path) -> None:
    write, read, name = WRITERS[kind]
    path, random = folder / name, Random(kind)
    write(path, 0)
    state = 0
    for _ in range(ROUNDS):
        last = [state]

        def work(last: list[int] = last) -> None:
            last[0] += 1
            write(path, last[0])

        killed_after(random.uniform(0, 0.05), work)
        found = read(path)
        assert found >= state
        assert shown(folder) == [name] or kind == "ledger"  # beside it SQLite keeps the journal it undoes by
        state = found
    write(path, state + 1)
    assert read(path) == state + 1 and shown(folder) == [name]


FOLDERS = [kind for kind in WRITERS if kind.endswith("as folder")]


@pytest.mark.parametrize("kind", FOLDERS)
def test_killed_between_the_two_moves_of_a_folder(
    kind: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old folder has its hidden name then: a reader finds it and gives it its own name back."""
    monkeypatch.setattr(files, "exchange", lambda one, other: False)
    write, read, name = WRITERS[kind]
    path = folder / name
    write(path, 0)

    def move_once(place: Path, target: Path) -> Path:
        if target == path:
            os._exit(9)
        os.rename(place, target)
        return target

    pid = os.fork()
    if not pid:
        monkeypatch.setattr(Path, "rename", move_once)
        write(path, 1)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 9
    assert shown(folder) == [] and (folder / f".{name}.previous").is_dir()
    assert read(path) == 0 and shown(folder) == [name]
    write(path, 2)
    assert read(path) == 2 and not (folder / f".{name}.previous").exists()


@pytest.mark.parametrize("kind", FOLDERS)
def test_an_old_folder_that_cannot_be_put_back_is_read_where_it_is(
    kind: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, read, name = WRITERS[kind]
    path = folder / name
    write(path, 3)
    path.rename(folder / f".{name}.previous")

    def refuse(place: Path, target: Path) -> Path:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "rename", refuse)
    assert read(path) == 3 and shown(folder) == []


def test_a_reader_between_the_two_moves_does_not_stop_the_writer(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It puts the old folder back, which the writer then moves away again."""
    monkeypatch.setattr(files, "exchange", lambda one, other: False)
    write, read, name = WRITERS["concepts as folder"]
    path, read_meanwhile = folder / name, []
    write(path, 0)

    def rename(place: Path, target: Path) -> Path:
        if target == path and place.name != f".{name}.previous" and not read_meanwhile:
            read_meanwhile.append(None)
            read_meanwhile[0] = read(path)
        os.rename(place, target)
        return target

    monkeypatch.setattr(Path, "rename", rename)
    write(path, 1)
    assert read_meanwhile == [0] and read(path) == 1 and shown(folder) == [name]


def fetch(name: str, split: str, extract_path: str) -> None:
    """What aeon does, without the network: the files of a set come in one after the other."""
    folder = Path(extract_path) / name
    folder.mkdir()
    for part in ("TRAIN", "TEST"):
        head = "@problemName a\n@timestamps false\n@classLabel true a b\n@data\n"
        (folder / f"{name}_{part}.ts").write_text(head + "1,2:a\n3,4:b\n" * 500)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("aeon.datasets.load_classification", fetch)
    monkeypatch.setenv("STELLE_NB_DATA", "")
    monkeypatch.setenv("STELLE_NB_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_a_killed_download_is_there_whole_or_not_at_all(cache: Path) -> None:
    n_kills = 0
    while killed_at_step(n_kills + 1, cache, lambda: st.load_dataset("Heartbeat") and None):
        n_kills += 1
        if places.find_in(cache, "Heartbeat"):
            assert len(st.load_dataset("Heartbeat", may_download=False).X_test) == 1000
            shutil.rmtree(cache / "Heartbeat")
    assert n_kills >= 4
    assert len(st.load_dataset("Heartbeat").X_test) == 1000 and shown(cache) == ["Heartbeat"]


@pytest.fixture(params=["tmpfs", "file size"])
def full(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A way to run out of room: a disk of 300 KiB that is filled up, or a limit on the size of a file."""
    if request.param == "file size":
        yield request.param
        return
    command = ["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", str(tmp_path)]
    if sys.platform != "linux" or os.geteuid() or subprocess.run(command, capture_output=True).returncode:
        pytest.skip(
            "a small disk can be mounted by root on Linux only; the limit on file size is tried instead"
        )
    yield request.param
    subprocess.run(["umount", str(tmp_path)], check=True)


def fill(folder: Path) -> Path:
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(1024))
        except OSError:
            return filler


@pytest.mark.parametrize("kind", WRITERS)
def test_no_room(kind: str, full: str, tmp_path: Path, first: Path) -> None:
    write, read, name = WRITERS[kind]
    path = tmp_path / name
    shutil.copy(first, tmp_path)
    write(path, 0)
    told = []

    def refused() -> None:
        try:
            write(path, 1)
        except StelleError as error:
            told.append(str(error))
        if not told or name not in told[0] or len(told[0]) < 60:
            raise AssertionError(f"no clear error: {told}")

    if full == "tmpfs":
        filler = fill(tmp_path)
        refused()
        assert read(path) == 0 and [p for p in tmp_path.iterdir() if p.name[0] == "."] == []
        filler.unlink()
    else:
        assert with_small_files(300, refused) == 0
    assert read(path) == 0 and shown(tmp_path) == [name]
    write(path, 1)
    assert read(path) == 1


def test_no_room_for_a_download(cache: Path) -> None:
    def refused() -> None:
        with pytest.raises(StelleError, match=r"Heartbeat.*is not available.*File too large"):
            st.load_dataset("Heartbeat")

    assert with_small_files(300, refused) == 0
    assert shown(cache) == [] and len(st.load_dataset("Heartbeat").X_test) == 1000
