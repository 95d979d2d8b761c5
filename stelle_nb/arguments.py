"""Validation of the arguments of public functions: their types by annotation, then plain values.

Errors state the rule, the value and the way out.
"""

from __future__ import annotations

import inspect
import math
import operator
import os
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields
from functools import cache, wraps
from numbers import Real
from pathlib import Path
from types import SimpleNamespace, UnionType
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from stelle_nb.errors import StelleError

MOST = 2**31 - 1  # of anything that is counted here
MOST_LISTED = 50  # values in an error


def whole(
    value: Any, name: str, *, least: int = 0, most: float = MOST, error: type[StelleError], way: str = ""
) -> int:
    """An integer within bounds, as a plain int. NumPy integers are accepted; True and 2.0 are rejected.

    Examples
    --------
    >>> from stelle_nb.errors import DataError
    >>> whole("3", "n_cases", least=1, error=DataError, way="Try 30.")
    Traceback (most recent call last):
    ...
    stelle_nb.errors.DataError: n_cases must be an integer of at least 1, got '3'. Try 30.
    """
    number = as_index(value)
    if number is not None and least <= number <= most:
        return number
    is_end_told = most < MOST if number is None else number > most
    span = f"from {least} to {most}" if is_end_told else f"of at least {least}"
    raise error(f"{name} must be an integer {span}, got {shortened(value)}. {way}".strip())


def positive(
    value: Any,
    name: str,
    *,
    most: float = math.inf,
    or_zero: bool = False,
    error: type[StelleError],
    way: str = "",
) -> float:
    """A positive, finite number, at most as large as allowed; zero if that is allowed."""
    number = _float(value)
    if number is not None and 0 <= number <= most and math.isfinite(number) and (number or or_zero):
        return number
    upper = f", at most {most:g}" if most < math.inf else ""
    least = "finite number of at least 0" if or_zero else "positive and finite number"
    raise error(f"{name} must be a {least}{upper}, got {value!r}. {way}".strip())


def seed_of(value: Any, *, error: type[StelleError]) -> Any:
    """What NumPy's ``default_rng`` accepts: a seed, a generator that is advanced, or None."""
    number = as_index(value)
    if value is None or hasattr(value, "bit_generator") or (number is not None and number >= 0):
        return value
    raise error(f"random_state must be an integer of at least 0 or a numpy generator, got {value!r}. Try 0.")


def one_of(value: Any, name: str, allowed: Iterable[str], *, error: type[StelleError]) -> str:
    """One of some words."""
    words = list(allowed)
    if isinstance(value, str) and value in words:
        return value
    raise error(f"{name} must be one of {', '.join(map(repr, words))}, got {value!r}.")


def path_of(value: Any, name: str, *, error: type[StelleError]) -> Path:
    """A path from text or a path object."""
    if isinstance(value, str) or (isinstance(value, os.PathLike) and isinstance(os.fspath(value), str)):
        text = os.fspath(value)
        if text and "\0" not in text:
            return Path(text)
    raise error(f"{name} must be the path of a file or folder as text or Path, got {value!r}.")


def storable(text: str, name: str, *, error: type[StelleError]) -> str:
    """Text that can be written to a file; an unpaired surrogate cannot."""
    try:
        text.encode()
    except UnicodeEncodeError as problem:
        half = ascii(text[problem.start])
        raise error(
            f"{name} must be text that can be stored as UTF-8, got {text!a} with {half}, half of a "
            "surrogate pair. Replace that character."
        ) from None
    return text


def storable_label(label: Any, *, error: type[StelleError]) -> Any:
    """A class label whose text, if it is or holds any, can be written to a file."""
    if isinstance(label, str):
        storable(label, "A class label", error=error)
    elif isinstance(label, tuple | frozenset):
        for part in label:
            storable_label(part, error=error)
    return label


def as_index(value: Any) -> int | None:
    """The value as an integer; None if it is not one, as True is not."""
    if type(value) is int:
        return value
    try:
        return None if _is_bool(value) else operator.index(value)
    except TypeError:
        return None


def _is_bool(value: Any) -> bool:
    """Also for torch, whose booleans would pass as 0 and 1; NumPy's do not."""
    return isinstance(value, bool) or str(getattr(value, "dtype", "")) == "torch.bool"


def _float(value: Any) -> float | None:
    if isinstance(value, (bool, str, bytes)) or getattr(value, "ndim", False):
        return None
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return None


def with_methods(value: Any, name: str, *methods: str, error: type[StelleError], way: str) -> None:
    """Reject a value that lacks a method that is going to be called."""
    lacking = [method for method in methods if not callable(getattr(value, method, None))]
    if lacking:
        raise error(f"{name} must have {' and '.join(lacking)}, got {shortened(value)}. {way}")


def brief_list(values: Sequence[Any]) -> str:
    """Values as an error lists them: all, or the first few of many.

    Examples
    --------
    >>> brief_list(["a", "b"]), brief_list(range(1000))
    ("['a', 'b']", '[0, 1, 2, 3, 4, … 1000 in all]')
    """
    if len(values) <= MOST_LISTED:
        return repr(list(values))
    return f"[{', '.join(map(repr, values[:5]))}, … {len(values)} in all]"


def shortened(value: Any) -> str:
    """How an error shows a value that may be long."""
    shown = repr(value)
    return shown if len(shown) <= 100 else shown[:97] + "..."


Function = TypeVar("Function", bound=Callable[..., Any])


def validate_types(error: type[StelleError]) -> Callable[[Function], Function]:
    """Make a public function reject arguments that are not of the annotated types.

    What annotations cannot express (ranges, shapes, existing names) is left to the function. Types that
    cannot be checked at run time are let through.

    Examples
    --------
    >>> from stelle_nb.errors import DataError
    >>> @validate_types(DataError)
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
                return function(*given, **named)  # Python names the missing or unknown argument
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
    return value if isinstance(value, Collection) else ()  # an iterator can be consumed only once


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
