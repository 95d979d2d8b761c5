"""The part of the classifier for edits by hand: formulas, points and locks of its card, and undo."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from stelle_nb.arguments import whole
from stelle_nb.data.cases import Series
from stelle_nb.data.readers.indexed import align_labels
from stelle_nb.errors import ModelError
from stelle_nb.estimator.edits.card_changes import Change, EditedModel, predicted
from stelle_nb.estimator.edits.entering import (
    check_free,
    entered_channels,
    entered_class,
    entered_formula,
    entered_reach,
    with_row,
)
from stelle_nb.estimator.labelling import Labels, encode, enter_labels
from stelle_nb.explain.reference import Reference
from stelle_nb.logic.formula import Formula
from stelle_nb.model.card.card_checks import entered_place
from stelle_nb.model.card.card_config import CardConfig
from stelle_nb.model.card.card_model import ScorecardModel
from stelle_nb.model.card.edits.edit_history import Edit, EditComparison, What, audit_text, utc_time
from stelle_nb.model.card.printing.card_words import formula_text
from stelle_nb.model.concept_model import Evidence
from stelle_nb.model.conformal import Calibration
from stelle_nb.progress import Progress, as_progress, share_of

MOST_NEW = 1000
Unseen = tuple[Series, npt.NDArray[np.intp]] | None


class Editing:
    """Edits of a fitted score card; each returns a new classifier, and this one does not change.

    Attributes
    ----------
    edits_
        The edits made by hand since ``fit``, oldest first, each a :class:`stelle_nb.Edit`; saved with the
        model.
    """

    edits_: tuple[Edit, ...]
    classes_: Labels
    metadata_: dict[str, Any]
    series_: Series
    reference_: Reference
    evidence_: Evidence
    seed_: int
    calibration_: Calibration | None
    config: Any

    def without(self, j: int, *, X: Any = None, y: Any = None, at: datetime | None = None) -> Self:
        """Strike out formula ``j`` of the card and refit the points of the others.

        Parameters
        ----------
        j
            The number of the formula in ``card_``, counted from 0.
        X, y
            Unseen cases and their labels, on which ``edits_[-1].unseen`` compares both cards.
        at
            The time to record in the history; now if omitted.

        Notes
        -----
        Points are refitted to the training cases, which the classifier stores, and stay close to their
        previous values. If nothing was edited, they stay the same. See
        :func:`stelle_nb.model.card.edits.refitting.refit_points`.
        """
        known, unseen = self._known(), self._unseen(X, y)
        j = entered_place(j, known.card.n_formulas)
        check_free(j, known.locked, "struck out")
        if known.card.n_formulas == 1:
            raise ModelError(
                "A card must keep at least one formula, and formula 0 is its only one. "
                "Use with_replaced(0, ...), or add another one with with_formula(...) first."
            )
        return self._edited(known, known.without(j), unseen, at)

    def with_formula(
        self,
        formula: str | Formula,
        cls: Any = None,
        *,
        reach: float | None = None,
        X: Any = None,
        y: Any = None,
        at: datetime | None = None,
    ) -> Self:
        """Add a formula to the end of the card, with points fitted to the labels of the training cases.

        Parameters
        ----------
        formula
            A formula, or text as ``parse`` reads it with the names of the channels.
        cls
            The label of the only class that the formula has points for; any class if omitted.
        reach
            The robustness at which it counts in full; if omitted, the standard deviation of its robustness on
            the training cases, as in learning.
        X, y, at
            As for :meth:`without`.
        """
        known, unseen = self._known(), self._unseen(X, y)
        new, k = self._formula(formula), entered_class(cls, self.classes_.tolist())
        return self._edited(known, known.with_formula(new, k, entered_reach(reach)), unseen, at)

    def with_replaced(
        self,
        j: int,
        formula: str | Formula,
        *,
        reach: float | None = None,
        X: Any = None,
        y: Any = None,
        at: datetime | None = None,
    ) -> Self:
        """Put another formula in place of ``j`` and refit the points; a similar formula keeps most of them.

        Parameters
        ----------
        j
            The number of the formula in ``card_``, counted from 0.
        formula
            A formula, or text as ``parse`` reads it with the names of the channels.
        reach
            If omitted, it changes in proportion to the deviation of robustness on the training cases.
        X, y, at
            As for :meth:`without`.
        """
        known, unseen = self._known(), self._unseen(X, y)
        j = entered_place(j, known.card.n_formulas)
        check_free(j, known.locked, "replaced")
        change = known.with_replaced(j, self._formula(formula), entered_reach(reach))
        return self._edited(known, change, unseen, at)

    def with_points(
        self,
        points: Any,
        *,
        j: int | None = None,
        bias: Any = None,
        X: Any = None,
        y: Any = None,
        at: datetime | None = None,
    ) -> Self:
        """Set the points; nothing is refitted.

        Parameters
        ----------
        points
            ``(n_formulas, n_classes)``, or with ``j`` one number for each class.
        j
            The formula whose points these are; all formulas if omitted.
        bias
            One number for each class; unchanged if omitted.
        X, y, at
            As for :meth:`without`.
        """
        known, unseen = self._known(), self._unseen(X, y)
        card, locks = known.card, (known.locked, known.fixed)
        old = None if j is None else card.formulas[j := entered_place(j, card.n_formulas)]
        given = card.with_points(points if j is None else with_row(card, j, points), bias=bias)
        for i in known.fixed:
            if not np.array_equal(given.points[i], card.points[i]):
                check_free(i, known.fixed, "given other points")
        change = Change("with_points", given, known.evidence.robustness, *locks, j, old=old, new=old)
        return self._edited(known, change, unseen, at)

    def refit(
        self,
        n_new: int = 0,
        *,
        channels: Sequence[int | str] | None = None,
        X: Any = None,
        y: Any = None,
        at: datetime | None = None,
        progress: Progress | bool | None = None,
    ) -> Self:
        """Refit the points, and search for up to ``n_new`` formulas to add to the card.

        Parameters
        ----------
        n_new
            How many formulas to search for. All existing ones stay, and locked ones keep their points.
            With 0, only the points are refitted; if nothing was edited, they stay the same.
        channels
            Numbers or names of the channels that new formulas may use; any if omitted.
        X, y, at
            As for :meth:`without`.
        progress
            As for the classifier.

        Notes
        -----
        Formulas that closely follow a struck-out one are rejected; see
        :func:`stelle_nb.model.card.edits.filling.find_formulas`.
        """
        known, unseen = self._known(), self._unseen(X, y)
        n_new = whole(n_new, "n_new", least=0, most=MOST_NEW, error=ModelError)
        struck_out = [
            edit.before.formulas[edit.number]
            for edit in self.edits_
            if edit.what == "without" and edit.number is not None
        ]
        tell = share_of(as_progress(progress, "searching for formulas"), 0, 1)
        change = known.refitted(n_new, struck_out=struck_out, channels=self._channels(channels), tell=tell)
        return self._edited(known, change, unseen, at)

    def locked(self, j: int, *, points: bool = True, at: datetime | None = None) -> Self:
        """Lock formula ``j``: it cannot be struck out or replaced, and its points stay, too.

        Parameters
        ----------
        j
            The number of the formula in ``card_``, counted from 0.
        points
            False to let later refits change its points.
        at
            As for :meth:`without`.
        """
        known = self._known()
        j = entered_place(j, known.card.n_formulas)
        locked, fixed = {*known.locked, j}, {*known.fixed} - {j}
        return self._with_locks("locked", known, j, locked, fixed | {j} if points else fixed, at)

    def unlocked(self, j: int, *, at: datetime | None = None) -> Self:
        """Remove the lock from formula ``j``."""
        known = self._known()
        j = entered_place(j, known.card.n_formulas)
        return self._with_locks("unlocked", known, j, {*known.locked} - {j}, {*known.fixed} - {j}, at)

    def undone(self) -> Self:
        """The classifier before the last edit, as it was to the last bit."""
        known = self._known()
        if not self.edits_:
            raise ModelError("There is no edit to undo. edits_ lists those that were made since fit.")
        last = self.edits_[-1]
        if last.before == known.card:
            return self._copied(self.edits_[:-1], last.calibration)
        fitted = known.model_of(last.before), known.evidence_of(last.before)
        return self._copied(self.edits_[:-1], last.calibration, fitted)

    def audit(self) -> str:
        """Every edit as JSON: when, what, the card before and after, and the effect on predictions.

        It contains no user names. ``json.loads(clf.audit())["edits"]`` is the list of edits, oldest first.
        """
        self._known()
        return audit_text(self.edits_)

    # How an edit is carried out

    def _edited(self, known: EditedModel, change: Change, unseen: Unseen, at: Any) -> Self:
        model, evidence = known.carried_out(change)
        edit = Edit(
            what=change.what,
            at=utc_time(at),
            number=change.number,
            formula_before=self._written(change.old),
            formula_after=self._written(change.new),
            before=known.card,
            after=model.card,
            training=known.compared(model, evidence),
            leave_one_out=(known.left_out(known.model, known.evidence), known.left_out(model, evidence)),
            unseen=None if unseen is None else _compared(known.model, model, unseen),
            locked=change.locked,
            fixed=change.fixed,
            calibration=self.calibration_,
        )
        return self._copied((*self.edits_, edit), None, (model, evidence))

    def _with_locks(
        self, what: What, known: EditedModel, j: int, locked: set[int], fixed: set[int], at: Any
    ) -> Self:
        same = known.compared(known.model, known.evidence)
        told, text = known.left_out(known.model, known.evidence), self._written(known.card.formulas[j])
        edit = Edit(
            what, utc_time(at), j, text, text, known.card, known.card, same, (told, told),
            locked=tuple(sorted(locked)), fixed=tuple(sorted(fixed)), calibration=self.calibration_,
        )  # fmt: skip
        return self._copied((*self.edits_, edit), edit.calibration)

    def _copied(
        self,
        edits: tuple[Edit, ...],
        calibration: Calibration | None,
        fitted: tuple[ScorecardModel, Evidence] | None = None,
    ) -> Self:
        """A classifier like this one with another history, and another card if given."""
        other: Any = copy.copy(self)
        other.edits_, other.calibration_ = edits, calibration
        if fitted is not None:
            other.model_, evidence = fitted
            known = self.reference_
            reference = Reference(evidence.robustness.cpu().numpy(), known.labels, known.n_classes)
            other._remember(reference, evidence, other.background_, self.series_)
        return other  # type: ignore[no-any-return]

    # What an edit starts from

    def _known(self) -> EditedModel:
        """What is known of the card; models without one are rejected."""
        _ = self.card_  # type: ignore[attr-defined]
        last = self.edits_[-1] if self.edits_ else None
        return EditedModel(
            model=self.model_,  # type: ignore[attr-defined]
            evidence=self.evidence_,
            series=self.series_,
            labels=self.reference_.labels,
            n_fitted=self.metadata_["n_cases"],
            config=self.config or CardConfig(),
            seed=self.seed_,
            locked=() if last is None else last.locked,
            fixed=() if last is None else last.fixed,
            units=self.wording_.units,  # type: ignore[attr-defined]
        )

    def _written(self, formula: Formula | tuple[Formula, ...] | None) -> str | None:
        names = self.wording_.channel_names  # type: ignore[attr-defined]
        formulas = formula if isinstance(formula, tuple) else () if formula is None else (formula,)
        return "; ".join(formula_text(each, names) for each in formulas) or None

    def _formula(self, given: Any) -> Formula:
        names = self.wording_.channel_names  # type: ignore[attr-defined]
        return entered_formula(given, names, self.metadata_["n_channels"])

    def _channels(self, given: Any) -> list[int] | None:
        names = self.wording_.channel_names  # type: ignore[attr-defined]
        return None if given is None else entered_channels(given, names, self.metadata_["n_channels"])

    def _unseen(self, X: Any, y: Any) -> Unseen:
        if X is None and y is None:
            return None
        if X is None or y is None:
            raise ModelError("Unseen cases need their labels: give X and y together, or neither of them.")
        series: Series = self._preprocess_collection(X, store_metadata=False)  # type: ignore[attr-defined]
        codes = encode(enter_labels(align_labels(X, y), len(series)), self.classes_)
        if not len(codes):
            raise ModelError("X must contain at least one unseen case, got none. Leave X and y out.")
        return series, codes


def _compared(
    before: ScorecardModel, after: ScorecardModel, unseen: tuple[Series, npt.NDArray[np.intp]]
) -> EditComparison:
    X, codes = unseen
    old, new = (predicted(model, model.evidence(X)) for model in (before, after))
    return EditComparison.of(old, new, codes)
