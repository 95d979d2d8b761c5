"""Pages as one HTML file: no library, no network, nothing to install."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from stelle_nb.depict.figure import asset, scene_html, script_html
from stelle_nb.depict.scene import Scene
from stelle_nb.depict.version import version_of
from stelle_nb.markup import render, render_macro

_TABLES = "depict/templates/tables.html"


def page(
    *,
    title: str,
    formula: str,
    english: str,
    table: pd.DataFrame,
    facts: Mapping[str, str],
    exact: str,
    scene: Scene,
) -> str:
    """The page of one explanation; ``exact`` is its formula as text that can be parsed."""
    body = render(
        "depict/templates/explanation.html",
        title=title,
        formula=formula,
        english=english,
        table=table,
        facts=facts,
        exact=exact,
        figure_html=scene_html(scene),
        script_html=script_html([scene]),
        version=version_of("stelle_nb"),
    )
    return document(title, body)


def document(title: str, body_html: str) -> str:
    """A whole page; the body is markup in which all text is escaped and all data are JSON."""
    style = asset("page.css") + asset("sheet.css")
    return render("depict/templates/page.html", title=title, body_html=body_html, style_css=style)


def table_html(table: pd.DataFrame) -> str:
    """A table with its text escaped and its numbers short."""
    rows = table.itertuples(index=False, name=None)
    return render_macro(_TABLES, "table", table.columns, rows)


def facts_html(facts: Mapping[str, str]) -> str:
    """Names and values side by side, escaped."""
    return render_macro(_TABLES, "facts", facts)
