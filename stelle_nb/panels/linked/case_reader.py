"""What the linked view shows of a case once there is a model."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from stelle_nb.depict.regions import Case
from stelle_nb.explain.local.local_clause import Gammas
from stelle_nb.explain.local.local_explanation import LocalExplanation
from stelle_nb.explain.local.printing.local_words import carried
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.weighted_sum import Quantity
from stelle_nb.panels.linked.content import N_FIRST, CaseContent, DataReader, Signals
from stelle_nb.panels.linked.hand import case_of, stretches
from stelle_nb.panels.linked.regions.case_list import numbers_of, typical_case
from stelle_nb.panels.linked.regions.dials import OfClass, dials_of, effect_of
from stelle_nb.panels.linked.regions.marks import rows_of
from stelle_nb.panels.linked.regions.signal_rows import levels_of, signal_rows
from stelle_nb.panels.linked.regions.verdict import class_bars, give_verdict, in_percent
from stelle_nb.panels.linked.regions.waterfall import Drawing, Waterfall, card_sheet, concept_sheet
from stelle_nb.panels.parts.chosen_data import Part
from stelle_nb.panels.session import Session
from stelle_nb.panels.widgets.signal_editor import Edit, edited


@dataclass(frozen=True, slots=True)
class _OneCase:
    """What was found out about a case; moving a gamma to and fro needs the same again and again."""

    key: Any
    explained: dict[Gammas, LocalExplanation] = field(default_factory=dict)
    drawn: dict[Formula, Drawing] = field(default_factory=dict)


class CaseReader(DataReader):
    """What is shown of a data set and a model of it.

    Attributes
    ----------
    why
        The explanation that was read last.
    """

    why: LocalExplanation

    def __init__(self, session: Session) -> None:
        super().__init__(session.dataset, session.classes)
        self.session = session
        self._typical: dict[int, Case | None] = {}
        self._last = _OneCase(None)

    def case(
        self,
        part: Part,
        case: int,
        gammas: Gammas,
        *,
        target: Any = None,
        rival: Any = None,
        chosen: int | None = None,
        gamma_g: float | None = None,
        of_class: OfClass | None = None,
        edits: tuple[Edit, ...] = (),
        edited_words: str = "",
    ) -> CaseContent:
        """Explain one case.

        Parameters
        ----------
        target, rival
            Labels of the classes to compare; None for the predicted one, and for the next or the true one.
        chosen
            Number of the formula that is pointed at.
        of_class
            What is known of the whole class.
        edits, edited_words
            What is changed in the case, and the same in words.
        """
        session = self.session
        y = session.cases(part)[1]
        base = session.case(part, case)
        shown = edited(case_of(session, part, case), edits)[None] if edits else base

        if self._last.key != (key := (session.classifier, part, case, edits, target)):
            self._last = _OneCase(key)
        last = self._last

        def explain(asked: Gammas) -> LocalExplanation:
            if asked not in last.explained:
                last.explained[asked] = session.explain_series(shown, target, asked)
            return last.explained[asked]

        why = self.why = explain(gammas)
        first = session.probabilities(part)[case]
        shares = session.classifier.predict_proba(shown)[0] if edits else first
        original = int(first.argmax())
        was = f"before: {self.names[original]}, {in_percent(float(first[original]))}" if edits else ""
        predicted = self.classes.index(why.prediction)
        goal, truth = self.classes.index(why.target), numbers_of(y[case : case + 1], self.classes)[0]
        other = self._rival(why, rival, goal, original if edits else truth, shares)
        sheet = (
            concept_sheet(why, carried(why))
            if why.sheet is None
            else card_sheet(why, why.sheet, self.classes[other], chosen, last.drawn)
        )
        name, against = self.names[goal], self.names[other]
        is_alike = bool(edits) or session.other is None or bool(session.agreement(part)[case])
        verdict = give_verdict(
            why, sheet, self.names, number=case, shares=shares, predicted=predicted, target=goal, rival=other,
            truth=truth, changed=f"{edited_words} {was.capitalize()}." if edits else "",
            doubt="" if is_alike else self._doubt(part, case),
        )  # fmt: skip
        return CaseContent(
            number=case,
            part=part,
            truth=self._name_of(y[case]),
            signals=self._rows(why, sheet, other, verdict.best, base[0], edits),
            target=goal,
            rival=other,
            target_name=name,
            rival_name=against,
            verdict=verdict,
            bars=tuple(
                class_bars(shares, self.names, target=goal, rival=other, before=first if edits else None)
            ),
            sheet=sheet,
            carried=effect_of(why, name),
            dials=tuple(dials_of(why, gamma_g, name, of_class or OfClass(), explain)),
            chosen=-1 if chosen is None else chosen,
            edited=edited_words,
            was=was,
        )

    def _doubt(self, part: Part, case: int) -> str:
        """A note if the card does not explain the classifier that it imitates here."""
        name, said = type(self.session.other).__name__, self._name_of(self.session.answers(part)[case])
        return f"{name} says {said} here, so these reasons are the card's own and not those of {name}."

    def sharing(self, part: Part, case: int, number: int) -> list[int]:
        """The cases of a part of which the same is true: the formula holds, or it fails, as it does here."""
        card = self.session.card
        if card is None:
            return []
        holds = self._degrees(part)[:, number] >= 0
        found: list[int] = np.flatnonzero(holds == holds[case]).tolist()
        return found

    def _degrees(self, part: Part) -> Any:
        session = self.session
        key, known = ("degrees", part), session.known
        if key not in known:
            card = session.card
            known[key] = None if card is None else card.degrees(session.cases(part)[0])
        return known[key]

    def _rival(self, why: LocalExplanation, asked: Any, target: int, truth: int, shares: Any) -> int:
        if asked is not None and asked in self.classes and self.classes.index(asked) != target:
            return self.classes.index(asked)
        if truth >= 0 and truth != target and why.prediction == why.target:
            return truth  # a wrong prediction is compared with the truth, a changed one with the first
        if why.sheet is not None:
            return self.classes.index(why.sheet.rival)
        return int(np.where(np.arange(len(shares)) == target, -1.0, shares).argmax())

    def _rows(
        self,
        why: LocalExplanation,
        sheet: Waterfall,
        rival: int,
        best: int,
        base: Case,
        edits: tuple[Edit, ...],
    ) -> Signals:
        """The signals of all drawn rows of the sheet; those of the reason in the text come first."""
        weights: dict[Quantity, float] = {}
        for row in sheet.rows:
            if not row.bands:
                continue
            formula = self._formula(why, row.number)
            for quantity in rows_of(formula):
                weights[quantity] = weights.get(quantity, 0.0) + abs(row.points)
        ranked = sorted(weights, key=lambda each: -weights[each]) or [Signal(self.channel)]
        bands = [band for row in sheet.rows for band in row.bands]
        others = {Signal(int(band["other"])) for band in bands if band["other"] is not None}
        ranked += [each for each in sorted(others) if each not in weights]
        changed = stretches(edits)
        ranked = [*map(Signal, changed), *ranked]
        rows = signal_rows(
            ranked, why.case, self._typical_case(rival), self.wording, levels_of(bands), base, changed
        )
        reasons = [row for row in sheet.rows if row.reason or row.number == best]
        reasons.sort(key=lambda row: (row.number != best, row.group != "for"))
        keys = [key for row in reasons for key in row.rows] or [row.key for row in rows]
        keys = [*map(str, list(changed)[:N_FIRST]), *keys]
        return self._signals(rows, list(dict.fromkeys(keys))[:N_FIRST])

    def _formula(self, why: LocalExplanation, number: int) -> Any:
        if why.sheet is not None:
            return why.sheet.contributions[number].formula
        return next(part.formula for part in why.conjuncts if part.number == number)

    def _typical_case(self, number: int) -> Case | None:
        if number not in self._typical:
            ds = self.dataset
            found = typical_case(ds.X_train, np.asarray(ds.y_train == self.classes[number]))
            self._typical[number] = None if found is None else ds.X_train[found]
        return self._typical[number]

    def _predicted(self, part: Part) -> list[int] | None:
        found: list[int] = self.session.probabilities(part).argmax(axis=1).tolist()
        return found

    def _differs(self, part: Part) -> list[bool] | None:
        """For each case, whether the imitated classifier predicts another class."""
        same = self.session.agreement(part)
        return None if same is None else (~same).tolist()
