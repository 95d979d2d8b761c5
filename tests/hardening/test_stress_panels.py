"""Hundreds of moves, panels opened twice and closed, trainings cancelled: nothing is left behind."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
Rows = list[dict[str, float]]


@pytest.fixture(scope="module")
def found() -> Any:
    command = [sys.executable, "-m", "tests.hardening.panel_updates"]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=900)
    assert told.returncode == 0, told.stderr
    return json.loads(told.stdout)


def growth(rows: Rows, name: str) -> float:
    """From the middle third, when caches are filled, to the last."""
    values, third = [row[name] for row in rows], len(rows) // 3
    return median(values[-third:]) - median(values[third:-third])


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize(("work", "calls"), [("reopen", 4), ("update", 500), ("cancel", 10)])
def test_nothing_is_left_behind(found: Any, work: str, calls: int) -> None:
    rows = found[work]
    assert rows[-1]["calls"] == calls
    assert {row["threads"] for row in rows} == {0}
    assert len({row["widgets"] for row in rows}) == len({row["comms"] for row in rows}) == 1
    assert growth(rows, "objects") < 50, rows  # far less than one for every few moves
    assert growth(rows, "mib") < 24, rows


@pytest.mark.slow
@pytest.mark.long
def test_closed_panels_leave_one_widget_for_all_charts(found: Any) -> None:
    assert found["reopen"][-1]["widgets"] <= 2  # the source of Vega and its layout, once for a kernel
