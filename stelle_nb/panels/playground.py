"""The playground: formulas and signals to edit, with the robustness of every part."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, final

import ipywidgets
import numpy as np

from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.depict.regions import ASKED, Case
from stelle_nb.depict.scene import make_scene
from stelle_nb.errors import ParseError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.printing.ascii import to_ascii
from stelle_nb.logic.printing.notation import rounded
from stelle_nb.logic.printing.time_words import Clock
from stelle_nb.logic.traversal import Path, node_at
from stelle_nb.markup import render
from stelle_nb.panels.base import Panel, guarded
from stelle_nb.panels.editing.signal_handles import moved_by_hand, windows_json
from stelle_nb.panels.parts.chosen_data import PART_NAMES, Part
from stelle_nb.panels.parts.playground_source import CASE, PlaygroundSource, StartingSignal
from stelle_nb.panels.session import Session
from stelle_nb.panels.widgets.controls import dropdown, row, show_options
from stelle_nb.panels.widgets.export import ExportableChart, NamedFormula
from stelle_nb.panels.widgets.formula_builder import FormulaBuilder
from stelle_nb.panels.widgets.formula_field import FormulaField
from stelle_nb.panels.widgets.formula_tree import FormulaTree
from stelle_nb.panels.widgets.hand_tools import HandTools, Tool
from stelle_nb.panels.widgets.panel_words import code_html, decision_text, marked_html
from stelle_nb.panels.widgets.signal_content import (
    drawable,
    editor_content,
    id_path,
    shown_signals,
    stretches,
)
from stelle_nb.panels.widgets.signal_editor import Edit, SignalEditor, as_edits, edited
from stelle_nb.semantics.robustness import robustness_traces
from stelle_nb.semantics.witness import witness

LEGEND = [
    ["case", "signal"],
    ["wanted", ASKED],
    ["holding", "the chosen part holds from here on"],
    ["failing", "it does not"],
    ["ring", "decides"],
]


@final
@dataclass(frozen=True, slots=True)
class PlaygroundState:
    """A formula and a signal, and which part of the formula is selected.

    Parameters
    ----------
    formula
        As text; None for one that goes with the signal.
    signal
        What the signal was at first: ``"blank"``, ``"case"`` for one of the data set, ``"own"`` for the one
        that was given, or the name of an example; None for the first of these that there is.
    part, case
        Which case of the data set.
    edits
        What was changed by hand: channel, sample and value of each sample.
    chosen
        The path of the part whose trace is shown; ``()`` for the whole formula.
    all_channels
        Whether channels that the formula does not use are shown, too.
    tool, reach
        Whether the hand drags points or draws, and how many neighbours on each side go with a point.
    """

    formula: str | None = None
    signal: str | None = None
    part: Part = "test"
    case: int = 0
    edits: tuple[Edit, ...] = ()
    chosen: Path = ()
    all_channels: bool = False
    tool: Tool = "drag"
    reach: int = 3


@final
class PlaygroundPanel(Panel[PlaygroundState]):
    """Play with formulas and signals; see :func:`playground`.

    Attributes
    ----------
    formula
        The formula that is shown.
    signal
        The signal that is shown ``(channel, time)``.
    robustness
        Of the formula on the signal.
    """

    title = "Playground"
    help = (
        "Type a formula and change the signal; the rest follows at once. Robustness says how clearly a "
        "formula holds: at zero or above it holds, and every value may change by that much before it fails; "
        "below zero it fails. Drag the points of the signal, the green thresholds and the ends of the green "
        "windows, or go to them with the Tab key and use the arrow keys: up and down move a point, left and "
        "right go to its neighbours, Delete puts it back. 'neighbours' sets how many samples move with a "
        "point; 'draw' lets you draw a new signal. Each row of the tree is a part of the formula with its "
        "robustness over time: the value at a time says how the part is judged from that time on. Choose a "
        "row to enlarge it. The ring marks the sample that decides, and bold rows lead to it. The examples "
        "show what each operator means."
    )

    def __init__(
        self,
        data: SeriesDataset | str | Session | Any = None,
        formula: Formula | str | None = None,
        *,
        state: PlaygroundState | None = None,
    ) -> None:
        self.source = PlaygroundSource.of(data)
        if state is None:
            part = self.source.parts()[0] if self.source.parts() else "test"
            text = self._text(formula, part) if isinstance(formula, Formula) else formula
            state = PlaygroundState(text, part=part)
        self._check_state(state)
        self.scene, self.formula = self._read(state)
        super().__init__(state)

    def show_case(self, part: Part, case: int) -> None:
        """Show another case, unedited, unless the signal does not come from the data set."""
        is_of_data = (self.state.signal or self.source.first) == CASE
        if is_of_data and (self.state.part, self.state.case) != (part, case):
            self.change(part=part, case=case, edits=())

    def to_code(self) -> str:
        code, name = self.source.to_code()
        given = f"{name}, " if name else ""
        return f"{code}\npanel = st.panels.playground({given}state=st.panels.{self.state!r})\npanel"

    def _text(self, formula: Formula, part: Part) -> str:
        """The formula by the names that channels have at first: text by number could be read otherwise."""
        return to_ascii(formula, self.source.scene(self.source.first, part, 0).names)

    def _read(self, state: PlaygroundState) -> tuple[StartingSignal, Formula]:
        """The signal and the formula of a state."""
        name = self.source.first if state.signal is None else state.signal
        scene = self.source.scene(name, state.part, state.case)
        text = scene.formula if state.formula is None else state.formula
        return scene, parse(text, channel_names=scene.names)

    def _build(self) -> list[Any]:
        self.start = dropdown(
            "start from", "An example, a blank signal, or your data.", self.source.options()
        )
        self.part = dropdown(
            "cases", "Cases of the data set.", [(PART_NAMES[part], part) for part in self.source.parts()]
        )
        self.case = dropdown("case", "The case to play with: number and class.", [])
        self.field = FormulaField(
            label="formula (names complete as you type; arrow down lists them)",
            text=self.scene.formula if self.state.formula is None else self.state.formula,
        )
        self.builder = FormulaBuilder()
        self.tools = HandTools()
        self.text = ipywidgets.HTML()
        self.editor = SignalEditor(legend=LEGEND)
        self.tree = FormulaTree()
        for control in (self.start, self.part, self.case):
            control.observe(self._on_change, "value")
        self.tools.observe(self._on_change)
        self.field.observe(self._on_text, "text")
        self.editor.observe(self._on_edits, "edits")
        self.editor.observe(self._on_moved, "moved")
        self.tree.observe(self._on_chosen, "chosen")
        self.builder.apply.on_click(self._on_build)
        self.tools.reset.on_click(self._on_reset)
        self.of_data = row(self.part, self.case)
        return [
            self.start,
            self.of_data,
            self.field,
            self.builder.view,
            self.text,
            self.tools.view,
            self.editor,
            self.tree,
        ]

    def _set_controls(self, state: PlaygroundState) -> None:
        self.scene, self.formula = self._read(state)
        name = self.source.first if state.signal is None else state.signal
        self.start.value = name
        self.of_data.layout.display = "" if name == CASE else "none"
        if self.source.parts():
            self.part.value = state.part
            show_options(self.case, self.source.cases(state.part), state.case)
        self.field.text = self.scene.formula if state.formula is None else state.formula
        self.field.problem = ""
        self.field.offer(self.scene.names)
        self.tools.set(self.editor, state.tool, state.reach, state.all_channels, has_edits=bool(state.edits))

    @guarded
    def _on_change(self, _: Any) -> None:
        name = self.source.first if self.state.signal is None else self.state.signal
        fields = self.tools.fields()
        cases = self.source.cases(self.part.value) if self.source.parts() else []
        case = self.case.value if self.case.value in range(len(cases)) else 0
        place = {"part": self.part.value or "test", "case": case}
        if self.start.value != name:  # another scene has channels of its own
            self.change(signal=self.start.value, formula=None, edits=(), chosen=(), **place, **fields)
        elif name == CASE and (self.state.part, self.state.case) != (place["part"], case):
            self.change(edits=(), **place, **fields)
        else:
            self.change(**fields)

    @guarded
    def _on_text(self, _: Any) -> None:
        """Follow what is typed; text that is not yet a formula changes nothing else."""
        try:
            formula = parse(self.field.text, channel_names=self.scene.names)
        except ParseError as error:
            self.field.problem = f"{error}\nBelow, you still see the last formula that could be read."
            return
        kept = self.state.chosen if formula == self.formula else ()
        self.change(formula=self.field.text, chosen=kept)

    @guarded
    def _on_edits(self, _: Any) -> None:
        self.change(edits=as_edits(self.editor.edits))

    @guarded
    def _on_moved(self, _: Any) -> None:
        if not self.editor.moved.get("undone"):
            self._write(moved_by_hand(self.formula, self.editor.moved), self.state.chosen)

    @guarded
    def _on_chosen(self, _: Any) -> None:
        self.change(chosen=id_path(self.tree.chosen))

    @guarded
    def _on_build(self, _: Any) -> None:
        self._write(*self.builder.build(self.formula, self.state.chosen))

    @guarded
    def _on_reset(self, _: Any) -> None:
        self.change(edits=())

    def _write(self, formula: Formula, chosen: Path) -> None:
        self.change(formula=to_ascii(formula, self.scene.names), chosen=chosen)

    def _show(self, state: PlaygroundState) -> None:
        scene, formula = self.scene, self.formula
        part = node_at(formula, state.chosen)
        signal = edited(scene.signal, state.edits)
        found = robustness_traces(formula, signal[None])
        traces = {path: np.asarray(trace)[0] for path, trace in found.items()}
        decisive = dict(witness(formula, signal).chain)
        paths = [(), state.chosen] if state.chosen else [()]
        shown = [
            {
                "name": f"robustness of {'the whole formula' if not path else scene.wording.unicode(part)}",
                "values": drawable(traces[path]),
                "t": decisive.get(path),
            }
            for path in paths
        ]
        rows = shown_signals(formula, len(signal), all_channels=state.all_channels)
        n_hidden = self.tree.draw(formula, signal, scene.wording, traces, state.chosen)
        self.signal, self.robustness = signal, float(traces[()][0])
        self.text.value = self._words(formula, signal, n_hidden)
        self.builder.show(scene.names, f"Chosen: {marked_html(formula, state.chosen, scene.wording)}")
        drawn = make_scene(formula, scene.wording, case=signal, rows=rows)
        self.editor.draw(
            state.edits,
            scene.wording,
            f"{scene.wording.unicode(formula)}: robustness {rounded(self.robustness, 3)}",
            traces=shown,
            holds=stretches(traces[state.chosen] >= 0),
            windows=windows_json(formula, drawn, is_free=True),
            **editor_content(drawn, scene.signal, scene.frames, is_free=True),
        )

    def _words(self, formula: Formula, signal: Case, n_hidden: int) -> str:
        wording, value = self.scene.wording, rounded(abs(self.robustness), 3)
        verdict = (
            f"It holds: robustness {value}" if self.robustness >= 0 else f"It fails: robustness −{value}"
        )
        notes = [decision_text(formula, signal, wording)]
        beyond = formula.horizon - (signal.shape[1] - 1)
        if 0 < beyond < math.inf:
            length = Clock(wording.step, wording.unit).length(int(beyond))
            notes.append(f"It looks {length} past the end, where the last value is held.")
        if n_hidden:
            notes.append(f"The tree leaves out {n_hidden} parts.")
        return render(
            "panels/templates/playground.html",
            says=self.scene.says,
            verdict=verdict,
            sentence=wording.english(formula),
            symbols_html=code_html(wording.unicode(formula)),
            notes=" ".join(filter(None, notes)),
        )

    def _subject(self) -> NamedFormula:
        return NamedFormula(self.formula, self.scene.wording)

    def _still(self) -> tuple[str, ExportableChart | None]:
        return self.text.value, self.editor


def playground(
    data: SeriesDataset | str | Session | Any = None,
    formula: Formula | str | None = None,
    *,
    state: PlaygroundState | None = None,
) -> PlaygroundPanel:
    """Open a panel to play with logic and signals by hand.

    Parameters
    ----------
    data
        A data set, or the name of one, to play with its cases; or one signal ``(channel, time)``. Left out,
        the panel opens with an example.
    formula
        What to begin with; channels may be called by their names.
    state
        What to show first; it holds the formula, too.
    """
    return PlaygroundPanel(data, formula, state=state)
