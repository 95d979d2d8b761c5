"""Folders with a sub-folder per class: what may lie in them, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from stelle_nb.data import load_dataset
from stelle_nb.errors import DataError, DataNotFoundError

HEAD = "time,acc,gyro\n"
ROWS = "0,1,0.5\n2,4,0.1\n4,2,0.7\n"


def make(folder: Path, **files: str) -> Path:
    """Files by class and name, as ``rest_1`` for the first recording of rest."""
    for key, text in files.items():
        label, number = key.split("_")
        (folder / label).mkdir(parents=True, exist_ok=True)
        (folder / label / f"{number}.csv").write_text(text)
    return folder


def test_the_folder_is_the_label_and_the_file_the_recording(tmp_path: Path) -> None:
    ds = load_dataset(
        path=make(tmp_path / "steps", rest_1=HEAD + ROWS, walk_1=HEAD + ROWS, rest_2=HEAD + ROWS)
    )
    assert ds.y_train.tolist() == ["rest", "rest", "walk"]
    assert ds.X_train[0].tolist() == [[1, 4, 2], [0.5, 0.1, 0.7]]
    assert (ds.name, ds.channel_names, ds.step) == ("steps", ("acc", "gyro"), 2.0)
    assert ds.origin is not None
    again = load_dataset(**ds.origin.arguments())
    assert again.reading == ds.reading


def test_what_is_no_table_is_left_out(tmp_path: Path) -> None:
    make(tmp_path, rest_1=HEAD + ROWS, walk_1=HEAD + ROWS)
    (tmp_path / ".cache").mkdir()
    (tmp_path / ".cache" / "1.csv").write_text("junk")
    (tmp_path / "__MACOSX").mkdir()
    (tmp_path / "__MACOSX" / "1.csv").write_text("junk")
    (tmp_path / "rest" / "._1.csv").write_text("junk")
    (tmp_path / "rest" / "notes.txt").write_text("junk")
    assert load_dataset(path=tmp_path).n_train == 2


def test_parts_in_folders_of_their_own(tmp_path: Path) -> None:
    make(tmp_path / "Train", rest_1=HEAD + ROWS, walk_1=HEAD + ROWS)
    make(tmp_path / "Test", walk_1=HEAD + ROWS)
    ds = load_dataset(path=tmp_path)
    assert (ds.y_train.tolist(), ds.y_test.tolist()) == (["rest", "walk"], ["walk"])


def test_a_class_may_be_called_train(tmp_path: Path) -> None:
    ds = load_dataset(path=make(tmp_path, train_1=HEAD + ROWS, bus_1=HEAD + ROWS))
    assert ds.y_train.tolist() == ["bus", "train"]


def test_columns_by_place_are_those_of_a_file(tmp_path: Path) -> None:
    make(tmp_path, rest_1=ROWS, walk_1=ROWS)
    with pytest.raises(DataError, match="'x0' rises evenly in every recording"):
        load_dataset(path=tmp_path)
    ds = load_dataset(path=tmp_path, time="first", ignore=["last"])
    assert ds.X_train.tolist() == [[[1, 4, 2]], [[1, 4, 2]]]
    assert (ds.channel_names, ds.step) == (("x1",), 2.0)


@pytest.mark.parametrize(
    ("files", "options", "message"),
    [
        ({"rest_1": HEAD + ROWS, "walk_1": HEAD}, {}, "walk/1.csv has a header but no rows"),
        ({"rest_1": HEAD + ROWS, "walk_1": ROWS}, {}, "walk/1.csv has x0, x1, x2 and rest/1.csv has time"),
        ({"rest_1": HEAD + ROWS, "walk_1": ""}, {}, "is empty"),
        ({"rest_1": HEAD + ROWS, "walk_1": HEAD + "0,1,x\n"}, {}, "walk/1.csv, line 2, column gyro: 'x'"),
        (
            {"rest_1": "acc,class\n1,0\n", "walk_1": "acc,class\n2,1\n"},
            {},
            "'class' may hold the classes as well",
        ),
        ({"rest_1": HEAD + ROWS, "walk_1": HEAD + ROWS}, {"max_bytes": 50}, "more than max_bytes=50"),
    ],
)
def test_refuses(tmp_path: Path, files: dict[str, str], options: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        load_dataset(path=make(tmp_path, **files), **options)


def test_tables_beside_the_folders_are_told(tmp_path: Path) -> None:
    make(tmp_path, rest_1=HEAD + ROWS, walk_1=HEAD + ROWS)
    (tmp_path / "persons.csv").write_text("name,age\nanna,30\n")
    with pytest.raises(DataNotFoundError, match="one per class, beside the sets persons"):
        load_dataset(path=tmp_path)
