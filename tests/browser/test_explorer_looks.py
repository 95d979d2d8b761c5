"""How the explorer looks in a real JupyterLab: colours on screen and on paper, its drawer on narrow pages."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.test_explorer_view import PREPARE, view_of
from tests.browser.test_panels import contrast
from tests.browser.view_questions import COLOURS, CUT

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def lab(open_notebook: Any) -> Any:
    notebook = open_notebook([PREPARE, "explorer = st.explore(session)\nexplorer"], size=(1560, 1000))
    notebook.page.evaluate("() => { window.jupyterapp.commands.execute('application:toggle-left-area'); }")
    return notebook


@pytest.fixture
def view(lab: Any) -> Locator:
    found = view_of(lab, 1)
    expect(found.locator(".stl-sheet .stl-total")).to_be_visible()
    return found


def test_no_name_of_a_tab_is_cut(lab: Any, keep: Any) -> None:
    drawer = lab.cell(1).locator(".stelle-panel > .widget-tab")
    drawer.evaluate("(box) => { box.style.width = '400px'; }")
    labels = drawer.locator(".lm-TabBar-tabLabel")
    expect(labels).to_have_count(9)
    cut = "(all) => all.filter((each) => each.scrollWidth > each.clientWidth + 1).length"
    assert labels.evaluate_all(cut) == 0
    keep(drawer, "explorer-drawer-400")
    drawer.evaluate("(box) => { box.style.width = ''; }")


def set_theme(lab: Any, view: Locator, theme: str) -> None:
    change = "(theme) => window.jupyterapp.commands.execute('apputils:change-theme', { theme })"
    lab.page.evaluate(change, f"JupyterLab {theme}")
    expect(view).to_have_attribute("data-theme", theme.lower())


def faint(found: Any) -> list[Any]:
    """Texts and marks that are hard to see on what is behind them."""
    least = {"texts": 4.5, "marks": 3}
    return [
        (*each, contrast(each[1], each[2]))
        for kind, limit in least.items()
        for each in found[kind]
        if contrast(each[1], each[2]) < limit
    ]


@pytest.mark.parametrize("theme", ["Dark", "Light"])
def test_texts_and_marks_are_seen(lab: Any, view: Locator, theme: str, keep: Any) -> None:
    set_theme(lab, view, theme)
    found = view.evaluate(COLOURS)
    assert len(found["texts"]) > 40 and len(found["marks"]) > 20
    assert faint(found) == []
    keep(view, f"explorer-{theme.lower()}")


def test_paper_is_light_whatever_the_page_is(lab: Any, view: Locator, keep: Any) -> None:
    colours = ["--stl-class", "--stl-rival", "--stl-held", "--stl-failed"]
    read = "(root, names) => names.map((name) => getComputedStyle(root).getPropertyValue(name).trim())"
    on_light = view.evaluate(read, colours)
    set_theme(lab, view, "Dark")
    assert view.evaluate(read, colours) != on_light
    lab.page.emulate_media(media="print")
    assert view.evaluate(read, colours) == on_light
    assert view.evaluate("(root) => getComputedStyle(root).backgroundColor") == "rgb(255, 255, 255)"
    assert faint(view.evaluate(COLOURS)) == []
    keep(view, "explorer-print-dark")
    lab.page.emulate_media(media="screen")
    set_theme(lab, view, "Light")


TABS = ["Tune", "Why", "Simplify", "Concepts", "Data", "Train", "What if", "Playground", "Edit"]


@pytest.mark.parametrize("tab", TABS)
def test_what_is_in_the_drawer_fits_a_narrow_page(lab: Any, tab: str, keep: Any) -> None:
    drawer = lab.cell(1).locator(".stelle-panel > .widget-tab")
    drawer.evaluate("(box) => { box.style.width = '400px'; }")
    drawer.get_by_role("tab", name=tab, exact=True).click()
    drawer.scroll_into_view_if_needed()
    panel = drawer.locator(".stelle-panel:visible")
    expect(panel).to_be_visible()
    if tab not in ("Train", "What if", "Playground", "Edit"):
        expect(panel.locator(".stelle-chart svg").first).to_be_visible()
    tree = [] if tab != "Simplify" else ["stelle-chart"]  # a tree is scrolled: narrower, its words would meet

    def cut() -> list[str]:
        return [each for each in panel.evaluate(CUT) if each.split(":")[0] not in tree]

    lab.wait_for(lambda: cut() == [], timeout=20)
    assert cut() == []
    keep(drawer, f"drawer-{tab.replace(' ', '-').lower()}-400")
    drawer.evaluate("(box) => { box.style.width = ''; }")
    lab.run("explorer.change(tab=None)")


def test_a_chart_becomes_narrow_and_wide_with_its_page(lab: Any, view: Locator) -> None:
    lab.run("explorer.change(tab='Tune')")
    drawer = lab.cell(1).locator(".stelle-panel > .widget-tab")
    chart = drawer.locator(".stelle-chart svg:visible")
    expect(chart).to_be_visible()
    usual = str(chart.get_attribute("width"))
    drawer.evaluate("(box) => { box.style.width = '500px'; }")
    expect(chart).not_to_have_attribute("width", usual)
    assert lab.wait_for(lambda: 380 < float(chart.get_attribute("width")) <= 470, timeout=20)
    drawer.evaluate("(box) => { box.style.width = ''; }")
    expect(chart).to_have_attribute("width", usual)
    lab.run("explorer.change(tab=None)")


@pytest.mark.parametrize("theme", ["Dark", "Light"])
def test_the_case_has_the_ink_of_the_page_in_charts_too(lab: Any, view: Locator, theme: str) -> None:
    set_theme(lab, view, theme)
    ink = view.locator(".stl-line.stl-own").first.evaluate("(line) => getComputedStyle(line).stroke")
    lab.run("explorer.change(tab='Tune')")
    chart = lab.cell(1).locator(".stelle-chart svg:visible")
    expect(chart).to_be_visible()
    strokes = chart.evaluate(
        "(svg) => [...svg.querySelectorAll('path[stroke=currentColor]')]"
        ".map((each) => getComputedStyle(each).stroke)"
    )
    paper = chart.evaluate(
        "(svg) => { let box = svg; while (getComputedStyle(box).backgroundColor === 'rgba(0, 0, 0, 0)') "
        "box = box.parentElement; return getComputedStyle(box).backgroundColor; }"
    )
    assert strokes and all(contrast(each, paper) > 10 for each in [*strokes, ink])
    lab.run("explorer.change(tab=None)")


# what tells meanings apart without colours: hatching, signs, hollow dots, and dark from light
_WITHOUT_COLOURS = """(root) => {
  const all = (names) => [...root.querySelectorAll(names)];
  const look = (names, name) => all(names).map((node) => getComputedStyle(node)[name]);
  return {
    adjust: getComputedStyle(root).printColorAdjust,
    rival: look(".stl-rival .stl-bar-fill, .stl-bar.stl-against", "backgroundImage"),
    others: look(".stl-class .stl-bar-fill, .stl-other .stl-bar-fill, .stl-bar.stl-for", "backgroundImage"),
    holds: all(".stl-holds").map((node) => node.textContent[0]),
    fails: all(".stl-fails").map((node) => node.textContent[0]),
    failing: look(".stl-dot.stl-is-failed", "fill"),
    holding: look(".stl-dot.stl-is-held", "fill"),
    lines: look(".stl-line.stl-own, .stl-line.stl-rival", "stroke"),
    widths: [".stl-own.stl-line", ".stl-rival.stl-line"].map((name) => parseFloat(look(name, "strokeWidth"))),
  };
}"""


def test_a_copy_without_colours_can_be_read(lab: Any, view: Locator, keep: Any) -> None:
    lab.page.emulate_media(media="print")
    rows = view.locator("button.stl-row[data-key^='row-']")
    fates = set()
    for case in range(4):  # of each class one
        lab.run(f"explorer.change(case={case})")
        expect(view).to_have_attribute("data-case", f"test-{case}")
        for i in range(rows.count()):
            rows.nth(i).hover()  # its sample that decides is drawn
            found = view.evaluate(_WITHOUT_COLOURS)
            assert found["adjust"] == "exact"  # bars are printed
            assert found["rival"] and all("gradient" in each for each in found["rival"])
            assert found["others"] and set(found["others"]) == {"none"}
            assert set(found["holds"]) <= {"\u2713"} and set(found["fails"]) <= {"\u2717"}
            fates |= {"holds"} if found["holding"] else set()
            fates |= {"fails"} if found["failing"] else set()
            assert not set(found["holding"]) & set(found["failing"])
    assert fates == {"holds", "fails"}
    own, rival = dict.fromkeys(found["lines"])
    assert contrast(own, rival) >= 2 and found["widths"][0] >= 1.5 * found["widths"][1]
    keep(view, "explorer-print")
    lab.page.emulate_media(media="screen")


def test_nothing_was_wrong_on_the_page(lab: Any) -> None:
    assert lab.complaints == [] and lab.foreign == []
