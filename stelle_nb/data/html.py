"""How values are shown in a notebook: markup in which names appear exactly as written."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from stelle_nb.logic.printing.notation import axis_titles

if TYPE_CHECKING:
    from stelle_nb.data.dataset import SeriesDataset

# MathJax typesets what stands between dollars, except in these classes (of its version 2 and of version 3).
NOT_MATH = ("tex2jax_ignore", "mathjax_ignore")
MAX_ROWS = 30  # a longer table of classes would hide everything else


def as_written(body: str) -> str:
    """Markup for a notebook in which dollar signs are not mathematics; ``body`` has its text escaped.

    Examples
    --------
    >>> as_written("<b>a$b$c</b>")
    '<div class="tex2jax_ignore mathjax_ignore"><b>a$b$c</b></div>'
    """
    return f'<div class="{" ".join(NOT_MATH)}">{body}</div>'


def dataset_html(ds: SeriesDataset) -> str:
    """A heading, the facts and the class counts as escaped HTML."""
    step = "" if ds.step is None else f", one every {ds.step:g} {escape(ds.unit or '')}".rstrip()
    facts = [
        f"{ds.n_train} training and {ds.n_test} test cases",
        f"{ds.n_timepoints} samples{step}",
        f"channels: {_listed(axis_titles(ds.channel_names, ds.units))}",
        f"source: {escape(ds.source)}",
        *([f"read as: {escape(ds.reading)}"] if ds.reading else []),
        *(escape(note) for note in ds.treatments),
    ]
    counts = list(ds.class_counts().items())
    rows = [
        f"<tr><td>{escape(str(label))}</td><td>{train}</td><td>{test}</td></tr>"
        for label, (train, test) in counts[:MAX_ROWS]
    ]
    if len(counts) > MAX_ROWS:
        rows.append(f"<tr><td colspan='3'>and {len(counts) - MAX_ROWS} more</td></tr>")
    return as_written(
        f"<strong>{escape(ds.name)}</strong><br>{'<br>'.join(facts)}"
        "<table><thead><tr><th>class</th><th>training</th><th>test</th></tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(escape(name) for name in names[:MAX_ROWS])
    return shown if len(names) <= MAX_ROWS else f"{shown} and {len(names) - MAX_ROWS} more"
