"""Edits of a card by hand: undone to the last bit, saved, told, and refused where they make no sense."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stelle_nb as st
from stelle_nb.errors import BundleError, ModelError, NoCardError, StelleError
from tests.estimator.conftest import make_bursts, make_classifier

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
NEW = "F[8,16] (bend >= 3)"
EDITS = {
    "without": lambda clf: clf.without(1, at=NOON),
    "with_formula": lambda clf: clf.with_formula(NEW, at=NOON),
    "with_replaced": lambda clf: clf.with_replaced(0, NEW, at=NOON),
    "with_points": lambda clf: clf.with_points(clf.card_.points / 2, at=NOON),
    "refit": lambda clf: clf.refit(1, at=NOON),
    "locked": lambda clf: clf.locked(0, at=NOON),
    "unlocked": lambda clf: clf.unlocked(0, at=NOON),
}


@pytest.fixture(scope="module")
def clf() -> st.StelleClassifier:
    names = {"channel_names": ("bend", "turn"), "step": 0.1, "unit": "s"}
    X, y = make_bursts(36)
    X[3, 0, 5] = 1e6  # a glitch, which the fit clips
    with pytest.warns(st.errors.DataWarning):
        return make_classifier("scorecard", n_formulas=3, n_concepts=300, **names).fit(X, y)


def bytes_of(clf: st.StelleClassifier, path: Path) -> dict[str, bytes]:
    clf.save(path)
    return {file.name: file.read_bytes() for file in sorted(path.iterdir())}


@pytest.mark.parametrize("kind", EDITS)
def test_an_edit_that_is_undone_leaves_the_same_bytes(
    clf: st.StelleClassifier, kind: str, tmp_path: Path
) -> None:
    before = bytes_of(clf, tmp_path / "before")
    edited = EDITS[kind](clf)
    assert bytes_of(clf, tmp_path / "same") == before
    assert bytes_of(edited, tmp_path / "edited") != before
    assert bytes_of(edited.undone(), tmp_path / "undone") == before
    loaded = st.StelleClassifier.load(tmp_path / "edited")
    assert bytes_of(loaded, tmp_path / "loaded") == bytes_of(edited, tmp_path / "again")
    assert bytes_of(loaded.undone(), tmp_path / "later") == before


def test_a_refit_with_nothing_changed_gives_the_same_points(clf: st.StelleClassifier) -> None:
    for j, formula in enumerate(clf.card_.formulas):
        again = clf.with_replaced(j, formula).card_
        assert again.to_text() == clf.card_.to_text().replace("sharpness", "edits: 1\nsharpness")
        assert clf.with_replaced(j, again.to_frame()["formula"][j]).card_ == again


def test_a_refit_without_new_formulas_changes_nothing(clf: st.StelleClassifier) -> None:
    for start in (clf, clf.locked(0), clf.without(1), clf.with_formula(NEW, "left")):
        again = start.refit().card_
        assert again.to_text() == start.card_.to_text().replace(
            f"edits: {start.card_.n_edits}\n", ""
        ).replace("sharpness", f"edits: {again.n_edits}\nsharpness")


def test_free_places_are_filled_around_what_is_locked(clf: st.StelleClassifier) -> None:
    start = clf.without(1).locked(0)
    row = start.card_.formulas[0], start.card_.points[0].tolist(), start.card_.reach[0]
    filled = start.refit(2, at=NOON)
    card = filled.card_
    assert (card.formulas[0], card.points[0].tolist(), card.reach[0]) == row
    assert card.formulas[: start.card_.n_formulas] == start.card_.formulas
    assert 1 <= card.n_formulas - start.card_.n_formulas <= 2
    assert len(set(card.formulas)) == card.n_formulas
    assert filled.edits_[-1].what == "refit" and filled.edits_[-1].formula_after
    again = clf.without(1).locked(0).refit(2, at=NOON)
    assert again.card_ == card
    turn = start.refit(1, channels=["turn"]).card_
    assert all(formula.channels == {1} for formula in turn.formulas[start.card_.n_formulas :])


def test_what_was_struck_out_is_not_found_again(clf: st.StelleClassifier) -> None:
    told = clf.card_.formulas[0]
    filled = clf.without(0).refit(2).card_.formulas[clf.card_.n_formulas - 1 :]
    X, codes = clf.series_, clf.reference_.labels

    def within(formula: st.Formula) -> np.ndarray:
        rho = np.asarray(st.robustness(formula, X))
        return rho - np.array([rho[codes == k].mean() for k in codes])

    for formula in filled:
        assert abs(np.corrcoef(within(told), within(formula))[0, 1]) < 0.6


def test_a_long_refit_can_be_cancelled(clf: st.StelleClassifier) -> None:
    with pytest.raises(st.errors.Cancelled):
        clf.refit(1, progress=lambda done, total: done == 0)


def test_a_small_change_of_a_threshold_changes_points_little(clf: st.StelleClassifier) -> None:
    card = clf.card_
    moved = clf.with_replaced(0, st.shift(card.formulas[0], 0.02 * float(card.reach[0]))).card_
    assert moved.reach[0] == card.reach[0]
    assert np.abs(moved.points - card.points).max() <= 0.1 * np.abs(card.points).max()


def test_a_saved_history_replays(clf: st.StelleClassifier, tmp_path: Path) -> None:
    X, y = make_bursts(12, seed=5)

    def edit(start: st.StelleClassifier) -> st.StelleClassifier:
        locked = start.locked(0, at=NOON).with_formula(NEW, "left", X=X, y=y, at=NOON)
        return locked.without(1, at=NOON).with_points([1, 0, -1], j=1, at=NOON)

    edited = edit(clf)
    edited.save(tmp_path / "edited.zip")
    loaded = st.StelleClassifier.load(tmp_path / "edited.zip")
    assert loaded.edits_ == edited.edits_ and loaded.audit() == edited.audit()
    assert loaded.card_ == edited.card_
    start = loaded
    while start.edits_:
        start = start.undone()
    assert start.card_ == clf.card_
    assert edit(start).edits_ == loaded.edits_


def test_what_is_locked_stays(clf: st.StelleClassifier) -> None:
    row = clf.card_.formulas[1], clf.card_.points[1].tolist(), clf.card_.reach[1]
    locked = clf.locked(1)
    for edited, j in (
        (locked.without(0), 0),
        (locked.with_formula(NEW), 1),
        (locked.with_replaced(0, NEW).without(2), 1),
    ):
        card = edited.card_
        assert (card.formulas[j], card.points[j].tolist(), card.reach[j]) == row
        with pytest.raises(ModelError, match="locked"):
            edited.without(j)
        with pytest.raises(ModelError, match="locked"):
            edited.with_replaced(j, NEW)
        with pytest.raises(ModelError, match="locked"):
            edited.with_points(2 * card.points)
    assert locked.with_points(2 * clf.card_.points[0], j=0).card_.formulas == clf.card_.formulas
    assert locked.unlocked(1).without(1).card_.n_formulas == clf.card_.n_formulas - 1
    loose = clf.locked(1, points=False)
    assert loose.with_points(2 * clf.card_.points).card_.formulas == clf.card_.formulas
    with pytest.raises(ModelError, match="locked"):
        loose.without(1)


@pytest.mark.parametrize("kind", EDITS)
def test_the_sheet_of_an_edited_card_sums_to_its_scores(clf: st.StelleClassifier, kind: str) -> None:
    X, _ = make_bursts(6, seed=3)
    clf.explain_local(X[:1])  # what is remembered must not outlive the card
    edited = EDITS[kind](clf)
    card = edited.card_
    assert (card.predict(X) == edited.predict(X)).all()
    for cases in (X[:1], X):
        for x, why in zip(cases, edited.explain_local(cases), strict=True):
            assert [part.formula for part in why.contributions] == list(card.formulas)
            total = sum(np.array(part.points) for part in why.contributions)
            np.testing.assert_allclose(total + card.bias, card.scores(x[None])[0], atol=1e-6)
    assert set(edited.explain_global()) == set(clf.classes_)
    assert edited.reference_.robustness.shape[1] == card.n_formulas
    np.testing.assert_allclose(
        edited.evidence_.robustness[4:], edited.model_.evidence(edited.series_[4:]).robustness, rtol=1e-6
    )


def test_an_edit_says_what_it_did(clf: st.StelleClassifier) -> None:
    X, y = make_bursts(30, seed=6)
    edited = clf.without(0, X=X, y=y, at=NOON.astimezone(timezone(timedelta(hours=2))))
    (edit,) = edited.edits_
    known = clf.series_
    assert (edit.what, edit.at, edit.number, edit.formula_after) == ("without", NOON, 0, None)
    assert edit.formula_before == clf.card_.to_frame()["formula"][0]
    assert edit.unseen is not None
    assert (edit.unseen.before, edit.unseen.after) == (clf.score(X, y), edited.score(X, y))
    assert edit.unseen.changed == tuple(np.flatnonzero(clf.predict(X) != edited.predict(X)).tolist())
    assert edit.training.n_cases == len(known)
    assert all(0 <= share <= 1 for share in edit.leave_one_out)
    assert edit.summary.startswith("without(0): training accuracy ") and "unseen" in edit.summary
    before = datetime.now(UTC)
    assert before <= clf.without(0).edits_[0].at <= datetime.now(UTC)


def test_an_edited_model_says_so(clf: st.StelleClassifier, tmp_path: Path) -> None:
    edited = clf.with_formula(NEW, "left", at=NOON).without(0, at=NOON)
    text = edited.card_.to_text()
    assert "\nedits: 2\n" in text and "edits" not in clf.card_.to_text()
    assert st.Scorecard.from_text(text) == edited.card_
    assert st.Scorecard.from_json(edited.card_.to_json()) == edited.card_
    assert "edited by hand 2 times" in edited.card_._repr_html_()
    found = json.loads(edited.audit())
    assert [each["what"] for each in found["edits"]] == ["with_formula", "without"]
    assert found["edits"][0]["at"] == "2024-05-01T12:00:00+00:00"
    assert found["edits"][0]["formula_after"] == NEW.replace(">= 3", ">= 3.0")
    assert len(found["edits"][1]["before"]["rows"]) == edited.card_.n_formulas + 1
    page = edited.report(tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Edits by hand" in page and "2024-05-01 12:00 UTC" in page
    assert "Edits by hand" not in clf.report(tmp_path / "plain.html").read_text(encoding="utf-8")
    assert json.loads(clf.audit())["edits"] == [] and clf.edits_ == ()


def test_a_formula_for_one_class_has_points_for_that_class_alone(clf: st.StelleClassifier) -> None:
    card = clf.with_formula(NEW, "left").card_
    assert card.points[-1, card.classes.index("left")] > 0
    assert np.count_nonzero(card.points[-1]) == 1
    assert clf.with_formula(st.parse("F[8,16] (x0 >= 3)"), "left", reach=1.5).card_.reach[-1] == 1.5


def test_cases_of_an_update_stay_known(clf: st.StelleClassifier) -> None:
    edited = clf.without(0)
    edited.update_global(*make_bursts(6, seed=8))
    assert len(edited.undone().reference_.labels) == len(edited.with_formula(NEW).series_) == 42
    assert len(clf.series_) == 36


def test_sets_of_classes_need_held_out_cases(clf: st.StelleClassifier) -> None:
    X, y = make_bursts(30, seed=7)
    edited = clf.without(0)
    with pytest.raises(ModelError, match="calibrate"):
        edited.predict_set(X)
    assert len(edited.calibrate(X, y).predict_set(X)) == 30
    assert edited.without(0).undone().calibration_ is edited.calibration_


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda clf: clf.without(99), "from 0 to"),
        (lambda clf: clf.without(-1), "from 0 to"),
        (lambda clf: clf.with_replaced("0", NEW), "from 0 to"),
        (lambda clf: clf.locked(99), "from 0 to"),
        (lambda clf: clf.with_formula("F[0,9] (x7 >= 1)"), "x7"),
        (lambda clf: clf.with_formula(st.parse("F[0,9] (x7 >= 1)")), "from 0 to 1, got channel 7"),
        (lambda clf: clf.with_formula("true"), "got none"),
        (lambda clf: clf.with_formula("F[0,9] (bend >="), "column"),
        (lambda clf: clf.with_formula(3), "formula"),
        (lambda clf: clf.with_formula(NEW, "up"), "cls must be one of"),
        (lambda clf: clf.with_formula(NEW, reach=0), "reach"),
        (lambda clf: clf.with_points(clf.card_.points * np.nan), "finite"),
        (lambda clf: clf.with_points([1, 2, np.inf], j=0), "finite"),
        (lambda clf: clf.with_points([1, 2], j=0), "each of the 3 classes"),
        (lambda clf: clf.with_points([[1, 2, 3]]), "shape"),
        (lambda clf: clf.refit(-1), "n_new must be"),
        (lambda clf: clf.refit(1, channels=["up"]), "channels"),
        (lambda clf: clf.refit(1, channels=[2]), "from 0 to 1"),
        (lambda clf: clf.without(0, X=clf.series_), "together"),
        (lambda clf: clf.without(0, at=datetime(2024, 5, 1)), "time zone"),
        (lambda clf: clf.undone(), "no edit"),
    ],
)
def test_bad_edits_are_refused_and_nothing_is_lost(
    clf: st.StelleClassifier, edit: Any, message: str, tmp_path: Path
) -> None:
    before = bytes_of(clf, tmp_path / "before")
    with pytest.raises(StelleError, match=message):
        edit(clf)
    assert bytes_of(clf, tmp_path / "after") == before


def test_the_last_formula_stays(clf: st.StelleClassifier) -> None:
    while clf.card_.n_formulas > 1:
        clf = clf.without(0)
    with pytest.raises(ModelError, match="at least one formula"):
        clf.without(0)
    assert clf.with_replaced(0, NEW).card_.n_formulas == 1


def test_a_model_without_a_card_is_refused() -> None:
    dense = make_classifier("dense").fit(*make_bursts())
    for edit in (lambda: dense.without(0), lambda: dense.with_formula(NEW), dense.undone, dense.audit):
        with pytest.raises(NoCardError, match="distil"):
            edit()


def test_fitting_again_forgets_edits(clf: st.StelleClassifier) -> None:
    edited = clf.without(0)
    assert edited.fit(*make_bursts(24)).edits_ == ()
    assert "edits" not in edited.card_.to_text()


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda edit: edit.update(what="sold"), "one of"),
        (lambda edit: edit.update(at="noon"), "ISO"),
        (lambda edit: edit.update(number=99), "number"),
        (lambda edit: edit.update(leave_one_out=[2, 0]), "accuracy"),
        (lambda edit: edit["after"].update(sharpness=9.0), "lead to the card"),
        (lambda edit: edit["training"].update(changed=[99]), "changed"),
        (lambda edit: edit.pop("before"), "fields"),
    ],
)
def test_a_spoilt_history_is_refused(
    clf: st.StelleClassifier, spoil: Any, message: str, tmp_path: Path
) -> None:
    clf.without(0).save(tmp_path / "model")
    for path in (tmp_path / "model").glob("*.json"):
        document = json.loads(path.read_text())
        if "edits" in document:
            spoil(document["edits"][0]["edit"])
            path.write_text(json.dumps(document))
    with pytest.raises(BundleError, match=message):
        st.StelleClassifier.load(tmp_path / "model")
