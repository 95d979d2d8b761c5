"""How a bank works: sharing, chunks, budget, remembered plans."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from stelle_nb.errors import SignalError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.syntax import Atom
from stelle_nb.semantics import FormulaBank, bank, robustness
from stelle_nb.semantics.planning import execution
from stelle_nb.semantics.planning.graph import build_graph
from stelle_nb.semantics.planning.plan import make_plan

TEXTS = (
    "F[0,3] (x0 >= 1)",
    "G[1,4] (x0 >= 1 & F[0,20] (x1 <= 0))",
    "(x0 > 0 & x1 > 1) U[2,inf) x1 > 0",
    "F[3,30] ((x0 >= 0) U[1,5] (x1 > 1))",
    "tube[0,9](x0 ~ 1.0 2.0 +- 0.5; step 3)",
    "G mean(x0, 5) > 0.2",
)


@pytest.fixture
def formulas() -> list[Formula]:
    return [parse(text) for text in TEXTS]


@pytest.fixture(name="X")
def signals() -> torch.Tensor:
    return torch.randn(150, 2, 50, generator=torch.Generator().manual_seed(0), dtype=torch.float64)


def test_equal_parts_are_one_node() -> None:
    graph = build_graph([parse("F[0,5] (x0 > 1 & x1 > 2)"), parse("G[3,9] (x1 > 2 & x0 > 1)")])
    assert [type(node).__name__ for node in graph.nodes] == [
        "SourceNode",
        "SourceNode",
        "Join",
        "Window",
        "Window",
    ]


def test_one_window_serves_every_threshold_relation_and_delay() -> None:
    texts = ("F[0,5] x0 > 1", "F[0,5] x0 > 2", "F[4,9] x0 >= 3", "!(G[0,5] x0 < 1)", "F[0,2] F[1,4] x0 > 0")
    graph = build_graph(parse(text) for text in texts)
    assert len({root.node for root in graph.roots}) == 1


def test_only_the_needed_stretch_is_computed() -> None:
    plan = make_plan(build_graph([parse("F[10,12] (x0 > 1 & x1 > 2)")]), 1000)
    (group,) = plan.tables[0]
    assert (group.length, group.n_stored) == (3, 1)


def test_pieces_and_chunks_change_nothing(
    formulas: list[Formula], X: torch.Tensor, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = robustness(formulas, X)
    monkeypatch.setattr(execution, "PIECE", 64)
    monkeypatch.setattr(execution, "cases_at_once", lambda *_: 7)
    assert torch.equal(robustness(formulas, X), expected)


def test_cases_are_taken_in_turns_to_keep_the_budget(formulas: list[Formula]) -> None:
    plan = make_plan(build_graph(formulas), 50)
    for budget in (bank.LEAST_BUDGET, 10 * bank.LEAST_BUDGET):
        at_once = execution.cases_at_once(plan, 8, budget)
        assert at_once == 1 or 3 * execution.bytes_of_tables(plan, 8, at_once) < budget


def test_formulas_are_taken_in_turns_if_one_case_is_too_much(
    formulas: list[Formula], X: torch.Tensor, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = robustness(formulas, X)
    monkeypatch.setattr(bank, "LEAST_BUDGET", 0)
    small = FormulaBank(formulas, device="cpu", memory_budget=2000)
    assert torch.equal(small.robustness(X), expected)
    assert len(small._plans_for(X)) > 1


def test_a_budget_that_cannot_be_kept_is_refused(formulas: list[Formula]) -> None:
    with pytest.raises(SignalError, match="memory_budget must be at least"):
        FormulaBank(formulas, memory_budget=1000)


def test_a_bank_serves_signals_of_many_lengths(formulas: list[Formula], X: torch.Tensor) -> None:
    served = FormulaBank(formulas, device="cpu")
    for n_timepoints in (50, 1, 20, 33, 7, 50):
        part = X[:3, :, :n_timepoints]
        expected = torch.stack([robustness(formula, part) for formula in formulas], 1)
        torch.testing.assert_close(served.robustness(part), expected, rtol=1e-12, atol=1e-12)
    assert len(served._plans) <= bank.REMEMBERED


def test_a_bank_tells_what_it_is(formulas: list[Formula]) -> None:
    assert repr(FormulaBank(formulas, device="cpu")) == "FormulaBank(6 formulas, device='cpu')"
    assert len(FormulaBank([], device="cpu")) == 0


def test_signals_are_left_as_they_were(formulas: list[Formula], X: torch.Tensor) -> None:
    before = X.clone()
    robustness(formulas, X)
    assert torch.equal(X, before)


def test_many_thresholds_cost_little_memory() -> None:
    formulas = [Atom(0, ">=", c).eventually(3, 40).always(0, 9) for c in np.linspace(-1, 1, 500)]
    plan = make_plan(build_graph(formulas), 100)
    assert plan.n_rows < 2500
