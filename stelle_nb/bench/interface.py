"""How quickly a page responds: ``python -m stelle_nb.bench interface`` prints one Markdown report.

In a real JupyterLab, keys are pressed as a reader presses them. The clock is the page's: from the key to the
last change of the text, or of the picture, that it causes. Every move waits until the page is at rest.

``sliders``: ``gamma_t`` of the gamma panel and a bare slider whose Python callback writes its value into a
label, by turns. ``edits``: a number of a score card is moved and let go; the clock runs until its points are
refitted and shown. ``opening``: from running ``st.explore(dataset)`` to the data on the page, and to the
explained case. ``explorer``: another case, the gammas and a hand on the signal, in the explorer. Each section
is printed as soon as it is measured. Models are fitted beforehand, except for ``opening``, which is about
fitting.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from stelle_nb.bench.browser import edit_times, explorer_times, opening_times, slider_times
from stelle_nb.bench.browser.lab import LabServer, chromium_path, serve_lab
from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.data.sources.loading import load_dataset
from stelle_nb.estimator.classifier import StelleClassifier
from stelle_nb.experiments.provenance import versions

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PARTS = ("sliders", "edits", "opening", "explorer")
_TITLES = {
    "sliders": "From a slider to the page",
    "edits": "From an edit of a card to the page",
    "opening": "Opening the explorer",
    "explorer": "The explorer",
}
_PACKAGES = ("jupyterlab", "ipykernel", "ipywidgets", "anywidget", "torch")


def main(arguments: list[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m stelle_nb.bench interface", description=__doc__)
    parser.add_argument(
        "--data", type=Path, help="folder that holds the data sets; left out, aeon's are used"
    )
    parser.add_argument("--sets", nargs="+", default=["BasicMotions"], help="data sets to measure on")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS), help="what to measure")
    parser.add_argument("--cards", type=Path, help="folder in which fitted models are kept and looked for")
    options = parser.parse_args(arguments)
    missing = [name for name in options.sets if options.data and not (options.data / name).is_dir()]
    if missing:
        parser.error(
            f"--data must hold a folder {missing[0]}, got {options.data}. Leave --data out for aeon's copies."
        )
    origin = "as bundled with aeon" if options.data is None else "from --data"
    print(f"{versions(_PACKAGES)}. Data {origin}.", flush=True)
    with tempfile.TemporaryDirectory() as place, _opened() as (server, browser):
        cards = Path(place) if options.cards is None else options.cards.resolve()
        cards.mkdir(parents=True, exist_ok=True)
        for part in options.parts:
            print(f"\n# {_TITLES[part]}", flush=True)
            for name in options.sets:
                _tell(f"{part} on {name} …")
                began = time.monotonic()
                print(
                    f"\n## {name}\n\n{_section(part, name, options.data, cards, server, browser)}", flush=True
                )
                _tell(f"{part} on {name}: {time.monotonic() - began:.0f} s")


def _section(
    part: str, name: str, data: Path | None, cards: Path, server: LabServer, browser: Browser
) -> str:
    """Measure one part on one data set, and say it as Markdown."""
    source = _source(name, data)
    if part == "opening":
        return opening_times.report(opening_times.measure(server, browser, source))
    model = _model(name, data, cards)
    if part == "sliders":
        return slider_times.report(*slider_times.measure(server, browser, source, model))
    if part == "edits":
        return edit_times.report(name, edit_times.measure(server, browser, source, model))
    return explorer_times.report(explorer_times.measure(server, browser, source, model))


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _source(name: str, data: Path | None) -> str:
    """The argument that loads a data set in a cell."""
    return repr(name) if data is None else f"path={str(data.resolve() / name)!r}"


def _dataset(name: str, data: Path | None) -> SeriesDataset:
    return load_dataset(name) if data is None else load_dataset(path=data.resolve() / name)


def _model(name: str, data: Path | None, cards: Path) -> str:
    """The file of a model of a data set; fitted and saved if there is none."""
    path = cards / f"{name}.zip"
    if not path.is_file():
        _tell(f"Fitting a score card to {name}; it is kept as {path}.")
        dataset = _dataset(name, data)
        StelleClassifier.for_dataset(dataset, random_state=0, progress=True).fit(dataset).save(path)
    return str(path)


@contextmanager
def _opened() -> Iterator[tuple[LabServer, Browser]]:
    """A server and a browser of their own."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as place:
        home, folder = Path(place) / "home", Path(place) / "work"
        home.mkdir()
        folder.mkdir()
        opened = playwright.chromium.launch(
            executable_path=chromium_path(), args=["--no-sandbox", "--disable-gpu"]
        )
        with serve_lab(home, folder) as server:
            yield server, opened
        opened.close()
