"""Validation of the arguments of public functions: first their types, then their values."""

from __future__ import annotations

from stelle_nb.arguments.kinds import check_fields, kind_door
from stelle_nb.arguments.values import (
    MOST,
    as_index,
    brief_list,
    one_of,
    path_of,
    positive,
    seed_of,
    shortened,
    storable,
    storable_label,
    whole,
    with_methods,
)

__all__ = [
    "kind_door",
    "check_fields",
    "MOST",
    "whole",
    "as_index",
    "positive",
    "seed_of",
    "one_of",
    "path_of",
    "storable",
    "storable_label",
    "with_methods",
    "brief_list",
    "shortened",
]
