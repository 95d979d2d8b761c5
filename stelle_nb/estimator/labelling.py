"""Class labels of any hashable kind, their numbers, and what JSON holds of them."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from stelle_nb.arguments import brief_list, storable_label
from stelle_nb.errors import BundleError, DataError
from stelle_nb.estimator.stored import Stored
from stelle_nb.explain.targets import label_kind

Labels = npt.NDArray[Any]


def enter_labels(y: Any, n_cases: int, what: str = "y") -> Labels:
    """One label for each case as a 1-D array; labels keep their type.

    Examples
    --------
    >>> enter_labels([("left", 1), ("right", 2)], 2).tolist()
    [('left', 1), ('right', 2)]
    """
    if isinstance(y, pd.DataFrame):
        if y.shape[1] != 1:
            raise DataError(f"y must have one column, got {y.shape[1]}. Choose the column of labels.")
        y = y.iloc[:, 0]
    if hasattr(y, "detach"):  # a torch tensor
        y = y.detach().cpu().numpy()
    labels = _as_array(y, what)
    if len(labels) != n_cases:
        raise DataError(f"{what} must have a label for each of the {n_cases} cases of X, got {len(labels)}.")
    _check_present(labels, what)
    return labels


def find_classes(labels: Labels) -> Labels:
    """The different labels in order, or grouped by type where they have no order.

    Examples
    --------
    >>> find_classes(np.array(["b", "a", "b"])).tolist()
    ['a', 'b']
    """
    if labels.dtype.kind != "O":
        different = np.unique(labels)
        _check_storable(different.tolist())
        return different
    try:
        first = {label: label for label in reversed(labels.tolist())}
    except TypeError as error:
        raise DataError(f"Labels must be hashable: {error}. Use text, numbers or tuples.") from error
    for label in labels.tolist():
        if label_kind(label) != label_kind(first[label]):
            raise DataError(
                f"Labels must differ by more than their type, got {label!r} and {first[label]!r}. Use text."
            )
    in_order = list(first)
    _check_storable(in_order)
    try:
        in_order.sort()
    except TypeError:
        in_order.sort(key=lambda label: (type(label).__name__, repr(label)))
    return object_array(in_order)


def _check_storable(labels: list[Any]) -> None:
    for label in labels:
        storable_label(label, error=DataError)


def numbers_of(classes: Labels) -> dict[Any, int]:
    """The number of each class by its label."""
    return {label: k for k, label in enumerate(classes.tolist())}


def encode(labels: Labels, classes: Labels) -> npt.NDArray[np.intp]:
    """The number of each label among the classes."""
    numbers = {(label_kind(label), label): k for label, k in numbers_of(classes).items()}

    def number(label: Any) -> int:
        try:
            return numbers[label_kind(label), label]
        except (KeyError, TypeError) as error:  # a label that is unknown, or that cannot be one
            raise DataError(
                f"Every label must be one of the classes {brief_list(classes.tolist())}, got {label!r}."
            ) from error

    return np.array([number(label) for label in labels.tolist()], dtype=np.intp)


def check_kinds(labels: Labels, classes: Labels) -> None:
    """Reject labels of another type than the classes, such as numbers where the classes are text.

    Examples
    --------
    >>> check_kinds(np.array([0, 1]), np.array(["calm", "burst"]))
    Traceback (most recent call last):
    ...
    stelle_nb.errors.DataError: y must hold labels like the classes ['calm', 'burst'] (text), got 0 ...
    """
    known = {label_kind(label) for label in classes.tolist()}
    for label in labels.tolist():
        if label_kind(label) not in known:
            raise DataError(
                f"y must hold labels like the classes {brief_list(classes.tolist())} "
                f"({', '.join(sorted(known))}), got {label!r} ({label_kind(label)}). "
                "Use the labels that the classifier was fitted with."
            )


def _as_array(y: Any, what: str) -> Labels:
    if isinstance(y, (list, tuple)) and any(isinstance(label, (tuple, frozenset)) for label in y):
        return object_array(y)
    kinds = {type(label) for label in y} if isinstance(y, (list, tuple)) else set()
    is_mixed = len(kinds) > 1 and not kinds.isdisjoint((str, bool, np.bool_))  # numpy would make them alike
    labels = object_array(y) if is_mixed else np.asarray(y)
    if labels.ndim != 1:
        raise DataError(
            f"{what} must be one label per case (1-D), got shape {labels.shape}. Try {what}.ravel()."
        )
    return labels


def _check_present(labels: Labels, what: str) -> None:
    for i in np.flatnonzero(pd.isna(labels)).tolist():
        raise DataError(f"Every case needs a label, but {what}[{i}] is {labels[i]}. Drop or label it.")
    if labels.dtype.kind == "f" and (labels != np.round(labels)).any():
        i = int(np.flatnonzero(labels != np.round(labels))[0])
        raise DataError(
            f"{what} must hold classes, but {what}[{i}] is {labels[i]}. "
            "Cut a continuous target into classes, or use text."
        )


def object_array(values: Any) -> Labels:
    """A 1-D array of the values as they are; numpy itself would make a table of equally long tuples."""
    array = np.empty(len(values), dtype=object)
    array[:] = list(values)
    return array


_PLAIN = re.compile(r"[<>|=][biufU]\d{1,6}")


def pack_labels(classes: Labels) -> dict[str, Any]:
    """What JSON can hold of the classes.

    Examples
    --------
    >>> pack_labels(np.array([1, 2], dtype="<i8"))
    {'dtype': '<i8', 'values': [1, 2]}
    """
    if _PLAIN.fullmatch(classes.dtype.str):
        return {"dtype": classes.dtype.str, "values": classes.tolist()}
    return {"dtype": "object", "values": [_packed(label) for label in classes.tolist()]}


def unpack_labels(stored: Stored) -> Labels:
    """The classes that :func:`pack_labels` was given."""
    kind, values = stored.field("dtype", str), stored.field("values", list)
    if kind != "object" and not _PLAIN.fullmatch(kind):
        raise BundleError(f"Labels must be text, numbers or booleans, got the type {kind[:80]!r}.")
    try:
        if kind == "object":
            classes = object_array([_unpacked(value) for value in values])
        else:
            classes = np.array(values, dtype=kind)
        is_whole = classes.ndim == 1 and len(set(classes.tolist())) == len(classes) >= 2
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise BundleError(f"The labels cannot be read: {error}.") from error
    if not is_whole:
        raise BundleError(f"A classifier needs two different labels or more, got {str(values)[:80]}.")
    return classes


def _packed(label: Any) -> Any:
    if isinstance(label, tuple):
        return [_packed(part) for part in label]
    if isinstance(label, np.generic):
        label = label.item()
    if label is not None and type(label) not in (str, int, float, bool):
        raise BundleError(
            f"Only labels of text, numbers, booleans and tuples of them can be saved, got {label!r}. "
            "Use such labels, or rename the classes before fitting."
        )
    return label


def _unpacked(value: Any) -> Any:
    return tuple(map(_unpacked, value)) if isinstance(value, list) else value
