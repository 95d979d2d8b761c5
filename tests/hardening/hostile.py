"""Values that nobody foresaw, by name, for tables of tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import torch

SHAPE = (12, 2, 20)


def good_series(seed: int = 0) -> np.ndarray:
    """Two classes that differ in the second half of channel 0."""
    generator = np.random.default_rng(seed)
    X = generator.normal(size=SHAPE)
    X[1::2, 0, 10:] += 3
    return X


def good_labels() -> np.ndarray:
    return np.array(["low", "high"] * (SHAPE[0] // 2))


def _with(value: float) -> np.ndarray:
    X = good_series()
    X[3, 1, 7] = value
    return X


def _read_only() -> np.ndarray:
    X = good_series()
    X.setflags(write=False)
    return X


SERIES: dict[str, Callable[[], Any]] = {
    "none": lambda: None,
    "text": lambda: "x0 >= 1",
    "bytes": lambda: b"\x00\x01",
    "number": lambda: 3.0,
    "dict": lambda: {"a": [1, 2]},
    "set": lambda: {1, 2},
    "function": lambda: len,
    "class": lambda: np.ndarray,
    "generator": lambda: (i for i in range(3)),
    "empty list": list,
    "list of nothing": lambda: [[]],
    "ragged": lambda: [[1.0, 2.0], [1.0]],
    "list of text": lambda: [["a", "b"], ["c", "d"]],
    "0-d": lambda: np.array(1.0),
    "1-d": lambda: np.zeros(5),
    "4-d": lambda: np.zeros((2, 2, 2, 2)),
    "no channels": lambda: np.zeros((12, 0, 20)),
    "no samples": lambda: np.zeros((12, 2, 0)),
    "nan": lambda: _with(np.nan),
    "inf": lambda: _with(np.inf),
    "all nan": lambda: np.full(SHAPE, np.nan),
    "objects": lambda: good_series().astype(object),
    "objects with none": lambda: np.array([[1, None], [2, 3]], dtype=object),
    "text array": lambda: good_series().astype(str),
    "complex": lambda: good_series() + 1j,
    "dates": lambda: np.zeros(SHAPE, dtype="datetime64[s]"),
    "record": lambda: np.zeros(SHAPE, dtype=[("a", float)]),
    "masked": lambda: np.ma.masked_greater(good_series(), 1.5),
    "float16": lambda: good_series().astype(np.float16),
    "int8": lambda: good_series().astype(np.int8),
    "bool": lambda: good_series() > 0,
    "big-endian": lambda: good_series().astype(">f8"),
    "long double": lambda: good_series().astype(np.longdouble),
    "fortran order": lambda: np.asfortranarray(good_series()),
    "strided": lambda: np.repeat(good_series(), 2, axis=2)[:, :, ::2],
    "backwards": lambda: good_series()[:, :, ::-1],
    "read-only": _read_only,
    "huge values": lambda: good_series() * 1e300,
    "tiny values": lambda: good_series() * 1e-300,
    "near the largest float": lambda: np.full(SHAPE, np.finfo(np.float64).max),
    "constant": lambda: np.ones(SHAPE),
    "duplicates": lambda: np.repeat(good_series()[:1], 12, axis=0),
    "tensor": lambda: torch.from_numpy(good_series()),
    "tensor with gradient": lambda: torch.from_numpy(good_series()).requires_grad_(),
    "sparse tensor": lambda: torch.from_numpy(good_series()).to_sparse(),
    "bfloat16 tensor": lambda: torch.from_numpy(good_series()).bfloat16(),
    "meta tensor": lambda: torch.zeros(SHAPE, device="meta"),
    "frame": lambda: pd.DataFrame(good_series()[:, 0]),
    "frame with gaps": lambda: pd.DataFrame(_with(np.nan)[:, 1]),
    "frame of text": lambda: pd.DataFrame({"a": ["x"] * 12}),
    "empty frame": pd.DataFrame,
    "series": lambda: pd.Series([1.0, 2.0]),
    "matrix": lambda: np.asmatrix(good_series()[:, 0]),
}

LABELS: dict[str, Callable[[], Any]] = {
    "none": lambda: None,
    "text": lambda: "lowhighlowhi",
    "number": lambda: 1,
    "too few": lambda: ["a", "b"],
    "too many": lambda: ["a", "b"] * 12,
    "2-d": lambda: np.zeros((12, 2)),
    "one class": lambda: ["a"] * 12,
    "nan": lambda: [np.nan, 1.0] * 6,
    "none inside": lambda: [None, "a"] * 6,
    "mixed": lambda: [1, "a", 2.5, ("t",), True, None] * 2,
    "unhashable": lambda: [["a"], ["b"]] * 6,
    "html": lambda: ["<img src=x onerror=alert(1)>", "</script>"] * 6,
    "emoji": lambda: ["🙂", "🙃"] * 6,
    "empty text": lambda: ["", " "] * 6,
    "newlines": lambda: ["a\nb", "a\tb"] * 6,
    "long text": lambda: ["a" * 100_000, "b"] * 6,
    "each its own": lambda: list(range(12)),
    "bool": lambda: np.array([True, False] * 6),
    "whole floats": lambda: np.array([1.0, 2.0] * 6),
    "huge numbers": lambda: [10**400, -(10**400)] * 6,
    "categorical": lambda: pd.Categorical(["a", "b"] * 6),
    "categorical with gaps": lambda: pd.Categorical(["a", None] * 6),
    "tensor": lambda: torch.tensor([0, 1] * 6),
    "dates": lambda: np.array(["2020-01-01", "2021-01-01"] * 6, dtype="datetime64[D]"),
    "generator": lambda: (i % 2 for i in range(12)),
    "dict": lambda: dict.fromkeys(range(12), "a"),
}

SCALARS: dict[str, Callable[[], Any]] = {
    "text": lambda: "3",
    "nan": lambda: float("nan"),
    "inf": lambda: float("inf"),
    "negative": lambda: -1,
    "zero": lambda: 0,
    "fraction": lambda: 0.5,
    "huge": lambda: 10**30,
    "true": lambda: True,
    "list": lambda: [1],
    "array": lambda: np.array([1, 2]),
    "object": object,
    "bytes": lambda: b"3",
    "complex": lambda: 1j,
}
