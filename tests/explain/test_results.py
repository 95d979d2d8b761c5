"""Explanations as values: their texts, tables, JSON and page."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from html import escape
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
import torch

from stelle_nb.errors import ExplanationError, NoCardError
from stelle_nb.explain.classes.class_explanation import ClassExplanation
from stelle_nb.explain.classes.class_level import explain_class
from stelle_nb.explain.explanation import Explanation, percent
from stelle_nb.explain.local.build import readable
from stelle_nb.explain.local.local_clause import Gammas, find_clause
from stelle_nb.explain.local.local_explanation import LocalExplanation
from stelle_nb.explain.local.local_level import explain_cases
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.traversal import signals
from stelle_nb.rewrite import simplify
from stelle_nb.semantics.robustness import robustness
from tests.explain.conftest import CLASSES, HOSTILE, Hand, make_task


@pytest.fixture(scope="module")
def local(hand: Hand) -> list[LocalExplanation]:
    return explain_cases(hand.setting, hand.X, hand.evidence, None, Gammas())


@pytest.fixture(scope="module")
def of_classes(hand: Hand) -> list[ClassExplanation]:
    return [explain_class(make_task(hand, k), "paper") for k in range(3)]


@pytest.fixture(scope="module")
def explanations(local: list[LocalExplanation], of_classes: list[ClassExplanation]) -> list[Explanation]:
    return [*local[:6], *of_classes]


def test_what_is_shown_is_what_was_measured(hand: Hand, local: list[LocalExplanation]) -> None:
    labels = hand.setting.reference.labels
    for i, found in enumerate(local):
        target = CLASSES.index(found.target)
        holds = robustness(found.formula, hand.X) >= 0
        assert found.robustness == robustness(found.formula, hand.X)[i] >= 0
        assert found.separability == pytest.approx(1 - holds[labels != target].mean())
        assert found.coverage == pytest.approx(holds[labels == target].mean())
        assert np.array_equal(found.case, hand.X[i])
        for part in found.conjuncts:
            alone = robustness(part.formula, hand.X) >= 0
            assert part.separability == pytest.approx(1 - alone[labels != target].mean())
            model = hand.setting.model
            concept = readable(model.basis, model.concepts[part.number], hand.setting.spans)
            assert part.concept == concept
            assert (robustness(concept, hand.X) >= 0) == pytest.approx(
                robustness(model.shown[part.number], hand.X) >= 0
            )


def test_relevance_is_that_of_the_model(hand: Hand, local: list[LocalExplanation]) -> None:
    A = hand.setting.model.attributions(hand.evidence).values.numpy()
    for i, found in enumerate(local):
        k = CLASSES.index(found.target)
        r = A[i, :, k] - np.delete(A[i], k, axis=1).mean(1)
        numbers = [part.number for part in found.shown]
        assert numbers == [part.number for part in found.conjuncts]
        assert found.relevance == pytest.approx(r[numbers], rel=1e-5) and (found.relevance > 0).all()
        assert found.relevance_share == pytest.approx(r[numbers].sum() / r[r > 0].sum(), rel=1e-5)
        assert found.absolute_share == pytest.approx(r[numbers].sum() / np.abs(r).sum(), rel=1e-5)
        assert found.convergence_error == 0


def test_recall_specificity_and_precision_follow_from_counts(of_classes: list[ClassExplanation]) -> None:
    found = replace(of_classes[0], n_own=10, n_opponents=40, n_satisfied=8, n_mistaken=2)
    assert (found.recall, found.specificity, found.precision) == (0.8, 0.95, 0.8)
    assert math.isnan(replace(found, n_satisfied=0, n_mistaken=0).precision)


def test_texts_agree_with_the_formula(explanations: list[Explanation]) -> None:
    for found in explanations:
        names = found.channel_names
        sentence = found.formula.to_english(names, found.step, found.unit)
        if isinstance(found, LocalExplanation):
            share = percent(found.relevance_share)
            assert found.to_english().startswith(f"{sentence} ")
            assert found.to_english().endswith(f" {share} of this decision.")
            assert any(f"{share} of this decision." in said for said in found.facts().values())
            assert escape(f"{share} of this decision.") in found._repr_html_()
        else:
            assert found.to_english() == sentence
        assert parse(found.formula.to_unicode(names, digits=None), names) == found.formula
        assert found.to_latex() == found.formula.to_latex(names)
        assert found.to_rtamt() == found.formula.to_rtamt()
        assert found.size == found.formula.size <= found.before.size
        assert found.expanded_size == found.formula.expanded_size
        assert found.channels == found.formula.channels
        assert simplify(found.before).result == found.formula
        assert found.to_unicode() in repr(found)
        assert found.to_english() in str(found)


def test_tables_have_a_row_for_each_part(explanations: list[Explanation]) -> None:
    for found in explanations:
        parts = found.conjuncts if isinstance(found, LocalExplanation) else found.clauses
        frame = found.to_frame()
        assert len(frame) == len(parts) > 0
        assert frame.nodes.tolist() == [part.formula.size for part in parts]


def test_json_brings_everything_back(explanations: list[Explanation]) -> None:
    for found in explanations:
        again = type(found).from_json(found.to_json())
        assert again.to_json() == found.to_json()
        assert (again.formula, again.before, again.target) == (found.formula, found.before, found.target)
        assert again.trace.steps == found.trace.steps
        assert np.array_equal(again.background.cases, found.background.cases)
        assert json.loads(found.to_json())["english"] == found.to_english()


def test_documents_of_before_are_read(local: list[LocalExplanation]) -> None:
    document = {**json.loads(local[0].to_json()), "version": 2}
    for name in ("sheet", "absolute_share", "separated_by"):
        del document[name]
    for part in document["conjuncts"]:
        del part["is_reason"]
    again = LocalExplanation.from_json(json.dumps(document))
    assert (again.formula, again.conjuncts) == (local[0].formula, local[0].conjuncts)
    assert again.sheet is None and again.relevance_share == again.absolute_share
    assert (again.separated_by == "not separated") == (again.separability < 1)


def test_other_models_have_no_sheet_and_say_so(local: list[LocalExplanation]) -> None:
    for name in ("contributions", "against", "rival", "margin"):
        assert not hasattr(local[0], name)
        with pytest.raises(NoCardError, match=f"{name} needs the explanation of a score card"):
            getattr(local[0], name)
    assert local[0].shown == local[0].conjuncts


def test_without_a_concept_that_speaks_for_it_there_is_no_explanation(hand: Hand) -> None:
    reference, costs = hand.setting.reference, hand.setting.costs
    against = np.zeros((len(costs), 3))
    against[:, 0] = -1.0
    with pytest.raises(ExplanationError, match="No concept of the model speaks for this class"):
        find_clause(reference.robustness[0], against, 0, reference=reference, costs=costs, gammas=Gammas())


def test_numbers_of_numpy_are_written_as_numbers(hand: Hand) -> None:
    gammas = Gammas(np.int64(4), np.float32(0.5), np.float64(0.25))
    found = explain_cases(hand.setting, hand.X[:1], hand.evidence.take(torch.tensor([0])), None, gammas)[0]
    assert LocalExplanation.from_json(found.to_json()).gammas == Gammas(4, 0.5, 0.25)


def test_an_empty_formula_survives_json_and_page(local: list[LocalExplanation], tmp_path: Path) -> None:
    trace = simplify(parse("true"))
    nothing = replace(
        local[0],
        trace=trace,
        conjuncts=(),
        robustness=math.inf,
        background=local[0].background.of_channels(frozenset()),
    )
    assert LocalExplanation.from_json(nothing.to_json()).robustness == math.inf
    assert "charts" not in nothing.to_html(tmp_path / "page.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "recipe"}, "must hold a stelle_nb local explanation, got 'recipe'"),
        ({"version": 99}, "must be of version 1 to 3, got '99'"),
        ({"formula": "F[0,2] x0 >="}, "broken .*ParseError"),
        ({"formula": "x0 >= 12345"}, "The steps lead to"),
        ({"steps": [{"rule": "magic", "path": [], "part": "true", "guarantee": "every signal"}]}, "magic"),
        ({"case": [1, 2]}, "axes"),
        ({"target": {"a": 1}}, "label"),
        ({"conjuncts": 3}, "broken"),
        ({"gammas": {"gamma_t": 7}}, "gamma_t"),
        ({"background": {}}, "KeyError"),
    ],
)
def test_broken_documents_are_refused(
    local: list[LocalExplanation], change: dict[str, object], message: str
) -> None:
    text = json.dumps({**json.loads(local[0].to_json()), **change})
    with pytest.raises(ExplanationError, match=message):
        LocalExplanation.from_json(text)


@pytest.mark.parametrize("text", ["", "[]", "{", '{"kind": NaN}', "[" * 5000])
def test_what_is_no_document_is_refused(text: str) -> None:
    with pytest.raises(ExplanationError):
        ClassExplanation.from_json(text)


def test_a_label_that_json_cannot_hold_is_named(local: list[LocalExplanation]) -> None:
    with pytest.raises(ExplanationError, match="frozenset"):
        replace(local[0], target=frozenset({1})).to_json()


class _Elements(HTMLParser):
    """Which elements and attributes a page has, as a browser would see them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]


