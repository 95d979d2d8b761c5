"""How values are shown in a notebook: markup in which names appear exactly as written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from stelle_nb.logic.printing.notation import axis_titles
from stelle_nb.markup import render

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
    """A heading, the facts and the class counts."""
    step = "" if ds.step is None else f", one every {ds.step:g} {ds.unit or ''}".rstrip()
    facts = [
        f"{ds.n_train} training and {ds.n_test} test cases",
        f"{ds.n_timepoints} samples{step}",
        f"channels: {_listed(axis_titles(ds.channel_names, ds.units))}",
        f"source: {ds.source}",
        *([f"read as: {ds.reading}"] if ds.reading else []),
        *ds.treatments,
    ]
    counts = list(ds.class_counts().items())
    return as_written(
        render(
            "data/templates/dataset.html",
            name=ds.name,
            facts=facts,
            counts=counts[:MAX_ROWS],
            n_more=len(counts[MAX_ROWS:]),
        )
    )


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:MAX_ROWS])
    return shown if len(names) <= MAX_ROWS else f"{shown} and {len(names) - MAX_ROWS} more"
