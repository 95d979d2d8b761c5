"""What was changed on a card by hand: each edit as a value, with its effect; as JSON and back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal, final, get_args

import numpy as np
import numpy.typing as npt

from stelle_nb.arguments import shortened
from stelle_nb.errors import ModelError
from stelle_nb.model.card.scorecard import Scorecard
from stelle_nb.model.conformal import Calibration

What = Literal["without", "with_formula", "with_replaced", "with_points", "refit", "locked", "unlocked"]

AUDIT = "stelle_nb audit"
VERSION = 1
_FIELDS = (
    "what", "at", "number", "formula_before", "formula_after", "locked", "fixed", "training",
    "leave_one_out", "unseen", "before", "after",
)  # fmt: skip
_COMPARISON = ("n_cases", "before", "after", "changed")
_WAY = "Was the file edited?"


@final
@dataclass(frozen=True, slots=True)
class EditComparison:
    """How the cards before and after an edit do on some cases.

    Parameters
    ----------
    n_cases
        How many there are.
    before, after
        Share of the cases that get their label.
    changed
        Numbers of the cases whose prediction changed.
    """

    n_cases: int
    before: float
    after: float
    changed: tuple[int, ...]

    @classmethod
    def of(
        cls, before: npt.NDArray[np.intp], after: npt.NDArray[np.intp], labels: npt.NDArray[np.intp]
    ) -> EditComparison:
        """Compare class numbers that are predicted with those that are true."""
        changed = tuple(np.flatnonzero(before != after).tolist())
        shares = float(np.mean(before == labels)), float(np.mean(after == labels))
        return cls(len(labels), *shares, changed)


@final
@dataclass(frozen=True, slots=True)
class Edit:
    """One change of a score card by hand, with what it did to predictions.

    Parameters
    ----------
    what
        The method of the classifier that made it.
    at
        When, in UTC.
    number
        Of the formula, in the card before; in the card after for a formula that was added. None where it
        was not about a single formula.
    formula_before, formula_after
        Its text, with the names of the channels; None if there is none. Of a refit, all that were added.
    before, after
        The whole cards, with channels by number.
    training
        On the training cases, by predictions of both cards. Both have seen these cases.
    leave_one_out
        Before and after: the share of training cases that a least-squares fit to the degrees of the card's
        formulas gets right when the case is left out. It judges the formulas, not their points.
    unseen
        On the cases that were given with the edit, if any.
    locked, fixed
        Formulas that are locked after the edit, and those of them whose points are locked, too.
    calibration
        Of the classifier before, which an undo brings back.

    Examples
    --------
    >>> clf.edits_[-1].summary  # doctest: +SKIP
    'without(3): training accuracy 100 % to 97.5 % (1 of 40 predictions changed)'
    """

    what: What
    at: datetime
    number: int | None
    formula_before: str | None
    formula_after: str | None
    before: Scorecard
    after: Scorecard
    training: EditComparison
    leave_one_out: tuple[float, float]
    unseen: EditComparison | None = None
    locked: tuple[int, ...] = ()
    fixed: tuple[int, ...] = ()
    calibration: Calibration | None = field(default=None, compare=False, repr=False)

    @property
    def call(self) -> str:
        """The call of the classifier's method that makes this edit again, as Python."""
        n = self.number
        match self.what:
            case "with_formula":
                points = self.after.points[-1]
                (given,) = np.nonzero(points)
                only = f", {self.after.classes[given[0]]!r}" if len(given) == 1 else ""
                return f"with_formula({self.formula_after!r}{only}, reach={float(self.after.reach[-1])!r})"
            case "with_replaced" if n is not None:
                return f"with_replaced({n}, {self.formula_after!r}, reach={float(self.after.reach[n])!r})"
            case "with_points":
                return f"with_points({self.after.points.tolist()!r}, bias={self.after.bias.tolist()!r})"
            case "refit":
                return f"refit({self.after.n_formulas - self.before.n_formulas})"
            case "locked" if n not in self.fixed:
                return f"locked({n}, points=False)"
            case _:
                return f"{self.what}({n})"

    @property
    def summary(self) -> str:
        """The edit and its effect on one line."""
        call = f"{self.what}({'' if self.number is None else self.number})"
        parts = [_told("training", self.training)]
        if self.unseen is not None:
            parts.append(_told("unseen", self.unseen))
        return f"{call}: {'; '.join(parts)}"


def utc_time(at: Any) -> datetime:
    """The given time in UTC, or now if None is given."""
    if at is None:
        return datetime.now(UTC)
    if not isinstance(at, datetime) or at.tzinfo is None:
        raise ModelError(
            f"at must be a datetime with a time zone, got {shortened(at)}. Leave it out to take the time now."
        )
    return at.astimezone(UTC)


