"""Readers of .ts, .npz and .csv files: what they read and how they refuse."""

from __future__ import annotations

import io
import pickle
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stelle_nb.data import load_dataset
from stelle_nb.errors import DataError, DataNotFoundError

HEADER = "# words\n@problemName P\n@timeStamps false\n@univariate false\n@classLabel true Up down\n@data\n"


def write(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


# .ts -------------------------------------------------------------------------------------------


def test_ts_reads_values_and_labels_as_written(tmp_path: Path) -> None:
    ds = load_dataset(path=write(tmp_path, "P.ts", HEADER + "1,2.5,-3e-1:4,5,6:Up\n\n7,8,9:1,2,3:down\n"))
    assert ds.X_train.tolist() == [[[1, 2.5, -0.3], [4, 5, 6]], [[7, 8, 9], [1, 2, 3]]]
    assert ds.y_train.tolist() == ["Up", "down"]
    assert (ds.n_test, ds.name) == (0, "P")


def test_ts_marks_missing_and_unequal(tmp_path: Path) -> None:
    path = write(tmp_path, "P.ts", HEADER + "1,?,3:Up\n7,NaN:down\n")
    with pytest.raises(DataError, match="missing"):
        load_dataset(path=path)
    with pytest.raises(DataError, match="unequal"):
        load_dataset(path=path, missing="hold")
    assert load_dataset(path=path, missing="hold", unequal="hold").X_train.tolist() == [
        [[1, 1, 3]],
        [[7, 7, 7]],
    ]


BAD_TS = {
    "not a number": (HEADER + "1,2:Up\n1,zwei:Up\n", "P.ts, line 8: 'zwei' is not a number"),
    "grouped digits": (HEADER + "1_0,2:Up\n", "line 7: '1_0'"),
    "long cell": (HEADER + "x" * 500 + ":Up\n", r"'x{36}\.\.\."),
    "unknown class": (HEADER + "1,2:Sideways\n", "line 7: the class 'Sideways'"),
    "no class": (HEADER + "1,2\n", "line 7: the class '1,2'"),
    "no values": (HEADER + "Up\n", "line 7"),
    "channels of two lengths": (HEADER + "1,2:1:Up\n", r"line 7.*\[1, 2\]"),
    "channels come and go": (HEADER + "1:2:Up\n1:Up\n", "line 8: 1 channels"),
    "no case": (HEADER, "no case"),
    "no header": ("1,2,3:Up\n", "no @data"),
    "empty": ("", "no @data"),
    "at sign alone": ("@\n", "no @data"),
    "header only": ("@problemName P\n", "no @data"),
    "time stamps": (HEADER.replace("@timeStamps false", "@timeStamps true") + "(0,1):Up\n", "long form"),
    "regression": (
        HEADER.replace("@classLabel true Up down", "@targetLabel true") + "1:2\n",
        "classification",
    ),
    "no classes": (
        HEADER.replace("@classLabel true Up down", "@classLabel false") + "1,2\n",
        "classification",
    ),
    "not text": (HEADER.encode() + b"\xff\xfe,2:Up\n", "line 7 is not UTF-8"),
    "infinite": (HEADER + "1,inf:Up\n", "finite"),
}


@pytest.mark.parametrize("case", BAD_TS)
def test_ts_refuses(tmp_path: Path, case: str) -> None:
    content, message = BAD_TS[case]
    with pytest.raises(DataError, match=message):
        load_dataset(path=write(tmp_path, "P.ts", content))


def test_ts_comments_may_be_in_any_encoding(tmp_path: Path) -> None:
    assert (
        load_dataset(path=write(tmp_path, "P.ts", b"# caf\xe9\n" + HEADER.encode() + b"1,2:Up\n")).n_train
        == 1
    )


# .npz ------------------------------------------------------------------------------------------

X = np.arange(12.0).reshape(2, 2, 3)


def test_npz_round_trip(tmp_path: Path) -> None:
    path = tmp_path / "set.npz"
    np.savez_compressed(
        path, X_train=X, y_train=["a", "b"], X_test=np.asfortranarray(X), y_test=["b", "a"],
        channel_names=["p", "q"], step=0.5, unit="s",
    )  # fmt: skip
    ds = load_dataset(path=path)
    assert np.array_equal(ds.X_train, X)
    assert np.array_equal(ds.X_test, X)
    assert ds.y_test.tolist() == ["b", "a"]
    assert (ds.channel_names, ds.step, ds.unit, ds.name) == (("p", "q"), 0.5, "s", "set")
    assert load_dataset(path=path, unit="ms", step=500).unit == "ms"


def test_npz_with_one_part(tmp_path: Path) -> None:
    np.savez(tmp_path / "set.npz", X=X[:, 0], y=[1, 2])
    ds = load_dataset(path=tmp_path / "set.npz")
    assert ds.X_train.shape == (2, 1, 3)
    assert ds.y_train.tolist() == [1, 2]


def npy(array: Any, *, allow_pickle: bool = False) -> bytes:
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, np.asarray(array), allow_pickle=allow_pickle)
    return buffer.getvalue()


