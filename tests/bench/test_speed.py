"""The speed benchmark runs; how fast things are is its report's to say, not a test's."""

from __future__ import annotations

import pytest
import torch

from stelle_nb.bench.__main__ import names, run
from stelle_nb.bench.speed import cpu_seconds, make_problem, measure_ways
from stelle_nb.bench.workloads.speed_peers import anew_robustness
from stelle_nb.semantics import robustness


def test_benchmarks_are_found_by_their_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert "speed" in names()
    assert run(["spede"]) == 2
    assert "Choose one of" in capsys.readouterr().err


def test_the_ways_are_measured_on_one_problem() -> None:
    ways = measure_ways((30, 20, 16), with_peers=False)
    assert ways[0].name == "bank"
    assert all(way.seconds >= 0 for way in ways)


def test_windows_reduced_anew_give_the_same_values() -> None:
    concepts, X = make_problem((60, 4, 20))
    expected = torch.stack([anew_robustness(concept, X) for concept in concepts], 1)
    torch.testing.assert_close(robustness(concepts, X), expected)


def test_cpu_time_is_the_median_of_the_repeats() -> None:
    calls: list[int] = []
    assert cpu_seconds(lambda: calls.append(1), repeat=3) >= 0
    assert len(calls) == 4