def audit_text(edits: Sequence[Edit]) -> str:
    """All edits as JSON for the records: when, what, before and after, and the effect; nobody is named."""
    document = {"kind": AUDIT, "version": VERSION, "edits": [edit_document(edit) for edit in edits]}
    return json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False)


def edit_document(edit: Edit) -> dict[str, Any]:
    """The edit as JSON can hold it."""
    return {
        "what": edit.what,
        "at": edit.at.isoformat(),
        "number": edit.number,
        "formula_before": edit.formula_before,
        "formula_after": edit.formula_after,
        "locked": list(edit.locked),
        "fixed": list(edit.fixed),
        "training": _comparison_document(edit.training),
        "leave_one_out": list(edit.leave_one_out),
        "unseen": None if edit.unseen is None else _comparison_document(edit.unseen),
        "before": json.loads(edit.before.to_json()),
        "after": json.loads(edit.after.to_json()),
    }


def edit_from_document(document: Any, calibration: Calibration | None = None) -> Edit:
    """The edit that :func:`edit_document` wrote; anything else is refused."""
    _check_keys(document, _FIELDS, "An edit")
    what = document["what"]
    if what not in get_args(What):
        raise ModelError(f"An edit must be one of {', '.join(get_args(What))}, got {shortened(what)}. {_WAY}")
    before, after = (Scorecard.from_json(json.dumps(document[name])) for name in ("before", "after"))
    if len(pair := _shares(document["leave_one_out"])) != 2:
        raise ModelError(f"leave_one_out must hold two numbers, got {len(pair)}. {_WAY}")
    number, n_formulas = document["number"], max(before.n_formulas, after.n_formulas)
    return Edit(
        what=what,
        at=_time(document["at"]),
        number=None if number is None else _wholes([number], "number", n_formulas)[0],
        formula_before=_text(document["formula_before"]),
        formula_after=_text(document["formula_after"]),
        before=before,
        after=after,
        training=_comparison(document["training"]),
        leave_one_out=(pair[0], pair[1]),
        unseen=None if document["unseen"] is None else _comparison(document["unseen"]),
        locked=_wholes(document["locked"], "locked", after.n_formulas),
        fixed=_wholes(document["fixed"], "fixed", after.n_formulas),
        calibration=calibration,
    )


def check_history(edits: Sequence[Edit], card: Scorecard) -> None:
    """Refuse edits that do not lead from one card to the next, and to the given one at last."""
    cards = [edit.before for edit in edits[1:]] + [card]
    for i, (edit, following) in enumerate(zip(edits, cards, strict=True)):
        if edit.after != following:
            raise ModelError(f"Edit {i} must lead to the card that follows it. {_WAY}")


def _told(name: str, found: EditComparison) -> str:
    plural = "" if len(found.changed) == 1 and found.n_cases == 1 else "s"
    return (
        f"{name} accuracy {_percent(found.before)} to {_percent(found.after)} "
        f"({len(found.changed)} of {found.n_cases} prediction{plural} changed)"
    )


def _percent(share: float) -> str:
    return f"{round(100 * share, 1):g} %"


def _comparison_document(found: EditComparison) -> dict[str, Any]:
    return {
        "n_cases": found.n_cases,
        "before": found.before,
        "after": found.after,
        "changed": list(found.changed),
    }


def _comparison(document: Any) -> EditComparison:
    _check_keys(document, _COMPARISON, "A comparison")
    (n_cases,) = _wholes([document["n_cases"]], "n_cases", 2**53)
    before, after = _shares([document["before"], document["after"]])
    return EditComparison(n_cases, before, after, _wholes(document["changed"], "changed", n_cases))


def _check_keys(value: Any, keys: tuple[str, ...], what: str) -> None:
    if not isinstance(value, Mapping) or set(value) != set(keys):
        found = sorted(value) if isinstance(value, Mapping) else value
        raise ModelError(f"{what} must have the fields {', '.join(keys)}, got {shortened(found)}. {_WAY}")


def _wholes(values: Any, name: str, high: int) -> tuple[int, ...]:
    if not isinstance(values, list) or not all(type(each) is int and 0 <= each < high for each in values):
        raise ModelError(f"{name} must hold integers from 0 to {high - 1}, got {shortened(values)}. {_WAY}")
    return tuple(values)


def _shares(values: Any) -> tuple[float, ...]:
    if not isinstance(values, list) or not all(type(v) in (int, float) and 0 <= v <= 1 for v in values):
        raise ModelError(f"An accuracy must be a number from 0 to 1, got {shortened(values)}. {_WAY}")
    return tuple(map(float, values))


def _text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    raise ModelError(f"The formula of an edit must be text or null, got {shortened(value)}. {_WAY}")


def _time(value: Any) -> datetime:
    try:
        return utc_time(datetime.fromisoformat(value))
    except (TypeError, ValueError) as error:
        raise ModelError(f"at must be a time in ISO format, got {shortened(value)}. {_WAY}") from error
