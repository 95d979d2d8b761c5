"""A page that is too busy to load a chart in time shows it later, and the chart goes on to follow."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.long]

CELL = """
from stelle_nb import panels
steps = panels.SimplifierPanel("!(x0 <= 1 | !F x1 > 2)")
steps
"""
# every limit of time has passed when it is set: what is loaded comes too late for anywidget
TOO_LATE = (
    "{ const timeout = AbortSignal.timeout.bind(AbortSignal); AbortSignal.timeout = () => timeout(0); }"
)


def test_a_chart_that_comes_too_late_is_drawn_and_follows(open_notebook: Any) -> None:
    panel = open_notebook([CELL], script=TOO_LATE).panel(0)
    chart = panel.locator(".stelle-chart svg")
    expect(chart).to_contain_text("x₁ > 2")
    expect(chart).to_contain_text("∨ or")
    panel.get_by_role("button", name="end").click()
    expect(chart).to_contain_text("∧ and")
    expect(chart).not_to_contain_text("∨ or")
