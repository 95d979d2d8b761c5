"""The content of a file, validated: every field and tensor is checked before it is used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from stelle_nb.errors import BundleError

LARGEST = torch.finfo(torch.float32).max


@dataclass(frozen=True, slots=True, eq=False)
class Stored:
    """A JSON document and tensors, read by name and kind.

    Examples
    --------
    >>> Stored({"clip": 2.5}, {}).field("clip", float)
    2.5
    >>> Stored({}, {}).field("clip", float)
    Traceback (most recent call last):
    ...
    stelle_nb.errors.BundleError: clip must be a JSON float, got None. Was the file edited?
    """

    document: Mapping[str, Any]
    tensors: Mapping[str, Tensor]

    def field(self, name: str, *kinds: type) -> Any:
        """A field of the document that must be of one of the kinds; a bool is not a number."""
        value = self.document.get(name)
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            names = " or ".join(kind.__name__ for kind in kinds)
            raise BundleError(f"{name} must be a JSON {names}, got {str(value)[:80]}. Was the file edited?")
        return value

    def whole(self, name: str, *, least: int) -> int:
        """A field that must be an integer of at least ``least``."""
        number: int = self.field(name, int)
        if number < least:
            raise BundleError(f"{name} must be at least {least}, got {number}. Was the file edited?")
        return number

    def number(self, name: str) -> float:
        """A field that must be a number that single precision can hold."""
        value = self.field(name, float, int)
        if not abs(value) <= LARGEST:
            raise BundleError(f"{name} must be a number of single precision, got {str(value)[:80]}.")
        return float(value)

    def texts(self, name: str) -> list[str]:
        """A field that must be a list of texts."""
        values: list[Any] = self.field(name, list)
        if not all(isinstance(value, str) for value in values):
            raise BundleError(f"{name} must contain only text. Was the file edited?")
        return values

    def part(self, name: str) -> Stored:
        """A nested object, with the tensors whose names begin with its name and a dot."""
        prefix = f"{name}."
        tensors = {key.removeprefix(prefix): t for key, t in self.tensors.items() if key.startswith(prefix)}
        return Stored(self.field(name, dict), tensors)

    def tensor(self, name: str, *shape: int | None, dtype: torch.dtype = torch.float32) -> Tensor:
        """A tensor that must have the given type and shape, where None stands for any number."""
        found = self.tensors.get(name)
        if found is None:
            raise BundleError(f"The tensor {name!r} is missing. Was the file cut short?")
        fits = len(found.shape) == len(shape) and all(
            wanted in (None, n) for n, wanted in zip(found.shape, shape, strict=True)
        )
        if not fits or found.dtype != dtype:
            wanted = ", ".join("any" if n is None else str(n) for n in shape)
            raise BundleError(
                f"The tensor {name!r} must be {dtype} of shape ({wanted}), "
                f"got {found.dtype} of shape {tuple(found.shape)}."
            )
        if found.is_floating_point() and bool(found.isnan().any()):
            raise BundleError(f"The tensor {name!r} holds values that are not numbers. Was the file changed?")
        return found


def prefixed(name: str, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The tensors of a part, named as :meth:`Stored.part` looks for them."""
    return {f"{name}.{key}": tensor for key, tensor in tensors.items()}