def header_only(shape: str, descr: str = "<f8") -> bytes:
    text = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}".encode().ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text


def npz(folder: Path, *members: tuple[str, bytes], how: int = zipfile.ZIP_DEFLATED) -> Path:
    path = folder / "set.npz"
    with zipfile.ZipFile(path, "w", how) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return path


Y = ("y.npy", npy([0, 1]))
BAD_NPZ: dict[str, tuple[list[tuple[str, bytes]], str]] = {
    "member outside": ([("../X.npy", npy(X)), Y], r"member '\.\./X\.npy'"),
    "absolute member": ([("/X.npy", npy(X)), Y], "member '/X.npy'"),
    "member in a folder": ([("a/X.npy", npy(X)), Y], "member 'a/X.npy'"),
    "foreign member": ([("X.npy", npy(X)), Y, ("run.py", b"print()")], "member 'run.py'"),
    "object array": ([("X.npy", npy(np.array([{}, {}]), allow_pickle=True)), Y], "never read"),
    "shape larger than the data": (
        [("X.npy", header_only("(99999999, 99999999, 9)") + bytes(48)), Y],
        "announces",
    ),
    "shape smaller than the data": ([("X.npy", header_only("(1, 1, 2)") + bytes(48)), Y], "announces"),
    "negative shape": ([("X.npy", header_only("(-2, -3, 1)") + bytes(48)), Y], "plain array"),
    "nothing per entry": ([("X.npy", header_only("(99999999999,)", "<U0")), Y], "plain numbers"),
    "records": ([("X.npy", npy(np.zeros(2, dtype="i4,f8"))), Y], "plain array"),
    "dates": ([("X.npy", npy(np.zeros(2, dtype="M8[s]"))), Y], "plain numbers"),
    "not an array": ([("X.npy", b"hello, world"), Y], "not a numpy array"),
    "endless header": ([("X.npy", b"\x93NUMPY\x02\x00" + b"\xff" * 4 + b"(" * 9999), Y], "plain array"),
    "type that numpy reads as Python": ([("X.npy", header_only("(1,)", "(f8,")), Y], "not a numpy array"),
    "unknown type": ([("X.npy", header_only("(1,)", "<q9q")), Y], "not a numpy array"),
    "broken header": ([("X.npy", header_only("(2, 2, 3")), Y], "not a numpy array"),
    "code in the header": ([("X.npy", header_only("__import__('os').getcwd()")), Y], "not a numpy array"),
    "pickle": ([("X.npy", pickle.dumps([1.0])), Y], "not a numpy array"),
    "labels absent": ([("X.npy", npy(X))], "X and y together"),
    "test labels absent": ([("X.npy", npy(X)), Y, ("X_test.npy", npy(X))], "X_test and y_test together"),
    "two trainings": ([("X.npy", npy(X)), Y, ("X_train.npy", npy(X))], "both X and X_train"),
    "nothing": ([], "found nothing"),
    "labels of other length": ([("X.npy", npy(X)), ("y.npy", npy([0]))], "2 cases in X_train and 1 labels"),
    "several steps": ([("X.npy", npy(X)), Y, ("step.npy", npy([1.0, 2.0]))], "step must be a single value"),
    "step is text": ([("X.npy", npy(X)), Y, ("step.npy", npy("soon"))], "positive number"),
    "text for series": ([("X.npy", npy(["p", "q"])), Y], "real numbers"),
}


@pytest.mark.parametrize("case", BAD_NPZ)
def test_npz_refuses(tmp_path: Path, case: str) -> None:
    members, message = BAD_NPZ[case]
    with pytest.raises(DataError, match=message):
        load_dataset(path=npz(tmp_path, *members))
    assert [path.name for path in tmp_path.iterdir()] == ["set.npz"]


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_npz_refuses_a_name_twice(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="X twice"):
        load_dataset(path=npz(tmp_path, ("X.npy", npy(X)), ("X.npy", npy(X)), Y))


def test_npz_bomb_is_not_unpacked(tmp_path: Path) -> None:
    zeros = np.zeros((1, 1, 4_000_000))  # 32 MB in 31 kB
    path = npz(tmp_path, ("X.npy", npy(zeros)), ("y.npy", npy([0])))
    assert path.stat().st_size < 100_000
    with pytest.raises(DataError, match="would unpack to 32,000,"):
        load_dataset(path=path, max_bytes=1_000_000)


