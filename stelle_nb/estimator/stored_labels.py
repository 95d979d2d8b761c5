"""Class labels as JSON: text, numbers, booleans and tuples of them keep their type."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from stelle_nb.errors import BundleError
from stelle_nb.estimator.labels import Labels, object_array
from stelle_nb.estimator.stored import Stored

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
