"""Charts in a real browser: new data make the very picture that a new chart would be, and text stays text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import vl_convert

from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.estimator import StelleClassifier
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.plots import PlotChart, new_data, plot_local_explanation, plot_traces, plot_tree
from tests.plots.conftest import HOSTILE

pytestmark = pytest.mark.browser

_EMBED = """async ([id, spec]) => {
  document.body.insertAdjacentHTML("beforeend", `<div id="${id}"></div>`);
  window[id] = await vegaEmbed("#" + id, spec, {actions: false, renderer: "svg"});
}"""
_UPDATE = """async ([id, data]) => {
  for (const [name, rows] of Object.entries(data)) window[id].view.data(name, rows);
  await window[id].view.resize().runAsync();
}"""
# the browser counts the clip paths that it has made
_SVG = """async (id) => (await window[id].view.toSVG()).replace(/clip\\d+/g, "clip")"""


@pytest.fixture(scope="module")
def page(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    file: Path = tmp_path_factory.mktemp("page") / "page.html"
    file.write_text(f"<body><script>{vl_convert.javascript_bundle()}</script></body>", encoding="utf-8")
    wrong: list[str] = []
    page = browser.new_page()
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.on("request", lambda request: None if request.url.startswith("file:") else wrong.append(request.url))
    page.goto(file.as_uri())
    yield page
    assert wrong == []


def with_ticks_in_order(svg: str) -> str:
    """The same picture: Vega keeps ticks that stay before those that are new, wherever they lie."""

    def ordered(group: re.Match[str]) -> str:
        return group[1] + "".join(sorted(re.findall(r"<[^>]*>(?:[^<]*</text>)?", group[2])))

    return re.sub(r"(<g class=\"mark-\w+ role-axis-(?:grid|tick|label)\"[^>]*>)(.*?)(?=</g>)", ordered, svg)


def update_equals_new_chart(page: Any, one: PlotChart, other: PlotChart) -> None:
    changed = new_data(one, other)
    assert changed
    page.evaluate(_EMBED, ["kept", one.to_dict()])
    page.evaluate(_EMBED, ["fresh", other.to_dict()])
    before = page.evaluate(_SVG, "kept")
    page.evaluate(_UPDATE, ["kept", changed])
    after = page.evaluate(_SVG, "kept")
    assert after != before
    assert with_ticks_in_order(after) == with_ticks_in_order(page.evaluate(_SVG, "fresh"))
    page.evaluate("() => document.querySelectorAll('div').forEach(node => node.remove())")


def test_a_local_explanation_changes_in_place(
    page: Any, dataset: SeriesDataset, classifier: StelleClassifier
) -> None:
    one, other = (plot_local_explanation(e) for e in classifier.explain_local(dataset.X_train[:2]))
    update_equals_new_chart(page, one, other)


@pytest.mark.parametrize("plot", [plot_tree, plot_traces])
def test_a_formula_changes_in_place(page: Any, plot: Any, dataset: SeriesDataset) -> None:
    small, large = parse("F[0,9] x0 >= 1"), parse("G[2,5] (x0 <= 3 | x1 >= 0) & F[0,9] x1 >= 1")
    options = {"case": dataset.X_train[0], "channel_names": dataset.channel_names, "step": 0.5, "unit": "s"}
    update_equals_new_chart(page, plot(small, **options), plot(large, **options))


def test_a_hostile_label_is_shown_as_text(
    page: Any, dataset: SeriesDataset, classifier: StelleClassifier
) -> None:
    [explanation] = classifier.explain_local(dataset.X_train[:1])
    page.evaluate(_EMBED, ["hostile", plot_local_explanation(explanation).to_dict()])
    assert page.locator("#hostile img").count() == 0
    assert HOSTILE in (page.locator("#hostile").text_content() or "")
