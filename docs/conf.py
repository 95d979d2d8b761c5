"""How the pages are built: ``make docs`` writes the site to build/docs, warnings as errors, no network."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import stelle_nb as st

HERE = Path(__file__).resolve().parent
HIDDEN = "\N{RATIO} "  # stands for a colon while napoleon reads

project = "stelle_nb"
author = "stelle_nb contributors"
copyright = "stelle_nb contributors, MIT licence"
version = release = st.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["build"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

autodoc_typehints = "none"  # the axes of an array stand in the text; the types in the source
autodoc_member_order = "bysource"
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_param = False  # one text for several parameters stays one
napoleon_custom_sections = [("Attributes", "params_style")]
napoleon_attr_annotations = False

html_theme = "furo"
html_title = "stelle_nb"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_show_sphinx = False
html_copy_source = False
html_theme_options: dict[str, Any] = {
    "light_css_variables": {"color-brand-primary": "#00577d", "color-brand-content": "#00577d"},
    "dark_css_variables": {"color-brand-primary": "#7cc4ea", "color-brand-content": "#7cc4ea"},
}


def hand_over_files(app: Any, page: str, source: list[str]) -> None:
    """Let links to Markdown files outside this folder lead to the files: they are not pages of the site."""

    def led(link: re.Match[str]) -> str:
        target = (HERE / page).parent / link[1]
        return f"](path:{link[1]})" if not target.resolve().is_relative_to(HERE) else link[0]

    source[0] = re.sub(r"\]\(((?:\.\./)+[\w./-]+\.md)\)", led, source[0])


def hide_colons(app: Any, kind: str, name: str, found: Any, options: Any, lines: list[str]) -> None:
    """Let the first line of a property keep its colon: napoleon would take what comes before for a type."""
    if kind in ("attribute", "data", "property") and lines:
        lines[0] = lines[0].replace(": ", HIDDEN)


def show_colons(app: Any, kind: str, name: str, found: Any, options: Any, lines: list[str]) -> None:
    """Undo :func:`hide_colons`."""
    lines[:] = [line.replace(HIDDEN, ": ") for line in lines]


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.connect("autodoc-process-docstring", hide_colons, priority=400)  # before napoleon's 500
    app.connect("autodoc-process-docstring", show_colons, priority=600)
    app.connect("source-read", hand_over_files)
