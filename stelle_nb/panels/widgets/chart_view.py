"""A chart as a widget: new rows are sent to the existing chart, and nothing is loaded from the network."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import altair as alt
import anywidget
import ipywidgets
import traitlets
import vl_convert

from stelle_nb.depict.scene import THIS
from stelle_nb.panels.widgets.export import Form
from stelle_nb.panels.widgets.scripts import script
from stelle_nb.plots.chart import PlotChart, Rows, records
from stelle_nb.plots.heading import HEADING
from stelle_nb.plots.png import draw_png
from stelle_nb.plots.theme import CASE

INK = "currentColor"  # of text on the page, light or dark


class VegaLibrary(anywidget.AnyWidget):
    """The source of Vega, sent to the browser once for all charts of a kernel."""

    _esm = "export default { render() {} };"
    source = traitlets.Unicode().tag(sync=True)


@cache
def vega_source() -> str:
    """Vega-Embed and its dependencies as one module, bundled in a second from vl-convert."""
    version = ".".join(alt.SCHEMA_VERSION.lstrip("v").split(".")[:2])
    return str(vl_convert.javascript_bundle("export { vegaEmbed };", vl_version=version))


_shared: list[VegaLibrary] = []


def _library() -> VegaLibrary:
    if not _shared or _shared[0].comm is None:  # closed with all widgets of the kernel
        _shared[:] = [VegaLibrary(source=vega_source())]
    return _shared[0]


class ChartView(anywidget.AnyWidget):
    """A place for a chart.

    Attributes
    ----------
    spec
        Vega-Lite without its rows; a new one replaces the chart.
    rows
        By name; new ones are sent to the existing chart, which takes milliseconds.
    label
        What is shown, for readers who cannot see it.
    clicked
        The number of the case that was last clicked, under ``case``.
    can_shrink
        Whether a narrow page gets a narrow chart, rather than one to scroll.
    """

    _esm = script("chart")
    _css = ".stelle-chart { overflow-x: auto; min-height: 20px; }"
    library = traitlets.Instance(VegaLibrary).tag(sync=True, **ipywidgets.widget_serialization)
    spec = traitlets.Dict().tag(sync=True)
    rows = traitlets.Dict().tag(sync=True)
    label = traitlets.Unicode().tag(sync=True)
    clicked = traitlets.Dict().tag(sync=True)
    identity = traitlets.Unicode().tag(sync=True)
    can_shrink = traitlets.Bool(True).tag(sync=True)

    def __init__(self, **options: Any) -> None:
        name = uuid.uuid4().hex
        super().__init__(library=_library(), model_id=name, identity=name, **options)
        self.on_msg(self._answer)

    def _answer(self, _: Any, content: Any, __: Any) -> None:
        """Send the current chart to a page that was too busy to listen."""
        if content == "what is shown?":
            self.send_state(["spec", "rows", "label"])

    def draw(self, spec: Mapping[str, Any], rows: Mapping[str, Rows], label: str) -> None:
        """Show the rows in the chart; it is redrawn only if it is another one."""
        with self.hold_sync():
            if spec != self.spec:
                self.spec = dict(spec)
            self.rows = {name: records(some) for name, some in rows.items()}
            self.label = label

    def clear(self) -> None:
        """Show nothing."""
        self.draw({}, {}, "")

    def on_click(self, callback: Callable[[int], None]) -> None:
        """Call with the number of a case when it is clicked."""
        self.observe(lambda change: callback(int(change["new"]["case"])), "clicked")

    def png(self) -> bytes | None:
        """The chart as a picture, or None if there is none."""
        return self.picture("png")

    def picture(self, form: Form) -> bytes | None:
        """The chart as a file of another format, or None if there is none."""
        if not self.spec:
            return None
        whole = {**recoloured(self.spec, CASE), "datasets": self.rows}
        if form == "svg":
            return vl_convert.vegalite_to_svg(whole).encode()
        if form == "pdf":
            return bytes(vl_convert.vegalite_to_pdf(whole))
        return draw_png(whole)


def bare_spec(chart: PlotChart) -> dict[str, Any]:
    """A chart without its rows and without its heading, whose words a panel shows as text.

    The case has the ink of the page, as in the explorer's view; a picture has none, and a colour instead.
    """
    spec = chart.to_dict()
    del spec["datasets"]
    spec["vconcat"] = spec["vconcat"][1:]
    inked: dict[str, Any] = recoloured(spec, INK)
    return inked


def recoloured(part: Any, colour: str) -> Any:
    """A part of a chart with another colour for the case; a class keeps its own, even if it is the same."""
    if isinstance(part, list):
        return [recoloured(each, colour) for each in part]
    if not isinstance(part, dict):
        return part
    changed = {key: recoloured(each, colour) for key, each in part.items()}
    for key in ("color", "value"):  # a colour by itself: those of classes are the range of a scale
        if part.get(key) in (CASE, INK):
            changed[key] = colour
    if isinstance(part.get("range"), list) and THIS in part.get("domain", ()):
        changed["range"][part["domain"].index(THIS)] = colour
    return changed


def bare_rows(chart: PlotChart) -> dict[str, Rows]:
    """The rows that belong to :func:`bare_spec`."""
    return {name: some for name, some in chart.to_dict()["datasets"].items() if name != HEADING}
