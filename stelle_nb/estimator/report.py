"""The report of a classifier as one interactive HTML file that works offline."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.depict.background import Background
from stelle_nb.depict.figure import scene_html, script_html, signals_html
from stelle_nb.depict.page import document
from stelle_nb.depict.scene import Scene, make_scene
from stelle_nb.depict.wording import Wording
from stelle_nb.estimator.report_content import (
    ReportContent,
    accuracy_facts,
    gather,
    novelty_facts,
)
from stelle_nb.explain.explanation import Explanation, percent
from stelle_nb.explain.local.local_explanation import LocalExplanation
from stelle_nb.explain.local.printing.reasons_html import reasons_html, sheet_html, verdict_text, warning_html
from stelle_nb.files import write_text
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Truth
from stelle_nb.markup import render
from stelle_nb.model.card.card_model import ScorecardModel
from stelle_nb.model.card.printing.card_page import card_html

if TYPE_CHECKING:
    from stelle_nb.estimator.classifier import StelleClassifier

MAX_CHANNELS = 8  # of the overview; formulas show any channel they use

_CARRIED = {
    "relevance_carried": "share of the evidence for the class that the shown formulas carry",
    "comprehensiveness": "predictions that change without the shown formulas",
    "random_comprehensiveness": "predictions that change without the same number of random formulas",
    "sufficiency": "predictions that stay the same with only the shown formulas",
}


def write_report(
    classifier: StelleClassifier,
    path: str | os.PathLike[str],
    dataset: SeriesDataset | None = None,
    *,
    cases: Sequence[int] | None = None,
    gamma_g: float = 0.0,
    title: str | None = None,
) -> Path:
    """Write the report; see :meth:`stelle_nb.StelleClassifier.report`."""
    content = gather(classifier, dataset, cases=cases, gamma_g=gamma_g)
    return write_text(path, report_html(content, title))


def report_html(content: ReportContent, title: str | None = None) -> str:
    """The whole page."""
    classifier = content.classifier
    heading = title or f"Report on {content.name}"
    background = classifier.background_  # all figures of the page share one set of cases behind
    overview = _overview(background, classifier.wording_)
    classes = {label: why.page_scene(background) for label, why in content.classes.items()}
    cases = {number: why.page_scene(background) for number, why in content.cases.items()}
    body = render(
        "estimator/templates/report.html",
        title=heading,
        accuracy="; ".join(f"{name}: {value}" for name, value in accuracy_facts(content).items()),
        data=_data(content, overview),
        model=_model(content),
        classes=[_class(content, label, scene) for label, scene in classes.items()],
        cases=[_case(content, number, scene) for number, scene in cases.items()],
        origin=content.provenance,
        script_html=script_html([overview, *classes.values(), *cases.values()]),
    )
    return document(heading, body)


def _overview(background: Background, wording: Wording) -> Scene:
    """The first channels, without any formula."""
    channels = map(Signal, range(min(MAX_CHANNELS, len(background.channels))))
    first = background.labels[0]
    return make_scene(Truth(True), wording, background=background, target=first, rows=channels, caption="")


def _data(content: ReportContent, overview: Scene) -> dict[str, Any]:
    classifier, wording = content.classifier, content.classifier.wording_
    n_channels, n_samples = classifier.metadata_["n_channels"], classifier.metadata_["n_timepoints"]
    step = "" if wording.step is None else f", one every {wording.step:g} {wording.unit or ''}".rstrip()
    n_test = 0 if content.test is None else len(content.test.y)
    facts = {
        "name": content.name,
        "cases": f"{len(content.train.y)} for training, {n_test} unseen",
        "samples": f"{n_samples}{step}",
        "channels": ", ".join(wording.channel_titles(range(n_channels))),
    }
    if content.dataset is not None:
        facts["source"] = content.dataset.source
    return {
        "facts": facts,
        "balance": _balance(content),
        "n_drawn": len(overview.rows),
        "n_channels": n_channels,
        "figure_html": signals_html(overview),
    }


def _balance(content: ReportContent) -> list[tuple[str, int, int, str]]:
    """Each class with its training cases, its unseen cases and the width of a bar."""
    train = Counter(content.train.y)
    test = Counter([] if content.test is None else content.test.y)
    most = max(train.values())
    classes = content.classifier.classes_.tolist()
    return [(str(each), train[each], test[each], f"{10 * train[each] / most:.2f}") for each in classes]


def _model(content: ReportContent) -> dict[str, Any]:
    model, variant = content.classifier.model_, content.classifier.variant
    kind = {
        "scorecard": "a score card: points for a few formulas",
        "dense": "linear in the ranks of the robustness of its concepts",
        "paper": "the network of the paper",
    }
    is_card = isinstance(model, ScorecardModel)
    facts = {
        "model": kind[variant],
        "formulas" if is_card else "concepts": str(len(model.concepts)),
        **accuracy_facts(content),
        **novelty_facts(content),
    }
    return {
        "facts": facts,
        "card_html": card_html(content.classifier.card_) if is_card else "",
        "edits": _edits(content),
        "judged": content.judged_name,
        "confusion": _confusion(content),
        "has_unseen": content.test is not None,
        "carried": _carried(content),
    }


def _edits(content: ReportContent) -> pd.DataFrame | None:
    """What was changed by hand; None for a card as it was learned."""
    edits = content.classifier.edits_
    if not edits:
        return None
    rows = [
        {
            "time": edit.at.strftime("%Y-%m-%d %H:%M UTC"),
            "edit": edit.what,
            "formula before": edit.formula_before or "",
            "formula after": edit.formula_after or "",
            "training accuracy": f"{percent(edit.training.before)} to {percent(edit.training.after)}",
            "leave-one-out, formulas alone": " to ".join(map(percent, edit.leave_one_out)),
            "unseen accuracy": ""
            if edit.unseen is None
            else f"{percent(edit.unseen.before)} to {percent(edit.unseen.after)}",
            "predictions changed": f"{len(edit.training.changed)} of {edit.training.n_cases}",
        }
        for edit in edits
    ]
    return pd.DataFrame(rows)


def _carried(content: ReportContent) -> pd.DataFrame:
    """How much of the predictions explanations account for, on training and on unseen cases."""
    rows = {
        text: [percent(found[measure]) for found in content.carried.values()]
        for measure, text in _CARRIED.items()
    }
    columns = [f"{name} cases" for name in content.carried]
    found = pd.DataFrame.from_dict(rows, orient="index", columns=columns)
    return found.rename_axis("measure").reset_index()


def _confusion(content: ReportContent) -> list[tuple[str, list[tuple[int, str]]]]:
    """Each true class with how many of its cases were taken for each class, and their share as a shade."""
    classes, part = content.classifier.classes_.tolist(), content.judged
    pairs, totals = Counter(zip(part.y, part.predictions, strict=True)), Counter(part.y)

    def cell(label: Any, found: Any) -> tuple[int, str]:
        count = pairs[label, found]
        return count, f"{0.8 * count / max(1, totals[label]):.2f}"

    return [(str(label), [cell(label, found) for found in classes]) for label in classes]


def _class(content: ReportContent, label: Any, scene: Scene) -> dict[str, Any]:
    """The formula of a class, and how it divides training and unseen cases."""
    explanation, division = content.classes[label], content.divisions[label]
    measures = {
        f"{name} on {content.judged_name} cases": percent(getattr(division, name))
        for name in ("recall", "specificity", "precision")
    }
    holds = f"{percent(explanation.recall)} of the training cases of the class"
    excludes = f"{percent(explanation.specificity)} of those of other classes"
    if (unseen := explanation.unseen) is not None:
        holds += f" and {percent(unseen.recall)} of the unseen ones"
        excludes += f" and {percent(unseen.specificity)} of the unseen ones"
    return {
        **_explained(explanation, scene, {**explanation.facts(), **measures}),
        "title": explanation.title,
        "holds": holds,
        "excludes": excludes,
        "is_card": bool(explanation.card),
    }


def _case(content: ReportContent, number: int, scene: Scene) -> dict[str, Any]:
    """The verdict on a case, then the reasons; for a score card, with its score sheet."""
    explanation, truth = content.cases[number], content.judged.y[number]
    facts = {"true class": str(truth), "predicted class": str(explanation.prediction), **explanation.facts()}
    if number in content.unseen:
        row = content.unseen[number]
        facts["separates from unseen cases of other classes"] = percent(row.unseen_separability)
        facts[f"covers unseen cases of {explanation.target}"] = percent(row.unseen_coverage)
    else:
        facts["measured on unseen cases"] = "there are none"
    return {
        **_explained(explanation, scene, facts),
        "title": f"{content.judged_name.capitalize()} case {number}: {explanation.title}",
        "verdict": f"{verdict_text(explanation)}. True class: {truth}",
        "reasons_html": _reasons_html(explanation),
        "is_card": False,
    }


def _reasons_html(explanation: LocalExplanation) -> str:
    if (sheet := explanation.sheet) is None:
        return ""
    reasons = reasons_html(explanation, sheet)
    return f"{warning_html(explanation)}{reasons}\n{sheet_html(explanation, sheet)}"


def _explained(explanation: Explanation, scene: Scene, facts: dict[str, str]) -> dict[str, Any]:
    """What the report says of any explanation."""
    texts = {
        "LaTeX": explanation.to_latex(),
        "RTAMT": explanation.wording.rtamt(explanation.formula),
        "for st.parse, with the names of the channels": explanation.wording.ascii(explanation.formula),
    }
    table, figure = explanation._table(), scene_html(scene)
    return {"why": explanation, "texts": texts, "table": table, "facts": facts, "figure_html": figure}
