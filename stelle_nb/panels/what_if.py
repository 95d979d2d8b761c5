"""The what-if panel: change a case by hand and watch the prediction follow."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Any, final

import ipywidgets
import numpy as np

from stelle_nb.depict.class_names import class_name, named_classes
from stelle_nb.depict.regions import Case
from stelle_nb.depict.rows import in_rows
from stelle_nb.depict.scene import make_scene
from stelle_nb.errors import ExplanationError
from stelle_nb.estimator.classifier import StelleClassifier
from stelle_nb.explain.counterfactual.changed_case import Counterfactual
from stelle_nb.explain.counterfactual.counterfactual import counterfactual
from stelle_nb.explain.local.local_clause import Gammas
from stelle_nb.explain.local.local_explanation import LocalExplanation
from stelle_nb.logic.signal import Signal
from stelle_nb.panels.base import guarded
from stelle_nb.panels.parts.chosen_data import Part
from stelle_nb.panels.parts.what_if_view import (
    Probabilities,
    bars_html,
    explanation_now_html,
    flip_html,
    waiting_html,
)
from stelle_nb.panels.session_panel import SessionPanel
from stelle_nb.panels.widgets.case_picker import CasePicker
from stelle_nb.panels.widgets.controls import button, dropdown, row
from stelle_nb.panels.widgets.export import ExportableChart
from stelle_nb.panels.widgets.hand_tools import HandTools, Tool
from stelle_nb.panels.widgets.signal_content import (
    editor_content,
    lines_behind,
    shown_signals,
    usual_ranges,
)
from stelle_nb.panels.widgets.signal_editor import Edit, SignalEditor, as_edits, edited, edits_between
from stelle_nb.semantics.robustness import robustness

SLOW = 0.15  # seconds: a slower model is evaluated on another thread
NEAREST = "the class that is closest"
_LEGEND = [
    ["case", "the case as it is shown"],
    ["wanted", "what the explanation asks for"],
    ["ring", "decides"],
]


@final
@dataclass(frozen=True, slots=True)
class WhatIfState:
    """A case and what was changed in it.

    Parameters
    ----------
    part, case
        Which case.
    target
        The class to argue for; None for the predicted one.
    edits
        What was changed by hand: channel, sample and value of each sample.
    flip
        Whether the smallest change that flips the prediction is looked for and shown.
    flip_to
        The class that it leads to; None for the closest one.
    all_channels
        Whether channels that the explanation does not use are shown, too.
    tool, reach
        Whether the hand drags points or draws, and how many neighbours on each side go with a point.
    """

    part: Part = "test"
    case: int = 0
    target: Any = None
    edits: tuple[Edit, ...] = ()
    flip: bool = False
    flip_to: Any = None
    all_channels: bool = False
    tool: Tool = "drag"
    reach: int = 3


@dataclass(frozen=True, slots=True, eq=False)
class _Answer:
    """The model's results on a signal, identified by ``key``."""

    key: Any
    signal: Case
    probabilities: Probabilities
    explanation: LocalExplanation


