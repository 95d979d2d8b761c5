"""One scene for all drawers: rows, regions, deciding samples and words belong together."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from stelle_nb.depict.background import Background, values_of
from stelle_nb.depict.labels import DECIDES
from stelle_nb.depict.regions import OFF, find_regions
from stelle_nb.depict.rows import all_rows, compared_rows
from stelle_nb.depict.scene import make_scene
from stelle_nb.depict.wording import Wording
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Atom, Tube
from stelle_nb.logic.traversal import node_at, quantities
from stelle_nb.semantics.robustness import robustness
from stelle_nb.testing.strategies import formulas

CASE = np.random.default_rng(0).normal(size=(3, 12))


@given(formulas(n_channels=3))
def test_a_scene_holds_what_the_formula_compares_and_nothing_twice(formula: Formula) -> None:
    scene = make_scene(formula, Wording(), case=CASE)
    shown = [row.quantity for row in scene.rows]
    assert shown == compared_rows([formula]) and set(quantities(formula)) <= set(shown)
    assert len({row.key for row in scene.rows}) == len({row.title for row in scene.rows}) == len(shown)
    found = find_regions(formula, 12, CASE)
    assert sum(len(row.regions) for row in scene.rows) == len(found)
    whole = [one for row in scene.rows for one in row.decisions if one.is_whole]
    value = float(robustness(formula, CASE[None])[0])
    assert len(whole) == 1 or not np.isfinite(value)
    for row in scene.rows:
        low, high = row.frame
        assert row.case is not None and np.array_equal(row.case, values_of(row.quantity, CASE))
        assert low <= row.case.min() and row.case.max() <= high
        asked = [label.text for label in row.labels if label.role != DECIDES]
        assert asked[: len(row.regions)] == [region.words for region in row.regions]
        assert all(region.is_off == region.words.endswith(OFF) for region in row.regions)


@given(formulas(n_channels=3))
def test_a_region_knows_its_place_in_the_formula(formula: Formula) -> None:
    for region in find_regions(formula, 12, CASE):
        node = node_at(formula, region.path)
        if isinstance(node, Tube):
            assert region.is_shape and region.signal in [track.signal for track in node.tracks]
        else:
            assert isinstance(node, Atom) and node.signal == region.signal
            assert node.threshold == (region.low or region.high or ())[0]


@given(formulas(n_channels=3))
def test_words_at_one_edge_have_lines_of_their_own(formula: Formula) -> None:
    for row in make_scene(formula, Wording(), case=CASE).rows:
        lines = [(label.is_at_top, label.level) for label in row.labels]
        assert len(set(lines)) == len(lines)  # no sums here, whose words may share a line


def test_rows_can_be_chosen_and_marks_stay_on_theirs() -> None:
    formula = parse("x1 >= 1 & F[2,4] diff(x0) >= 1")
    chosen = make_scene(formula, Wording(), case=CASE, rows=[Signal(2), Signal(1)])
    assert [row.channel for row in chosen.rows] == [2, 1]
    assert [len(row.regions) for row in chosen.rows] == [0, 1]
    every = make_scene(formula, Wording(), case=CASE, rows=all_rows(formula))
    assert [row.channel for row in every.rows] == [0, None, 1]


def test_rows_are_headed_by_the_units_of_their_values() -> None:
    wording = Wording(("gyro", "load", "heat"), units=("rad/s", None, "°C"))
    formula = parse("x0 >= 1 & x1 >= 1 & diff(x2) >= 1 & sum(x0, -1*x2) >= 0")
    titles = [row.title for row in make_scene(formula, wording, case=CASE, rows=all_rows(formula)).rows]
    assert titles[:2] == ["gyro (rad/s)", "load"]
    assert [title.endswith("(°C)") for title in titles] == [False, False, True, True, False]


def test_alternatives_are_numbered() -> None:
    formula = parse("x0 >= 1 | F[2,4] x0 >= 3")
    scene = make_scene(formula, Wording(), case=CASE, alternatives=[formula.left, formula.right])  # type: ignore[attr-defined]
    assert [region.text for region in scene.rows[0].regions] == ["(1) ≥ 1", "(2) at some time ≥ 3"]


def test_a_thinned_background_alone_knows_channels_only() -> None:
    background = Background(CASE[None, :, ::2].astype(np.float32), ("a",), (0, 1, 2), stride=2)
    channel, change = make_scene(parse("x0 >= 1 & diff(x0) >= 1"), Wording(), background=background).rows
    assert channel.is_known and not change.is_known and change.regions
