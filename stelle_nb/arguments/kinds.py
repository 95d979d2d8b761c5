"""Types of arguments: the annotations of a function or a record are checked when it is used."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields
from functools import cache, wraps
from numbers import Real
from types import SimpleNamespace, UnionType
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from stelle_nb.arguments.values import as_index, shortened
from stelle_nb.errors import StelleError

Function = TypeVar("Function", bound=Callable[..., Any])


def kind_door(error: type[StelleError]) -> Callable[[Function], Function]:
    """Make a public function reject arguments that are not of the annotated types.

    What annotations cannot express (ranges, shapes, existing names) is left to the function. Types that
    cannot be checked at run time are let through.

    Examples
    --------
    >>> from stelle_nb.errors import DataError
    >>> @kind_door(DataError)
    ... def cut(n: int, names: Sequence[str] | None = None) -> int:
    ...     return n
    >>> cut("3")
    Traceback (most recent call last):
    ...
    stelle_nb.errors.DataError: n must be an integer, got '3'. See help(cut).
    >>> cut(3, 4)
    Traceback (most recent call last):
    ...
    stelle_nb.errors.DataError: names must be a list of text or None, got 4. See help(cut).
    """

    def decorate(function: Function) -> Function:
        signature = inspect.signature(function)

        @cache
        def kinds() -> dict[str, Any]:  # when first called: names of other modules are not known before
            plain = {
                name: parameter.annotation
                for name, parameter in signature.parameters.items()
                if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
                and parameter.annotation is not parameter.empty
            }
            return _hints(plain, vars(inspect.getmodule(function)))

        @wraps(function)
        def checked(*given: Any, **named: Any) -> Any:
            try:
                bound = signature.bind(*given, **named).arguments
            except TypeError:
                return function(*given, **named)  # Python says best which argument is missing or unknown
            for name, kind in kinds().items():
                if name in bound and not _is_of(bound[name], kind):
                    raise _unfit(name, bound[name], kind, error, f"help({function.__name__})")
            return function(*given, **named)

        return cast(Function, checked)

    return decorate


def check_fields(value: Any, *, error: type[StelleError]) -> None:
    """Reject a record with fields that are not of the annotated types."""
    for name, kind in _hints_of_class(value.__class__).items():
        if not _is_of(getattr(value, name), kind):
            raise _unfit(name, getattr(value, name), kind, error, f"help({type(value).__name__})")


@cache
def _hints_of_class(cls: type) -> dict[str, Any]:
    return _hints({field.name: field.type for field in fields(cls)}, vars(sys.modules[cls.__module__]))


def _hints(annotations: Mapping[str, Any], names: Mapping[str, Any]) -> dict[str, Any]:
    """Each annotation resolved; those that only type checkers know are left out."""
    found: dict[str, Any] = {}
    for name, annotation in annotations.items():
        holder = SimpleNamespace(__annotations__={name: annotation})
        with suppress(NameError, TypeError, SyntaxError, AttributeError):
            found |= get_type_hints(holder, globalns=dict(names))
    return found


def _is_of(value: Any, kind: Any) -> bool:
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return any(_is_of(value, each) for each in inner)
    if origin is Literal:
        return any(type(value) is type(each) for each in inner)  # the function itself lists the allowed words
    if kind in _PLAIN:
        return _PLAIN[kind](value)
    if origin is tuple and Ellipsis not in inner:
        return _is_list(value) and len(value) == len(inner) and all(map(_is_of, value, inner))
    if origin in (Sequence, Collection, Iterable, list, tuple):
        return _is_list(value) and (not inner or all(_is_of(each, inner[0]) for each in _looked_at(value)))
    if origin is Callable:
        return callable(value)
    wanted = origin or kind
    if "jaxtyping" in type(wanted).__module__:
        return hasattr(value, "shape")
    if wanted is Any or not isinstance(wanted, type) or getattr(wanted, "_is_protocol", False):
        return True
    return isinstance(value, wanted)


def _is_list(value: Any) -> bool:
    return (
        isinstance(value, Iterable)
        and not isinstance(value, (str, bytes, Mapping))
        and getattr(value, "ndim", 1) == 1
    )


def _looked_at(value: Iterable[Any]) -> Iterable[Any]:
    return value if isinstance(value, Collection) else ()  # an iterator can be gone through once only


_PLAIN: dict[Any, Callable[[Any], bool]] = {
    None: lambda value: value is None,
    type(None): lambda value: value is None,
    bool: lambda value: isinstance(value, bool) or type(value).__name__ == "bool",  # numpy's, too
    int: lambda value: as_index(value) is not None,
    float: lambda value: isinstance(value, Real) and not isinstance(value, bool),
}
_NAMES = {None: "None", type(None): "None", bool: "True or False", int: "an integer", float: "a number",
          str: "text"}  # fmt: skip


def _said(kind: Any) -> str:
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return " or ".join(dict.fromkeys(map(_said, inner)))
    if origin is Literal:
        return " or ".join(map(repr, inner))
    if origin is tuple and Ellipsis not in inner:
        return f"({', '.join(map(_said, inner))})"
    if origin in (Sequence, Collection, Iterable, list, tuple):
        return f"a list of {_said(inner[0])}" if inner else "a list"
    return _NAMES.get(kind) or f"a {getattr(origin or kind, '__name__', kind)}"


def _unfit(name: str, value: Any, kind: Any, error: type[StelleError], way: str) -> StelleError:
    return error(f"{name} must be {_said(kind)}, got {shortened(value)}. See {way}.")