@final
class WhatIfPanel(SessionPanel[WhatIfState]):
    """Change a case and see prediction, robustness and explanation follow.

    Its parameters are those of every panel of a session, see
    :class:`~stelle_nb.panels.session_panel.SessionPanel`.

    Attributes
    ----------
    signal
        What is shown ``(channel, time)``.
    probabilities
        What the classifier's ``predict_proba`` gives each class for it.
    explanation
        Of it.
    flipped
        The smallest change that flips the prediction; None if it was not asked for or not found.
    """

    title = "What if?"
    help = (
        "Drag the points of the case and see what the model makes of it: the bars are its probabilities, "
        "with a mark where they were before any change. Points can be moved with the keys as well: go to "
        "one with the Tab key; up and down move it, left and right go to its neighbours, Delete puts it "
        "back. The explanation below is that of the changed case. 'find the smallest change' looks for a "
        "small, smooth change after which the model predicts another class; it is drawn in purple and put "
        "into words, and the model has evaluated it. 'apply this change' makes it the case shown."
    )

    _answer: _Answer | None = None
    _found: tuple[Any, Counterfactual | str] | None = None
    _known_first: tuple[Any, LocalExplanation] | None = None
    _seconds = 0.0  # that the model took last

    def _first_state(self) -> WhatIfState:
        return WhatIfState(part=self.session.parts[0])

    @cached_property
    def _frames(self) -> list[list[float]]:
        return usual_ranges(self.session.dataset.X_train)

    @property
    def signal(self) -> Case:
        """What is shown."""
        return edited(self._base(self.state), self.state.edits)

    @property
    def probabilities(self) -> Probabilities:
        """What the model gives each class for the shown signal."""
        return self._asked().probabilities

    @property
    def explanation(self) -> LocalExplanation:
        """The explanation of the shown signal."""
        return self._asked().explanation

    @property
    def flipped(self) -> Counterfactual | None:
        """The smallest change of the shown signal that flips, if it was asked for and found."""
        found = self._found
        is_current = (
            self.state.flip
            and found is not None
            and found[0] == self._flip_key(self.state, self.session.classifier)
        )
        return found[1] if is_current and found is not None and isinstance(found[1], Counterfactual) else None

    def show_case(self, part: Part, case: int, target: Any) -> None:
        """Show another case, unedited; the edits of this one are discarded."""
        state = self.state
        if (state.part, state.case) != (part, case):
            self.change(part=part, case=case, target=target, edits=(), flip=False)
        elif state.target != target:
            self.change(target=target)

    def _build(self) -> list[Any]:
        self.picker = CasePicker(self.session)
        classes = [(NEAREST, None), *named_classes(self.session.classes)]
        self.flip_to = dropdown("flip to", "The class that the smallest change should lead to.", classes)
        self.flip = button(
            "find the smallest change",
            "Look for a small change after which the model predicts another class.",
        )
        self.take = button("apply this change", "Make the changed signal the one that is shown.")
        self.tools = HandTools()
        self.bars, self.text, self.found = ipywidgets.HTML(), ipywidgets.HTML(), ipywidgets.HTML()
        self.editor = SignalEditor()
        self.picker.observe(self._on_change)
        self.tools.observe(self._on_change)
        self.flip_to.observe(self._on_change, "value")
        self.editor.observe(self._on_edits, "edits")
        self.flip.on_click(self._on_flip)
        self.take.on_click(self._on_take)
        self.tools.reset.on_click(self._on_reset)
        left = ipywidgets.VBox([*self.picker.widgets, self.flip_to])
        return [
            row(left, self.bars),
            self.tools.view,
            self.editor,
            row(self.flip, self.take),
            self.found,
            self.text,
        ]

    def _set_controls(self, state: WhatIfState) -> None:
        self.picker.set(state.part, state.case, state.target)
        self.flip_to.value = state.flip_to
        self.tools.set(self.editor, state.tool, state.reach, state.all_channels, has_edits=bool(state.edits))

    @guarded
    def _on_change(self, _: Any) -> None:
        fields, tools = self.picker.fields(), self.tools.fields()
        state = self.state
        if (fields["part"], fields["case"]) != (state.part, state.case):
            self.change(**fields, **tools, edits=(), flip=False, flip_to=self.flip_to.value)
        else:
            asked = state.flip and self.flip_to.value == state.flip_to
            self.change(**fields, **tools, flip=asked, flip_to=self.flip_to.value)

    @guarded
    def _on_edits(self, _: Any) -> None:
        self.change(edits=as_edits(self.editor.edits), flip=False)

    @guarded
    def _on_flip(self, _: Any) -> None:
        self.change(flip=True)

    @guarded
    def _on_take(self, _: Any) -> None:
        if (found := self.flipped) is not None:
            self.change(edits=edits_between(self._base(self.state), found.signal), flip=False)

    @guarded
    def _on_reset(self, _: Any) -> None:
        self.change(edits=(), flip=False)

    def _forget(self) -> None:
        self._answer = self._found = self._known_first = None

    def _base(self, state: WhatIfState) -> Case:
        return np.array(self.session.case(state.part, state.case)[0], dtype=np.float64)

    @staticmethod
    def _key(state: WhatIfState, clf: StelleClassifier) -> Any:
        """Identifies a request; the model may have changed while a worker evaluated the old one."""
        return clf, state.part, state.case, state.target, state.edits

    @staticmethod
    def _flip_key(state: WhatIfState, clf: StelleClassifier) -> Any:
        return clf, state.part, state.case, state.edits, state.flip_to

    def _ask(self) -> None:
        """Evaluate the model on the current state; earlier requests are obsolete."""
        state, clf = self._state, self.session.classifier
        start = time.perf_counter()
        signal = edited(self._base(state), state.edits)
        probabilities = clf.predict_proba(signal[None])[0]
        explanation = clf.explain_local(signal[None], state.target)[0]
        self._seconds = time.perf_counter() - start
        self._answer = _Answer(self._key(state, clf), signal, probabilities, explanation)

    def _asked(self) -> _Answer:
        """The model's results on the current state."""
        answer = self._answer
        if answer is None or answer.key != self._key(self._state, self.session.classifier):
            self._ask()
            answer = self._answer
        assert answer is not None
        return answer

    def _look(self) -> None:
        """Search for the smallest change of the current state."""
        state, clf = self._state, self.session.classifier
        signal = edited(self._base(state), state.edits)
        found: Counterfactual | str
        try:
            found = counterfactual(clf, signal, target=state.flip_to)
        except ExplanationError as error:
            found = str(error)
        self._found = self._flip_key(state, clf), found

    def _show(self, state: WhatIfState) -> None:
        signal = edited(self._base(state), state.edits)  # rejects invalid edits
        is_known = self._answer is not None and self._answer.key == self._key(state, self.session.classifier)
        if not is_known and self._answer is not None and self._seconds > SLOW:
            self._show_signal(state, signal, self._answer.explanation)
            self.bars.value = waiting_html(self.bars.value)
            self._later(self._ask)
            return
        answer = self._asked()
        first = self._first(state)
        before = self.session.probabilities(state.part)[state.case]
        self.bars.value = bars_html(self.session.classes, answer.probabilities, before)
        unseen = self.session.on_unseen(answer.explanation, state.part, state.case)
        margins = self._margins(state, signal, first)
        self.text.value = explanation_now_html(answer.explanation, first, margins, unseen)
        self._show_flip(state)
        self._show_signal(state, signal, answer.explanation)

    def _show_flip(self, state: WhatIfState) -> None:
        is_found = self._found is not None and self._found[0] == self._flip_key(
            state, self.session.classifier
        )
        if state.flip and not is_found:
            self.found.value = "Looking for the smallest change …"
            self._later(self._look)
        elif state.flip and self._found is not None:
            found = self._found[1]
            self.found.value = escape(found) if isinstance(found, str) else flip_html(found)
        else:
            self.found.value = ""
        self.take.disabled = self.flipped is None

    def _first(self, state: WhatIfState) -> LocalExplanation:
        """The explanation before any change."""
        key = state.part, state.case, state.target
        if self._known_first is None or self._known_first[0] != key:
            self._known_first = key, self.session.explain(*key, Gammas())
        return self._known_first[1]

    def _margins(
        self, state: WhatIfState, signal: Case, first: LocalExplanation
    ) -> tuple[float, float] | None:
        if not state.edits:
            return None
        was, now = np.asarray(robustness(first.formula, np.stack([self._base(state), signal])))
        return float(was), float(now)

    def _show_signal(self, state: WhatIfState, signal: Case, explanation: LocalExplanation) -> None:
        """Draw the signal; its rows depend only on the first explanation, so they do not jump."""
        wording, base, flipped = self.session.wording, self._base(state), self.flipped
        touched = {channel for channel, _, _ in state.edits}
        if flipped is not None:
            touched |= {each.channel for each in flipped.changes}
        shown = shown_signals(self._first(state).formula, len(signal), all_channels=state.all_channels)
        shown = in_rows([*shown, *map(Signal, touched)])
        scene = make_scene(explanation.formula, wording, case=signal, rows=shown)
        content = editor_content(scene, base, self._frames)
        behind, legend = [], list(_LEGEND)
        if any(not shape["is_wanted"] for shape in content["shapes"]):
            legend.append(["shunned", "what it forbids"])
        if state.edits:
            behind += lines_behind(scene, base, "before")
            legend.append(["before", "before any change"])
        if flipped is not None:
            behind += lines_behind(scene, flipped.signal, "flip")
            legend.append(["flip", f"smallest change found: {class_name(flipped.flips_to)}"])
        self.editor.draw(
            state.edits,
            wording,
            f"{explanation.title} {explanation.to_english()}",
            behind=behind,
            legend=legend,
            **content,
        )

    def _subject(self) -> LocalExplanation | None:
        return None if self._answer is None else self._answer.explanation  # never waits for the model

    def _still(self) -> tuple[str, ExportableChart | None]:
        return self.bars.value + self.found.value + self.text.value, self.editor
