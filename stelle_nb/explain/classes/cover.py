"""The cheapest clauses that together cover a class: set cover by integer programming, greedy beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pulp
from jaxtyping import Bool

Bools = npt.NDArray[np.bool_]
TIME_LIMIT = 5.0  # seconds for each solver


@dataclass(frozen=True, slots=True)
class Cover:
    """Which clauses were chosen, and how far the answer can be trusted.

    Parameters
    ----------
    chosen
        Numbers of the clauses, ascending.
    cost
        Their summed cost.
    solver
        ``"HiGHS"``, ``"CBC"``, or ``"greedy"`` where neither gave an answer.
    status
        ``"optimal"``, ``"time limit"`` for the best answer found in time, or why no solver was used.
    gap
        By what share of its cost the answer may exceed the optimum; None if unknown.
    greedy, greedy_cost
        What the greedy rule would choose, for comparison.
    n_uncovered
        Cases that no chosen clause covers.
    """

    chosen: tuple[int, ...]
    cost: float
    solver: str
    status: str
    gap: float | None
    greedy: tuple[int, ...]
    greedy_cost: float
    n_uncovered: int


def minimum_cover(
    division: Bool[Bools, "case clause"],
    costs: Sequence[float],
    *,
    gamma_g: float = 0.0,
) -> Cover:
    """Choose clauses of least cost so that all but a share ``gamma_g`` of the cases is covered.

    Cases that no clause covers count as uncovered, and the share refers to the others.

    Parameters
    ----------
    division
        Which clause covers which case.
    costs
        Positive, one per clause.

    Notes
    -----
    The paper asks ``D c >= gamma_g 1``, which for integers is the same for every ``gamma_g`` in (0, 1].
    Here ``D c + u >= 1`` with at most ``gamma_g n`` cases ``u`` given up, so that ``gamma_g`` has an effect.

    Examples
    --------
    >>> D = np.array([[1, 0, 1], [0, 1, 1], [0, 1, 0]], dtype=bool)
    >>> minimum_cover(D, [1, 1, 3]).chosen, minimum_cover(D, [1, 1, 3], gamma_g=0.4).chosen
    ((0, 1), (1,))
    """
    coverable = division.any(1)
    D = division[coverable]
    allowed = int(np.floor(gamma_g * len(D) + 1e-9))
    greedy = _greedy(D, np.asarray(costs, dtype=float), allowed)
    chosen, solver, status, gap = _solve(D, costs, allowed)
    if chosen is None:
        chosen, solver = greedy, "greedy"
    return Cover(
        tuple(chosen),
        float(sum(costs[j] for j in chosen)),
        solver,
        status,
        gap,
        tuple(greedy),
        float(sum(costs[j] for j in greedy)),
        int((~division[:, list(chosen)].any(1)).sum()),
    )


def _greedy(D: Bools, costs: npt.NDArray[np.float64], allowed: int) -> list[int]:
    left = np.ones(len(D), dtype=bool)
    chosen: list[int] = []
    while left.sum() > allowed:
        merit = D[left].sum(0) / costs
        best = int(merit.argmax())
        chosen.append(best)
        left &= ~D[:, best]
    for j in sorted(chosen, key=lambda j: -costs[j]):
        rest = [i for i in chosen if i != j]
        if (~D[:, rest].any(1)).sum() <= allowed:
            chosen = rest
    return sorted(chosen)


def _solve(D: Bools, costs: Sequence[float], allowed: int) -> tuple[list[int] | None, str, str, float | None]:
    if allowed >= len(D):
        return [], "HiGHS", "optimal", 0.0
    status = "no solver is installed"
    for name in ("HiGHS", "CBC"):
        solver = _make_solver(name)
        if solver is None:
            continue
        problem, clauses = _formulate(D, costs, allowed)
        try:
            problem.solve(solver)
        except pulp.PulpSolverError as error:
            status = f"{name} failed: {error}"
            continue
        if problem.sol_status == pulp.LpSolutionOptimal:
            return _picked(clauses), name, "optimal", 0.0
        if problem.sol_status == pulp.LpSolutionIntegerFeasible:
            chosen = _picked(clauses)
            return chosen, name, "time limit", _gap(D, costs, allowed, chosen)
        status = f"{name} found no answer within {TIME_LIMIT} s"
    return None, "greedy", status, None


def _formulate(D: Bools, costs: Sequence[float], allowed: int) -> tuple[Any, list[Any]]:
    problem = pulp.LpProblem("cover", pulp.LpMinimize)
    variable = getattr(problem, "add_variable", pulp.LpVariable)  # the only way from PuLP 4 on
    clauses = [variable(f"clause_{j}", cat="Binary") for j in range(D.shape[1])]
    given_up = [variable(f"given_up_{i}", cat="Binary") for i in range(len(D))]
    problem += pulp.lpSum(cost * clause for cost, clause in zip(costs, clauses, strict=True))
    for i, row in enumerate(D):
        problem += pulp.lpSum(clauses[j] for j in np.flatnonzero(row)) + given_up[i] >= 1
    problem += pulp.lpSum(given_up) <= allowed
    return problem, clauses


def _gap(D: Bools, costs: Sequence[float], allowed: int, chosen: list[int]) -> float | None:
    """The distance to the bound that the relaxed program gives."""
    relaxed, _ = _formulate(D, costs, allowed)
    for variable in relaxed.variables():
        variable.cat = "Continuous"
    solver = _make_solver("HiGHS") or _make_solver("CBC")
    relaxed.solve(solver)
    if relaxed.status != pulp.LpStatusOptimal:
        return None
    cost = sum(costs[j] for j in chosen)
    return float((cost - pulp.value(relaxed.objective)) / cost)


def _make_solver(name: str) -> Any | None:
    make = {"HiGHS": pulp.HiGHS, "CBC": pulp.PULP_CBC_CMD}[name]
    solver = make(msg=False, timeLimit=TIME_LIMIT)
    return solver if solver.available() else None


def _picked(clauses: list[Any]) -> list[int]:
    return [j for j, clause in enumerate(clauses) if (clause.value() or 0.0) > 0.5]
