"""Numpy archives (.npz), read defensively: sizes are checked before anything is unpacked."""

from __future__ import annotations

import math
import re
import sys
import zipfile
import zlib
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from stelle_nb.data.cases import as_cases
from stelle_nb.data.readers.raw import MAX_BYTES, RawSeries, check_file, shown
from stelle_nb.errors import DataError

MEMBERS = ("X_train", "y_train", "X_test", "y_test", "X", "y", "channel_names", "step", "unit", "units")
_HEADER = re.compile(
    r"\{'descr': '([<>|=]?[A-Za-z]\d{0,9}(?:\[\w{1,9}\])?)', "  # numpy would read more as Python
    r"'fortran_order': (True|False), 'shape': \(([\d, ]*)\),? *\}\s*"
)
_MAX_HEADER = 1000


def read_npz(path: Path, *, max_bytes: int = MAX_BYTES) -> RawSeries:
    """The arrays ``X_train, y_train[, X_test, y_test]`` or ``X, y`` of an archive.

    ``channel_names``, ``step``, ``unit`` and ``units``, with empty text for an unknown one, may stand beside
    them. Nothing is written to disk, no
    pickle is read, and a member that declares more than ``max_bytes`` is never unpacked.
    """
    check_file(path, max_bytes)
    try:
        with zipfile.ZipFile(path) as archive:
            members = _checked_members(archive, path, max_bytes)
            arrays = {name: _read_member(archive, info, path) for name, info in members.items()}
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError) as error:
        raise DataError(f"{path.name} is not a readable .npz archive: {error}.") from error
    return _as_raw(arrays, path)


def _checked_members(archive: zipfile.ZipFile, path: Path, max_bytes: int) -> dict[str, zipfile.ZipInfo]:
    members: dict[str, zipfile.ZipInfo] = {}
    for info in archive.infolist():
        name = info.filename.removesuffix(".npy")
        if name not in MEMBERS or not info.filename.endswith(".npy"):
            raise DataError(
                f"{path.name} must hold only the arrays {', '.join(MEMBERS)}, "
                f"but has a member {shown(info.filename)}."
            )
        if name in members:
            raise DataError(f"{path.name} holds {name} twice.")
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise DataError(
                f"{path.name}: {info.filename} is packed in a way numpy does not use. "
                "Save it with numpy.savez."
            )
        members[name] = info
    total = sum(info.file_size for info in members.values())
    if total > max_bytes:
        raise DataError(
            f"{path.name} would unpack to {total:,} bytes, more than max_bytes={max_bytes:,}. "
            "Pass a larger max_bytes if you trust the file."
        )
    return members


def _read_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: Path) -> npt.NDArray[Any]:
    with archive.open(info) as file:
        try:
            shape, fortran_order, dtype = _read_header(file)
        except (ValueError, TypeError) as error:
            raise DataError(f"{path.name}: {info.filename} is not a numpy array: {error}.") from error
        if dtype.hasobject or dtype.kind not in "iufbU" or not dtype.itemsize:
            raise DataError(
                f"{path.name}: {info.filename} must hold plain numbers or text, got dtype {dtype}. "
                "Object arrays need pickle, which can run code, and are never read."
            )
        promised = math.prod(shape) * dtype.itemsize
        if promised != info.file_size - file.tell():
            raise DataError(
                f"{path.name}: {info.filename} announces shape {shape} ({promised:,} bytes) "
                f"but holds {info.file_size - file.tell():,} bytes."
            )
        data = file.read(promised)
    if len(data) != promised:
        raise DataError(f"{path.name}: {info.filename} ends after {len(data):,} of {promised:,} bytes.")
    if dtype.kind == "U" and (np.frombuffer(data, dtype.str[0] + "u4") > sys.maxunicode).any():
        raise DataError(f"{path.name}: {info.filename} holds text with invalid characters.")
    return np.frombuffer(data, dtype).reshape(shape, order="F" if fortran_order else "C")


def _read_header(file: IO[bytes]) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Shape, order and type of an array, matched as text: numpy's own reader evaluates it as Python."""
    magic = file.read(8)
    width = {b"\x93NUMPY\x01\x00": 2, b"\x93NUMPY\x02\x00": 4}.get(magic)
    if width is None:
        raise ValueError("it does not begin like one")
    length = int.from_bytes(file.read(width), "little")
    found = _HEADER.fullmatch(file.read(min(length, _MAX_HEADER)).decode("latin-1"))
    if found is None:
        raise ValueError("its header is not that of a plain array")
    descr, order, shape = found.groups()
    return tuple(int(n) for n in shape.split(",") if n.strip()), order == "True", np.dtype(descr)


def _as_raw(arrays: dict[str, npt.NDArray[Any]], path: Path) -> RawSeries:
    suffix = "" if "X" in arrays else "_train"
    pairs = [(f"X{suffix}", f"y{suffix}"), ("X_test", "y_test")]
    if suffix == "" and "X_train" in arrays:
        raise DataError(f"{path.name} holds both X and X_train. Keep one of them.")
    for X, y in pairs[: 2 if {"X_test", "y_test"} & arrays.keys() else 1]:
        if not {X, y} <= arrays.keys():
            raise DataError(
                f"{path.name} must hold {X} and {y} together, found {', '.join(sorted(arrays)) or 'nothing'}."
            )
    names = arrays.get("channel_names", np.array([], dtype=str))
    return RawSeries(
        as_cases(arrays[f"X{suffix}"], f"X{suffix}"),
        arrays[f"y{suffix}"],
        as_cases(arrays["X_test"], "X_test") if "X_test" in arrays else [],
        arrays.get("y_test", []),
        tuple(str(name) for name in names.ravel()),
        _single(arrays, "step", path),
        _single(arrays, "unit", path),
        units=tuple(str(unit) or None for unit in arrays.get("units", names[:0]).ravel()),
    )


def _single(arrays: dict[str, npt.NDArray[Any]], name: str, path: Path) -> Any:
    if name not in arrays:
        return None
    if arrays[name].size != 1:
        raise DataError(f"{path.name}: {name} must be a single value, got shape {arrays[name].shape}.")
    return arrays[name].item()
