"""The report of a classifier as one interactive HTML file that works offline."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.depict.figure import Picture, drawn_signals, picture_html, script_html, signals_html
from stelle_nb.depict.page import document, facts_html, table_html
from stelle_nb.depict.wording import Wording
from stelle_nb.estimator.report_content import (
    ReportContent,
    accuracy_facts,
    gather,
    novelty_facts,
)
from stelle_nb.explain.classes.class_explanation import ClassExplanation
from stelle_nb.explain.explanation import Explanation, percent
from stelle_nb.explain.local.local_explanation import LocalExplanation
from stelle_nb.explain.local.printing.reasons_html import reasons_html, sheet_html, verdict_text, warning_html
from stelle_nb.files import write_text
from stelle_nb.logic.signal import Signal
from stelle_nb.model.card.card_model import ScorecardModel
from stelle_nb.model.card.printing.card_page import card_html

if TYPE_CHECKING:
    from stelle_nb.estimator.classifier import StelleClassifier

MAX_CHANNELS = 8  # of the overview; formulas show any channel they use
_SECTIONS = {
    "data": "Data",
    "model": "Model",
    "classes": "What makes each class",
    "cases": "Why these cases",
    "origin": "Where this comes from",
}


_CARRIED = {
    "relevance_carried": "of what speaks for the class, the shown formulas carry",
    "comprehensiveness": "predictions that change without the shown formulas",
    "random_comprehensiveness": "predictions that change without as many random formulas",
    "sufficiency": "predictions that stay with the shown formulas alone",
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
    wording = classifier.wording_
    heading = title or f"Report on {content.name}"
    explanations = [*content.classes.values(), *content.cases.values()]
    overview = range(min(MAX_CHANNELS, len(classifier.background_.channels)))
    bodies = {
        "data": _data_html(content, wording, overview),
        "model": _model_html(content),
        "classes": "".join(_class_html(content, label) for label in content.classes),
        "cases": "".join(_case_html(content, number) for number in content.cases),
        "origin": facts_html(content.provenance),
    }
    sections = [
        f'<section id="{key}">\n<h2>{_SECTIONS[key]}</h2>\n{body}</section>\n' for key, body in bodies.items()
    ]
    links = "".join(f'<a href="#{key}">{name}</a>' for key, name in _SECTIONS.items())
    used = [each for explanation in explanations for each in drawn_signals(explanation.formula)]
    accuracy = "; ".join(f"{name}: {value}" for name, value in accuracy_facts(content).items())
    body = (
        f"<h1>{escape(heading)}</h1>\n<p>{escape(accuracy)}.</p>\n<nav>{links}</nav>\n{''.join(sections)}"
        f"{script_html(classifier.background_, [*used, *map(Signal, overview)])}"
    )
    return document(heading, body)


def _data_html(content: ReportContent, wording: Wording, channels: Sequence[int]) -> str:
    classifier, ds = content.classifier, content.dataset
    n_channels, n_samples = classifier.metadata_["n_channels"], classifier.metadata_["n_timepoints"]
    step = "" if wording.step is None else f", one every {wording.step:g} {wording.unit or ''}".rstrip()
    n_test = 0 if content.test is None else len(content.test.y)
    facts = {
        "name": content.name,
        "cases": f"{len(content.train.y)} for training, {n_test} unseen",
        "samples": f"{n_samples}{step}",
        "channels": ", ".join(wording.channel_titles(range(n_channels))),
    }
    if ds is not None:
        facts["source"] = ds.source
    drawn = len(channels)
    hidden = "" if drawn == n_channels else f"<p>The first {drawn} of {n_channels} channels are drawn.</p>\n"
    return (
        f"{facts_html(facts)}\n<h3>Balance of classes</h3>\n{_balance_html(content)}\n"
        "<h3>Signals</h3>\n<p>Some training cases of each class. Choose the class to see in colour.</p>\n"
        f"{hidden}{signals_html(classifier.background_, wording, channels)}"
    )


def _balance_html(content: ReportContent) -> str:
    classes = content.classifier.classes_.tolist()
    train = Counter(content.train.y)
    test = Counter([] if content.test is None else content.test.y)
    most = max(train.values())
    rows = "".join(
        f'<tr><td>{escape(str(label))}</td><td class="number">{train[label]}</td>'
        f'<td class="number">{test[label]}</td>'
        f'<td><span class="bar" style="width: {10 * train[label] / most:.2f}em"></span></td></tr>'
        for label in classes
    )
    head = "<tr><th>class</th><th>training</th><th>unseen</th><th></th></tr>"
    return f"<table><thead>{head}</thead>{rows}</table>"


def _model_html(content: ReportContent) -> str:
    model, variant = content.classifier.model_, content.classifier.variant
    kind = {
        "scorecard": "a score card: points for a few formulas",
        "dense": "linear in the robustness of its concepts",
        "paper": "the network of the paper",
    }
    is_card = isinstance(model, ScorecardModel)
    facts = {
        "model": kind[variant],
        "formulas" if is_card else "concepts": str(len(model.concepts)),
        **accuracy_facts(content),
        **novelty_facts(content),
    }
    card = f"<h3>The whole model</h3>\n{card_html(content.classifier.card_)}\n" if is_card else ""
    return (
        f"{facts_html(facts)}\n{card}{_edits_html(content)}<h3>What is taken for what</h3>\n"
        f"<p>Rows are the true classes of the {content.judged_name} cases, columns the predicted ones.</p>\n"
        f"{_confusion_html(content)}\n<h3>Do explanations show what the model decided by?</h3>\n"
        f"{_carried_html(content)}\n"
    )


def _edits_html(content: ReportContent) -> str:
    """What was changed by hand; nothing for a card as it was learned."""
    edits = content.classifier.edits_
    if not edits:
        return ""
    rows = [
        {
            "time": edit.at.strftime("%Y-%m-%d %H:%M UTC"),
            "edit": edit.what,
            "formula before": edit.formula_before or "",
            "formula after": edit.formula_after or "",
            "training accuracy": f"{percent(edit.training.before)} to {percent(edit.training.after)}",
            "formulas alone, left out": " to ".join(map(percent, edit.leave_one_out)),
            "unseen accuracy": ""
            if edit.unseen is None
            else f"{percent(edit.unseen.before)} to {percent(edit.unseen.after)}",
            "predictions changed": f"{len(edit.training.changed)} of {edit.training.n_cases}",
        }
        for edit in edits
    ]
    note = "<p>Predictions are those for the training cases. clf.audit() has the whole cards.</p>\n"
    return f'<h3>Edits by hand</h3>\n{note}<div class="wide">{table_html(pd.DataFrame(rows))}</div>\n'


def _carried_html(content: ReportContent) -> str:
    """What explanations carry of the predictions, on training cases and beside them on unseen ones."""
    rows = {
        text: [percent(found[measure]) for found in content.carried.values()]
        for measure, text in _CARRIED.items()
    }
    found = pd.DataFrame.from_dict(
        rows, orient="index", columns=[f"{name} cases" for name in content.carried]
    ).rename_axis("measure")
    missing = "" if content.test is not None else "<p>There are no unseen cases to measure on.</p>\n"
    return f"{missing}{table_html(found.reset_index())}"


def _confusion_html(content: ReportContent) -> str:
    classes, part = content.classifier.classes_.tolist(), content.judged
    pairs, totals = Counter(zip(part.y, part.predictions, strict=True)), Counter(part.y)
    head = "".join(f"<th>{escape(str(label))}</th>" for label in classes)
    rows = []
    for label in classes:
        cells = "".join(
            f'<td class="share" style="--share: {0.8 * pairs[label, found] / max(1, totals[label]):.2f}">'
            f"{pairs[label, found]}</td>"
            for found in classes
        )
        rows.append(f"<tr><th>{escape(str(label))}</th>{cells}</tr>")
    return f'<div class="wide"><table><thead><tr><th></th>{head}</tr></thead>{"".join(rows)}</table></div>'


def _class_html(content: ReportContent, label: Any) -> str:
    explanation, division = content.classes[label], content.divisions[label]
    measures = {
        f"{name} on {content.judged_name} cases": percent(getattr(division, name))
        for name in ("recall", "specificity", "precision")
    }
    return _explanation_html(
        content,
        explanation,
        {**explanation.facts(), **measures},
        explanation.title,
        _class_answer(explanation),
    )


def _case_html(content: ReportContent, number: int) -> str:
    explanation, truth = content.cases[number], content.judged.y[number]
    title = f"{content.judged_name.capitalize()} case {number}: {explanation.title}"
    facts = {"true class": str(truth), "predicted class": str(explanation.prediction), **explanation.facts()}
    if number in content.unseen:
        row = content.unseen[number]
        facts["separates from unseen cases of other classes"] = percent(row.unseen_separability)
        facts[f"covers unseen cases of {explanation.target}"] = percent(row.unseen_coverage)
    else:
        facts["measured on unseen cases"] = "there are none"
    return _explanation_html(content, explanation, facts, title, _case_answer(explanation, truth))


def _explanation_html(
    content: ReportContent, explanation: Explanation, facts: dict[str, str], title: str, answer: str
) -> str:
    shown = explanation.picture()
    # all figures of the page share one set of cases behind
    picture = Picture(
        shown.formula, shown.target, shown.wording, content.classifier.background_, shown.case, shown.caption
    )
    texts = {
        "LaTeX": explanation.to_latex(),
        "RTAMT": explanation.wording.rtamt(explanation.formula),
        "for st.parse, with the names of the channels": explanation.wording.ascii(explanation.formula),
    }
    parts = table_html(explanation._table())
    listed = "".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in texts.items())
    return (
        f"<article>\n<h3>{escape(title)}</h3>\n{answer}\n"
        f'<p class="formula">{escape(explanation.to_unicode())}</p>\n{picture_html(picture)}'
        f"<details><summary>Formula as text</summary><dl>{listed}</dl></details>\n"
        f'<details{_opened(explanation)}<div class="wide">{parts}</div></details>\n'
        f"<details><summary>Measures</summary>{facts_html(facts)}</details>\n</article>\n"
    )


def _opened(explanation: Explanation) -> str:
    """The end of the tag that holds the parts: those of a class stand open where they are the card's."""
    if isinstance(explanation, ClassExplanation) and explanation.card:
        return " open><summary>What the score card says of this class</summary>"
    return "><summary>Parts</summary>"


def _class_answer(explanation: ClassExplanation) -> str:
    """The formula in words, and how it divides training and unseen cases."""
    shares = f"{percent(explanation.recall)} of the training cases of the class"
    excluded = f"{percent(explanation.specificity)} of those of other classes"
    if (unseen := explanation.unseen) is not None:
        shares += f" and {percent(unseen.recall)} of the unseen ones"
        excluded += f" and {percent(unseen.specificity)} of the unseen ones"
    return f"<p>{escape(explanation.to_english())}</p>\n<p>Holds for {shares}; excludes {excluded}.</p>"


def _case_answer(explanation: LocalExplanation, truth: Any) -> str:
    """The verdict, then the reasons; of a score card with its score sheet."""
    text = f"{verdict_text(explanation)}. True class: {truth}"
    verdict = f'<p class="verdict">{escape(text)}</p>\n'
    if explanation.sheet is None:
        return f"{verdict}<p>{escape(explanation.to_english())}</p>"
    reasons = reasons_html(explanation, explanation.sheet)
    return f"{verdict}{warning_html(explanation)}{reasons}\n{sheet_html(explanation, explanation.sheet)}"
