"""Labels and the classes of a model: which class a label names, and of what type it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


def label_kind(label: Any) -> str:
    """Text, number, truth value, or the name of another type: labels of different kinds are never the same.

    Examples
    --------
    >>> label_kind("1"), label_kind(1), label_kind(1.0), label_kind(True)
    ('text', 'number', 'number', 'truth value')
    """
    if isinstance(label, (bool, np.bool_)):
        return "truth value"
    if isinstance(label, (int, float, np.integer, np.floating)):
        return "number"
    return "text" if isinstance(label, str) else type(label).__name__


def class_number(label: Any, classes: Sequence[Any]) -> int | None:
    """The number of the class that a label names, or None; ``True`` does not name the class ``1``.

    Examples
    --------
    >>> class_number(1, [0, 1]), class_number(True, [0, 1]), class_number([1], [0, 1])
    (1, None, None)
    """
    try:
        if label not in set(classes):
            return None
    except TypeError:  # what cannot be hashed, such as a list, is not a label
        return None
    number = classes.index(label)
    return number if label_kind(label) == label_kind(classes[number]) else None