def test_hostile_names_stay_text(explanations: list[Explanation], tmp_path: Path) -> None:
    for found in explanations:
        whole = found.to_html(tmp_path / "page.html").read_text(encoding="utf-8")
        for text in (found._repr_html_(), whole):
            seen = _Elements(text)
            assert not {"img", "b", "s"} & set(seen.tags)
            assert not [name for name in seen.attributes if name.startswith("on")]
            assert HOSTILE not in text
    # the names are there all the same
    assert any("&lt;/script&gt;" in found._repr_html_() for found in explanations)


def test_the_page_needs_nothing_else(explanations: list[Explanation], tmp_path: Path) -> None:
    for found in explanations:
        text = found.to_html(tmp_path / "page.html").read_text(encoding="utf-8")
        seen = _Elements(text)
        assert not {"src", "href", "srcset"} & set(seen.attributes)
        assert "default-src 'none'" in text
        assert set(re.findall(r"https?://[\w.]+", text)) <= {"http://www.w3.org"}
        assert len(text) < 70_000
        data = re.search(r'<script type="application/json">(.*?)</script>', text, re.DOTALL)
        assert data is not None
        channels = json.loads(data[1])["channels"]
        drawn = sorted(signals(found.formula) | {Signal(channel) for channel in found.channels})
        assert [c["name"] for c in channels] == [found.wording.signal(signal) for signal in drawn]
        assert all(len(c["case"]) == 30 for c in channels if c["case"] is not None)
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


def test_how_many_clauses_have_to_hold_is_kept_and_checked(of_classes: list[ClassExplanation]) -> None:
    found = of_classes[0]
    counted = replace(found, clauses=found.clauses[:1] * 3, needed=2)
    text = counted.to_json()
    assert ClassExplanation.from_json(text).needed == 2
    document = json.loads(text)
    for wrong in (0, 4, 1.5, "2", True):
        with pytest.raises(ExplanationError, match="needed"):
            ClassExplanation.from_json(json.dumps({**document, "needed": wrong}))
    del document["needed"]  # as written before formulas could count
    assert ClassExplanation.from_json(json.dumps(document)).needed == 1
