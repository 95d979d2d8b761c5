"""The playground: what it shows is what the formula means, and a hand that slips breaks nothing."""

from __future__ import annotations

import base64
import threading
from html import unescape
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from ipywidgets.widgets.widget import _instances

from stelle_nb.depict.scene import make_scene
from stelle_nb.depict.wording import Wording
from stelle_nb.errors import StelleError
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.syntax import Atom
from stelle_nb.logic.traversal import node_at, walk
from stelle_nb.panels import PlaygroundPanel, PlaygroundState, Session, playground
from stelle_nb.panels.parts.playground_examples import examples
from stelle_nb.panels.widgets.formula_builder import build
from stelle_nb.panels.widgets.signal_content import editor_content, id_path, path_id, shown_signals
from stelle_nb.panels.widgets.signal_editor import edited, edits_between
from stelle_nb.semantics.robustness import robustness, robustness_traces
from stelle_nb.semantics.witness import witness
from stelle_nb.testing import strategies
from tests.panels.conftest import run_code

RISE = next(iter(examples()))


@pytest.fixture
def panel() -> PlaygroundPanel:
    return playground()


def shown_robustness(panel: PlaygroundPanel) -> float:
    return float(robustness(panel.formula, panel.signal[None])[0])


@pytest.mark.parametrize("name", list(examples()))
def test_every_example_shows_what_its_formula_means(panel: PlaygroundPanel, name: str) -> None:
    panel.start.value = name
    assert panel.error.value == "" and panel.field.problem == ""
    assert panel.robustness == shown_robustness(panel)
    assert panel.field.text == examples()[name].formula
    assert panel.scene.says in unescape(panel.text.value)
    verdict = "It holds" if panel.robustness >= 0 else "It fails"
    assert verdict in panel.text.value
    fails = name.startswith(("always: every", "whenever"))
    assert (panel.robustness < 0) == fails  # as its text says


def test_the_gallery_has_a_dozen_and_every_kind_of_node() -> None:
    kinds = {type(node).__name__ for one in examples().values() for _, node in walk(_formula(one))}
    assert len(examples()) >= 12
    assert kinds == {kind.__name__ for kind in strategies.KINDS} - {"Truth"}
    derived = {node.signal.is_raw for one in examples().values() for node in _atoms(_formula(one))}
    assert derived == {True, False}


def _formula(example: Any) -> Any:
    return parse(example.formula, example.wording.channel_names)


def _atoms(formula: Any) -> list[Atom]:
    return [node for _, node in walk(formula) if isinstance(node, Atom)]


def test_every_part_has_its_trace_in_the_tree(panel: PlaygroundPanel) -> None:
    panel.start.value = "whenever … then: an answer in time"
    traces = robustness_traces(panel.formula, panel.signal[None])
    assert [id_path(node["path"]) for node in panel.tree.nodes] == [path for path, _ in walk(panel.formula)]
    for node in panel.tree.nodes:
        np.testing.assert_array_equal(node["trace"], traces[id_path(node["path"])][0])


def test_choosing_a_part_shows_its_trace_and_shades_where_it_holds(panel: PlaygroundPanel) -> None:
    panel.tree.chosen = "0"
    assert panel.state.chosen == (0,)
    trace = np.asarray(robustness_traces(panel.formula, panel.signal[None])[(0,)][0])
    assert panel.editor.traces[1]["values"] == trace.tolist()
    held = np.zeros(len(trace), dtype=bool)
    for start, end in panel.editor.holds:
        held[start : end + 1] = True
    np.testing.assert_array_equal(held, trace >= 0)
    assert "<mark>" in panel.builder.what.value
    panel.tree.chosen = ""
    assert len(panel.editor.traces) == 1


def test_the_deciding_sample_is_ringed(panel: PlaygroundPanel) -> None:
    found = witness(panel.formula, panel.signal)
    [mark] = panel.editor.marks
    assert (mark["t"], mark["value"]) == (found.time, panel.signal[0, found.time])
    assert panel.editor.traces[0]["t"] == 0
    assert {id_path(n["path"]) for n in panel.tree.nodes if n["is_decisive"]} == {
        path for path, _ in found.chain
    }


def test_a_wrong_formula_is_shown_at_its_column_and_the_rest_stays(panel: PlaygroundPanel) -> None:
    before = panel.state, list(panel.editor.traces)
    panel.field.text = "F[20,40] (height >> <b>)"
    message = panel.field.problem.split("\n")
    assert "(column 19)" in message[0]
    assert message[2].index("^") - message[1].index("F") == 18
    assert (panel.state, panel.editor.traces) == before and panel.error.value == ""
    panel.field.text = "F[20,40] height > 1"
    assert panel.field.problem == "" and panel.state.formula == "F[20,40] height > 1"
    assert panel.robustness == shown_robustness(panel) == 1.0


def test_names_that_complete_can_be_read(session: Session) -> None:
    panel = playground(session)
    names = panel.scene.names
    found = [
        parse(f"{word} >= 0", names) for word, hint, _ in panel.field.words if hint.startswith("channel")
    ]
    assert [next(iter(formula.channels)) for formula in found] == [0, 1]
    assert {"always", "until"} <= {word for word, _, _ in panel.field.words}


