"""The tables of the explanation benchmark, in Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from stelle_nb.bench.explaining.explanation_figures import SliderTime
from stelle_nb.bench.explaining.explanation_pooling import Figures, percent, spread
from stelle_nb.bench.explaining.faithfulness_table import faithfulness_curve, faithfulness_table
from stelle_nb.bench.explaining.planted_table import planted_table
from stelle_nb.bench.reports.anchors import SHORT_NAMES
from stelle_nb.bench.reports.tables import ABSENT, table
from stelle_nb.logic.formula import Formula
from stelle_nb.metrics.local import CORRECT, FOR_PREDICTED, FOR_TRUE

GROUPS = {CORRECT: "C", FOR_PREDICTED: "Pred IC", FOR_TRUE: "True IC"}
NOTES = """\
Figures are means ± standard deviations over all explanations, or all classes, of all seeds; shares are in
percent. C: correctly classified test cases. Pred IC, True IC: misclassified ones, explained for the predicted
and for the true class. A tube counts one plus its points, a comparison of a weighted sum one plus its terms;
(n) counts the nodes of the same formula written out as plain STL. Separability and coverage are measured on
the training cases that explanations were made from, and on the unseen test cases, the explained case left
out. Local explanations: gamma_t = 0.8, gamma_l = 0. Class formulas: gamma_g = 0. Their accuracy: the class
whose formula has the largest robustness wins, in deviations of each signal (channel, change or average) over
the training cases; in own units, divided by the deviation of the robustness of each formula over them as
well; by chances, the class whose formula is most likely to hold, if each of its conditions holds with a
chance that rises with its degree on the card. Published: Tables 3 to 5 of the paper, its class formulas
judged on cases of its own choice."""

Published = Mapping[tuple[str, str, str], float]
"""From (short name of the data set, ``"local"`` or ``"global"``, measure) to the published figure."""


def write_report(
    head: str,
    frame: pd.DataFrame,
    planted: pd.DataFrame,
    formulas: Mapping[tuple[str, str, str], Mapping[Any, Formula]],
    published: Published,
    slider: SliderTime | None,
) -> str:
    """The whole report: tables of what was measured.

    Parameters
    ----------
    head
        How the figures came about.
    frame, planted
        Figures on data sets, and agreement on planted ones.
    formulas
        Class formulas of one seed by data set, variant and method.
    published
        The paper's figures; may be empty.
    slider
        Time of a local explanation whose robustness is known; None if it was not taken.
    """
    parts = [f"# Explanations\n\n{head}"]
    if len(frame):
        parts += _measured(Figures.of(frame), published, slider)
    if len(planted):
        parts.append("## Planted formulas found again, on fresh signals\n\n" + planted_table(planted))
    if formulas:
        parts.append("## Class formulas of seed 0\n\n" + _listed(formulas))
    return "\n\n".join(parts) + "\n"


def _measured(figures: Figures, published: Published, slider: SliderTime | None) -> list[str]:
    """What was measured on data sets."""
    times = _times(figures) + (f"\n\n{_slider(slider)}" if slider else "")
    return [
        NOTES,
        "## Local explanations: what there is to read (Tables 3 and 4)\n\n" + _local_size(figures, published),
        "## Local explanations: what they are worth\n\n" + _local_worth(figures),
        "## Local explanations: do they say why?\n\n" + faithfulness_table(figures),
        *([f"## How much to show\n\n{curve}"] if (curve := faithfulness_curve(figures)) else []),
        "## Class formulas on unseen test cases (Table 5)\n\n" + _class_worth(figures, published),
        "## Class formulas beside the model\n\n" + _beside_model(figures),
        "## CPU seconds of one thread\n\n" + times,
    ]


def _local_size(figures: Figures, published: Published) -> str:
    lines = []
    for run in figures.runs:
        for group, short in GROUPS.items():
            found = {m: figures.get(run, "local", m, group=group) for m in _SIZES}
            if found["nodes"].n:
                nodes = f"{spread(found['nodes'])} ({found['expanded'].value:.3g})"
                before = f"{spread(found['nodes_before'])} ({found['expanded_before'].value:.3g})"
                lines.append([*run, short, str(found["nodes"].n), before, nodes, spread(found["channels"])])
        short_name = SHORT_NAMES.get(run[0], run[0])
        for suffix, short in (
            ("correct", "C"),
            ("misclassified_predicted", "Pred IC"),
            ("misclassified_true", "True IC"),
        ):
            cells = [
                _plain(published.get((short_name, "local", f"{m}_{suffix}")))
                for m in ("nodes_before", "nodes", "vars")
            ]
            if cells[1] != ABSENT:
                lines.append([run[0], "published", short, ABSENT, *cells])
    head = ["data set", "variant", "cases", "n", "nodes before", "nodes", "channels"]
    return table(head, _unique(lines), n_texts=3)


def _local_worth(figures: Figures) -> str:
    names = (
        "separability",
        "unseen_separability",
        "coverage",
        "unseen_coverage",
        "fidelity_precision",
        "fidelity_recall",
        "relevance_share",
    )
    lines = [
        [*run, short, *(percent(figures.get(run, "local", name, group=group)) for name in names)]
        for run in figures.runs
        for group, short in GROUPS.items()
        if figures.get(run, "local", "separability", group=group).n
    ]
    head = ["data set", "variant", "cases", "separates train", "separates unseen", "covers train"]
    head += ["covers unseen", "model agrees (precision)", "model agrees (recall)", "relevance carried"]
    return table(head, lines, n_texts=3)


def _class_worth(figures: Figures, published: Published) -> str:
    lines = []
    for run in figures.runs:
        for method in figures.methods_of(run):
            parts = [
                percent(figures.get(run, "class", "separability", group=part, method=method))
                for part in ("correct", "misclassified", "all")
            ]
            shares = [
                percent(figures.get(run, "class", name, group="all", method=method))
                for name in ("recall", "specificity", "precision")
            ]
            found = {m: figures.get(run, "class", m, method=method) for m in _SIZES}
            sizes = [
                f"{spread(found[nodes])} ({found[expanded].value:.3g})"
                for nodes, expanded in (("nodes_before", "expanded_before"), ("nodes", "expanded"))
            ]
            lines.append([*run, method, *parts, *sizes, spread(found["channels"]), *shares])
        short = SHORT_NAMES.get(run[0], run[0])
        sep, nodes, channels, *shares = (
            _plain(published.get((short, "global", m))) for m in _PUBLISHED_CLASS
        )
        if sep != ABSENT:
            lines.append([run[0], "published", ABSENT, ABSENT, ABSENT, sep, ABSENT, nodes, channels, *shares])
    head = ["data set", "variant", "method", "sep C", "sep IC", "sep", "nodes before", "nodes", "channels"]
    return table([*head, "recall", "specificity", "precision"], _unique(lines), n_texts=3)


def _beside_model(figures: Figures) -> str:
    names = ("fidelity: precision", "fidelity: recall", "seeds: agreement", "seeds: overlap")
    lines = []
    for run in figures.runs:
        model = figures.get(run, "model", "accuracy")
        for method in figures.methods_of(run):
            own = [figures.get(run, "class", name, method=method) for name in _ACCURACIES]
            points = [
                f"{100 * each.value:.1f} ({100 * (each.value - model.value):+.1f})" if each.n else ABSENT
                for each in own
            ]
            others = [percent(figures.get(run, "class", name, method=method)) for name in names]
            lines.append([*run, method, percent(model), *points, *others])
    head = [
        "data set",
        "variant",
        "method",
        "model's accuracy",
        "formulas' accuracy",
        "in own units",
        "by chances",
    ]
    head += ["model agrees (precision)", "model agrees (recall)", "seeds agree", "seeds overlap"]
    return table(head, lines, n_texts=3)


def _times(figures: Figures) -> str:
    lines = []
    for run in figures.runs:
        local, evaluation = (
            figures.get(run, "local", name).value / 1000
            for name in ("milliseconds", "milliseconds of evaluation")
        )
        seconds = [figures.get(run, "class", "seconds", method=m) for m in figures.methods]
        classes = [f"{each.value:.3g}" if each.n else ABSENT for each in seconds]
        fit = figures.get(run, "model", "fit seconds").value
        warm = figures.get(run, "local", "milliseconds warm").value / 1000
        lines.append([*run, f"{fit:.3g}", f"{evaluation:.3g}", f"{local:.3g}", f"{warm:.3g}", *classes])
    head = ["data set", "variant", "fit", "concepts of one case", "one local explanation, concepts given"]
    head.append("one local explanation, warm")
    return table([*head, *(f"all classes, {m}" for m in figures.methods)], lines, n_texts=2)


def _slider(slider: SliderTime) -> str:
    return (
        f"One local explanation with known robustness, of {slider.n_concepts} concepts and {slider.n_cases} "
        f"training cases, as a slider asks for it again and again: {slider.milliseconds:.3g} ms."
    )


def _listed(formulas: Mapping[tuple[str, str, str], Mapping[Any, Formula]]) -> str:
    lines = []
    for (dataset, variant, method), found in formulas.items():
        lines.append(f"{dataset}, {variant} model, method {method}:\n")
        lines += [f"- {label}: {phi.to_unicode(digits=3)}" for label, phi in found.items()]
        lines.append("")
    return "\n".join(lines).rstrip()


def _unique(lines: Sequence[list[str]]) -> list[list[str]]:
    """Lines once each: published ones come up again with every variant."""
    return [list(line) for line in dict.fromkeys(map(tuple, lines))]


def _plain(value: float | None) -> str:
    return ABSENT if value is None else f"{value:g}"


_ACCURACIES = ("accuracy", "accuracy in own units", "accuracy by chances")
_SIZES = ("nodes_before", "nodes", "expanded_before", "expanded", "channels")
_PUBLISHED_CLASS = (
    "separability_percent",
    "nodes",
    "vars",
    "recall_percent",
    "specificity_percent",
    "precision_percent",
)
