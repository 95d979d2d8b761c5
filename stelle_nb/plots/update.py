"""New data for a chart that is already on the screen."""

from __future__ import annotations

from typing import Any

from stelle_nb.arguments import validate_types
from stelle_nb.errors import PlotError
from stelle_nb.plots.chart import PlotChart, Rows


@validate_types(PlotError)
def new_data(shown: PlotChart, wanted: PlotChart) -> dict[str, Rows] | None:
    """The data sets that turn one chart into another, by name; None if the charts differ in more than data.

    What is drawn from where is the same for all explanations, formulas and cases of one kind of chart, so a
    panel can embed a chart once and then send data to it: in the browser, ``view.data(name, rows)`` for each
    name and then ``view.resize().runAsync()``, as the number of rows of the chart may have changed.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> from stelle_nb.plots.interactive.tree import plot_tree
    >>> sorted(new_data(plot_tree(parse("x0 >= 1")), plot_tree(parse("F x0 >= 1"))))
    ['heading', 'tree']
    >>> new_data(plot_tree(parse("x0 >= 1")), plot_tree(parse("x0 >= 1")))
    {}
    """
    one, other = shown.to_dict(), wanted.to_dict()
    old, new = one.pop("datasets"), other.pop("datasets")
    if _without_names(one) != _without_names(other) or set(old) != set(new):
        return None
    return {name: rows for name, rows in new.items() if rows != old[name]}


def _without_names(spec: Any) -> Any:
    """The specification without the names that Altair counts up from chart to chart."""
    if isinstance(spec, dict):
        return {key: _without_names(value) for key, value in spec.items() if key not in ("name", "views")} | (
            {"name": spec["name"]} if set(spec) == {"name"} else {}
        )
    return [_without_names(part) for part in spec] if isinstance(spec, list) else spec
