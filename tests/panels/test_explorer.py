"""The explorer: a choice in one panel shows in all."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.panels import ConceptsPanel, DatasetState, Explorer, ExplorerState, Session, explore
from stelle_nb.panels.parts.steps import with_steps


@pytest.fixture
def explorer(session: Session) -> Explorer:
    return explore(session)


def cases(explorer: Explorer) -> set[tuple[str, int]]:
    panels = (explorer, explorer.gamma, explorer.explanation, explorer.concepts, explorer.data)
    return {(panel.state.part, panel.state.case) for panel in panels}


def test_a_case_chosen_anywhere_is_chosen_everywhere(explorer: Explorer) -> None:
    assert cases(explorer) == {("test", 0)}
    explorer.gamma.picker.case.value = 3
    assert cases(explorer) == {("test", 3)}
    explorer.data.case.value = 5
    assert cases(explorer) == {("test", 5)}
    explorer.data.part.value = "train"
    assert cases(explorer) == {("train", 0)}
    explorer.state = ExplorerState(case=2)
    assert cases(explorer) == {("test", 2)}


def test_a_class_and_a_formula_too(explorer: Explorer, session: Session) -> None:
    explorer.explanation.picker.target.value = "drop"
    assert explorer.gamma.state.target == explorer.state.target == "drop"
    explorer.gamma.gamma_t.value = 0.4
    assert explorer.state.gamma_t == 0.4
    assert explorer.gamma.explanation is not None
    before = explorer.gamma.explanation.before
    assert explorer.simplifier.state.formula == session.wording.ascii(with_steps(before))
    explorer.concepts.listed.value = 4
    assert explorer.simplifier.state.formula == session.wording.ascii(session.concepts[4])


def test_tabs_are_part_of_the_state(explorer: Explorer) -> None:
    explorer.tabs.selected_index = 2
    assert explorer.state.tab == "Simplify"
    explorer.change(tab="Data")
    assert explorer.tabs.selected_index == 4


def two_classes() -> SeriesDataset:
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(12, 1, 30)), np.array(["low", "high"] * 6)
    X[y == "high", 0, 5:9] += 5
    return SeriesDataset.from_arrays(X, y, name="other")


def test_another_data_set_gets_a_model_in_the_background(explorer: Explorer) -> None:
    other = two_classes()
    explorer.data._loaded["other"] = other
    explorer.data.state = DatasetState("other")
    explorer.wait()
    assert explorer.error.value == ""
    assert explorer.session.dataset is other and explorer.gamma.session is explorer.session
    assert "other: accuracy" in explorer.summary.value
    assert explorer.state.part == "train" and explorer.gamma.explanation is not None


def of_one_class(path: Path) -> Path:
    """A file that can be read and shown, but no model can be fitted to it: it has one class."""
    X = np.random.default_rng(1).normal(size=(30, 1, 30))
    np.savez(path, X_train=X, y_train=["<b>same</b>"] * 30)
    return path


def shown_sets(explorer: Explorer) -> set[SeriesDataset]:
    """The sets of all panels."""
    of_session = (explorer.gamma, explorer.explanation, explorer.concepts, explorer.what_if)
    others = (explorer.data.dataset, explorer.simplifier.dataset, explorer.training.dataset)
    found = {*(panel.session.dataset for panel in of_session), *others, explorer.playground.source.dataset}
    return {ds for ds in found if ds is not None}


def test_a_set_that_cannot_be_fitted_is_named_and_all_tabs_stay_at_the_one_before(
    explorer: Explorer, session: Session, tmp_path: Path
) -> None:
    path = of_one_class(tmp_path / "one <i>class.npz")
    explorer.state = before = ExplorerState(tab="Data", case=3, gamma_t=0.5)
    data, facts, summary = explorer.data.state, explorer.data.facts.value, explorer.summary.value
    for _ in range(2):  # the second time as well
        explorer.data.other.value = str(path)
        explorer.data.wait()
        explorer.wait()
        told = unescape(explorer.error.value)
        assert "one <i>class" in told and str(path) in told and "Add cases of another class" in told
        assert "All tabs still show unnamed" in told and "<i>" not in explorer.error.value
        assert shown_sets(explorer) == {session.dataset} and explorer.session is session
        assert explorer.state == before and cases(explorer) == {("test", 3)}
        assert explorer.data.state == data and explorer.data.known.value == "" == explorer.data.error.value
        assert explorer.data.facts.value == facts and explorer.summary.value == summary
        explorer.data.other.value = ""
    assert str(path) in [value for _, value in explorer.data.known.options]  # it can be chosen again
    explorer.data.case.value = 5
    assert cases(explorer) == {("test", 5)}


def test_after_a_set_that_cannot_be_fitted_another_one_can(explorer: Explorer, tmp_path: Path) -> None:
    explorer.data.state = DatasetState(str(of_one_class(tmp_path / "bad.npz")))
    explorer.wait()
    assert "bad" in explorer.error.value
    explorer.data._loaded["other"] = other = two_classes()
    explorer.data.state = DatasetState("other")
    explorer.wait()
    assert explorer.error.value == "" and shown_sets(explorer) == {other}
    explorer.data.state = DatasetState(str(tmp_path / "bad.npz"))
    explorer.wait()
    assert "All tabs still show other" in explorer.error.value and shown_sets(explorer) == {other}
    assert explorer.data.state == DatasetState("other") and explorer.data.known.value == "other"


def test_a_set_whose_panels_cannot_be_made_is_taken_back_too(
    explorer: Explorer, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    explorer.data._loaded["other"] = other = two_classes()
    explorer.state = ExplorerState(case=3)
    assert cases(explorer) == {("test", 3)}  # all panels are made now: they are when they are first asked for
    show = ConceptsPanel._show

    def fail(panel: ConceptsPanel, state: Any) -> None:
        if panel.session.dataset is other:
            raise RuntimeError("broken")
        show(panel, state)

    monkeypatch.setattr(ConceptsPanel, "_show", fail)
    explorer.data.state = DatasetState("other")
    explorer.wait()
    assert "No model could be fitted to other: RuntimeError: broken" in explorer.error.value
    assert shown_sets(explorer) == {session.dataset} and cases(explorer) == {("test", 3)}


def test_a_case_chosen_while_another_set_is_fitted_stays_with_the_set_before(
    explorer: Explorer, session: Session, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    begun, may_go = threading.Event(), threading.Event()
    tuning = explorer.gamma  # made now: a panel opens its session when it is made
    fit = Session.open

    def slow(*given: Any) -> Session:
        begun.set()
        assert may_go.wait(60)
        return fit(*given)

    monkeypatch.setattr(Session, "open", slow)
    explorer.data.state = chosen = DatasetState(str(of_one_class(tmp_path / "bad.npz")))
    assert begun.wait(60)
    tuning.picker.case.value = 4
    assert explorer.data.state == chosen and explorer.gamma.error.value == ""
    may_go.set()
    explorer.wait()
    assert cases(explorer) == {("test", 4)} and shown_sets(explorer) == {session.dataset}


def test_channels_left_out_are_left_out_everywhere(explorer: Explorer, session: Session) -> None:
    explorer.data.kept.value = (1,)
    explorer.wait()
    assert explorer.error.value == "" and explorer.session is not session
    (some,) = shown_sets(explorer)
    assert some.channel_names == ("turn",) and explorer.data.state.kept == (1,)
    explorer.gamma.picker.case.value = 2
    assert cases(explorer) == {("test", 2)} and explorer.data.state.kept == (1,)
    explorer.data.kept.value = ()
    assert "At least one channel" in explorer.data.error.value and shown_sets(explorer) == {some}


def test_the_set_that_was_given_keeps_its_name_in_the_list(explorer: Explorer) -> None:
    explorer.data._loaded["other"] = two_classes()
    explorer.data.state = DatasetState("other")
    explorer.wait()
    assert ("unnamed (given)", "") in list(explorer.data.known.options)


def test_the_code_holds_the_state(explorer: Explorer) -> None:
    explorer.state = ExplorerState(case=2, gamma_t=0.5, tab="Why")
    code = explorer.to_code()
    compile(code, "cell", "exec")
    explorer.gamma.change(gamma=3, gamma_g=0.1)
    assert (explorer.state.gamma, explorer.state.gamma_g) == (3, 0.1)
    code = explorer.to_code()
    assert f"st.explore(dataset, classifier, state=st.panels.{explorer.state!r})" in code
    bundle = explorer._repr_mimebundle_()
    assert "image/png" in bundle and "accuracy" in bundle["text/html"]


def test_callbacks_on_several_threads_never_wait_for_each_other_for_good(explorer: Explorer) -> None:
    def choose(control: Any) -> None:
        for case in range(1, 5):
            control.value = case

    def set_state() -> None:
        for case in range(4, 0, -1):
            explorer.state = ExplorerState(case=case)

    work: list[Callable[[], None]] = [set_state]
    work += [partial(choose, control) for control in (explorer.data.case, explorer.gamma.picker.case)]
    threads = [threading.Thread(target=run, daemon=True) for run in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert not any(thread.is_alive() for thread in threads)
    assert explorer.lock is explorer.gamma.lock is explorer.data.lock  # two could be taken in two orders
    assert len(cases(explorer)) == 1
