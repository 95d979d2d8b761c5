"""What the linked view is given: laws of the waterfall, the lists, the signals and the controls."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, replace
from html import escape
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.depict.class_names import class_names, natural_order
from stelle_nb.explain.local.local_clause import Gammas
from stelle_nb.panels.linked.case_reader import CaseReader
from stelle_nb.panels.linked.content import CaseContent, DataReader
from stelle_nb.panels.linked.regions.case_list import MAX_LISTED, list_cases
from stelle_nb.panels.linked.regions.thinning import MAX_POINTS, SPARK_POINTS, sparkline, thin
from stelle_nb.panels.linked.regions.waterfall import N_OPEN, ordered
from stelle_nb.panels.linked.still import NOTICE, StillPicture, still_html
from stelle_nb.panels.session import Session
from tests.panels.conftest import HOSTILE

COURSES = arrays(np.float64, st.integers(1, 400), elements=st.floats(-1e6, 1e6))


@pytest.fixture(scope="module")
def reader(card_session: Session) -> CaseReader:
    return CaseReader(card_session)


def read(reader: CaseReader, case: int, **options: Any) -> CaseContent:
    return reader.case("test", case, options.pop("gammas", Gammas()), **options)


@pytest.mark.parametrize("case", range(0, 16, 3))
def test_the_waterfall_runs_from_the_bias_to_the_margin(reader: CaseReader, case: int) -> None:
    for rival in reader.classes:
        content = read(reader, case, rival=rival)
        sheet, why = content.sheet, reader.why
        assert sheet is not None and why.sheet is not None
        label = reader.classes[content.rival]
        assert label == rival or rival == why.target
        assert sheet.start == pytest.approx(why.sheet.start(label))
        scores = dict(zip(why.sheet.classes, why.sheet.scores, strict=True))
        assert sheet.margin == pytest.approx(scores[why.target] - scores[label])
        begin = sheet.start
        for row in sheet.rows:
            assert row.begin == pytest.approx(begin) and row.end == pytest.approx(begin + row.points)
            begin = row.end
        assert begin == pytest.approx(sheet.margin)


@pytest.mark.parametrize("case", range(0, 16, 3))
def test_rows_are_the_contributions_of_the_explanation(reader: CaseReader, case: int) -> None:
    content = read(reader, case)
    why, sheet = reader.why, content.sheet
    assert sheet is not None and why.sheet is not None
    assert sorted(row.number for row in sheet.rows) == [part.number for part in why.contributions]
    goal, other = content.target, content.rival
    for row in sheet.rows:
        part = why.contributions[row.number]
        assert row.points == pytest.approx(part.points[goal] - part.points[other])
        assert row.holds == part.holds and row.degree == pytest.approx(part.degree, abs=1e-4)
        assert (row.clearly.split()[0] == "barely") == (abs(part.degree) < 0.25)
    reasons = {row.number: row.reason for row in sheet.rows if row.reason}
    assert set(reasons) == {part.number for part in why.shown}
    assert list(reasons.values()) == list(range(1, len(reasons) + 1))  # down the sheet
    assert all(row.is_open for row in sheet.rows if row.reason and row.group != "none")


@given(st.lists(st.floats(-5, 5), max_size=12), st.sets(st.integers(0, 11)))
def test_every_formula_has_one_place(lead: list[float], reasons: set[int]) -> None:
    found = ordered(lead, reasons)
    assert sorted(j for j, _, _ in found) == list(range(len(lead)))
    kinds = [group for _, group, _ in found]
    assert kinds == sorted(kinds, key=("for", "against", "none").index)
    for group, sign in (("for", 1), ("against", -1)):
        sizes = [sign * lead[j] for j, g, is_open in found if g == group and is_open]
        assert all(size > 0 for size in sizes) and sizes == sorted(sizes, reverse=True)
        n = sum(g == group for _, g, _ in found)
        assert len(sizes) >= min(n, N_OPEN)


@example(np.array([2.0**-1022]), 4)
@given(COURSES, st.integers(4, 60))
def test_thinned_courses_keep_their_extremes_and_their_order(course: Any, n: int) -> None:
    times, values = thin(course, n)
    assert len(times) == len(values) <= max(n, len(course) if len(course) <= n else 0)
    assert times == sorted(times)
    if len(course) > n:
        for extreme in (course.min(), course.max()):
            assert any(course[int(t)] == extreme for t in times)
    span = float(np.ptp(course)) or float(np.abs(course).max()) or 1.0
    assert np.abs(np.array(values) - course[[int(t) for t in times]]).max() <= 1e-3 * span


@example(np.array([2.0**-1023]))
@given(COURSES)
def test_sparklines_are_short_printable_text(course: Any) -> None:
    text = sparkline(course, float(course.min()), float(course.max()))
    assert 1 <= len(text) <= SPARK_POINTS and all("!" <= letter <= "z" for letter in text)


def test_wrong_cases_come_first_and_thousands_are_capped() -> None:
    X = np.random.default_rng(0).normal(size=(MAX_LISTED + 7, 1, 20))
    truths = [0] * len(X)
    predictions = [int(i in (5, 900)) for i in range(len(X))]
    found = list_cases(X, truths, predictions, channel=0, name="x")
    assert found.numbers[:3] == [5, 900, 0] and len(found.sparks) == MAX_LISTED
    assert found.total == len(X) and str(MAX_LISTED) in found.note
    assert len(json.dumps(asdict(found))) < 600_000


def test_numbers_read_as_classes_in_natural_order() -> None:
    names = class_names(["10", "9", "1"])
    assert [names[i] for i in natural_order(names)] == ["class 1", "class 9", "class 10"]


def test_a_wrong_prediction_is_compared_with_the_truth(reader: CaseReader, card_session: Session) -> None:
    X, _ = card_session.cases("test")
    labels = card_session.predictions("test").tolist()
    other = next(label for label in reader.classes if label != labels[0])
    y = np.array([other, *labels[1:]])
    ds = card_session.dataset
    changed = SeriesDataset.from_arrays(ds.X_train, ds.y_train, X, y, channel_names=ds.channel_names)
    content = CaseReader(Session(changed, card_session.classifier)).case("test", 0, Gammas())
    assert content.verdict is not None and not content.verdict.is_right
    assert content.rival_name == content.verdict.truth == str(other)


def test_signals_hold_every_row_that_is_drawn(reader: CaseReader) -> None:
    for case in range(0, 16, 5):
        content = read(reader, case)
        assert content.sheet is not None
        keys = {row.key for row in content.signals.rows}
        for row in content.sheet.rows:
            assert set(row.rows) <= keys and {band["row"] for band in row.bands} <= keys
            assert bool(row.bands) == row.is_open
        assert content.signals.first and set(content.signals.first) <= keys
        for signal in content.signals.rows:
            np.testing.assert_allclose(
                signal.case[1], reader.why.case[signal.channel], atol=1e-3 * (signal.high - signal.low)
            )


def test_a_long_signal_is_thinned() -> None:
    X = np.random.default_rng(0).normal(size=(6, 28, 20_000))
    reader = DataReader(SeriesDataset.from_arrays(X, ["a", "b"] * 3))
    content = reader.data("train", 2)
    assert len(content.signals.rows) == 3
    assert all(len(row.case[0]) <= MAX_POINTS for row in content.signals.rows)
    assert len(json.dumps(content.to_json())) < 200_000 and content.verdict is None


def test_a_shared_formula_names_the_cases_in_which_it_is_as_true(
    reader: CaseReader, card_session: Session
) -> None:
    card = card_session.card
    assert card is not None
    holds = card.degrees(card_session.cases("test")[0]) >= 0
    for number in range(card.n_formulas):
        shared = reader.sharing("test", 3, number)
        assert 3 in shared and shared == np.flatnonzero(holds[:, number] == holds[3, number]).tolist()


def test_every_dial_says_what_it_changed(reader: CaseReader) -> None:
    seen = {}
    for gamma_t in (0.05, 1.0):
        content = read(reader, 3, gammas=Gammas(gamma_t=gamma_t))
        dials = {dial.name: dial for dial in content.dials}
        assert list(dials) == ["gamma_t", "gamma", "gamma_l", "gamma_g"]
        n = len(reader.why.shown)
        assert dials["gamma_t"].effect.startswith(f"{n} of ") and content.carried == dials["gamma_t"].effect
        seen[gamma_t] = n
        assert all(dial.effect for dial in dials.values())
    assert seen[0.05] < seen[1.0]
    content = read(reader, 3, gammas=Gammas(gamma=1))
    dials = {dial.name: dial for dial in content.dials}
    assert dials["gamma_t"].disabled and not dials["gamma"].disabled and dials["gamma"].value == 1


def test_without_a_card_the_concepts_say_what_they_carry(session: Session) -> None:
    reader = CaseReader(session)
    content = reader.case("test", 1, Gammas())
    sheet = content.sheet
    assert sheet is not None and sheet.kind == "shares" and "decision" in sheet.note
    assert len(sheet.rows) == len(reader.why.conjuncts)
    assert sheet.margin == pytest.approx(reader.why.relevance_share)
    assert all(row.text.endswith("%") for row in sheet.rows)
    assert {band["row"] for row in sheet.rows for band in row.bands} <= {r.key for r in content.signals.rows}


def test_all_content_is_plain_and_stills_escape_it(reader: CaseReader, session: Session) -> None:
    for each in (reader, CaseReader(session)):
        for case in (0, 1):
            content = each.case("test", case, Gammas())
            json.dumps(content.to_json(), allow_nan=False)
            html, picture = still_html(content, HOSTILE), StillPicture(content, HOSTILE)
            assert "<img" not in html and NOTICE in html and picture.label
            svg = picture.picture("svg").decode()
            assert "<img" not in svg and picture.png().startswith(b"\x89PNG")


def test_a_still_says_what_its_lines_are_and_whether_to_trust_it(reader: CaseReader) -> None:
    content = reader.case("test", 0, Gammas())
    assert content.verdict is not None
    doubted = replace(content, verdict=replace(content.verdict, warning="Unlike <all>."))
    assert "<em>Unlike &lt;all&gt;.</em>" in still_html(doubted, "events")
    svg = StillPicture(content, "events").picture("svg").decode()
    assert "this case</text>" in svg and f"a typical {escape(content.rival_name)}</text>" in svg
    assert re.search(r"\((holds|fails)\)</text>", svg)


def test_the_bars_of_a_still_run_from_the_start_to_the_lead(reader: CaseReader) -> None:
    content = reader.case("test", 0, Gammas())
    sheet = content.sheet
    assert sheet is not None
    rows = [replace(row, is_open=row.is_open and i == 0) for i, row in enumerate(sheet.rows)]
    svg = StillPicture(replace(content, sheet=replace(sheet, rows=rows)), "events").picture("svg").decode()
    names = {"for": content.target_name, "against": content.rival_name}
    closed = [row for row in rows if not row.is_open and row.group != "none"]
    for group in {row.group for row in closed}:
        n = sum(row.group == group for row in closed)
        assert f"{n} other{'s' * (n != 1)} for {escape(names[group])}</text>" in svg
    widths = [float(width) for width in re.findall(r'width="([\d.]+)" height="12.0"', svg)]
    ends = [0.0, sheet.start, sheet.margin, *(row.end for row in rows)]
    assert max(widths) <= 200 and widths[-1] == pytest.approx(
        200 * abs(sheet.margin) / (max(ends) - min(ends)), abs=0.1
    )
