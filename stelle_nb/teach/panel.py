"""The exercise panel: a question with its picture, a place for the answer, and feedback."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from typing import Any, final

import ipywidgets
import numpy as np

from stelle_nb.depict.scene import make_scene
from stelle_nb.depict.wording import Wording
from stelle_nb.errors import TeachError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Atom, Truth
from stelle_nb.logic.traversal import walk
from stelle_nb.panels.base import Panel, guarded
from stelle_nb.panels.widgets.chart_view import ChartView, bare_rows, bare_spec
from stelle_nb.panels.widgets.controls import button, dropdown, text_field
from stelle_nb.panels.widgets.export import ExportableChart
from stelle_nb.panels.widgets.panel_words import code_html
from stelle_nb.panels.widgets.signal_content import editor_content
from stelle_nb.panels.widgets.signal_editor import SignalEditor, as_edits, edited, edits_between
from stelle_nb.plots.chart import PlotChart
from stelle_nb.teach.answer_button import AnswerButton
from stelle_nb.teach.exercises import TITLES, judge, make_item, solution
from stelle_nb.teach.item import KINDS, LEVELS, Item, Judgement, Kind, Level
from stelle_nb.teach.item_picture import WITHOUT_SIGNAL, plot_counterexample, plot_item
from stelle_nb.teach.learner_progress import Progress

_CHOICE: tuple[Kind, ...] = ("choose", "to_english", "spot")
_WITHOUT_PICTURE: tuple[Kind, ...] = ("draw", *WITHOUT_SIGNAL)
_PLACEHOLDER = {"predict": "a number, such as -1.5"}
_LOOK = {True: "#009E73", False: "#D55E00"}


@final
@dataclass(frozen=True, slots=True)
class ExerciseState:
    """Which exercise is shown: the arguments of :func:`~stelle_nb.teach.make_item`."""

    kind: Kind = "choose"
    level: Level = 1
    seed: int = 0
    formula: str | None = None


@final
class ExercisePanel(Panel[ExerciseState]):
    """An exercise that checks itself.

    Parameters
    ----------
    state
        Which exercise to begin with.
    progress
        Where answers are kept; a new one if omitted.

    Attributes
    ----------
    item
        The exercise that is shown.
    judgement
        The feedback on the last answer; None before the first.
    """

    title = "Exercise"
    help = (
        "Answer and press Check. Answers are judged by what they mean, on many signals, not by how they are "
        "written. If you are wrong, you see a signal that shows why. Another one makes a new exercise "
        "of the same kind; they never run out. Your answers stay in this notebook's kernel: none are sent."
    )

    def __init__(self, state: ExerciseState | None = None, *, progress: Progress | None = None) -> None:
        if progress is not None and not isinstance(progress, Progress):
            raise TeachError(f"progress must be a Progress, got {progress!r}. Leave it out for a new one.")
        self.progress = Progress() if progress is None else progress
        self.item: Item = make_item("choose")
        self.judgement: Judgement | None = None
        super().__init__(ExerciseState() if state is None else state)

    def to_code(self) -> str:
        return f"from stelle_nb import teach\n\npanel = teach.ExercisePanel(teach.{self.state!r})\npanel"

    def answer(self, answer: Any) -> Judgement:
        """Answer from code, as if it had been typed, chosen or drawn."""
        with self.lock:
            judgement = judge(self.item, answer)
            self.progress.record(self.item, answer, judgement)
            self._tell(judgement)
        return judgement

    def _build(self) -> list[Any]:
        self.kind = dropdown("exercise", "What kind of exercise", [(TITLES[kind], kind) for kind in KINDS])
        self.level = dropdown("level", "How hard it is", [(str(level), level) for level in LEVELS])
        self.kind.layout.width, self.kind.layout.max_width = "350px", "100%"  # the longest title in full
        self.level.layout.width = "150px"
        self.question, self.feedback, self.score = ipywidgets.HTML(), ipywidgets.HTML(), ipywidgets.HTML()
        self.picture, self.counterexample, self.editor = ChartView(), ChartView(), SignalEditor()
        self.choices = ipywidgets.RadioButtons(options=[], layout={"width": "auto"})
        self.choices.add_class("stelle-choices")
        self.text = text_field("answer", "Type your answer.")
        self.text.layout.width = "560px"
        self.text.continuous_update = True  # whether a press takes the focus from a field differs by browser
        fields = {
            "text": (self.text, "value"),
            "choice": (self.choices, "index"),
            "edits": (self.editor, "edits"),
        }
        self.check = AnswerButton("Check", "Judge the answer", fields, self._on_check)
        self.another = button("Another one", "A new exercise of this kind and level")
        self.solve = button("Show a solution", "Fill in a correct answer")
        for control in (self.kind, self.level):
            control.observe(self._on_kind, "value")
        self.another.on_click(self._on_another)
        self.solve.on_click(self._on_solve)
        buttons = ipywidgets.HBox([self.check, self.another, self.solve, self.score])
        chosen = ipywidgets.HBox([self.kind, self.level])
        places = [self.picture, self.editor, self.choices, self.text]
        return [chosen, self.question, *places, buttons, self.feedback, self.counterexample]

    def _set_controls(self, state: ExerciseState) -> None:
        self.item = make_item(state.kind, state.level, state.seed, formula=state.formula)
        self.kind.value, self.level.value = state.kind, state.level
        self.choices.options = [(choice.text, i) for i, choice in enumerate(self.item.choices)]
        self.choices.index = None
        self.text.value = ""
        self.text.placeholder = _PLACEHOLDER.get(state.kind, "a formula, such as F[2,6] (x0 >= 1)")
        is_drawn, is_chosen = state.kind == "draw", state.kind in _CHOICE
        _show_only(self.choices, is_chosen)
        _show_only(self.text, not is_chosen and not is_drawn)
        _show_only(self.editor, is_drawn)
        _show_only(self.picture, state.kind not in _WITHOUT_PICTURE)

    def _show(self, state: ExerciseState) -> None:
        item = self.item
        self.judgement = None
        self.feedback.value = ""
        self.counterexample.clear()
        number = f"<strong>No. {state.seed + 1}</strong>"
        self.question.value = f"<p>{number} · {_question_html(item.question)}{_axis_hint(item)}</p>"
        if state.kind in _WITHOUT_PICTURE:
            self.picture.clear()
        else:
            _draw(self.picture, plot_item(item))
        if state.kind == "draw":
            self._draw_editor(())
        self._show_score()

    def _draw_editor(self, edits: Any) -> None:
        base = self.item.signals[0]
        shown = [Signal(channel) for channel in range(len(base))]
        reach = max([2.0, *(abs(atom.threshold) for atom in _atoms(self.item.formula))])
        frames = [[-reach, reach] for _ in shown]  # the editor leaves room above and below
        scene = make_scene(Truth(True), Wording(), case=edited(base, edits), rows=shown)
        content = editor_content(scene, base, frames)
        self.editor.draw(edits, Wording(), f"Signal to draw for {self.item.formula}", **content)

    @guarded
    def _on_kind(self, _: Any) -> None:
        self.state = ExerciseState(self.kind.value, self.level.value, 0)

    @guarded
    def _on_another(self, _: Any) -> None:
        self.change(seed=self.state.seed + 1)

    @guarded
    def _on_check(self, given: dict[str, Any]) -> None:
        self.answer(self._read(**given))

    @guarded
    def _on_solve(self, _: Any) -> None:
        found = solution(self.item)
        if self.state.kind == "draw":
            self._draw_editor(edits_between(self.item.signals[0], np.array(found)))
        elif self.state.kind in _CHOICE:
            self.choices.index = int(found)
        else:
            self.text.value = str(found)

    def _read(self, text: str, choice: int | None, edits: Any) -> Any:
        """The answer in the input fields."""
        if self.state.kind == "draw":
            signal = edited(self.item.signals[0], as_edits(edits))
            return np.round(signal, 1)  # what the hand draws is not meant to the last digit
        return choice if self.state.kind in _CHOICE else text

    def _tell(self, judgement: Judgement) -> None:
        self.judgement = judgement
        word = "right" if judgement.is_right else "wrong"
        look = f"border-left: 4px solid {_LOOK[judgement.is_right]}; padding: 4px 8px; white-space: pre-wrap"
        note = "" if judgement.counterexample is None else f"\n{judgement.counterexample.note}"
        text = judgement.message if note.strip() in judgement.message else judgement.message + note
        self.feedback.value = f'<div class="stelle-{word}" role="status" style="{look}">{escape(text)}</div>'
        if judgement.counterexample is None:
            self.counterexample.clear()
        else:
            _draw(self.counterexample, plot_counterexample(judgement.counterexample))
        self._show_score()

    def _show_score(self) -> None:
        table = self.progress.table()
        solved, begun = int(table["solved"].sum()), int(table["begun"].sum())
        self.score.value = f"&nbsp; solved {solved} of {begun}" if begun else ""

    def _still(self) -> tuple[str, ExportableChart | None]:
        choices = "".join(f"<li>{code_html(choice.text)}</li>" for choice in self.item.choices)
        text = f"{self.question.value}<ol>{choices}</ol>" if choices else self.question.value
        text += self.feedback.value
        if self.judgement is not None and self.judgement.counterexample is not None:
            return text, self.counterexample
        return text, self.editor if self.state.kind == "draw" else self.picture


def exercise(
    kind: Kind = "choose",
    level: Level = 1,
    seed: int = 0,
    *,
    formula: Formula | str | None = None,
    progress: Progress | None = None,
) -> ExercisePanel:
    """Show an exercise that checks itself.

    Parameters
    ----------
    kind, level, seed, formula
        As for :func:`~stelle_nb.teach.make_item`.
    progress
        Where answers are kept, together with those of other exercises.
    """
    if progress is not None and not isinstance(progress, Progress):
        raise TeachError(f"progress must be a Progress, got {progress!r}. Write progress = teach.Progress().")
    text = str(formula) if isinstance(formula, Formula) else formula
    return ExercisePanel(ExerciseState(kind, level, seed, text), progress=progress)


def _question_html(text: str) -> str:
    """The question with what stands in backticks as code."""
    parts = re.split(r"`([^`]*)`", text)
    return "".join(code_html(part) if i % 2 else escape(part) for i, part in enumerate(parts))


def _axis_hint(item: Item) -> str:
    if item.kind in _WITHOUT_PICTURE:
        return f"<br>Signals have {item.n_timepoints} samples, numbered from 0 to {item.n_timepoints - 1}."
    return ""


def _atoms(formula: Formula) -> list[Atom]:
    return [node for _, node in walk(formula) if isinstance(node, Atom)]


def _draw(view: ChartView, chart: PlotChart) -> None:
    view.draw(bare_spec(chart), bare_rows(chart), chart.description)


def _show_only(widget: Any, is_shown: bool) -> None:
    widget.layout.display = None if is_shown else "none"
