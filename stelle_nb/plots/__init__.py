"""Charts: ``plot_*`` gives an Altair chart for the screen, ``figure_*`` a matplotlib figure for print.

Every chart can also be saved as vector graphics: ``plot_tree(phi).save("tree.pdf")``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stelle_nb.lazy import fetching

if TYPE_CHECKING:
    from stelle_nb.plots.chart import PlotChart
    from stelle_nb.plots.interactive.concept_map import plot_concept_map
    from stelle_nb.plots.interactive.confusion import plot_confusion
    from stelle_nb.plots.interactive.explanations.class_explanation_chart import plot_class_explanation
    from stelle_nb.plots.interactive.explanations.cover_chart import plot_cover
    from stelle_nb.plots.interactive.explanations.faithfulness_chart import plot_faithfulness
    from stelle_nb.plots.interactive.explanations.local_explanation_chart import (
        local_explanation_data,
        plot_local_explanation,
    )
    from stelle_nb.plots.interactive.explanations.saliency_chart import plot_saliency
    from stelle_nb.plots.interactive.explanations.score_sheet import plot_score_sheet
    from stelle_nb.plots.interactive.history_chart import plot_history
    from stelle_nb.plots.interactive.robustness_chart import plot_robustness
    from stelle_nb.plots.interactive.signals import plot_signals
    from stelle_nb.plots.interactive.steps_chart import plot_steps
    from stelle_nb.plots.interactive.traces import plot_traces
    from stelle_nb.plots.interactive.tradeoff import plot_tradeoff
    from stelle_nb.plots.interactive.tree import plot_tree
    from stelle_nb.plots.print.print_explanation import figure_local_explanation
    from stelle_nb.plots.print.print_robustness import figure_robustness
    from stelle_nb.plots.print.print_signals import figure_signals
    from stelle_nb.plots.update import new_data

_HOMES: dict[str, tuple[str, ...]] = {
    "stelle_nb.plots.chart": ("PlotChart",),
    "stelle_nb.plots.interactive.concept_map": ("plot_concept_map",),
    "stelle_nb.plots.interactive.confusion": ("plot_confusion",),
    "stelle_nb.plots.interactive.explanations.class_explanation_chart": ("plot_class_explanation",),
    "stelle_nb.plots.interactive.explanations.cover_chart": ("plot_cover",),
    "stelle_nb.plots.interactive.explanations.faithfulness_chart": ("plot_faithfulness",),
    "stelle_nb.plots.interactive.explanations.local_explanation_chart": (
        "local_explanation_data",
        "plot_local_explanation",
    ),
    "stelle_nb.plots.interactive.explanations.saliency_chart": ("plot_saliency",),
    "stelle_nb.plots.interactive.explanations.score_sheet": ("plot_score_sheet",),
    "stelle_nb.plots.interactive.history_chart": ("plot_history",),
    "stelle_nb.plots.interactive.robustness_chart": ("plot_robustness",),
    "stelle_nb.plots.interactive.signals": ("plot_signals",),
    "stelle_nb.plots.interactive.steps_chart": ("plot_steps",),
    "stelle_nb.plots.interactive.traces": ("plot_traces",),
    "stelle_nb.plots.interactive.tradeoff": ("plot_tradeoff",),
    "stelle_nb.plots.interactive.tree": ("plot_tree",),
    "stelle_nb.plots.print.print_explanation": ("figure_local_explanation",),
    "stelle_nb.plots.print.print_robustness": ("figure_robustness",),
    "stelle_nb.plots.print.print_signals": ("figure_signals",),
    "stelle_nb.plots.update": ("new_data",),
}

__all__ = [
    "plot_signals",
    "plot_local_explanation",
    "plot_saliency",
    "plot_score_sheet",
    "plot_class_explanation",
    "plot_robustness",
    "plot_tree",
    "plot_traces",
    "plot_steps",
    "plot_cover",
    "plot_confusion",
    "plot_concept_map",
    "plot_history",
    "plot_tradeoff",
    "plot_faithfulness",
    "figure_signals",
    "figure_local_explanation",
    "figure_robustness",
    "PlotChart",
    "new_data",
    "local_explanation_data",
]

__getattr__ = fetching(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted(__all__)
