"""The benchmark of score cards: what it counts, and the tables it writes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from stelle_nb.bench.cards import describe, measure
from stelle_nb.bench.reports.cards_report import cards_report, read_facts, write_facts
from stelle_nb.data import SeriesDataset
from stelle_nb.errors import BenchError
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.model.card.card_config import CardConfig
from stelle_nb.model.card.scorecard import Scorecard


@pytest.fixture(scope="module")
def events() -> SeriesDataset:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 1, 24)), np.array(["calm", "burst"] * 30)
    X[y == "burst", 0, 8:12] += 5
    return SeriesDataset.from_arrays(X[:30], y[:30], X[30:], y[30:], name="events")


def known(**changes: object) -> dict[str, object]:
    return {"teacher": "dense", "n_formulas": 1, "seed": 0, "agreement": 1.0, "fidelity": 1.0,
            "seconds": 0.0} | changes  # fmt: skip


def test_a_card_is_described_as_counted_by_hand(events: SeriesDataset) -> None:
    card = Scorecard(
        formulas=(parse("F[8,12] (x0 >= 3)"), parse("G (x0 <= 2.5)")),
        points=[[0, 2], [1, -1]], reach=[1, 1], bias=[0, 0], classes=("calm", "burst"),
    )  # fmt: skip
    facts = describe(card, events, **known())
    assert (facts.n_card, facts.n_classes, facts.without_idiom, facts.largest) == (2, 2, 0, 2)
    assert facts.points_per_formula == 1.5
    assert (facts.same_from_text, facts.same_truth) == (1.0, 1.0) and facts.sum_error < 1e-9
    assert facts.most_numbers == 3  # two times and a threshold
    assert facts.idioms == "reaches: 1; stays below: 1"


def test_a_formula_that_is_no_idiom_is_counted(events: SeriesDataset) -> None:
    odd = parse("F[0,3] G[0,2] F[0,2] (x0 >= 0)")
    card = Scorecard(formulas=(odd,), points=[[1, -1]], reach=[1], bias=[0, 0], classes=("calm", "burst"))
    facts = describe(card, events, **known())
    assert facts.without_idiom == 1 and facts.idioms == ""


def test_a_small_card_of_each_teacher_is_measured(events: SeriesDataset) -> None:
    config = CardConfig(n_candidates=150, n_synthetic=60, n_variants=30)
    own = measure(events, 1, config=config)
    assert own.n_card <= 2 and own.agreement == own.accuracy and own.seconds > 0
    other = measure(events, 1, teacher="rocket", config=config)
    assert 0 <= other.fidelity <= 1 and other.agreement > 0.8


def test_rows_are_read_as_written_and_reported(events: SeriesDataset, tmp_path: Path) -> None:
    card = Scorecard(
        formulas=(parse("F[8,12] (x0 >= 3)"),), points=[[-1, 1]], reach=[1], bias=[0, 0],
        classes=("calm", "burst"),
    )  # fmt: skip
    row = describe(card, events, **known())
    rows = [replace(row, teacher="rocket"), row]
    write_facts(tmp_path / "cards.csv", rows)
    assert read_facts(tmp_path / "cards.csv") == rows[::-1]  # sorted: dense before rocket
    page = cards_report(rows, "python -m stelle_nb.bench cards")
    assert "| events |" in page and "Imitating another classifier" in page
    assert "Imitating" not in cards_report([row], "python")
    (tmp_path / "cards.csv").write_text("a,b\n")
    with pytest.raises(BenchError, match="columns"):
        read_facts(tmp_path / "cards.csv")