def test_moving_the_signal_moves_robustness(panel: PlaygroundPanel) -> None:
    t = panel.editor.marks[0]["t"]
    panel.editor.edits = [[0, t, 1.9], [0, 0, 3.0]]
    assert panel.state.edits == ((0, 0, 3.0), (0, t, 1.9))
    assert panel.signal[0, t] == 1.9 and panel.signal[0, 0] == 3.0
    assert panel.robustness == shown_robustness(panel)
    assert panel.robustness < 0.5
    panel.tools.reset.click()
    assert panel.state.edits == () and panel.editor.edits == [] and panel.robustness == 0.5


def test_moving_a_threshold_rewrites_the_formula(panel: PlaygroundPanel) -> None:
    panel.field.text = "G (height <= 5) & F[20,40] (height >= 1.5)"
    panel.tree.chosen = "1"
    [_, low] = panel.editor.thresholds
    assert (low["value"], low["start"], low["end"], low["is_lower"]) == (1.5, 20, 40, True)
    panel.editor.moved = {"id": low["id"], "value": 1.75}
    assert panel.field.text == "G (height <= 5.0) & F[20,40] (height >= 1.75)"
    assert panel.state.chosen == (1,) and panel.robustness == 0.25
    panel.field.text = "height >= 1"
    panel.editor.moved = {"id": panel.editor.thresholds[0]["id"], "value": -1.0}
    assert panel.field.text == "height >= -1.0"
    panel.editor.moved = {"id": "11", "value": 0.0}
    assert "stelle-error" in panel.error.value and panel.field.text == "height >= -1.0"


def test_a_sum_has_a_row_that_cannot_be_moved_and_a_threshold_that_can() -> None:
    panel = playground(np.arange(40.0).reshape(2, 20), "G[9,9] sum(0.5*mean(x0, 3)@2, -1*x1) >= -30")
    assert panel.error.value == "" and panel.field.problem == ""
    rows = {row["name"]: row for row in panel.editor.rows}
    assert list(rows) == ["x0", "x1", "the weighted sum of x0 and x1"]
    row = rows["the weighted sum of x0 and x1"]
    assert row["channel"] == -1 and row["values"][9] == 0.5 * 6 - 29
    [bound] = panel.editor.thresholds
    assert (bound["key"], bound["start"], bound["end"]) == (row["key"], 9, 9)
    assert "Decided at sample 9 by the weighted sum of x0 and x1" in panel.text.value
    panel.editor.moved = {"id": bound["id"], "value": -20.0}
    assert panel.field.text.endswith(">= -20.0)") and panel.robustness == -6.0
    panel.editor.edits = [[1, 9, 0.0]]
    assert panel.editor.rows[-1]["values"][9] == 3.0 and panel.robustness == 23.0


def test_a_path_through_the_twelfth_part_is_read_back() -> None:
    formula = parse(f"atleast(2; {', '.join(f'x0 >= {i}' for i in range(12))})")
    assert [id_path(path_id(path)) for path, _ in walk(formula)] == [path for path, _ in walk(formula)]


@settings(max_examples=60)
@given(formula=strategies.formulas(n_channels=2))
def test_thresholds_are_those_of_the_atoms(formula: Any) -> None:
    signal = np.random.default_rng(0).normal(size=(2, 12))
    rows = shown_signals(formula, 2, all_channels=True)
    content = editor_content(make_scene(formula, Wording(), case=signal, rows=rows), signal, is_free=True)
    assert len(content["thresholds"]) == sum(isinstance(node, Atom) for _, node in walk(formula))
    for each in content["thresholds"]:
        atom = node_at(formula, id_path(each["id"].removeprefix("root")))
        assert isinstance(atom, Atom) and atom.threshold == each["value"]


@settings(max_examples=60)
@given(formula=strategies.formulas(n_channels=2))
def test_what_menus_build_has_the_part_inside(formula: Any) -> None:
    atom = Atom(1, "<", 2.0)
    for path, node in list(walk(formula))[:6]:
        for action in ("always", "eventually", "and", "or", "until", "implies", "not"):
            built, place = build(formula, path, action, atom, Interval(0, 5))
            assert node_at(built, (*place, 0)) == node and parse(str(built)) == built
        built, place = build(formula, path, "compare", atom, Interval())
        assert node_at(built, place) == atom and path_id(place) == path_id(path)


@pytest.mark.parametrize(
    ("text", "path", "left"),
    [
        ("F x0 > 1", (), "x0 > 1"),
        ("x0 > 1 & x1 < 2", (0,), "x1 < 2"),
        ("G (x0 > 1 | x1 < 2)", (0, 1), "G x0 > 1"),
    ],
)
def test_a_part_is_taken_away(text: str, path: tuple[int, ...], left: str) -> None:
    built, _ = build(parse(text), path, "take away", Atom(1, "<", 2.0), Interval())
    assert built == parse(left)


