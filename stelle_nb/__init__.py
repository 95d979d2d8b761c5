"""Interpretable time-series classification with Signal Temporal Logic, in the notebook.

>>> import stelle_nb as st
>>> phi = st.parse("F[30,40] (x1 >= 2.156)")
>>> print(phi.to_english(channel_names=["bend", "turn"], step=0.1, unit="s"))
Between 3 and 4 s, turn reaches 2.156.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from stelle_nb.lazy import fetching

if TYPE_CHECKING:
    from stelle_nb.concepts.concept_files import default_concepts
    from stelle_nb.concepts.concept_set import ConceptSet
    from stelle_nb.data.channels import keep_channels
    from stelle_nb.data.dataset import SeriesDataset
    from stelle_nb.data.resampling import resample
    from stelle_nb.data.sources.loading import available_datasets, load_dataset
    from stelle_nb.data.sources.planted import make_planted
    from stelle_nb.errors import StelleError
    from stelle_nb.estimator.classifier import StelleClassifier
    from stelle_nb.estimator.imitation import imitate
    from stelle_nb.explain.classes.class_explanation import ClassExplanation
    from stelle_nb.explain.counterfactual.counterfactual import counterfactual
    from stelle_nb.explain.local.local_explanation import LocalExplanation
    from stelle_nb.kernels.base_measure import BaseMeasure
    from stelle_nb.kernels.formula_kernel import formula_kernel
    from stelle_nb.kernels.trajectory_kernel import trajectory_kernel
    from stelle_nb.logic.expansion import expand
    from stelle_nb.logic.formula import Formula
    from stelle_nb.logic.interval import Interval
    from stelle_nb.logic.parsing.parser import parse
    from stelle_nb.logic.shift import shift
    from stelle_nb.logic.signal import Signal
    from stelle_nb.logic.syntax import (
        Always,
        And,
        AtLeast,
        Atom,
        Eventually,
        Implies,
        Not,
        Or,
        Track,
        Truth,
        Tube,
        Until,
    )
    from stelle_nb.logic.traversal import conjunction, disjunction
    from stelle_nb.logic.weighted_sum import Term, WeightedSum
    from stelle_nb.model.card.card_config import CardConfig
    from stelle_nb.model.card.distillation import distil
    from stelle_nb.model.card.edits.edit_history import Edit
    from stelle_nb.model.card.scorecard import Scorecard
    from stelle_nb.model.dense.dense_config import DenseConfig
    from stelle_nb.model.paper.paper_config import PaperConfig
    from stelle_nb.panels.explorer import explore
    from stelle_nb.panels.playground import playground
    from stelle_nb.plots import (
        plot_class_explanation,
        plot_concept_map,
        plot_confusion,
        plot_cover,
        plot_faithfulness,
        plot_history,
        plot_local_explanation,
        plot_robustness,
        plot_saliency,
        plot_score_sheet,
        plot_signals,
        plot_steps,
        plot_traces,
        plot_tradeoff,
        plot_tree,
    )
    from stelle_nb.rewrite.simplification import simplify
    from stelle_nb.semantics.bank import FormulaBank
    from stelle_nb.semantics.robustness import robustness, robustness_trace, satisfies
    from stelle_nb.semantics.smooth import smooth_robustness
    from stelle_nb.semantics.witness import witness

__version__ = "0.1.0.dev0"

_HOMES = {
    "stelle_nb.errors": ("StelleError",),
    "stelle_nb.logic.formula": ("Formula",),
    "stelle_nb.logic.interval": ("Interval",),
    "stelle_nb.logic.parsing.parser": ("parse",),
    "stelle_nb.logic.shift": ("shift",),
    "stelle_nb.logic.signal": ("Signal",),
    "stelle_nb.logic.syntax": (
        "Truth", "Atom", "Not", "And", "Or", "Implies", "AtLeast", "Always", "Eventually", "Until", "Track",
        "Tube",
    ),
    "stelle_nb.logic.traversal": ("conjunction", "disjunction"),
    "stelle_nb.logic.weighted_sum": ("Term", "WeightedSum"),
    "stelle_nb.logic.expansion": ("expand",),
    "stelle_nb.semantics.robustness": ("robustness", "robustness_trace", "satisfies"),
    "stelle_nb.semantics.bank": ("FormulaBank",),
    "stelle_nb.semantics.smooth": ("smooth_robustness",),
    "stelle_nb.semantics.witness": ("witness",),
    "stelle_nb.data.channels": ("keep_channels",),
    "stelle_nb.data.dataset": ("SeriesDataset",),
    "stelle_nb.data.sources.loading": ("load_dataset", "available_datasets"),
    "stelle_nb.data.sources.planted": ("make_planted",),
    "stelle_nb.data.resampling": ("resample",),
    "stelle_nb.kernels.base_measure": ("BaseMeasure",),
    "stelle_nb.kernels.formula_kernel": ("formula_kernel",),
    "stelle_nb.kernels.trajectory_kernel": ("trajectory_kernel",),
    "stelle_nb.concepts.concept_set": ("ConceptSet",),
    "stelle_nb.concepts.concept_files": ("default_concepts",),
    "stelle_nb.rewrite.simplification": ("simplify",),
    "stelle_nb.model.card.scorecard": ("Scorecard",),
    "stelle_nb.model.paper.paper_config": ("PaperConfig",),
    "stelle_nb.model.card.card_config": ("CardConfig",),
    "stelle_nb.model.dense.dense_config": ("DenseConfig",),
    "stelle_nb.estimator.imitation": ("imitate",),
    "stelle_nb.model.card.distillation": ("distil",),
    "stelle_nb.model.card.edits.edit_history": ("Edit",),
    "stelle_nb.explain.local.local_explanation": ("LocalExplanation",),
    "stelle_nb.explain.classes.class_explanation": ("ClassExplanation",),
    "stelle_nb.explain.counterfactual.counterfactual": ("counterfactual",),
    "stelle_nb.estimator.classifier": ("StelleClassifier",),
    "stelle_nb.plots": (
        "plot_signals", "plot_local_explanation", "plot_score_sheet", "plot_class_explanation",
        "plot_robustness", "plot_tree", "plot_traces", "plot_steps", "plot_cover", "plot_confusion",
        "plot_concept_map", "plot_history", "plot_tradeoff", "plot_saliency", "plot_faithfulness",
    ),
    "stelle_nb.panels.explorer": ("explore",),
    "stelle_nb.panels.playground": ("playground",),
}  # fmt: skip
_PACKAGES = ("metrics", "panels", "plots", "teach", "testing")

__all__ = [*(name for names in _HOMES.values() for name in names), *_PACKAGES, "__version__"]
_fetch = fetching(__name__, _HOMES)


def __getattr__(name: str) -> Any:
    # Names are fetched when first used: reading formulas need not wait for torch and aeon.
    if name in _PACKAGES:
        return importlib.import_module(f"stelle_nb.{name}")
    return _fetch(name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
