"""Validation of the fields of a score card: each error states the rule, the value and the way out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from stelle_nb.arguments import as_index, positive, shortened, storable
from stelle_nb.errors import ModelError
from stelle_nb.logic.formula import Formula

Floats = npt.NDArray[np.float64]

LARGEST_SCORE = 1e300  # sums of points beyond this could overflow


def entered_formulas(value: Any) -> tuple[Formula, ...]:
    """One formula or more."""
    formulas = _items(value, "formulas")
    for formula in formulas:
        if not isinstance(formula, Formula):
            raise ModelError(
                f"formulas must hold formulas, got {shortened(formula)}. Use parse() to convert text."
            )
    if not formulas:
        raise ModelError(
            "formulas must hold at least one formula, got none. Use parse('true') for a constant."
        )
    return formulas


def entered_classes(value: Any) -> tuple[Any, ...]:
    """Two or more different labels; NumPy scalars become plain values."""
    classes = tuple(_label(label) for label in _items(value, "classes"))
    if len(classes) < 2:
        raise ModelError(f"classes must hold at least two labels, got {shortened(list(classes))}.")
    seen = set()
    for label in classes:
        if label in seen:
            raise ModelError(f"classes must all differ, got {shortened(label)} twice. Remove one of them.")
        seen.add(label)
    return classes


def entered_numbers(value: Any, name: str, shape: tuple[int, ...], meaning: str) -> Floats:
    """A read-only array of finite numbers of the given shape, without negative zeros."""
    try:
        given = np.asarray(value)
    except ValueError:
        given = np.empty(0, dtype=object)
    if given.dtype.kind not in "fiu":
        raise ModelError(f"{name} must hold numbers, {meaning}, got {shortened(value)}.")
    if given.shape != shape:
        raise ModelError(
            f"{name} must have the shape {shape}, {meaning}, got {given.shape}. "
            "Formulas and classes decide the shape."
        )
    array = given.astype(np.float64) + 0.0  # equal numbers print alike: -0.0 becomes 0.0
    if not np.isfinite(array).all():
        raise ModelError(
            f"{name} must be finite, got {array[~np.isfinite(array)][0]}. Replace it by a number."
        )
    array.flags.writeable = False
    return array


def entered_reach(value: Any, n_formulas: int) -> Floats:
    """One positive number for each formula."""
    reach = entered_numbers(value, "reach", (n_formulas,), "one for each formula")
    if not (reach > 0).all():
        j = int(np.flatnonzero(~(reach > 0))[0])
        raise ModelError(
            f"reach must be positive, got {float(reach[j])} for formula {j}. "
            "Use the robustness at which the formula clearly holds, such as its deviation over the cases."
        )
    return reach


def check_scores(points: Floats, bias: Floats, sharpness: float) -> None:
    """Reject points so large that a score could overflow."""
    with np.errstate(over="ignore"):
        largest = float((np.abs(bias) + np.abs(points).sum(0)).max() * max(1.0, sharpness))
    if not largest <= LARGEST_SCORE:
        raise ModelError(
            f"Scores must stay below {LARGEST_SCORE:g}, but points, bias and sharpness allow {largest:g}. "
            "Divide points and bias by one number and multiply sharpness by it."
        )


def entered_names(value: Any) -> tuple[str, ...] | None:
    """One name for each channel, or None."""
    if value is None:
        return None
    names = _items(value, "channel_names")
    for name in names:
        if not isinstance(name, str):
            raise ModelError(
                f"channel_names must hold text, one name for each channel, got {shortened(name)}."
            )
    return tuple(storable(str(name), "A channel name", error=ModelError) for name in names)


def entered_units(value: Any, names: tuple[str, ...] | None) -> tuple[str | None, ...] | None:
    """A unit, or None where it is unknown, for each channel."""
    if value is None:
        return None
    units = _items(value, "units")
    for unit in units:
        if unit is not None and not isinstance(unit, str):
            raise ModelError(f"units must hold text or None, one for each channel, got {shortened(unit)}.")
    if names is not None and len(units) != len(names):
        raise ModelError(
            f"units must hold one entry for each of the {len(names)} channels, got {len(units)}. "
            "Use None for a channel without a known unit."
        )
    return tuple(None if unit is None else storable(str(unit), "A unit", error=ModelError) for unit in units)


def entered_step(value: Any) -> float | None:
    """The time from one sample to the next, or None."""
    way = "Use None to count samples."
    return None if value is None else positive(value, "step", error=ModelError, way=way)


def entered_unit(value: Any) -> str | None:
    """The unit of time, or None."""
    if value is None or isinstance(value, str):
        return None if value is None else storable(str(value), "unit", error=ModelError)
    raise ModelError(f"unit must be text or None, got {shortened(value)}. Try 's'.")


def entered_sharpness(value: Any) -> float:
    """What scores are multiplied by before they become probabilities."""
    return positive(value, "sharpness", error=ModelError, way="Use 1 if scores need no scaling.")


def entered_fidelity(value: Any) -> float | None:
    """The share of unseen cases on which a distilled card agrees with its teacher."""
    if value is None:
        return None
    return positive(value, "fidelity", most=1.0, or_zero=True, error=ModelError, way="Use None if unknown.")


def check_channels_known(formulas: Sequence[Formula], known: Sequence[Any] | None, what: str) -> None:
    """Reject a formula about a channel without a name or unit where others have one."""
    if known is None:
        return
    for j, formula in enumerate(formulas):
        highest = max(formula.channels, default=-1)
        if highest >= len(known):
            raise ModelError(
                f"{what} must cover every channel, got {len(known)} and formula {j} about channel {highest}, "
                "counted from 0. Add the missing entries, or use None."
            )


def entered_place(value: Any, n_formulas: int) -> int:
    """The number of a formula, from 0 on."""
    number = as_index(value)
    if number is None or not 0 <= number < n_formulas:
        raise ModelError(
            f"A formula is chosen by an integer from 0 to {n_formulas - 1}, got {shortened(value)}."
        )
    return number


def _items(value: Any, name: str) -> tuple[Any, ...]:
    is_list = hasattr(value, "__iter__") and not isinstance(value, (str, bytes, dict))
    if not is_list or getattr(value, "ndim", 1) != 1:
        raise ModelError(f"{name} must be a list, got {shortened(value)}.")
    return tuple(value)


def _label(label: Any) -> Any:
    plain = label.item() if isinstance(label, np.generic) else label
    if isinstance(plain, str):
        return storable(str(plain), "A class label", error=ModelError)
    if isinstance(plain, tuple):
        return tuple(_label(part) for part in plain)
    if isinstance(plain, (bool, int)) or (isinstance(plain, float) and math.isfinite(plain)):
        return plain
    raise ModelError(
        "A class label must be text, a finite number, True, False or a tuple of these, "
        f"got {shortened(label)}. Rename the class."
    )
