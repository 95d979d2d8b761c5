"""Charts: ``plot_*`` gives an Altair chart for the screen, ``figure_*`` a matplotlib figure for print.

Every chart also prints itself as vector graphics: ``plot_tree(phi).save("tree.pdf")``.
"""

from stelle_nb.plots.chart import PlotChart
from stelle_nb.plots.class_explanation import plot_class_explanation
from stelle_nb.plots.concept_map import plot_concept_map
from stelle_nb.plots.confusion import plot_confusion
from stelle_nb.plots.cover import plot_cover
from stelle_nb.plots.history import plot_history
from stelle_nb.plots.local_explanation import local_explanation_data, plot_local_explanation
from stelle_nb.plots.print_explanation import figure_local_explanation
from stelle_nb.plots.print_robustness import figure_robustness
from stelle_nb.plots.print_signals import figure_signals
from stelle_nb.plots.robustness import plot_robustness
from stelle_nb.plots.signals import plot_signals
from stelle_nb.plots.steps import plot_steps
from stelle_nb.plots.traces import plot_traces
from stelle_nb.plots.tradeoff import plot_tradeoff
from stelle_nb.plots.tree import plot_tree
from stelle_nb.plots.update import new_data

__all__ = [
    "plot_signals",
    "plot_local_explanation",
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
    "figure_signals",
    "figure_local_explanation",
    "figure_robustness",
    "PlotChart",
    "new_data",
    "local_explanation_data",
]
