"""Checks the axes that annotations name, such as ``Float[Tensor, "case concept"]``, at every call.

jaxtyping's import hook puts :func:`checked` around every function. Only arrays are checked: a user may
pass any value, and the functions themselves have to reject it.
"""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable
from typing import Any, get_args

from jaxtyping import AbstractArray, install_import_hook

LAYERS = ("semantics", "data", "kernels", "concepts", "model", "explain", "metrics")
"""With arrays in their annotations; formulas have none, and drawings few."""

seen: set[str] = set()
"""Functions with named axes that were called."""


def install() -> None:
    """From here on, modules of the package are imported with checks."""
    install_import_hook([f"stelle_nb.{layer}" for layer in LAYERS], "tests.axes.checked")


def checked(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function with a check of all arguments, and of the result, whose axes have names."""
    axes = {name: kind for name, hint in function.__annotations__.items() if (kind := _array(hint))}
    if not axes:
        return function
    signature, name = inspect.signature(function), f"{function.__module__}.{function.__qualname__}"

    @functools.wraps(function)
    def with_checks(*args: Any, **kwargs: Any) -> Any:
        seen.add(name)
        given = signature.bind(*args, **kwargs).arguments
        for argument, value in given.items():
            _check(f"{argument} of {name}", value, axes.get(argument))
        result = function(*args, **kwargs)
        _check(f"the result of {name}", result, axes.get("return"))
        return result

    return with_checks


def _array(hint: Any) -> type | None:
    """The kind of array that is asked for, be it alone or beside None."""
    options = [each for each in get_args(hint) if each is not types.NoneType]
    kind = options[0] if isinstance(hint, types.UnionType) and len(options) == 1 else hint
    return kind if inspect.isclass(kind) and issubclass(kind, AbstractArray) else None


def _check(what: str, value: Any, kind: type | None) -> None:
    if kind is not None and hasattr(value, "shape") and not isinstance(value, kind):
        found = f"{type(value).__name__} of shape {value.shape}"
        raise TypeError(f"{what} must be {kind}, got {found} and dtype {getattr(value, 'dtype', None)}.")
