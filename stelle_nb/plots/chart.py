"""The chart type that every ``plot_*`` function returns: Altair's, shown without network and saved safely."""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import altair as alt
import pandas as pd

from stelle_nb.files import draft_of
from stelle_nb.plots.heading import HEADING, Heading
from stelle_nb.plots.png import draw_png
from stelle_nb.plots.theme import config

Rows = list[dict[str, Any]]


class ScriptSafe(json.JSONEncoder):
    """JSON that is safe inside a script element of a page: no text can close the element."""

    def iterencode(self, o: Any, _one_shot: bool = False) -> Any:
        for piece in super().iterencode(o, _one_shot):
            yield piece.replace("<", "\\u003c")

    def encode(self, o: Any) -> str:
        return super().encode(o).replace("<", "\\u003c")


@dataclass(frozen=True, slots=True, eq=False)
class NamedRows:
    """Rows hidden from Altair, which would traverse every number several times."""

    rows: Rows


class PlotChart(alt.VConcatChart):
    """An Altair chart with named data, so that new data can be sent to it in place.

    In a notebook it is shown by JupyterLab's own Vega together with a picture for every other reader, so it
    needs no network. ``save("file.pdf")`` (or svg, png, html, json) writes it; pages hold all they need.
    ``alt.JupyterChart(chart)`` makes a widget of it.
    """

    def to_dict(self, validate: bool = False, **options: Any) -> dict[str, Any]:
        """The chart as Vega-Lite; validated only on request, which takes a second (the tests request it)."""
        spec: dict[str, Any] = super().to_dict(validate=False, **options)
        named = spec.get("datasets", {}).items()
        spec["datasets"] = {name: x.rows if isinstance(x, NamedRows) else x for name, x in named}
        if validate:
            self.validate(spec)
        return spec

    def save(self, fp: str | Path | IO[Any], format: Any = None, *args: Any, **options: Any) -> None:
        """Write the chart as Altair does; a page holds its scripts and no text in it can become markup."""
        kind = format or Path(str(fp)).suffix.lstrip(".")
        if kind == "png":
            image = draw_png(self.to_dict(), scale=options.get("scale_factor", 1.5))
            if isinstance(fp, str | Path):
                with draft_of(Path(fp)) as draft:
                    draft.write_bytes(image)
            else:
                fp.write(image)
            return
        if kind == "html":
            options = {"inline": True, "json_kwds": {"cls": ScriptSafe}, **options}
        super().save(fp, format, *args, **options)

    def to_html(self, *args: Any, **options: Any) -> str:
        """The chart as a page, as Altair writes it; no text in it can become markup."""
        options.setdefault("inline", True)
        return str(super().to_html(*args, **{"json_kwds": {"cls": ScriptSafe}, **options}))

    def _repr_mimebundle_(self, *_: Any, **__: Any) -> dict[str, Any]:
        # Altair's own page fetches scripts from the network and can be closed by text; JupyterLab knows
        # Vega-Lite 5, which these charts use, and other viewers show the picture.
        spec = self.to_dict()
        older = {**spec, "$schema": "https://vega.github.io/schema/vega-lite/v5.json"}
        return {
            "application/vnd.vegalite.v5+json": older,
            "image/png": base64.b64encode(draw_png(spec)).decode("ascii"),  # marimo sends bundles as JSON
            "text/plain": self.description,
        }

    def __repr__(self) -> str:
        return f"<{self.description}>"


def finish(
    heading: Heading, *bodies: Any, data: Mapping[str, pd.DataFrame | Rows], description: str
) -> PlotChart:
    """Put charts below their heading, with their data under the names by which they refer to them.

    Parameters
    ----------
    data
        By name; rows hold plain values only.
    description
        What is shown, for readers who cannot see it; the same for all data.
    """
    named = {HEADING: heading.rows(), **{name: records(rows) for name, rows in data.items()}}
    chart = PlotChart(
        vconcat=[heading.chart(), *bodies],
        datasets={name: NamedRows(rows) for name, rows in named.items()},
        description=description,
        spacing=6,
        config=config(),
    )
    finished: PlotChart = chart.resolve_scale(color="independent", opacity="independent", size="independent")
    return finished


def records(table: pd.DataFrame | Rows) -> Rows:
    """Rows of plain values: JSON has neither NumPy numbers nor infinities."""
    rows = table.to_dict("records") if isinstance(table, pd.DataFrame) else table
    return [{str(key): _plain(value) for key, value in row.items()} for row in rows]


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return value if abs(value) < float("inf") else None  # NaN compares false, too
    if isinstance(value, str | int | bool) or value is None:
        return value
    if type(value) is list and set(map(type, value)) == {float} and math.isfinite(sum(value)):
        return value  # a line of a signal, by far the most of what is drawn
    if isinstance(value, Sequence):
        return [_plain(part) for part in value]
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    return str(value)
