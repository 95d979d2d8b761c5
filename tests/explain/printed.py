"""The law of printed explanations: read back from any printer, they hold of the cases they were made for.

Sentences say shapes in words, so of these only the other numbers are looked for in them.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import stelle_nb as st
from stelle_nb.depict.wording import Wording
from stelle_nb.explain.classes import paper_method
from stelle_nb.explain.classes.class_explanation import ClassExplanation
from stelle_nb.explain.explanation import Explanation
from stelle_nb.explain.local import build, card_level, local_level
from stelle_nb.explain.local.local_explanation import LocalExplanation
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.idioms import recognise
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.syntax import Atom, Tube
from stelle_nb.logic.traversal import nodes
from stelle_nb.logic.weighted_sum import WeightedSum
from stelle_nb.rewrite import simplify
from stelle_nb.semantics.robustness import robustness
from tests.logic.reading_back import from_latex, through_rtamt

SETS = ("ArticularyWordRecognition", "AtrialFibrillation", "BasicMotions", "Cricket", "ERing", "Epilepsy",
        "HandMovementDirection", "Handwriting", "Libras")  # fmt: skip
FEW_SETS = [
    name if name in ("BasicMotions", "ERing") else pytest.param(name, marks=pytest.mark.long) for name in SETS
]
Array = npt.NDArray[np.float64]
MOVED: dict[str, Callable[[Array], Array]] = {
    "as it is": lambda X: X,
    "+ 100": lambda X: X + 100,
    "+ 1000": lambda X: X + 1000,
    "/ 1000": lambda X: X / 1000,
}
RESOLUTION = 1e-12  # RTAMT has no abs and no lags: written out, a value on the boundary rounds to either side
NUMBER = r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?"


def holds(formula: Formula, X: Array) -> npt.NDArray[np.bool_]:
    return np.asarray(robustness(formula, X)) >= 0


def numbers(formula: Formula, *, shapes: bool) -> set[float]:
    """All numbers of a formula without their signs; those of shapes, which sentences paraphrase, if asked."""
    found: set[float] = set()
    for node in nodes(formula):
        if isinstance(node, Atom):
            found.add(abs(node.threshold))
            if isinstance(node.signal, WeightedSum):
                found |= {abs(term.weight) for term in node.signal.terms if abs(term.weight) != 1}
        elif isinstance(node, Tube) and shapes:
            found |= {abs(number) for track in node.tracks for number in (*track.points, track.delta)}
    return found


def said(text: str) -> set[float]:
    """All numbers of a text, powers of ten of LaTeX included."""
    plain = re.sub(r" \\times 10\^\{(-?\d+)\}", r"e\1", text)
    return {float(each) for each in re.findall(r"\d+(?:\.\d+)?(?:e[+-]?\d+)?", plain)}


def values_said(sentence: str) -> set[float]:
    """The numbers of a sentence that have the unit V of the channels, or of which the last of two has it."""
    pairs = re.findall(rf"({NUMBER})(?: (?:and|to) ({NUMBER}))? V\b", sentence)
    return {abs(float(each)) for pair in pairs for each in pair if each}


def check_printers(formula: Formula, wording: Wording, X: Array) -> None:
    """What every printer writes is the formula; RTAMT's text, in which parts are repeated, has its truth."""
    names = wording.channel_names
    assert parse(str(formula)) == formula
    assert parse(wording.ascii(formula), names) == formula
    assert parse(wording.unicode(formula), names) == formula
    assert from_latex(wording.latex(formula), names) == formula
    clear = np.abs(np.asarray(robustness(formula, X))) > RESOLUTION * np.abs(X).max()
    assert np.array_equal(holds(through_rtamt(formula), X)[clear], holds(formula, X)[clear])
    assert numbers(formula, shapes=False) <= said(wording.english(formula))


def check_simplified(printed: Formula, wording: Wording, X: Array) -> None:
    """A formula simplified in any way holds of the same cases, whichever printer writes it."""
    results = {
        simplify(printed).result,
        simplify(printed, X.copy()).result,
        simplify(printed, X.copy(), keep="sign").result,
    }
    for shorter in results:
        assert np.array_equal(holds(shorter, X), holds(printed, X))
        check_printers(shorter, wording, X)


def check_explanation(found: Explanation, X: Array) -> None:
    """All ways into text of an explanation say its formula, before and after it was simplified."""
    for formula in {found.formula, found.before}:
        check_printers(formula, found.wording, X)
    assert np.array_equal(holds(found.before, X), holds(found.formula, X))
    check_simplified(found.formula, found.wording, X)
    for text in (str(found), html.unescape(found.page())):
        assert found.to_unicode() in text
    assert type(found).from_json(found.to_json()).formula == found.formula  # type: ignore[attr-defined]


