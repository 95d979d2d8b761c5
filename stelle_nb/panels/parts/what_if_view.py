"""The texts of the what-if panel: probabilities as bars, the explanation, and the counterfactual."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from stelle_nb.depict.class_names import class_name, class_names, natural_order
from stelle_nb.explain.classes.counts import Counts
from stelle_nb.explain.counterfactual.changed_case import Counterfactual
from stelle_nb.explain.local.local_explanation import LocalExplanation
from stelle_nb.logic.printing.notation import rounded
from stelle_nb.markup import render_macro
from stelle_nb.panels.parts.explanation_view import local_facts
from stelle_nb.panels.widgets.panel_words import explanation_html, frame_html, witness_text
from stelle_nb.plots.theme import BLUE, GREY

MOST = 10  # classes with a bar of their own
_TEMPLATE = "panels/parts/templates/what_if.html"
_WAITING = '<em aria-busy="true">'

Probabilities = npt.NDArray[np.float64]


def bars_html(labels: Sequence[Any], now: Probabilities, before: Probabilities) -> str:
    """What the model gives each class, with a mark where it was before any change."""
    order = np.argsort(-now, kind="stable")
    rest = order[MOST:]
    said, was = int(now.argmax()), int(before.argmax())
    names = class_names(labels)
    shown = [k for k in natural_order(names) if k in order[:MOST]]
    rows = [(names[k], 100 * now[k], 100 * before[k], k == said) for k in shown]
    if len(rest):
        rows.append((f"{len(rest)} others", 100 * now[rest].sum(), 100 * before[rest].sum(), False))
    return render_macro(_TEMPLATE, "bars", names[said], names[was], rows, BLUE, GREY)


def waiting_html(html: str) -> str:
    """The results for the previous signal, dimmed while the model evaluates this one."""
    if html.startswith(_WAITING):
        return html
    return f'{_WAITING}Asking the model …</em><div style="opacity: 0.45">{html}</div>'


def explanation_now_html(
    now: LocalExplanation,
    first: LocalExplanation,
    margins: tuple[float, float] | None,
    unseen: Counts | None = None,
) -> str:
    """The explanation of what is shown, and whether the first one still holds.

    ``margins`` are the robustness of the first explanation at first and now; None if nothing was changed.
    ``unseen`` says how the formula divides unseen cases.
    """
    comparison = None
    if margins is not None and first.channels:
        sentence = first.wording.english(first.formula).rstrip(".")
        comparison = (sentence, margins[1] >= 0, *(rounded(margin, 3) for margin in margins))
    text = explanation_html(now, local_facts(now, unseen))
    return render_macro(_TEMPLATE, "explanation", text, witness_text(now), comparison)


def flip_html(found: Counterfactual) -> str:
    """The sentence, how far the change goes, and the channels that change."""
    values = {
        "sentence": found.sentence(),
        "label": class_name(found.flips_to),
        "percent": 100 * found.probability,
        "distance": rounded(found.distance, 3),
        "largest": rounded(found.largest, 3),
    }
    return render_macro(_TEMPLATE, "flip", values, frame_html(found.to_frame()))
