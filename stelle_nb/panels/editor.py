"""The panel that edits a score card: strike out, lock, move numbers, add formulas, undo."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from html import escape
from typing import Any, final

import numpy as np

from stelle_nb.depict.class_names import named_classes
from stelle_nb.depict.page import table_html
from stelle_nb.depict.regions import ASKED, Case
from stelle_nb.depict.scene import make_scene
from stelle_nb.errors import Cancelled, PanelError, ParseError, StelleError
from stelle_nb.estimator.classifier import StelleClassifier
from stelle_nb.logic.formula import Formula
from stelle_nb.model.card.printing.card_words import formula_text, read_formula, spoken_names
from stelle_nb.model.card.scorecard import Scorecard
from stelle_nb.panels.base import guarded
from stelle_nb.panels.editing.account import account_of
from stelle_nb.panels.editing.card_list import CardList, row_of, rows_of
from stelle_nb.panels.editing.signal_handles import moved_by_hand, windows_json
from stelle_nb.panels.parts.chosen_data import Part
from stelle_nb.panels.session_panel import SessionPanel
from stelle_nb.panels.widgets.case_picker import CasePicker
from stelle_nb.panels.widgets.controls import button, dropdown, row
from stelle_nb.panels.widgets.export import Export, ExportableChart
from stelle_nb.panels.widgets.formula_field import FormulaField
from stelle_nb.panels.widgets.signal_content import (
    editor_content,
    shown_signals,
    usual_ranges,
)
from stelle_nb.panels.widgets.signal_editor import SignalEditor
from stelle_nb.progress import seconds_left

N_NEW = 2  # formulas that are looked for at once
FIND = f"find {N_NEW} more"
ANY_CLASS = "any class"
NO_CARD = (
    "Only a score card can be edited, and this model has none. Fit variant='scorecard', or explore the model "
    "through a card that imitates it: st.imitate(classifier, dataset)."
)
_LEGEND = [
    ["case", "the case"],
    ["wanted", f"{ASKED}; drag it"],
    ["window", "when; drag its ends"],
    ["ring", "decides"],
]


@final
@dataclass(frozen=True, slots=True)
class EditState:
    """What is shown while a card is edited; the edits themselves are kept by the classifier.

    Parameters
    ----------
    part, case
        The case that formulas are shown on.
    row
        Number of the formula that is drawn.
    draft
        Text of the formula while a number in it is being moved, before it is put on the card.
    """

    part: Part = "test"
    case: int = 0
    row: int = 0
    draft: str | None = None


@final
class EditPanel(SessionPanel[EditState]):
    """Edit the score card of a model, and see at once what each edit does.

    Its parameters are those of every panel of a session, see
    :class:`~stelle_nb.panels.session_panel.SessionPanel`. All panels of the session follow the edited model.
    """

    title = "Edit the card"
    help = (
        "Each row is a formula of the card. Strike out one that is an artefact; lock one that must stay as "
        "it is. Numbers can be moved: drag them to the left or right, or go to one with the Tab key, use the "
        "arrow keys, and press Enter; Escape puts it back. Thresholds and the ends of windows can be dragged "
        "in the signal, too. After every edit the points of the other formulas are refitted to the training "
        "cases. The table shows the effect of the edit on predictions for unseen cases, class by class, and "
        "on leave-one-out accuracy: the formulas alone are fitted to predict each training case from the "
        "others. Choose a case whose prediction changed to see it. 'undo' reverts one edit at a time."
    )

    _is_stopped = False

    def _first_state(self) -> EditState:
        return EditState(part=self.session.parts[0])

    @property
    def card(self) -> Scorecard | None:
        """The card as it is now; None if the model has none."""
        return self.session.card

    def show_case(self, part: Part, case: int) -> None:
        """Show the formulas on another case."""
        if (self.state.part, self.state.case) != (part, case):
            self.change(part=part, case=case)

    # What a reader does

    def strike_out(self, j: int) -> None:
        """Take formula ``j`` off the card."""
        self._edit(lambda clf, unseen: clf.without(j, **unseen))

    def toggle_lock(self, j: int) -> None:
        """Lock formula ``j``, or unlock it."""
        self._edit(lambda clf, _: clf.unlocked(j) if j in self._locked() else clf.locked(j))

    def put(self, j: int, text: str) -> None:
        """Put the formula of a text in place of formula ``j``."""

        def change(clf: StelleClassifier, unseen: dict[str, Any]) -> StelleClassifier:
            formula = self._formula(text)
            is_same = j < clf.card_.n_formulas and formula == clf.card_.formulas[j]
            return clf if is_same else clf.with_replaced(j, formula, **unseen)

        self._edit(change)

    def add(self, text: str, label: Any = None) -> None:
        """Add the formula of a text, with points for one class or for any."""
        formula = self._formula(text)
        self._edit(lambda clf, unseen: clf.with_formula(formula, label, **unseen), to_last=True)

    def undo(self) -> None:
        """Take back the last edit."""
        self._edit(lambda clf, _: clf.undone())

    def find_more(self) -> None:
        """Look for further formulas in the background, or stop looking."""
        if self._worker is not None:
            self._is_stopped = True
            return
        clf, unseen, began = self.session.classifier, self._unseen(), time.monotonic()
        self._is_stopped, self.more.description = False, "stop looking"

        def progress(done: int, total: int) -> bool:
            left = seconds_left(done, total, time.monotonic() - began)
            rest = "" if left is None else f", about {max(1, round(left))} s left"
            share = 100 * done // max(1, total)
            self.list.status = f"Looking for formulas to add to the card: {share} %{rest}"
            return not self._is_stopped

        def work() -> None:
            try:
                found = clf.refit(N_NEW, progress=progress, **unseen)
                if self.session.classifier is clf:  # otherwise it was edited meanwhile
                    self.session.adopt(found)
            except Cancelled:
                pass
            finally:
                self.list.status, self.more.description = "", FIND

        self._later(work)

    # How it is done

    def _edit(
        self, change: Callable[[StelleClassifier, dict[str, Any]], StelleClassifier], *, to_last: bool = False
    ) -> None:
        try:
            edited = change(self.session.classifier, self._unseen())
        except StelleError:
            self._put_back()
            raise
        if edited is self.session.classifier:
            self.change(draft=None)
            return
        if to_last:
            self._state = replace(self._state, row=edited.card_.n_formulas - 1)
        self.session.adopt(edited)

    def _put_back(self) -> None:
        """Show the formula as it is on the card, and its numbers on the page as well."""
        self.change(draft=None)
        self.list.live = {"reset": self.list.live.get("reset", 0) + 1}

    def _unseen(self) -> dict[str, Any]:
        """Unseen cases of classes that the model knows, to judge edits on."""
        ds = self.session.dataset
        is_known = np.isin(ds.y_test, self.session.classes) if ds.n_test else np.zeros(0, dtype=bool)
        return {"X": ds.X_test[is_known], "y": ds.y_test[is_known]} if is_known.any() else {}

    def _locked(self) -> tuple[int, ...]:
        edits = self.session.classifier.edits_
        return edits[-1].locked if edits else ()

    def _formula(self, text: str) -> Formula:
        return read_formula(text, self.session.wording.channel_names)

    def _drawn(self, state: EditState) -> Formula | None:
        """The formula that is drawn: the draft if there is one."""
        if self.card is None:
            return None
        return self.card.formulas[state.row] if state.draft is None else self._formula(state.draft)

    # Controls

    def _build(self) -> list[Any]:
        names = self.session.wording.channel_names
        self.list = CardList()
        self.picker = CasePicker(self.session)
        self.field = FormulaField(label="add a formula (names complete as you type)")
        self.field.offer(spoken_names(names) or [f"x{i}" for i in range(self.session.dataset.n_channels)])
        classes = [(ANY_CLASS, None), *named_classes(self.session.classes)]
        self.label = dropdown("points for", "The class for which the new formula has points.", classes)
        self.add_button = button("add", "Add the formula to the card.")
        self.more = button(FIND, "Look for more formulas to add to the card.")
        self.editor = SignalEditor(is_free=False)
        self.list.observe(self._on_wish, "wish")
        self.field.observe(self._on_text, "text")
        self.editor.observe(self._on_moved, "moved")
        self.picker.observe(self._on_case)
        self.add_button.on_click(self._on_add)
        self.more.on_click(self._on_more)
        return [
            self.list,
            self.field,
            row(self.label, self.add_button, self.more),
            self.editor,
            row(*self.picker.widgets[:2]),
        ]

    def _set_controls(self, state: EditState) -> None:
        card = self.card
        if card is not None and not 0 <= state.row < card.n_formulas:
            raise PanelError(f"row must lie from 0 to {card.n_formulas - 1}, got {state.row!r}.")
        self.picker.set(state.part, state.case, None)
        for control in (self.add_button, self.more):
            control.disabled = card is None

    @guarded
    def _on_wish(self, change: Any) -> None:
        wish = change["new"]
        todo: dict[str, Callable[[], None]] = {
            "choose": lambda: self.change(row=int(wish["row"]), draft=None),
            "strike": lambda: self.strike_out(int(wish["row"])),
            "lock": lambda: self.toggle_lock(int(wish["row"])),
            "draft": lambda: self._move(int(wish["row"]), str(wish["text"])),
            "apply": lambda: self.put(int(wish["row"]), str(wish["text"])),
            "undo": self.undo,
            "case": lambda: self.change(part=self.session.parts[0], case=int(wish["case"])),
        }
        if wish.get("do") in todo:
            todo[wish["do"]]()

    def _move(self, j: int, text: str) -> None:
        """Follow a number while it moves; text that is no formula leaves all else as it is."""
        try:
            self._formula(text)
        except StelleError as error:
            self.list.live = {"row": j, "said": str(error).splitlines()[0], "degree": 0.0}
            return
        self.change(row=j, draft=text)

    @guarded
    def _on_text(self, _: Any) -> None:
        """Say what is wrong with what is typed, at its column."""
        self.field.problem = ""
        if self.field.text.strip():
            try:
                self._formula(self.field.text)
            except ParseError as error:
                self.field.problem = str(error)

    @guarded
    def _on_add(self, _: Any) -> None:
        if not self.field.text.strip():
            raise PanelError("There is no formula to add. Type one, such as F[0,9] (x0 >= 1).")
        self.add(self.field.text, self.label.value)
        self.field.text = ""

    @guarded
    def _on_more(self, _: Any) -> None:
        self.find_more()

    @guarded
    def _on_case(self, _: Any) -> None:
        fields = self.picker.fields()
        self.change(part=fields["part"], case=fields["case"])

    @guarded
    def _on_moved(self, _: Any) -> None:
        """A threshold or a window was moved in the signal; when it is let go, it is put on the card."""
        moved, formula = self.editor.moved, self._drawn(self.state)
        if formula is None or moved.get("undone"):
            self._put_back()
            return
        text = formula_text(moved_by_hand(formula, moved), self.session.wording.channel_names)
        if moved.get("done"):
            self.put(self.state.row, text)
        else:
            self.change(draft=text)

    # What is shown

    def _forget(self) -> None:
        """Another card may be shorter, and what was being moved was on the one before."""
        n = 1 if self.card is None else self.card.n_formulas
        self._state = replace(self._state, row=min(self._state.row, n - 1), draft=None)

    def _signal(self, state: EditState) -> Case:
        return np.array(self.session.case(state.part, state.case)[0], dtype=np.float64)

    def _show(self, state: EditState) -> None:
        card, wording = self.card, self.session.wording
        formula = self._drawn(state)
        if card is None or formula is None:
            self.list.status = NO_CARD
            return
        signal = self._signal(state)
        shown = shown_signals(formula, len(signal), all_channels=False)
        scene = make_scene(formula, wording, case=signal, rows=shown)
        is_free = state.row not in self._locked()
        moving = row_of(formula, float(card.reach[state.row]), signal, wording)
        with self.list.hold_sync():
            self.list.chosen = state.row
            self.list.can_undo = bool(self.session.classifier.edits_)
            self.list.case = f"{'unseen' if state.part == 'test' else 'training'} case {state.case}"
            if state.draft is None:
                self.list.rows = rows_of(card, signal, wording, self._locked())
                self.list.account = self._account()
            else:
                self.list.live = {"row": state.row, **moving}
        self.editor.draw(
            (),
            wording,
            f"{wording.unicode(formula)} {moving['said']}",
            legend=_LEGEND,
            windows=windows_json(formula, scene, is_free=is_free),
            **editor_content(scene, signal, self._frames(), is_free=is_free),
        )

    def _account(self) -> dict[str, Any]:
        known = self.session.known
        if "account" not in known:
            known["account"] = account_of(self.session)
        found: dict[str, Any] = known["account"]
        return found

    def _frames(self) -> list[list[float]]:
        return usual_ranges(self.session.dataset.X_train)

    def _exports(self) -> list[Export]:
        audit = Export("JSON audit", ".json", lambda: f"{self.session.classifier.audit()}\n")
        return [*([audit] if self.card is not None else []), *super()._exports()]

    def _still(self) -> tuple[str, ExportableChart | None]:
        card = self.card
        if card is None:
            return f"<p>{escape(NO_CARD)}</p>", None
        account = self._account()
        said = f"<p>{escape(account['title'])}</p>" if account else ""
        return f'{said}<div class="wide">{table_html(card.to_frame())}</div>', self.editor
