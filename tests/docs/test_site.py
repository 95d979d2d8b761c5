"""The site builds without a warning, needs nothing from outside, and its links lead somewhere."""

from __future__ import annotations

import subprocess
import sys
from inspect import ismodule
from pathlib import Path
from typing import Any

import pytest

import stelle_nb as st
from tests.docs.pages import DOCS, ROOT
from tests.docs.site import Page, is_outside, loaded_by_styles, target_of

PATIENCE = 600  # seconds; two busy cores build slowly


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as ``make docs`` builds it."""
    pytest.importorskip("sphinx", reason="Sphinx is in the extra 'docs'.")
    out = tmp_path_factory.mktemp("site")
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-W",
        "--keep-going",
        "-q",
        "-b",
        "html",
        "-d",
        str(out / "cache"),
    ]
    built = subprocess.run(
        [*command, str(DOCS), str(out / "html")],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    return out / "html"


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    return {path: Page(path) for path in sorted(site.rglob("*.html")) if "_static" not in path.parts}


def test_the_build_is_the_one_of_make() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "docs:" in makefile
    assert "sphinx -W --keep-going -q -b html" in makefile


def test_nothing_is_loaded_from_outside(site: Path, pages: dict[Path, Page]) -> None:
    assert pages
    loaded = {path.name: page.loaded for path, page in pages.items()} | loaded_by_styles(site)
    assert {
        name: urls for name, found in loaded.items() if (urls := {u for u in found if is_outside(u)})
    } == {}


def test_every_link_inside_leads_somewhere(pages: dict[Path, Page]) -> None:
    broken = []
    for path, page in pages.items():
        for link in page.links:
            if is_outside(link):
                continue
            target, name = target_of(path, link)
            known = pages.get(target)
            if not target.exists() or (name and known is not None and name not in known.ids):
                broken.append(f"{path.name}: {link}")
    assert broken == []


def test_the_reference_has_every_public_name(pages: dict[Path, Page]) -> None:
    ids = {name for path, page in pages.items() if path.parent.name == "api" for name in page.ids}
    ends = {name.rpartition(".")[2] for name in ids if name.startswith("stelle_nb.")}
    found = {name: getattr(st, name) for name in st.__all__ if name != "__version__"}
    packages = [value for value in found.values() if ismodule(value)]
    named = {name for name, value in found.items() if not ismodule(value)}
    named |= {name for package in packages for name in getattr(package, "__all__", ())}
    assert {"robustness", "GammaPanel", "KINDS"} <= named
    assert sorted(named - ends) == []


def test_no_text_of_a_property_is_taken_for_a_type(site: Path) -> None:
    pages = [path.read_text(encoding="utf-8") for path in (site / "api").glob("*.html")]
    assert not any("Type<span" in page for page in pages)


def test_every_picture_is_described_and_used() -> None:
    texts = [path.read_text(encoding="utf-8") for path in DOCS.rglob("*.md")]
    assert not any("![](" in text for text in texts)
    unused = [
        path.name for path in (DOCS / "pictures").glob("*.png") if not any(path.name in t for t in texts)
    ]
    assert unused == []


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_browser_asks_nobody_else(site: Path, browser: Any, scheme: str) -> None:
    page = browser.new_page(color_scheme=scheme, viewport={"width": 800, "height": 900})
    asked: list[str] = []
    errors: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    for name in ("index", "guide/stl", "paper/to_code", "api/classifier", "search"):
        page.goto((site / f"{name}.html").as_uri(), wait_until="load")
        is_wider = "document.documentElement.scrollWidth > window.innerWidth + 1"
        assert not page.evaluate(is_wider), f"{name} is wider than the window"
    page.close()
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    assert errors == []
