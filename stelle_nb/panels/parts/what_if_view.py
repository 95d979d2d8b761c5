"""The texts of the what-if panel: probabilities as bars, the explanation, and the counterfactual."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
import numpy.typing as npt

from stelle_nb.explain.classes.counts import Counts
from stelle_nb.explain.counterfactual.changed_case import Counterfactual
from stelle_nb.explain.local.local_explanation import LocalExplanation
from stelle_nb.logic.printing.notation import rounded
from stelle_nb.panels.parts.explanation_view import local_facts
from stelle_nb.panels.widgets.panel_words import explanation_html, frame_html, witness_html
from stelle_nb.plots.theme import BLUE, GREY

MOST = 10  # classes with a bar of their own
_WAITING = '<em aria-busy="true">'

Probabilities = npt.NDArray[np.float64]


def bars_html(labels: Sequence[Any], now: Probabilities, before: Probabilities) -> str:
    """What the model gives each class, with a mark where it was before any change."""
    order = np.argsort(-now, kind="stable")
    shown = sorted(order[:MOST])
    said = int(now.argmax())
    rows = [_bar(str(labels[k]), float(now[k]), float(before[k]), is_said=k == said) for k in shown]
    rest = order[MOST:]
    if len(rest):
        share = float(now[rest].sum())
        rows.append(_bar(f"{len(rest)} others", share, float(before[rest].sum()), is_said=False))
    was = f", before any change {escape(str(labels[int(before.argmax())]))}"
    head = f"<strong>The model says {escape(str(labels[said]))}</strong>"
    head += was if said != int(before.argmax()) else ""
    return f'{head}<table class="stelle-bars">{"".join(rows)}</table>'


def waiting_html(html: str) -> str:
    """The results for the previous signal, dimmed while the model evaluates this one."""
    if html.startswith(_WAITING):
        return html
    return f'{_WAITING}The model is asked …</em><div style="opacity: 0.45">{html}</div>'


def _bar(label: str, now: float, before: float, *, is_said: bool) -> str:
    strong = "font-weight: 600" if is_said else ""
    inside = f"height: 100%; width: {100 * now:.2f}%; background: {BLUE if is_said else GREY}"
    mark = f"position: absolute; left: {100 * before:.2f}%; top: -2px; bottom: -2px; border-left: 2px solid"
    track = "position: relative; width: clamp(40px, 14vw, 170px); height: 12px; background: #8883"
    return (
        f'<tr><th style="{strong}; opacity: 1">{escape(label)}</th>'
        f'<td style="vertical-align: middle"><div style="{track}"><div style="{inside}"></div>'
        f'<div style="{mark}" title="before any change"></div></div></td>'
        f'<td style="white-space: nowrap; {strong}">{100 * now:.1f} %</td>'
        f'<td style="white-space: nowrap">was {100 * before:.1f} %</td></tr>'
    )


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
    text = f"{explanation_html(now, local_facts(now, unseen))}<p>{witness_html(now)}</p>"
    if margins is None or not first.channels:
        return text
    was, value = margins
    fate = "still true" if value >= 0 else "no longer true"
    said = escape(first.wording.english(first.formula).rstrip("."))
    return (
        f"{text}<p>The first explanation, “{said}”, is {fate}: its "
        f"robustness was {rounded(was, 3)} and is {rounded(value, 3)}.</p>"
    )


def flip_html(found: Counterfactual) -> str:
    """The sentence, how far the change goes, and the channels that change."""
    return (
        f"<strong>The smallest change found that flips</strong><br>{escape(found.sentence())}<br>"
        f"The model gives {escape(str(found.flips_to))} {100 * found.probability:.1f} % after it. On average "
        f"over all samples it is {rounded(found.distance, 3)} deviations of a channel, at most "
        f"{rounded(found.largest, 3)}."
        f"{frame_html(found.to_frame())}"
    )
