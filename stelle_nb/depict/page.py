"""Pages as one HTML file: no library, no network, nothing to install."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

import pandas as pd

from stelle_nb.depict.figure import Picture, asset, drawn_signals, picture_html, script_html
from stelle_nb.depict.version import version_of

# The browser itself then refuses to load anything from anywhere.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"


def page(
    *,
    title: str,
    formula: str,
    english: str,
    table: pd.DataFrame,
    facts: Mapping[str, str],
    picture: Picture,
) -> str:
    """The page of one explanation."""
    shown = drawn_signals(picture.formula)
    script = script_html(picture.background, shown) if shown else ""
    return document(
        title,
        f"<h1>{escape(title)}</h1>\n<p>{escape(english)}</p>\n"
        f'<p class="formula">{escape(formula)}</p>\n{picture_html(picture)}'
        f"<h2>Parts</h2>\n{table_html(table)}\n<h2>Measures</h2>\n{facts_html(facts)}\n"
        f"<footer>Measured on training cases. Written by stelle_nb {escape(version_of('stelle_nb'))}. "
        f"Exact formula: <code>{escape(picture.wording.ascii(picture.formula))}</code></footer>\n{script}",
    )


def document(title: str, body: str) -> str:
    """A whole page; ``body`` is markup in which all text is escaped and all data are JSON."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title)}</title>\n<style>\n{asset('page.css')}{asset('sheet.css')}</style>\n</head>\n<body>\n"
        f"{body}</body>\n</html>\n"
    )


def table_html(table: pd.DataFrame) -> str:
    """A table with its text escaped and its numbers short."""
    head = "".join(f"<th>{escape(str(column))}</th>" for column in table.columns)
    rows = (f"<tr>{''.join(map(_cell, row))}</tr>" for row in table.itertuples(index=False, name=None))
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def facts_html(facts: Mapping[str, str]) -> str:
    """Names and values side by side, escaped."""
    rows = (f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in facts.items())
    return f"<table>{''.join(rows)}</table>"


def _cell(value: Any) -> str:
    if isinstance(value, str):
        return f"<td>{escape(value)}</td>"
    return f'<td class="number">{f"{value:.4g}" if isinstance(value, float) else value}</td>'
