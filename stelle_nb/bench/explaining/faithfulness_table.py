"""The tables of faithfulness in the report of the explanation benchmark."""

from __future__ import annotations

from stelle_nb.bench.explaining.explanation_faithfulness import CURVE, MOST, SCOPE, SETTINGS
from stelle_nb.bench.explaining.explanation_pooling import Figures, percent
from stelle_nb.bench.reports.tables import table
from stelle_nb.explain.local.reasons import MAX_SHOWN, MORE

NOTES = """\
Unseen cases, explained for the predicted class, with the model as the judge; shares are in percent. Relevance
carried: share of what speaks for the class that the shown formulas have; beside it, of all relevance for and
against. Comprehensiveness: predictions that change when the shown formulas contribute nothing, beside as many
random formulas of the model. Sufficiency: predictions that stay when only the shown formulas contribute.
Intervention: predictions that change when the signal is changed as little as possible so that the shown
conjunction is false, because one condition is (one) or because as many conditions as possible are (every);
elsewhere: after an equal change on other samples, which there is where at most half of all values change.
"One" is the literal reading. The smallest change refutes the condition that holds least clearly; its degree,
and with it what it adds to the score, is close to 0 before and after. So "one" tells how close the case is to
an edge, and "every" whether the reasons matter. Made false: share of these conditions that are false after
the change. Simulatability: predictions reproduced from the printed card, rounded to three digits. In
brackets: the largest of all explanations."""
MEASURES = {
    "relevance_carried": "relevance carried",
    "absolute_relevance_carried": "of all relevance",
    "comprehensiveness": "comprehensiveness",
    "random_comprehensiveness": "random formulas",
    "sufficiency": "sufficiency",
    "intervention": "intervention, one",
    "elsewhere": "elsewhere, one",
    "every_intervention": "intervention, every",
    "every_elsewhere": "elsewhere, every",
    "every_has_control": "with such a control",
    "falsified": "made false, one",
    "every_falsified": "made false, every",
    "simulatability": "simulatability",
}

CURVE_NOTES = f"""\
The same measures of score cards if less or more is shown. Formulas are shown until they carry gamma_t of what
speaks for the class, up to {100 * MORE:.0f} points more where the class would be predicted without them, and
never more than {MAX_SHOWN}. The default is 0.8."""
CURVE_MEASURES = (
    "relevance_carried",
    "comprehensiveness",
    "sufficiency",
    "intervention",
    "every_intervention",
)


def faithfulness_table(figures: Figures) -> str:
    """What the measures mean, then a row for each data set, variant and setting."""
    lines = []
    for run in figures.runs:
        for group in SETTINGS:
            found = {m: figures.get(run, SCOPE, m, group=group) for m in (*MEASURES, *MOST, "shown", "nodes")}
            if found["shown"].n:
                sizes = [
                    f"{found[mean].value:.2f} ({found[most].largest:.0f})"
                    for mean, most in (("shown", "most shown"), ("nodes", "most nodes"))
                ]
                lines.append([*run, group, *sizes, *(percent(found[name]) for name in MEASURES)])
    head = ["data set", "variant", "shown by", "formulas (most)", "nodes of each (most)", *MEASURES.values()]
    return f"{NOTES}\n\n{table(head, lines, n_texts=3)}"


def faithfulness_curve(figures: Figures) -> str:
    """What is gained and lost by showing more: a row for each score card and ``gamma_t``."""
    lines = []
    for run in figures.runs:
        found = {
            group: {m: figures.get(run, SCOPE, m, group=group) for m in (*CURVE_MEASURES, "shown")}
            for group in CURVE
        }
        if all(each["shown"].n for each in found.values()):
            lines += [
                [run[0], f"{CURVE[group]:g}", f"{each['shown'].value:.2f}"]
                + [percent(each[name]) for name in CURVE_MEASURES]
                for group, each in found.items()
            ]
    head = ["data set", "gamma_t", "formulas", *(MEASURES[name] for name in CURVE_MEASURES)]
    return f"{CURVE_NOTES}\n\n{table(head, lines, n_texts=1)}" if lines else ""
