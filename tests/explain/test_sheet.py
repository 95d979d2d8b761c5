"""Score sheets against plain sums, and what is shown of them against its definition by brute force."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from stelle_nb.errors import ExplanationError
from stelle_nb.explain.local.local_clause import Gammas
from stelle_nb.explain.local.polarity import true_form
from stelle_nb.explain.local.reasons import (
    MAX_SHOWN,
    MORE,
    CaseDecision,
    Margins,
    Reasons,
    choose_shown,
    find_reasons,
)
from stelle_nb.explain.local.sheet import ScoreSheet, score_sheet
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.model.card.scorecard import Scorecard
from stelle_nb.semantics.robustness import robustness
from stelle_nb.testing.strategies import formulas

N_FORMULAS, N_CLASSES = 5, 3


@st.composite
def cards(draw: st.DrawFn) -> tuple[Scorecard, np.ndarray]:
    """A card of plain formulas, and degrees of a case."""
    number = st.integers(-40, 40).map(lambda n: n / 10)
    card = Scorecard(
        formulas=tuple(parse(f"F[0,{j}] (x0 >= {j})") for j in range(N_FORMULAS)),
        points=draw(hnp.arrays(np.float64, (N_FORMULAS, N_CLASSES), elements=number)),
        reach=np.ones(N_FORMULAS),
        bias=draw(hnp.arrays(np.float64, N_CLASSES, elements=number)),
        classes=("a", 1, (2, "c")),
    )
    degrees = draw(hnp.arrays(np.float64, N_FORMULAS, elements=st.integers(-10, 10).map(lambda n: n / 10)))
    return card, degrees


def slow_relevance(card: Scorecard, degrees: np.ndarray, j: int, target: int) -> float:
    points = [degrees[j] * card.points[j, k] for k in range(N_CLASSES)]
    return points[target] - np.mean([points[k] for k in range(N_CLASSES) if k != target])


@given(cards(), st.integers(0, N_CLASSES - 1))
def test_a_sheet_sums_to_the_scores(made: tuple[Scorecard, np.ndarray], target: int) -> None:
    card, degrees = made
    sheet = score_sheet(card, degrees, target)
    scores = card.bias + degrees @ card.points
    assert sheet.scores == pytest.approx(scores, abs=1e-9)
    for j, part in enumerate(sheet.contributions):
        assert (part.number, part.formula, part.degree) == (j, card.formulas[j], degrees[j])
        assert part.holds == (degrees[j] >= 0)
        assert part.points == tuple(degrees[j] * card.points[j] + 0.0)
    predicted = int(scores.argmax())
    others = [k for k in range(N_CLASSES) if k != target]
    rival = max(others, key=lambda k: (scores[k], -k)) if predicted == target else predicted
    assert (sheet.target, sheet.rival) == (card.classes[target], card.classes[rival])
    assert sheet.margin == pytest.approx(scores[target] - scores[rival], abs=1e-9)
    for k in others:
        lead = sheet.against(card.classes[k])
        assert lead == pytest.approx(degrees * (card.points[:, target] - card.points[:, k]), abs=1e-9)
        assert lead.sum() + sheet.start(card.classes[k]) == pytest.approx(
            scores[target] - scores[k], abs=1e-9
        )


@given(cards(), st.integers(0, N_CLASSES - 1))
def test_what_speaks_for_and_against_is_kept_apart(made: tuple[Scorecard, np.ndarray], target: int) -> None:
    card, degrees = made
    sheet = score_sheet(card, degrees, target)
    slow = [slow_relevance(card, degrees, j, target) for j in range(N_FORMULAS)]
    assert sheet.relevance == pytest.approx(slow, abs=1e-9)
    rounded = np.round(slow, 6)
    in_favour, against = (
        [part.number for part in parts] for parts in (sheet.speaking_for, sheet.speaking_against)
    )
    assert sorted(in_favour) == [j for j in range(N_FORMULAS) if rounded[j] > 0]
    assert sorted(against) == [j for j in range(N_FORMULAS) if rounded[j] < 0]
    assert (np.diff(rounded[in_favour]) <= 0).all() and (np.diff(rounded[against]) >= 0).all()


def test_a_rival_is_another_class() -> None:
    card = Scorecard((parse("x0 >= 0"),), [[1, 2]], [1], [0, 0], ("a", "b"))
    sheet = score_sheet(card, np.array([0.5]), 0)
    with pytest.raises(ExplanationError, match="another class than the target 'a'"):
        sheet.against("a")
    with pytest.raises(ExplanationError, match=r"one of \['a', 'b'\], got 'c'"):
        sheet.against("c")
    assert sheet == score_sheet(card, np.array([0.5]), 0) and hash(sheet)


@given(
    formulas(2, max_depth=3, max_bound=5),
    hnp.arrays(np.float64, (3, 2, 6), elements=st.integers(-3, 3).map(float)),
)
def test_the_true_form_has_the_robustness_of_the_formula_or_its_opposite(
    formula: Formula, X: np.ndarray
) -> None:
    assert true_form(formula, True) == formula
    assert robustness(true_form(formula, False), X) == pytest.approx(-robustness(formula, X))


relevances = hnp.arrays(np.float64, 12, elements=st.integers(-6, 9).map(float))


@given(relevances, st.none() | st.integers(1, 12), st.floats(0.05, 1.0))
def test_shown_are_the_fewest_that_carry_the_share(
    relevance: np.ndarray, gamma: int | None, gamma_t: float
) -> None:
    shown = choose_shown(relevance, Gammas(gamma, gamma_t))
    order = sorted((j for j in range(12) if relevance[j] > 0), key=lambda j: (-relevance[j], j))
    total = sum(relevance[j] for j in order)
    carried = np.cumsum([relevance[j] for j in order])
    enough = 1 + sum(bool(sum_ < gamma_t * total - 1e-9) for sum_ in carried) if order else 0
    wanted = min(gamma or enough, len(order), MAX_SHOWN)
    assert shown == order[:wanted]


@given(
    hnp.arrays(np.float64, (9, 3), elements=st.integers(-3, 6).map(float)),
    hnp.arrays(np.float64, 3, elements=st.integers(-4, 4).map(float)),
    st.sampled_from([0.3, 0.6, 0.8, 0.9, 1.0]),
)
def test_a_little_more_is_shown_where_the_decision_would_stand_without_it(
    points: np.ndarray, bias: np.ndarray, gamma_t: float
) -> None:
    target = int((bias + points.sum(0)).argmax())
    relevance = points[:, target] - (points.sum(1) - points[:, target]) / 2
    decision, gammas = CaseDecision(points, bias, target), Gammas(gamma_t=gamma_t)
    asked, shown = choose_shown(relevance, gammas), choose_shown(relevance, gammas, decision)

    def wins_without(numbers: list[int]) -> bool:
        kept = [j for j in range(9) if j not in numbers]
        return int(np.array([bias[k] + sum(points[j, k] for j in kept) for k in range(3)]).argmax()) == target

    order = sorted((j for j in range(9) if relevance[j] > 0), key=lambda j: (-relevance[j], j))
    total = sum(relevance[j] for j in order)
    assert shown == order[: len(shown)] and len(asked) <= len(shown) <= MAX_SHOWN
    if len(shown) > len(asked):
        assert wins_without(order[: len(shown) - 1]) and not wins_without(shown)
        assert sum(relevance[j] for j in shown[:-1]) < (gamma_t + MORE) * total
    elif wins_without(shown):
        more = len(shown)
        while more < min(MAX_SHOWN, len(order)) and sum(relevance[j] for j in order[:more]) < total * min(
            1, gamma_t + MORE
        ) * (1 - 1e-9):
            more += 1
            assert wins_without(order[:more])
    assert choose_shown(relevance, Gammas(gamma=2), decision) == order[:2]


whole = st.integers(-3, 3).map(float)


@st.composite
def situations(draw: st.DrawFn) -> tuple[np.ndarray, Margins, Gammas]:
    n_own, n_opponents, n = draw(st.integers(1, 4)), draw(st.integers(1, 6)), draw(st.integers(1, 5))
    margins = Margins(
        draw(hnp.arrays(np.float64, n, elements=st.integers(0, 3).map(float))),
        draw(hnp.arrays(np.float64, (n_own, n), elements=whole)),
        draw(hnp.arrays(np.float64, (n_opponents, n), elements=whole)),
    )
    relevance = draw(hnp.arrays(np.float64, n, elements=st.integers(-3, 5).map(float)))
    return relevance, margins, Gammas(gamma_t=0.8, gamma_l=draw(st.sampled_from([0.0, 0.0, 0.3])))


def satisfied(found: Reasons, values: np.ndarray) -> np.ndarray:
    return np.array(
        [all(v[j] >= c for j, c in zip(found.numbers, found.levels, strict=True)) for v in values]
    )


@given(situations())
def test_separation_is_what_it_says_by_brute_force(made: tuple[Any, Margins, Gammas]) -> None:
    relevance, margins, gammas = made
    found = find_reasons(relevance, margins, gammas)
    opponents = margins.opponents
    shares_all = [i for i in range(len(opponents)) if all(opponents[i, j] >= 0 for j in found.shown)]
    shares_more = [i for i in shares_all if all(opponents[i, j] >= 0 for j in found.further)]
    left = satisfied(found, opponents)
    if found.separated_by == "shown":
        assert not shares_all and not found.further and not any(found.levels)
    elif found.separated_by == "further formulas of the card":
        assert shares_all and not shares_more and not any(found.levels)
    elif found.separated_by == "shifted thresholds":
        assert shares_more and not left.any() and any(found.levels)
    else:
        assert left.any()
    assert satisfied(found, margins.case[None]).all()
    assert all(relevance[j] > 0 for j in found.shown) and all(relevance[j] >= 0 for j in found.further)
    assert not set(found.shown) & set(found.further)
    assert len(found.levels) == len(found.numbers)


@given(situations())
def test_what_carries_relevance_stays_unless_gamma_l_asks_for_more(made: tuple[Any, Margins, Gammas]) -> None:
    relevance, margins, gammas = made
    found, shown = find_reasons(relevance, margins, gammas), choose_shown(relevance, gammas)
    if gammas.gamma_l == 0:
        assert list(found.shown) == shown
        return
    left, kept = set(range(len(margins.opponents))), []
    for j in shown:
        excluded = {i for i in left if margins.opponents[i, j] < 0}
        if len(excluded) > gammas.gamma_l * len(margins.opponents):
            kept.append(j)
            left -= excluded
    assert list(found.shown) == kept


@given(situations())
def test_each_further_formula_is_needed(made: tuple[Any, Margins, Gammas]) -> None:
    relevance, margins, gammas = made
    found = find_reasons(relevance, margins, gammas)
    whole_set = (margins.opponents[:, list(found.numbers)] >= 0).all(1).sum()
    for j in found.further:
        rest = [other for other in found.numbers if other != j]
        assert (margins.opponents[:, rest] >= 0).all(1).sum() > whole_set


def test_a_sheet_is_a_value() -> None:
    assert ScoreSheet.__dataclass_params__.frozen  # type: ignore[attr-defined]
