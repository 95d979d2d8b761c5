"""Between the state of an explorer and its view: what to send, and what the reader asks for."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.depict.wording import Wording
from stelle_nb.errors import DataError, ExplanationError
from stelle_nb.panels.linked.content import CaseContent, DataReader
from stelle_nb.panels.linked.explorer_state import ExplorerState
from stelle_nb.panels.linked.fitting import READY
from stelle_nb.panels.linked.hand import Hand, case_of
from stelle_nb.panels.linked.view import LinkedView
from stelle_nb.panels.parts.chosen_data import PART_NAMES, Part
from stelle_nb.panels.widgets.signal_editor import Edit

if TYPE_CHECKING:  # what needs a model is imported with the model
    from stelle_nb.explain.local.local_explanation import LocalExplanation
    from stelle_nb.panels.linked.case_reader import CaseReader
    from stelle_nb.panels.linked.regions.dials import OfClass
    from stelle_nb.panels.session import Session

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
        self._explaining: CaseReader | None = None
        self._listed = self.why = None

    def read(self, session: Session) -> None:
        """Look at a model; a new one, or one that has changed."""
        from stelle_nb.panels.linked.case_reader import CaseReader

        self.reader = self._explaining = CaseReader(session)
        self._listed = None

    def show(self, state: ExplorerState, of_class: OfClass | None = None) -> None:
        """Send what the state asks for."""
        part, case = state.part, state.case
        n = self.reader.n_cases(part)
        if not 0 <= case < n:
            raise DataError(f"case must lie from 0 to {n - 1} in the {part} part, got {case!r}.")
        if self._explaining is not None:
            content = self._explaining.case(
                part, case, state.gammas, target=state.target, rival=state.rival, chosen=state.row,
                gamma_g=state.gamma_g, of_class=of_class, edits=state.edits,
                edited_words=self.hand.words(state.edits, self.reader.wording),
            )  # fmt: skip
            self.why = self._explaining.why
        else:
            content = self.reader.data(part, case)
        with self.view.hold_sync():
            self._list(part)
            self.content = content
            self.view.shown = content.to_json()
            self.view.sharing = self._sharing(state)
            if self._explaining is not None:
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
            "parts": [[key, PART_NAMES[key]] for key in reader.parts],
            "part": part,
        }
        self.view.cases = asdict(reader.listing(part))

    def _summary(self, part: Part) -> str:
        reader, ds = self.reader, self.reader.dataset
        if self._explaining is None:
            axes = f"{ds.n_channels} channel{'s' * (ds.n_channels != 1)}, {len(reader.classes)} classes"
            return f"{reader.n_cases(part)} {PART_NAMES[part]}, {axes}"
        from stelle_nb.explain.explanation import percent

        session = self._explaining.session
        right = {
            each: percent(float(np.mean(session.predictions(each) == session.cases(each)[1])))
            for each in reader.parts
        }
        beside = "".join(f" ({PART_NAMES[each]}: {right[each]})" for each in reader.parts if each != part)
        card = session.card
        model = (
            f"{len(session.concepts)} concepts"
            if card is None
            else f"score card of {card.n_formulas} formulas"
        )
        like = "" if session.other is None else f" · {session.likeness(part)}"
        return f"{reader.n_cases(part)} {PART_NAMES[part]}, {right[part]} right{beside} · {model}{like}"

    def _sharing(self, state: ExplorerState) -> dict[str, Any]:
        reader = self._explaining
        if state.row is None or reader is None or reader.session.card is None:
            return {}
        cases, n = reader.sharing(state.part, state.case, state.row), reader.n_cases(state.part)
        row = next(row for row in self.content.sheet.rows if row.number == state.row)  # type: ignore[union-attr]
        verb = "holds" if row.holds else "fails"
        return {
            "cases": cases,
            "text": f"The chosen formula {verb} in {len(cases)} of {n} cases (marked).",
        }

    def flip(self, session: Session, state: ExplorerState) -> tuple[Edit, ...]:
        """The edits after which the model says the rival; the same edits if none were found, with a note."""
        content = self.content
        if content is None or content.rival < 0:
            return state.edits
        name, base = content.rival_name, case_of(session, state.part, state.case)
        self.view.note = f"Looking for a small change that makes it {name} …"
        try:
            found = self.hand.flip(session, base, state.edits, self.reader.classes[content.rival], name)
        except ExplanationError:
            self.view.note = f"No small change that makes it {name} was found. Choose another rival."
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
        if "drag" in wish and self._explaining is not None:
            base = case_of(self._explaining.session, state.part, state.case)
            changes["edits"] = self.hand.drag(base, state.edits, wish["drag"])
        for name in _GAMMAS:
            if name in wish:
                value = wish[name]
                changes[name] = (
                    None if value is None else int(value) if name == "gamma" else round(float(value), 6)
                )
        return changes


def known_of_class(session: Session, label: Any, gamma_g: float) -> OfClass | None:
    """What a whole class has in common; None if it has to be looked for."""
    from stelle_nb.panels.linked.regions.dials import MOST_G, OfClass

    if not all(session.knows_class(label, each) for each in (0.0, gamma_g, MOST_G)):
        return None
    whole, least = (session.explain_class(label, each).formula for each in (0.0, MOST_G))
    return OfClass(_class_words(session, label, gamma_g), is_fixed=whole == least)


def look_for_class(session: Session, label: Any, gamma_g: float) -> None:
    """Find what :func:`known_of_class` tells, with every case and with as few as may be."""
    from stelle_nb.panels.linked.regions.dials import MOST_G

    for each in (0.0, gamma_g, MOST_G):
        session.explain_class(label, each)


def _class_words(session: Session, label: Any, gamma_g: float) -> str:
    from stelle_nb.panels.linked.regions.waterfall import typeset
    from stelle_nb.panels.parts.explanation_view import class_facts

    found = session.explain_class(label, gamma_g)
    facts = class_facts(found)
    whole = session.explain_class(label, 0.0).formula.size
    size = found.formula.size
    length = f"{size} nodes" if size == whole else f"{size} nodes instead of {whole}"
    said = Wording.of(session.dataset)
    english = found.formula.to_english(said.channel_names, said.step, said.unit, digits=3, units=said.units)
    told = f"{english} It {facts['covers']}; it {facts['separates']}. Length: {length}."
    return typeset(told, said)