def test_npz_that_understates_its_size_is_refused(tmp_path: Path) -> None:
    path = npz(tmp_path, ("X.npy", npy(np.zeros((2, 2, 3)))), Y)
    content = path.read_bytes()
    true_size, claimed = len(npy(np.zeros((2, 2, 3)))).to_bytes(4, "little"), (140).to_bytes(4, "little")
    path.write_bytes(content.replace(true_size, claimed))
    with pytest.raises(DataError):
        load_dataset(path=path)


@pytest.mark.parametrize("how", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_npz_of_another_packing_is_refused(tmp_path: Path, how: int) -> None:
    with pytest.raises(DataError, match="numpy does not use"):
        load_dataset(path=npz(tmp_path, ("X.npy", npy(X)), Y, how=how))


def test_npz_cut_or_damaged_anywhere_is_refused_or_read_whole(tmp_path: Path) -> None:
    content = npz(tmp_path, ("X.npy", npy(X)), Y).read_bytes()
    path = tmp_path / "set.npz"
    for cut in range(0, len(content), 7):
        path.write_bytes(content[:cut])
        with pytest.raises(DataError):
            load_dataset(path=path)
    for i in range(0, len(content), 3):
        path.write_bytes(content[:i] + bytes([content[i] ^ 0x55]) + content[i + 1 :])
        try:
            ds = load_dataset(path=path)
        except DataError:
            continue
        assert np.array_equal(ds.X_train, X)  # a byte that says nothing about the data, such as a date


# .csv ------------------------------------------------------------------------------------------

LONG = "case,time,channel,value,label,split\n"


def test_long_csv(tmp_path: Path) -> None:
    rows = "c1,0.5,p,1,up,train\nc1,1.0,p,2,up,train\nc1,0.5,q,3,up,train\nc1,1.0,q,4,up,train\n"
    rows += "c2,7.5,q,7,up,TEST\nc2,8,q,8,up,TEST\nc2,8,p,6,up,TEST\nc2,7.5,p,5,up,TEST\n"
    ds = load_dataset(path=write(tmp_path, "set.csv", "\ufeff" + LONG + rows))
    assert ds.X_train.tolist() == [[[1, 2], [3, 4]]]
    assert ds.X_test.tolist() == [[[5, 6], [7, 8]]]  # times count from each case's first
    assert (ds.channel_names, ds.step, ds.unit) == (("p", "q"), 0.5, None)


def test_long_csv_with_gaps_and_unequal_lengths(tmp_path: Path) -> None:
    rows = "a,0,p,1,up,train\na,1,p,,up,train\na,3,p,4,up,train\nb,0,p,0,down,train\nb,1,p,1,down,train\n"
    path = write(tmp_path, "set.csv", LONG + rows)
    with pytest.raises(DataError, match="missing="):
        load_dataset(path=path)
    ds = load_dataset(path=path, missing="interpolate", unequal="hold")
    assert ds.X_train.tolist() == [[[1, 2, 3, 4]], [[0, 1, 1, 1]]]
    assert len(ds.treatments) == 2
    assert load_dataset(path=path, missing="interpolate", unequal="resample").step is None


def test_wide_csv(tmp_path: Path) -> None:
    for name, content, options in [
        ("first.csv", "up,1,2,3\ndown,4,5,6\n", {}),
        ("last.csv", "1,2,3,up\n4,5,6,down\n", {"label": "last"}),
        ("named.csv", "t0,label,t1,t2\n1,up,2,3\n4,down,5,6\n", {}),
        ("numbered.csv", "label,0,1,2\nup,1,2,3\ndown,4,5,6\n", {}),
        ("other.csv", "a,b,c,kind\n1,2,3,up\n4,5,6,down\n", {"label": "kind"}),
        ("headed.csv", "a,b,c,kind\n1,2,3,up\n4,5,6,down\n", {"label": "last"}),
        ("case.csv", "case,label,a,b,c\n17,up,1,2,3\n18,down,4,5,6\n", {}),
        ("tab.tsv", "up\t1\t2\t3\ndown\t4\t5\t6\n", {}),
        ("semicolon.csv", "up;1;2;3\ndown;4;5;6\n", {}),
        ("quoted.csv", '"up",1,"2",3\n\n" down",4,5,6\n', {}),
    ]:
        ds = load_dataset(path=write(tmp_path, name, content), **options)
        assert ds.X_train.tolist() == [[[1, 2, 3]], [[4, 5, 6]]], name
        assert ds.y_train.tolist() == ["up", "down"], name


def test_wide_csv_with_split_and_shorter_rows(tmp_path: Path) -> None:
    content = "label,split,0,1,2\nNA,train,1,2,3\nnone,train,4,,\nNA,test,7,8\n"
    ds = load_dataset(path=write(tmp_path, "set.csv", content), unequal="hold")
    assert ds.X_train.tolist() == [[[1, 2, 3]], [[4, 4, 4]]]
    assert ds.X_test.tolist() == [[[7, 8, 8]]]
    assert ds.y_train.tolist() == ["NA", "none"]  # words that mark missing values may be classes


BAD_CSV = {
    "non-numeric value": (LONG + "a,0,p,1,u,train\na,1,p,many,u,train\n", "line 3, column value: 'many'"),
    "non-numeric time": (LONG + "a,noon,p,1,u,train\n", "line 2, column time: 'noon'"),
    "empty time": (LONG + "a,,p,1,u,train\n", "line 2, column time"),
    "decimal comma beside points": ("label;x;y\na;0,5;0.5\n", "one decimal mark, got '0,5' and '0.5'"),
    "decimal comma and grouping": ("label;x\na;0,5\nb;1.000,5\n", "line 3, column x: '1.000,5'"),
    "infinite": (LONG + "a,0,p,inf,u,train\n", "line 2, column value: values must be finite"),
    "grouped digits": (LONG + "a,0,p,1_0,u,train\n", "line 2, column value"),
    "empty case": (LONG + ",0,p,1,u,train\n", "line 2, column case"),
    "empty label": (LONG + "a,0,p,1,,train\n", "line 2: every case needs a label"),
    "other split": (LONG + "a,0,p,1,u,valid\n", "line 2, column split: must be train or test, got 'valid'"),
    "label changes": (LONG + "a,0,p,1,u,train\na,1,p,1,v,train\n", "line 3: case 'a' changes its label"),
    "split changes": (LONG + "a,0,p,1,u,train\na,1,p,1,u,test\n", "line 3: case 'a' changes"),
    "value twice": (LONG + "a,0,p,1,u,train\na,0,p,2,u,train\n", "line 3: channel 'p' has a second value"),
    "uneven times": (LONG + "a,0,p,1,u,train\na,1,p,1,u,train\na,2.5,p,1,u,train\n", "line 4: the time 2.5"),
    "absurd span": (LONG + "a,0,p,1,u,train\na,1,p,1,u,train\na,1e9,p,1,u,train\n", "span too many samples"),
    "very absurd span": (LONG + "a,0,p,1,u,train\na,1e-300,p,1,u,train\na,1e300,p,1,u,train\n", "too far"),
    "cells absent": (LONG + "a,0,p\n", "line 2: 3 cells"),
    "columns absent": ("case,channel,value,label\na,p,1,u\n", "time is absent"),
    "only test": (LONG + "a,0,p,1,u,test\n", "no training case"),
    "only test, wide": ("label,split,x\nu,test,1\n", "no training case"),
    "a channel never seen": (
        LONG + "a,0,p,1,u,train\na,0,q,1,u,train\nb,0,p,1,u,train\n",
        "missing",
    ),
    "class only in test": (LONG + "a,0,p,1,u,train\nb,0,p,1,v,test\n", "no case of 'v'"),
    "no label column": ("a,b,c\n1,2,3\n", "No column is called 'label'"),
    "wide cell": ("up,1,2\ndown,3,drei\n", "line 2, column 3: 'drei'"),
    "wide line after quoted break": ('label,x\n"a\nb",1\nc,zwei\n', "line 4, column x: 'zwei'"),
    "too many cells": ("label,x\nup,1,2\n", "line 2: 3 cells"),
    "too few cells": ("x,y,label\n1,2,u\n1,2\n", "line 3: 2 cells only"),
    "nothing but a label": ("up,1\ndown,\n", "line 2: no value"),
    "header only": ("label,x\n", "no rows"),
    "empty": ("", "is empty"),
    "blank": ("\n\n", "is empty"),
    "not text": (b"label,x\n\xff\xfe,1\n", "not UTF-8"),
    "open quote": ('label,x\n"up,1\n', "not a readable table"),
    "endless cell": ("label,x\nup," + "1" * 200_000 + "\n", "not a readable table"),
}


@pytest.mark.parametrize("case", BAD_CSV)
def test_csv_refuses(tmp_path: Path, case: str) -> None:
    content, message = BAD_CSV[case]
    with pytest.raises(DataError, match=message):
        load_dataset(path=write(tmp_path, "set.csv", content))


# all -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["set.ts", "set.npz", "set.csv"])
def test_large_files_are_not_opened(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    with path.open("wb") as file:
        file.truncate(10_000)
    with pytest.raises(DataError, match="10,000 bytes, more than max_bytes=9,999"):
        load_dataset(path=path, max_bytes=9_999)


def test_other_endings_and_places_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"kind \.pkl"):
        load_dataset(path=write(tmp_path, "set.pkl", pickle.dumps(X)))
    with pytest.raises(DataNotFoundError, match="nothing at"):
        load_dataset(path=tmp_path / "absent.csv")
