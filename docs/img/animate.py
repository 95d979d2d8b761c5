"""Makes the animation of the explorer in this folder: ``python docs/img/animate.py [folder]``.

A reader walks through cases, points at a formula, drags the signal, and asks what would flip the answer.
"""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Locator, Page, expect, sync_playwright

from stelle_nb.bench.browser.lab import chromium_path, open_notebook, serve_lab

NAME = "explorer.webp"
MOST = 1_500_000  # bytes
SIZE = (1180, 1000)
STATUS = 36  # pixels of the line at the bottom of the window
SCALE = 0.8  # of the page's pixels
CELL = "explorer = st.explore('BasicMotions', classifier)\nexplorer"
PREPARE = """
import torch
torch.set_num_threads(1)
import stelle_nb as st
dataset = st.load_dataset("BasicMotions")
classifier = st.StelleClassifier.for_dataset(dataset, random_state=0).fit(dataset)
"""
CASES = (12, 25, 35)  # of three classes
ON_THE_LINE = """(root) => {
  const { left, top, width, height } = root.querySelector(".stl-dot").getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}"""


class Film:
    """Frames of one part of a page, and how long each is shown, in milliseconds."""

    def __init__(self, page: Page, view: Locator) -> None:
        view.scroll_into_view_if_needed()
        box = view.bounding_box()
        assert box is not None
        height = min(box["height"], SIZE[1] - box["y"] - STATUS)
        self.page, self.clip = page, {**box, "height": height}
        self.frames: list[Image.Image] = []
        self.times: list[int] = []

    def shoot(self, milliseconds: int) -> None:
        """One more frame."""
        shot = self.page.screenshot(clip=self.clip)  # type: ignore[arg-type]
        picture = Image.open(io.BytesIO(shot)).convert("RGB")
        small = (round(SCALE * picture.width), round(SCALE * picture.height))
        self.frames.append(picture.resize(small, Image.Resampling.LANCZOS))
        self.times.append(milliseconds)

    def save(self, path: Path) -> None:
        """As good as it may be within the size."""
        first, *others = self.frames
        for quality in (80, 65, 50, 35):
            first.save(
                path, save_all=True, append_images=others, duration=self.times, loop=0, quality=quality
            )
            if path.stat().st_size <= MOST:
                return
        raise RuntimeError(
            f"{path.name} has {path.stat().st_size} bytes, at most {MOST} are wanted. Shoot less."
        )


def play(page: Page, view: Locator, film: Film) -> None:
    """What the reader does."""
    film.shoot(1500)
    for case in CASES:
        view.get_by_label("Search cases").fill(str(case))
        view.locator(f".stl-case[data-number='{case}']").click()
        expect(view.locator("h3")).to_contain_text(f"case {case}")
        film.shoot(1800)
    view.get_by_label("Search cases").fill("")
    row = view.locator("button.stl-row:not(.stl-fold)").first
    row.click()
    expect(row).to_have_attribute("aria-pressed", "true")
    expect(view.locator(".stl-shares").first).to_be_attached()
    film.shoot(2000)
    row.click()
    expect(row).to_have_attribute("aria-pressed", "false")
    x, y = view.evaluate(ON_THE_LINE)
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(1, 9):
        page.mouse.move(x, y - 9 * step)
        page.wait_for_timeout(150)
        film.shoot(120)
    page.mouse.up()
    page.wait_for_timeout(700)
    film.shoot(1800)
    view.get_by_role("button", name="Undo the change").click()
    expect(view.locator(".stl-edited")).to_have_count(0)
    page.wait_for_timeout(1200)
    film.shoot(600)
    view.get_by_role("button", name="What would make it").click()
    expect(view.locator(".stl-edited, .stl-if .stl-note:has-text('No small')").first).to_be_visible()
    for _ in range(6):
        film.shoot(150)
    page.wait_for_timeout(1200)
    film.shoot(3000)


def main(folder: Path) -> None:
    """Open the explorer, film it, and keep the film."""
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as place:
        home, work = Path(place) / "home", Path(place) / "work"
        home.mkdir()
        work.mkdir()
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=["--no-sandbox"])
        with serve_lab(home, work) as server:
            expect.set_options(timeout=300_000)
            notebook = open_notebook(server, browser, [PREPARE, CELL], size=SIZE)
            page, view = notebook.page, notebook.cell(1).locator(".stelle-linked")
            page.evaluate("() => { window.jupyterapp.commands.execute('application:toggle-left-area'); }")
            page.locator(".jp-CodeCell").first.evaluate("(cell) => { cell.style.display = 'none'; }")
            expect(view.locator(".stl-total")).to_be_visible()
            page.wait_for_timeout(1500)
            film = Film(page, view)
            play(page, view, film)
            film.save(folder / NAME)
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
