"""What the linked view shows of a case, as frozen values that can be sent to a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np

from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.depict.regions import Case
from stelle_nb.depict.wording import Wording
from stelle_nb.explain.local.local_clause import Gammas
from stelle_nb.explain.local.local_explanation import LocalExplanation
from stelle_nb.explain.local.printing.local_words import carried
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.weighted_sum import Quantity
from stelle_nb.panels.linked.hand import case_of, stretches
from stelle_nb.panels.linked.regions.case_list import (
    CaseList,
    list_cases,
    numbers_of,
    telling_channel,
    typical_case,
)
from stelle_nb.panels.linked.regions.dials import Dial, dials_of, effect_of
from stelle_nb.panels.linked.regions.marks import rows_of
from stelle_nb.panels.linked.regions.names import class_names, natural_order
from stelle_nb.panels.linked.regions.signal_rows import SignalRow, levels_of, signal_rows
from stelle_nb.panels.linked.regions.verdict import ClassBar, Verdict, class_bars, give_verdict, in_percent
from stelle_nb.panels.linked.regions.waterfall import Waterfall, card_sheet, concept_sheet
from stelle_nb.panels.session import Part, Session
from stelle_nb.panels.widgets.signal_editor import Edit, edited
from stelle_nb.plots.lines import time_title

N_FIRST = 3  # signals that are shown at first


def plain(value: Any) -> Any:
    """A record as a dictionary; lists of numbers are not copied, which would take longer than all else.

    Examples
    --------
    >>> plain(ClassBar(0, "calm", 0.5, "50 %", "class"))["name"], plain([1.0, 2.0])
    ('calm', [1.0, 2.0])
    """
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, list | tuple) and value and is_dataclass(value[0]):
        return [plain(each) for each in value]
    return value


@dataclass(frozen=True, slots=True)
class Signals:
    """The chart of the case.

    Parameters
    ----------
    rows
        All signals that some row of the sheet speaks of, those that matter most first.
    first
        Keys of those that are shown while no row is chosen.
    """

    rows: list[SignalRow]
    first: list[str]
    n_samples: int
    step: float | None
    unit: str | None
    axis: str


@dataclass(frozen=True, slots=True)
class CaseContent:
    """All that is shown of one case.

    Parameters
    ----------
    number, part, truth
        The case, and the name of its true class.
    target, rival
        Numbers of the classes that are compared; -1 while there is no model.
    edited, was
        What was changed in the case, and what the model said before; empty if nothing was.
    """

    number: int
    part: Part
    truth: str
    signals: Signals
    target: int = -1
    rival: int = -1
    target_name: str = ""
    rival_name: str = ""
    verdict: Verdict | None = None
    bars: tuple[ClassBar, ...] = ()
    sheet: Waterfall | None = None
    carried: str = ""
    dials: tuple[Dial, ...] = ()
    chosen: int = -1
    edited: str = ""
    was: str = ""

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        found: dict[str, Any] = plain(self)
        return found


class DataReader:
    """What can be shown of a data set before there is a model."""

    def __init__(self, dataset: SeriesDataset, classes: Sequence[Any] | None = None) -> None:
        known = np.unique(dataset.y_train).tolist() if classes is None else list(classes)
        self.dataset, self.classes = dataset, known
        self.names = class_names(known)
        self.wording = Wording.of(dataset)
        self.channel = telling_channel(dataset)

    @property
    def order(self) -> list[int]:
        """Numbers of the classes in the natural order of their names."""
        return natural_order(self.names)

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts that have cases, unseen ones first."""
        return ("test", "train") if self.dataset.n_test else ("train",)

    def n_cases(self, part: Part) -> int:
        """How many cases a part has."""
        return len(self._cases(part)[1])

    def listing(self, part: Part) -> CaseList:
        """The cases of a part."""
        X, y = self._cases(part)
        name = self.wording.channel_titles([self.channel])[0]
        return list_cases(
            X, numbers_of(y, self.classes), self._predicted(part), channel=self.channel, name=name,
            differs=self._differs(part),
        )  # fmt: skip

    def data(self, part: Part, case: int) -> CaseContent:
        """One case without a model."""
        X, y = self._cases(part)
        spread = X.std(axis=(0, 2))
        others = [int(c) for c in np.argsort(-spread, kind="stable") if int(c) != self.channel]
        channels: list[Quantity] = [Signal(c) for c in [self.channel, *others][:N_FIRST]]
        rows = signal_rows(channels, X[case], None, self.wording, {})
        return CaseContent(case, part, self._name_of(y[case]), self._signals(rows, [row.key for row in rows]))

    def _predicted(self, part: Part) -> list[int] | None:
        return None

    def _differs(self, part: Part) -> list[bool] | None:
        return None

    def _cases(self, part: Part) -> tuple[Any, Any]:
        ds = self.dataset
        return (ds.X_test, ds.y_test) if part == "test" else (ds.X_train, ds.y_train)

    def _name_of(self, label: Any) -> str:
        number = numbers_of(np.asarray([label]), self.classes)[0]
        return self.names[number] if number >= 0 else str(label)

    def _signals(self, rows: list[SignalRow], first: list[str]) -> Signals:
        said = self.wording
        return Signals(rows, first, self.dataset.n_timepoints, said.step, said.unit, time_title(said))


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
        of_class: str = "",
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
            What is said of the whole class.
        edits, edited_words
            What is changed in the case, and the same in words.
        """
        session = self.session
        y = session.cases(part)[1]
        base = session.case(part, case)
        shown = edited(case_of(session, part, case), edits)[None] if edits else base

        def explain(asked: Gammas) -> LocalExplanation:
            return session.explain_series(shown, target, asked)

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
            else card_sheet(why, why.sheet, self.classes[other], chosen)
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
            dials=tuple(dials_of(why, gamma_g, name, of_class, explain)),
            chosen=-1 if chosen is None else chosen,
            edited=edited_words,
            was=was,
        )

    def _doubt(self, part: Part, case: int) -> str:
        """That the card does not explain the classifier that it imitates here."""
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
        """The signals of all drawn rows of the sheet; shown first are those of the reason that is told."""
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
        """Whether the classifier that is imitated says otherwise of each case."""
        same = self.session.agreement(part)
        return None if same is None else (~same).tolist()
