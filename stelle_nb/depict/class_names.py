"""What classes are called in sentences, and in which order they appear."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

_NUMBER = re.compile(r"[-+]?\d+(\.\d+)?")


def class_name(label: Any) -> str:
    """The label as text; a number says that it is a class.

    Examples
    --------
    >>> class_name("Walking"), class_name("6"), class_name(6), class_name("6.0")
    ('Walking', 'class 6', 'class 6', 'class 6')
    """
    text = str(label)
    if not _NUMBER.fullmatch(text):
        return text
    return f"class {text.removesuffix('.0')}"


def class_names(labels: Iterable[Any]) -> list[str]:
    """The names of different labels, all different.

    Examples
    --------
    >>> class_names(["6", "6.0"]), class_names([6, 10])
    (['6', '6.0'], ['class 6', 'class 10'])
    """
    known = list(labels)
    names = [class_name(label) for label in known]
    return names if len(set(names)) == len(names) else [str(label) for label in known]


def natural_order(names: Sequence[str]) -> list[int]:
    """Places of the names with numbers inside them in the order of their size.

    Examples
    --------
    >>> natural_order(["class 10", "class 9", "calm"])
    [2, 1, 0]
    """

    def key(place: int) -> list[tuple[int, str]]:
        parts = re.split(r"(\d+)", names[place])
        return [(int(part), "") if part.isdecimal() else (-1, part.casefold()) for part in parts]

    return sorted(range(len(names)), key=key)


def named_classes(labels: Iterable[Any]) -> list[tuple[str, Any]]:
    """Different labels with their names, in natural order: the options of a list.

    Examples
    --------
    >>> named_classes(["10", "9"])
    [('class 9', '9'), ('class 10', '10')]
    """
    known = list(labels)
    names = class_names(known)
    return [(names[place], known[place]) for place in natural_order(names)]
