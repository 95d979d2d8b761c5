"""Milliseconds from a key to the last change of the page that it causes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

IMPORT_CELL = """
import torch
torch.set_num_threads(1)
import stelle_nb as st
dataset = st.load_dataset({source})
"""
BARE_CELL = """
import ipywidgets
slider = ipywidgets.FloatSlider(min=0.05, max=1, step=0.05, value=0.05)
label = ipywidgets.Label("0.05")
slider.observe(lambda change: setattr(label, "value", f"{change['new']:.2f}"), "value")
ipywidgets.VBox([slider, label])
"""
# Sliders move at once and by themselves: what they change of their own look is not what is waited for.
_WATCH = """(cell) => {
  const watch = (window.stelleWatch ??= { start: 0, end: 0 });
  const isSlider = (node) => (node.nodeType === 1 ? node : node.parentElement)?.closest(".widget-slider");
  new MutationObserver((changes) => {
    if (changes.some((change) => !isSlider(change.target))) watch.end = performance.now();
  }).observe(cell, { subtree: true, childList: true, characterData: true, attributes: true });
  if (watch.listens) return;
  watch.listens = true;
  document.addEventListener("keydown", (event) => { watch.start = event.timeStamp; watch.end = 0; }, true);
}"""
_IS_AT_REST = """([limit, quiet]) => {
  const { start, end } = window.stelleWatch, now = performance.now();
  return end > 0 ? now - end > quiet : now - start > limit;
}"""
_SPENT = "() => { const { start, end } = window.stelleWatch; return end > 0 ? end - start : null; }"


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds from key to change.

    Parameters
    ----------
    changed
        Of each move after which something changed.
    n_same
        How many moves changed nothing, because the explanation stays the same.
    """

    changed: tuple[float, ...]
    n_same: int

    @classmethod
    def of(cls, spent: list[float | None]) -> Times:
        """Of moves; None stands for one that changed nothing."""
        return cls(tuple(x for x in spent if x is not None), spent.count(None))

    def percentile(self, q: float) -> float:
        """The time within which this percentage of the moves shows."""
        return float(np.percentile(self.changed, q))


def watch(cell: Locator) -> None:
    """Note every change in a cell of a notebook, and every key."""
    cell.locator(".jp-OutputArea").evaluate(_WATCH)


def press(page: Page, key: str, *, limit: float, quiet: float) -> float | None:
    """Press a key and wait until the page is at rest; milliseconds until it had changed, or None.

    Parameters
    ----------
    limit
        Milliseconds after which a page that has not changed at all is at rest.
    quiet
        Milliseconds without a change after which a page that has changed is at rest.
    """
    page.keyboard.press(key)
    page.wait_for_function(_IS_AT_REST, arg=[limit, quiet])
    spent: float | None = page.evaluate(_SPENT)
    return spent


def fate(is_met: bool) -> str:
    """Whether a target is met, in a word."""
    return "met" if is_met else "missed"