def check_local(found: LocalExplanation, own: Array, X: Array) -> None:
    """An explanation of a case holds of it, as printed; what it says of each part are the part's numbers."""
    assert holds(parse(found.to_unicode(), found.channel_names), own).all()
    check_explanation(found, np.concatenate([X, own]))
    told = said(found.to_english())
    for part in found.conjuncts:
        if part.is_reason:
            assert numbers(part.formula, shapes=False) <= told


def check_class(found: ClassExplanation, X: Array, y: npt.NDArray[Any]) -> None:
    """What is counted of a class formula is what its print says."""
    check_explanation(found, X)
    printed = holds(parse(found.to_unicode(), found.channel_names), X)
    assert found.n_satisfied == printed[y == found.target].sum()
    assert found.n_mistaken == printed[y != found.target].sum()


def check_card(card: st.Scorecard, X: Array, T: Array) -> None:
    """A printed card is the card, however it is printed."""
    for back in (st.Scorecard.from_text(card.to_text()), st.Scorecard.from_json(card.to_json())):
        assert back == card
        np.testing.assert_array_equal(back.scores(T), card.scores(T))
    shown = re.findall(r'class="formula">(.*?) · <span class="reach">', card.to_html())  # type: ignore[arg-type]
    assert len(shown) == card.n_formulas
    frame, latex = card.to_frame(), said(card.to_latex())
    wording = Wording(card.channel_names, card.step, card.unit, card.units)
    for j, formula in enumerate(card.formulas):
        assert parse(html.unescape(shown[j]), card.channel_names) == formula
        assert parse(frame["formula"][j], card.channel_names) == formula
        assert numbers(formula, shapes=True) <= latex
        idiom = recognise(formula)
        assert idiom is not None, formula
        if idiom.idiom != "shape":  # which is said in words
            assert values_said(card.sentences[j]) | {0.0} == numbers(formula, shapes=False) | {0.0}
        check_printers(formula, wording, X)
        check_simplified(formula, wording, X)


@dataclass
class Rounding:
    """What was rounded while explanations were built: parts as they were, and as they are printed."""

    pairs: list[tuple[Formula, Formula]] = field(default_factory=list)

    def of_concepts(self, vocabulary: Any, clause: Any, *given: Any) -> tuple[Formula, ...]:
        found = build.rounded_concepts(vocabulary, clause, *given)
        self.pairs += zip(build.shifted_concepts(vocabulary, clause), found, strict=True)
        return found

    def of_formula(self, formula: Formula, moved: Formula, spans: Any) -> Formula:
        found = build.round_numbers(formula, moved, spans)
        self.pairs.append((formula, found))
        return found

    def check(self, X: Array) -> int:
        """Every part holds of the same cases as before, with no more decimals than its channel needs."""
        spans = build.spans_of(X)
        for exact, printed in dict.fromkeys(self.pairs):
            assert np.array_equal(holds(exact, X), holds(printed, X))
            for node in nodes(printed):
                if isinstance(node, Atom) and not isinstance(node.signal, WeightedSum):
                    low, high = spans[node.signal.channel]
                    assert node.threshold == round(node.threshold, 7 - int(np.floor(np.log10(high - low))))
        n = len(self.pairs)
        self.pairs.clear()
        return n


@pytest.fixture
def rounding(monkeypatch: pytest.MonkeyPatch) -> Rounding:
    watched = Rounding()
    monkeypatch.setattr(local_level, "rounded_concepts", watched.of_concepts)
    monkeypatch.setattr(paper_method, "rounded_concepts", watched.of_concepts)
    monkeypatch.setattr(card_level, "round_numbers", watched.of_formula)
    return watched


def check_cases(clf: st.StelleClassifier, X: Array, T: Array, rounding: Rounding) -> int:
    """Explanations of cases; how many parts were rounded."""
    n = 0
    for own in np.split(T, len(T)):
        [found] = clf.explain_local(own)
        n += rounding.check(np.concatenate([X, own]))
        check_local(found, own, X)
    return n


def check_classes(
    clf: st.StelleClassifier, X: Array, y: npt.NDArray[Any], targets: Iterable[Any], rounding: Rounding
) -> int:
    """Explanations of classes by every method of the model; how many parts were rounded."""
    n = 0
    for method in ("card", "paper") if clf.variant == "scorecard" else ("paper",):
        for found in clf.explain_global(method=method, target=list(targets)).values():
            n += rounding.check(X)
            check_class(found, X, y)
    return n