def test_menus_write_the_formula(panel: PlaygroundPanel) -> None:
    menus = panel.builder
    panel.tree.chosen = "0"
    menus.action.value, menus.relation.value, menus.threshold.value = "and", "<=", 3.0
    menus.apply.click()
    assert panel.field.text == "F[20,40] (height >= 1.5 & height <= 3.0)"
    panel.tree.chosen = ""
    menus.action.value, menus.start.value, menus.end.value = "always", 2, 7
    assert menus.threshold.disabled and not menus.start.disabled
    menus.apply.click()
    assert panel.field.text.startswith("G[2,7] F[20,40]")
    menus.start.value = 9
    menus.apply.click()
    assert "must not end before it starts" in panel.error.value
    menus.is_open.value = True
    menus.apply.click()
    assert panel.field.text.startswith("G[9,inf) G[2,7]") and panel.error.value == ""
    assert panel.robustness == shown_robustness(panel)


def test_cases_of_a_data_set(session: Session) -> None:
    panel = playground(session, "F (turn < -3)")
    assert panel.of_data.layout.display == ""
    panel.case.value = 2
    X = session.dataset.X_test
    np.testing.assert_array_equal(panel.signal, X[2])
    assert panel.robustness == float(robustness(panel.formula, X[2:3].copy())[0])
    panel.editor.edits = [[1, 0, 0.0]]
    panel.part.value = "train"
    assert panel.state.part == "train" and panel.state.edits == ()
    panel.start.value = "blank"
    assert panel.error.value == "" and not panel.signal.any() and panel.of_data.layout.display == "none"
    assert panel.scene.wording.unit == "s" and len(panel.editor.rows) == 2


def test_an_array_of_ones_own() -> None:
    panel = playground([[0.0, 1.0, 2.0], [5.0, 5.0, 5.0]], "F x0 >= 1.5 & G x1 >= 4")
    assert panel.robustness == 0.5 and panel.signal.shape == (2, 3)
    with pytest.raises(StelleError, match="finite"):
        playground(np.array([0.0, np.nan]))
    long = playground(np.zeros((1, 3000)))
    assert "must be defined" in long.to_code()


def test_looking_past_the_end_is_said(panel: PlaygroundPanel) -> None:
    panel.field.text = "F[50,70] height > 0"
    assert "1.1 s past the end" in panel.text.value
    panel.field.text = "true & F height > 0"
    assert "past the end" not in panel.text.value and panel.error.value == ""


@pytest.mark.parametrize(
    "wrong",
    [
        {"formula": "F height >"},
        {"formula": "x7 > 1"},
        {"signal": "nothing"},
        {"signal": "case"},
        {"edits": ((0, 600, 1.0),)},
        {"edits": ((0, 6, float("nan")),)},
        {"edits": ((0, 6),)},
        {"chosen": (1,)},
        {"tool": "push"},
        {"reach": -1},
    ],
)
def test_wrong_states_are_refused_and_change_nothing(panel: PlaygroundPanel, wrong: dict[str, Any]) -> None:
    panel.editor.edits = [[0, 3, 1.0]]
    before = panel.state, panel.field.text, panel.text.value, panel.signal.tolist()
    with pytest.raises(StelleError):
        panel.change(**wrong)
    assert (panel.state, panel.field.text, panel.text.value, panel.signal.tolist()) == before
    assert panel.editor.edits == [[0, 3, 1.0]]
    assert panel.formula == parse(panel.field.text, panel.scene.names)


@pytest.mark.parametrize("source", ["example", "own"])
def test_the_code_shows_the_same(source: str) -> None:
    data = None if source == "example" else np.array([[0.0, 1.5, 0.5], [1.0, 1.0, 1.0]])
    panel = playground(data, state=PlaygroundState("F x0 >= 1", edits=((0, 1, 1.25),), chosen=(0,), reach=5))
    again = run_code(panel)["panel"]
    assert again.state == panel.state and again.text.value == panel.text.value
    assert again.editor.rows == panel.editor.rows and again.editor.traces == panel.editor.traces


def test_edits_lead_from_one_signal_to_the_other() -> None:
    rng = np.random.default_rng(0)
    base = rng.normal(size=(3, 8))
    signal = np.where(rng.random((3, 8)) < 0.3, rng.normal(size=(3, 8)), base)
    np.testing.assert_array_equal(edited(base, edits_between(base, signal)), signal)


def test_hostile_names_are_text(session: Session) -> None:
    panel = playground(session, "F (`<b>bend</b>` > 1)")
    bundle = panel._repr_mimebundle_()
    for html in (panel.text.value, panel.builder.what.value, bundle["text/html"]):
        assert "<b>bend" not in html and "&lt;b&gt;bend" in html
    assert base64.b64decode(bundle["image/png"]).startswith(b"\x89PNG")
    assert bundle["image/png"] in bundle["text/html"]


def test_nothing_is_left_after_closing() -> None:
    before, threads = set(_instances), threading.active_count()
    panel = playground()
    panel.editor.edits = [[0, 3, 1.0]]
    panel.close()
    assert set(_instances) == before and threading.active_count() == threads
