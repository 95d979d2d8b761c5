"""Charts: ``plot_*`` gives an Altair chart for the screen, ``figure_*`` a matplotlib figure for print.

Every chart can also be saved as vector graphics: ``plot_tree(phi).save("tree.pdf")``.
"""

from stelle_nb.plots.chart import PlotChart
from stelle_nb.plots.interactive.concept_map import plot_concept_map
from stelle_nb.plots.interactive.confusion import plot_confusion
from stelle_nb.plots.interactive.explanations.class_explanation import plot_class_explanation
from stelle_nb.plots.interactive.explanations.cover import plot_cover
from stelle_nb.plots.interactive.explanations.faithfulness import plot_faithfulness
from stelle_nb.plots.interactive.explanations.local_explanation import (
    local_explanation_data,
    plot_local_explanation,
)
from stelle_nb.plots.interactive.explanations.saliency import plot_saliency
from stelle_nb.plots.interactive.explanations.score_sheet import plot_score_sheet
from stelle_nb.plots.interactive.history import plot_history
from stelle_nb.plots.interactive.robustness import plot_robustness
from stelle_nb.plots.interactive.signals import plot_signals
from stelle_nb.plots.interactive.steps import plot_steps
from stelle_nb.plots.interactive.traces import plot_traces
from stelle_nb.plots.interactive.tradeoff import plot_tradeoff
from stelle_nb.plots.interactive.tree import plot_tree
from stelle_nb.plots.print.print_explanation import figure_local_explanation
from stelle_nb.plots.print.print_robustness import figure_robustness
from stelle_nb.plots.print.print_signals import figure_signals
from stelle_nb.plots.update import new_data

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
