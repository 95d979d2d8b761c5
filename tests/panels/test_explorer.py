"""The explorer: a choice in one panel shows in all."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.panels import DatasetState, Explorer, ExplorerState, Session, explore


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
    assert explorer.simplifier.state.formula == str(explorer.gamma.explanation.before)
    explorer.concepts.listed.value = 4
    assert explorer.simplifier.state.formula == str(session.classifier.concepts_[4])


def test_tabs_are_part_of_the_state(explorer: Explorer) -> None:
    explorer.tabs.selected_index = 2
    assert explorer.state.tab == "Simplify"
    explorer.change(tab="Data")
    assert explorer.tabs.selected_index == 4


def test_another_data_set_gets_a_model_in_the_background(explorer: Explorer) -> None:
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(12, 1, 30)), np.array(["low", "high"] * 6)
    X[y == "high", 0, 5:9] += 5
    other = SeriesDataset.from_arrays(X, y, name="other")
    explorer.data._loaded["other"] = other
    explorer.data.state = DatasetState("other")
    explorer.wait()
    assert explorer.error.value == ""
    assert explorer.session.dataset is other and explorer.gamma.session is explorer.session
    assert "other: accuracy" in explorer.summary.value
    assert explorer.state.part == "train" and explorer.gamma.explanation is not None


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
