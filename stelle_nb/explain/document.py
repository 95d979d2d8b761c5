"""Explanations as JSON documents: plain data, validated when read."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from stelle_nb.arguments import shortened
from stelle_nb.depict.background import Background
from stelle_nb.depict.wording import Wording
from stelle_nb.errors import ExplanationError, StelleError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.traversal import Path
from stelle_nb.rewrite import DATA_RULES, LOGICAL_RULES, TRUTH_RULES, Trace
from stelle_nb.rewrite.rule import GUARANTEES
from stelle_nb.rewrite.trace import NodeChange, exchanged

VERSION = 3  # before 2 formulas called channels by number; before 3 there were no score sheets
_RULES = {rule.name: rule for rule in (*LOGICAL_RULES, *DATA_RULES, *TRUTH_RULES)}

Result = TypeVar("Result")


def write_document(kind: str, body: Mapping[str, Any]) -> str:
    """The document as text."""
    return json.dumps({"kind": kind, "version": VERSION, **body}, ensure_ascii=False, allow_nan=False)


_UNFIT = (
    StelleError,
    KeyError,
    TypeError,
    ValueError,
    IndexError,
    AttributeError,
    OverflowError,
    RecursionError,
)


def read_document(text: str, kind: str, build: Callable[[dict[str, Any]], Result]) -> Result:
    """Build what a document holds; a foreign or corrupt one is rejected.

    Parameters
    ----------
    kind
        What :func:`write_document` was given.
    build
        May raise any error on unsuitable data.
    """
    try:
        document = json.loads(text, parse_constant=_refuse, parse_float=_finite)
    except (TypeError, ValueError, RecursionError) as error:
        raise ExplanationError(f"Not valid JSON: {error}. Pass the text that to_json() gave.") from error
    found = document.get("kind") if isinstance(document, dict) else type(document).__name__
    if found != kind:
        raise ExplanationError(f"The document must hold a {kind}, got {str(found)[:80]!r}.")
    if document.get("version") not in range(1, VERSION + 1):
        raise ExplanationError(
            f"The document must be of version 1 to {VERSION}, got {str(document.get('version'))[:80]!r}. "
            "Use the release of stelle_nb that wrote it, or a newer one."
        )
    try:
        return build(document)
    except _UNFIT as error:
        raise ExplanationError(
            f"The document is a broken {kind}: {type(error).__name__}: {error}. Write it again."
        ) from error


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not a number")


def _finite(text: str) -> float:
    value = float(text)
    return value if math.isfinite(value) else _refuse(text[:40])


def label_to_json(label: Any) -> Any:
    """A class label; JSON knows text, numbers, booleans and, here, tuples of these."""
    if isinstance(label, np.generic):
        label = label.item()
    if isinstance(label, tuple):
        return [label_to_json(part) for part in label]
    if isinstance(label, (str, bool, int)) or (isinstance(label, float) and math.isfinite(label)):
        return label
    raise ExplanationError(
        f"JSON can hold labels that are text, numbers, booleans or tuples of these, got {label!r}. "
        "Fit with such labels to store explanations."
    )


def label_from_json(value: Any) -> Any:
    """The label that was written; anything that cannot be a label is rejected."""
    if isinstance(value, list):
        return tuple(label_from_json(part) for part in value)
    if isinstance(value, (str, bool, int, float)):
        return value
    raise ExplanationError(f"A label must be text, a number, a boolean or a list of these, got {value!r}.")


def number_to_json(value: float) -> float | str:
    """A number; infinities and NaN become text, because JSON has no numbers for them."""
    return float(value) if math.isfinite(value) else repr(float(value))


def finite_from_json(value: Any) -> float:
    """A number that was written; text is rejected, even "inf"."""
    if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value):
        return float(value)
    raise ExplanationError(f"A finite number was expected, got {shortened(value)}.")


def formula_reader(value: Mapping[str, Any]) -> Callable[[str], Formula]:
    """How the formulas of a document are read: by the names of its channels."""
    names = None if value["version"] == 1 else value["channel_names"]
    return lambda text: parse(text, names)


def trace_to_json(trace: Trace, wording: Wording) -> dict[str, Any]:
    """A simplification: where it began, each step, where it ended."""
    steps = [
        {
            "rule": edit.rule.name,
            "path": list(edit.path),
            "part": wording.ascii(edit.part),
            "guarantee": edit.guarantee,
        }
        for edit in trace.edits
    ]
    return {"before": wording.ascii(trace.formula), "steps": steps, "formula": wording.ascii(trace.result)}


def trace_from_json(value: Mapping[str, Any]) -> Trace:
    """The simplification that was written; its steps must lead from its beginning to its end."""
    read = formula_reader(value)
    before, result = read(value["before"]), read(value["formula"])
    edits = tuple(_edit(step, read) for step in value["steps"])
    current: Formula = before
    for edit in edits:
        current = exchanged(current, edit.path, edit.part)
    if current != result:
        raise ExplanationError(f"The steps lead to {current}, but the document says {result}.")
    return Trace(before, result, edits)


def _edit(step: Mapping[str, Any], read: Callable[[str], Formula]) -> NodeChange:
    if step["rule"] not in _RULES:
        raise ExplanationError(f"There is no rule named {str(step['rule'])[:80]!r}.")
    if step["guarantee"] not in GUARANTEES:
        raise ExplanationError(f"There is no guarantee named {str(step['guarantee'])[:80]!r}.")
    path: Path = tuple(int(i) for i in step["path"])
    return NodeChange(_RULES[step["rule"]], path, read(step["part"]), step["guarantee"])


def wording_to_json(wording: Wording) -> dict[str, Any]:
    """Names, times and, if there are any, units of values."""
    names = None if wording.channel_names is None else list(wording.channel_names)
    step = None if wording.step is None else float(wording.step)
    units = {} if wording.units is None else {"units": list(wording.units)}
    return {"channel_names": names, "step": step, "unit": wording.unit, **units}


def wording_from_json(value: Mapping[str, Any]) -> Wording:
    """Names, times and units that were written; older documents have no units."""
    return Wording(value["channel_names"], value["step"], value["unit"], value.get("units"))


def background_to_json(background: Background) -> dict[str, Any]:
    """The cases with the digits that single precision has."""
    # by way of text: the shortest that reads back as the same number
    cases = background.cases.astype(str).astype(np.float64)
    return {
        "cases": cases.tolist(),
        "labels": [label_to_json(label) for label in background.labels],
        "channels": list(background.channels),
        "stride": background.stride,
    }


def background_from_json(value: Mapping[str, Any]) -> Background:
    """The cases that were written."""
    labels = tuple(label_from_json(label) for label in value["labels"])
    channels = tuple(int(channel) for channel in value["channels"])
    with np.errstate(over="ignore"):
        cases = np.asarray(value["cases"], dtype=np.float32)
    if cases.size == 0:
        cases = cases.reshape(len(labels), len(channels), 0)
    if cases.ndim != 3 or cases.shape[:2] != (len(labels), len(channels)):
        raise ExplanationError(
            f"The background must have {len(labels)} cases of {len(channels)} channels, got {cases.shape}."
        )
    if not np.isfinite(cases).all():
        raise ExplanationError("The background must hold numbers that single precision can hold.")
    return Background(cases, labels, channels, int(value["stride"]))


def matrix_from_json(value: Any) -> npt.NDArray[np.float64]:
    """One case ``(channel, time)``."""
    matrix = np.asarray(value, dtype=np.float64)
    if matrix.ndim != 2:
        raise ExplanationError(f"A case must have the axes (channel, time), got shape {matrix.shape}.")
    if not np.isfinite(matrix).all():
        raise ExplanationError("A case must hold finite numbers.")
    return matrix
