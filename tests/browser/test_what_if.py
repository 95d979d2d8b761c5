"""The what-if panel in a real JupyterLab: what the page says is what the model says of the shown signal."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Locator, expect

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.long]

PREPARE = """
import json, os
import numpy as np
import torch
torch.set_num_threads(1)
import stelle_nb as st
from stelle_nb import panels
rng = np.random.default_rng(0)
X = rng.normal(size=(32, 2, 40))
y = np.array(["calm", "<img src=x onerror=alert(1)>", "drop", "both"] * 8)
X[np.isin(y, [y[1], "both"]), 0, 10:15] += 6
X[np.isin(y, ["drop", "both"]), 1, 20:30] -= 6
names = {"channel_names": ["bend", "turn"], "step": 0.1, "unit": "s"}
ds = st.SeriesDataset.from_arrays(X[:16], y[:16], X[16:], y[16:], name="events", **names)
clf = st.StelleClassifier("dense", n_concepts=60, random_state=0, **names).fit(ds.X_train, ds.y_train)
"""
SHOW = """
panel = panels.WhatIfPanel(ds, clf, state=panels.WhatIfState(case=2))

def note(*_):
    # the model is asked here on its own, whatever the panel may believe
    seen = {"signal": panel.signal.tolist(), "says": str(clf.predict(panel.signal[None])[0])}
    seen["shares"] = clf.predict_proba(panel.signal[None])[0].tolist()
    if (found := panel.flipped) is not None:
        seen["flipped"] = found.signal.tolist()
        seen["flipped_says"] = str(clf.predict(found.signal[None])[0])
    with open("seen.part", "w") as file:
        json.dump(seen, file)
    os.replace("seen.part", "seen.json")

panel.bars.observe(note, "value")
panel.found.observe(note, "value")
note()
panel
"""


@pytest.fixture(scope="module")
def lab(open_notebook: Any) -> Any:
    return open_notebook([PREPARE, SHOW])


@pytest.fixture
def panel(lab: Any) -> Locator:
    found: Locator = lab.panel(1)
    undo = found.get_by_role("button", name="undo all changes")
    if undo.is_enabled():
        undo.click()
        expect(undo).to_be_disabled()
    expect(verdict(found)).to_have_text("The model says drop")
    return found


def verdict(panel: Locator) -> Locator:
    return panel.locator("strong", has_text="The model says")


def seen(lab: Any) -> Any:
    """What the kernel's model says."""
    return json.loads((Path(lab.path).parent / "seen.json").read_text(encoding="utf-8"))


def shares(panel: Locator) -> list[str]:
    """The percentages that are shown, without those before any change."""
    return re.findall(r"([\d.]+) %", re.sub(r"was [\d.]+ %", "", panel.locator(".stelle-bars").inner_text()))


def drag_in(lab: Any, panel: Locator, channel: int, share: float, by: float) -> None:
    """Drag the point of a channel at that share of the time axis up by that share of its row."""
    # the box and not the line: a point that was just dragged stays outside until the row is drawn anew;
    # the first box is the channel's own, what is derived from it follows
    box = panel.locator(f".stelle-box[data-key='row {channel}']").first.bounding_box()
    assert box is not None
    x, y = box["x"] + share * box["width"], box["y"] + box["height"] / 2
    lab.page.mouse.move(x, y)
    lab.page.mouse.down()
    lab.page.mouse.move(x, y - by * box["height"], steps=4)
    lab.page.mouse.up()


def test_it_renders(panel: Locator, keep: Any) -> None:
    expect(panel.locator(".stelle-editor path.case")).to_have_count(2)
    expect(panel.locator(".stelle-bars tr")).to_have_count(4)
    assert panel.page.locator("img[src='x']").count() == 0
    keep(panel, "what-if")


def test_dragging_points_changes_the_prediction(lab: Any, panel: Locator, keep: Any) -> None:
    before = shares(panel)
    for share in (0.5, 0.58, 0.66, 0.74):  # the drop lies from 0.51 to 0.74 of the time
        drag_in(lab, panel, 1, share, 0.6)
    expect(verdict(panel)).not_to_have_text("The model says drop")
    assert shares(panel) != before
    truth = seen(lab)
    expect(verdict(panel)).to_have_text(f"The model says {truth['says']}")
    assert lab.wait_for(lambda: shares(panel) == [f"{100 * one:.1f}" for one in seen(lab)["shares"]])
    point = panel.get_by_role("slider", name="turn, point at")

    def is_what_the_model_was_asked() -> bool:
        t, value = point.get_attribute("data-t"), point.get_attribute("aria-valuenow")
        return bool(seen(lab)["signal"][1][int(t or -1)] == float(value or "nan"))

    assert lab.wait_for(is_what_the_model_was_asked)
    expect(panel.get_by_text("The first explanation")).to_be_visible()
    expect(panel.locator(".stelle-editor path.before").first).to_be_visible()
    keep(panel, "what-if-dragged")
    panel.get_by_role("button", name="undo all changes").click()
    expect(verdict(panel)).to_have_text("The model says drop")
    expect(panel.locator(".stelle-editor path.before")).to_have_count(0)


def test_the_smallest_change_flips_the_model_and_its_sentence_is_true(
    lab: Any, panel: Locator, keep: Any
) -> None:
    panel.get_by_role("button", name="find the smallest change").click()
    sentence = panel.get_by_text(re.compile(r"^If .* the model would say|were up to")).first
    expect(sentence).to_be_visible()
    expect(panel.locator(".stelle-editor path.flip").first).to_be_visible()
    assert lab.wait_for(lambda: "flipped" in seen(lab))
    truth = seen(lab)
    assert truth["flipped_says"] != truth["says"] == "drop"
    text = sentence.inner_text()
    assert f"the model would say {truth['flipped_says']} instead of drop" in text
    check_sentence(text, np.array(truth["flipped"]) - np.array(truth["signal"]))
    keep(panel, "what-if-flipped")
    panel.get_by_role("button", name="apply this change").click()
    expect(verdict(panel)).to_have_text(f"The model says {truth['flipped_says']}")
    assert lab.wait_for(lambda: seen(lab)["signal"] == truth["flipped"])


def check_sentence(text: str, change: Any) -> None:
    """Read the numbers of the sentence and compare them with the change."""
    span = r"(?:from ([\d.]+) to|at) (the start|[\d.]+)"
    said = re.findall(rf"(bend|turn) were up to ([\d.]+) (higher|lower) {span}", text)
    assert len(said) == text.count("were up to") > 0
    for name, size, way, start, end in said:
        last = 0 if end == "the start" else round(float(end) / 0.1)
        first = round(float(start) / 0.1) if start else last
        course = change[["bend", "turn"].index(name)] * (1 if way == "higher" else -1)
        assert f"{course[first : last + 1].max():.3g}" == f"{float(size):.3g}"
        assert course.max() == np.abs(course).max() == course[first : last + 1].max()


def test_nothing_was_wrong_on_the_page(lab: Any) -> None:
    assert lab.complaints == []
    assert lab.foreign == []
