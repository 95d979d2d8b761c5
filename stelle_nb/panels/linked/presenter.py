"""Between the state of an explorer and its view: what to send, and what the reader asks for."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.errors import DataError, ExplanationError
from stelle_nb.explain.explanation import percent
from stelle_nb.explain.local.local_explanation import LocalExplanation
from stelle_nb.panels.linked.content import CaseContent, CaseReader, DataReader
from stelle_nb.panels.linked.explorer_state import ExplorerState
from stelle_nb.panels.linked.fitting import READY
from stelle_nb.panels.linked.hand import Hand, case_of
from stelle_nb.panels.linked.view import LinkedView
from stelle_nb.panels.parts.explanation_view import class_facts
from stelle_nb.panels.session import Part, Session
from stelle_nb.panels.widgets.signal_editor import Edit

_PARTS = {"test": "unseen cases", "train": "training cases"}
_GAMMAS = ("gamma", "gamma_t", "gamma_l", "gamma_g")


class Presenter:
    """Fills the view.

    Attributes
    ----------
    view
        The widget.
    content
        What is shown of the case.
    why
        Its explanation; None while there is no model.
    """

    def __init__(self, dataset: SeriesDataset) -> None:
        self.view = LinkedView()
        self.content: CaseContent | None = None
        self.why: LocalExplanation | None = None
        self._listed: Any = None
        self.hand = Hand()
        self.read_data(dataset)

    def read_data(self, dataset: SeriesDataset) -> None:
        """Look at data without a model."""
        self.reader: DataReader = DataReader(dataset)
        self._listed = self.why = None

    def read(self, session: Session) -> None:
        """Look at a model; a new one, or one that has changed."""
        self.reader = CaseReader(session)
        self._listed = None

    def show(self, state: ExplorerState, of_class: str = "") -> None:
        """Send what the state asks for."""
        part, case = state.part, state.case
        n = self.reader.n_cases(part)
        if not 0 <= case < n:
            raise DataError(f"case must lie from 0 to {n - 1} in the {part} part, got {case!r}.")
        if isinstance(self.reader, CaseReader):
            content = self.reader.case(
                part, case, state.gammas, target=state.target, rival=state.rival, chosen=state.row,
                gamma_g=state.gamma_g, of_class=of_class, edits=state.edits,
                edited_words=self.hand.words(state.edits, self.reader.wording),
            )  # fmt: skip
            self.why = self.reader.why
        else:
            content = self.reader.data(part, case)
        with self.view.hold_sync():
            self._list(part)
            self.content = content
            self.view.shown = content.to_json()
            self.view.sharing = self._sharing(state)
            if isinstance(self.reader, CaseReader):
                self.view.status = READY

    def _list(self, part: Part) -> None:
        if self._listed == part:
            return
        self._listed = part
        reader = self.reader
        self.view.heading = {
            "name": reader.dataset.name,
            "summary": self._summary(part),
            "classes": reader.names,
            "order": reader.order,
            "parts": [[key, _PARTS[key]] for key in reader.parts],
            "part": part,
        }
        self.view.cases = asdict(reader.listing(part))

    def _summary(self, part: Part) -> str:
        reader, ds = self.reader, self.reader.dataset
        if not isinstance(reader, CaseReader):
            axes = f"{ds.n_channels} channel{'s' * (ds.n_channels != 1)}, {len(reader.classes)} classes"
            return f"{reader.n_cases(part)} {_PARTS[part]}, {axes}"
        session = reader.session
        right = percent(float(np.mean(session.predictions(part) == session.cases(part)[1])))
        card = session.card
        model = (
            f"{len(session.concepts)} concepts"
            if card is None
            else f"score card of {card.n_formulas} formulas"
        )
        like = "" if session.other is None else f" · {session.likeness(part)}"
        return f"{reader.n_cases(part)} {_PARTS[part]}, {right} right · {model}{like}"

    def _sharing(self, state: ExplorerState) -> dict[str, Any]:
        reader = self.reader
        if state.row is None or not isinstance(reader, CaseReader) or reader.session.card is None:
            return {}
        cases = reader.sharing(state.part, state.case, state.row)
        row = next(row for row in self.content.sheet.rows if row.number == state.row)  # type: ignore[union-attr]
        verb = "it holds" if row.holds else "it fails"
        return {"cases": cases, "text": f"{verb} in {len(cases)} of {reader.n_cases(state.part)} (marked)"}

    def flip(self, session: Session, state: ExplorerState) -> tuple[Edit, ...]:
        """The edits after which the model says the rival; the same edits if none were found, with a note."""
        content = self.content
        if content is None or content.rival < 0:
            return state.edits
        name, base = content.rival_name, case_of(session, state.part, state.case)
        self.view.note = f"Looking for a small change to {name} …"
        try:
            found = self.hand.flip(session, base, state.edits, self.reader.classes[content.rival], name)
        except ExplanationError:
            self.view.note = f"No small change to {name} was found. Choose another rival."
            return state.edits
        self.view.note = ""
        return found

    def fields(self, wish: dict[str, Any], state: ExplorerState) -> dict[str, Any]:
        """What a wish changes in the state."""
        changes: dict[str, Any] = {}
        if "part" in wish:
            changes |= {
                "part": wish["part"],
                "case": self.reader.listing(wish["part"]).numbers[0],
                "rival": None,
            }
        if "case" in wish:
            changes |= {"case": int(wish["case"]), "rival": None}
        if "rival" in wish:
            changes["rival"] = self.reader.classes[int(wish["rival"])]
        if "row" in wish:
            changes["row"] = None if wish["row"] is None else int(wish["row"])
        if "drag" in wish and isinstance(self.reader, CaseReader):
            base = case_of(self.reader.session, state.part, state.case)
            changes["edits"] = self.hand.drag(base, state.edits, wish["drag"])
        for name in _GAMMAS:
            if name in wish:
                value = wish[name]
                changes[name] = (
                    None if value is None else int(value) if name == "gamma" else round(float(value), 6)
                )
        return changes


def class_words(session: Session, label: Any, gamma_g: float) -> str:
    """What a whole class has in common, as known by now."""
    found = session.explain_class(label, gamma_g)
    facts = class_facts(found)
    whole = session.explain_class(label, 0.0).formula.size
    size = found.formula.size
    length = f"{size} nodes instead of {whole}" if size < whole else f"{size} nodes, as without giving up any"
    return f"{found.to_english()} It {facts['covers']}; it {facts['separates']}. {length}."
