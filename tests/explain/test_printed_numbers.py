"""What is printed of an explanation is true of its data, however far from zero these lie."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import torch

import stelle_nb as st
from stelle_nb.data.basis import SignalBasis
from stelle_nb.explain import build, class_level, local_level
from stelle_nb.explain.background import Background
from stelle_nb.explain.explanation import Explanation
from stelle_nb.explain.reference import Reference
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.parser import parse
from stelle_nb.logic.syntax import Atom, Tube
from stelle_nb.logic.traversal import nodes
from stelle_nb.logic.weighted_sum import WeightedSum
from stelle_nb.model.default_model import LinearConceptModel
from stelle_nb.rewrite import simplify
from stelle_nb.semantics.robustness import robustness

SETS = ("ArticularyWordRecognition", "AtrialFibrillation", "BasicMotions", "Cricket", "ERing", "Epilepsy",
        "HandMovementDirection", "Handwriting", "Libras")  # fmt: skip
Array = npt.NDArray[np.float64]
MOVED: dict[str, Callable[[Array], Array]] = {
    "as it is": lambda X: X,
    "+ 100": lambda X: X + 100,
    "+ 1000": lambda X: X + 1000,
    "/ 1000": lambda X: X / 1000,
}
N_CASES = 3


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


def check_printed(found: Explanation) -> None:
    """Every printer says the numbers of the formula that was judged."""
    names = found.channel_names
    for formula in (found.formula, found.before):
        assert parse(str(formula)) == formula
        assert parse(found.wording.ascii(formula), names) == formula
        assert parse(found.wording.unicode(formula), names) == formula
        assert numbers(formula, shapes=False) <= said(found.wording.english(formula))
        assert numbers(formula, shapes=True) <= said(found.wording.latex(formula))
    assert type(found).from_json(found.to_json()).formula == found.formula  # type: ignore[attr-defined]


@dataclass
class Rounding:
    """What was rounded while explanations were built: parts as they were, and as they are printed."""

    pairs: list[tuple[Formula, Formula]] = field(default_factory=list)

    def __call__(self, vocabulary: Any, clause: Any, *given: Any) -> tuple[Formula, ...]:
        found = build.rounded_concepts(vocabulary, clause, *given)
        self.pairs += zip(build.shifted_concepts(vocabulary, clause), found, strict=True)
        return found

    def check(self, X: Array) -> None:
        """Every part is true of the same cases as before, and has no more decimals than its channel needs."""
        assert self.pairs
        spans = build.spans_of(X)
        for exact, printed in self.pairs:
            assert np.array_equal(holds(exact, X), holds(printed, X))
            for node in nodes(printed):
                if isinstance(node, Atom) and not isinstance(node.signal, WeightedSum):
                    low, high = spans[node.signal.channel]
                    assert node.threshold == round(node.threshold, 7 - int(np.floor(np.log10(high - low))))
        self.pairs.clear()


@pytest.fixture
def rounding(monkeypatch: pytest.MonkeyPatch) -> Rounding:
    watched = Rounding()
    monkeypatch.setattr(local_level, "rounded_concepts", watched)
    monkeypatch.setattr(class_level, "rounded_concepts", watched)
    return watched


def holds(formula: Formula, X: Array) -> npt.NDArray[np.bool_]:
    return np.asarray(robustness(formula, X)) >= 0


@cache
def small(folder: Path, name: str) -> tuple[Array, npt.NDArray[np.str_], Array, st.StelleClassifier]:
    """A few training cases and test cases of a data set, thinned out, and a small model of them."""
    ds = st.load_dataset(name, path=folder / name)
    chosen = np.concatenate([np.flatnonzero(ds.y_train == label)[:5] for label in np.unique(ds.y_train)[:3]])
    stride = max(1, ds.n_timepoints // 40)
    X, T = ds.X_train[chosen, :4, ::stride].astype(float), ds.X_test[:N_CASES, :4, ::stride].astype(float)
    y = ds.y_train[chosen]
    return X, y, T, st.StelleClassifier(n_concepts=40, random_state=0).fit(X, y)


def moved(clf: st.StelleClassifier, X: Array, y: npt.NDArray[np.str_]) -> st.StelleClassifier:
    """The classifier that the same concepts make of other units; fitting anew takes seconds."""
    basis, known = SignalBasis.fit(X, clf.model_.basis.signals), clf.model_
    model = LinearConceptModel(known.concepts, basis, known.head, device=torch.device("cpu"))
    evidence, codes = model.evidence(X), np.searchsorted(clf.classes_, y)
    other = copy.copy(clf)
    other.model_ = model
    other._remember(
        Reference(evidence.robustness.numpy(), codes, len(clf.classes_)),
        evidence,
        Background.of(X, codes, clf.classes_),
        X,
    )
    return other


@pytest.mark.parametrize("move", MOVED)
@pytest.mark.parametrize("name", SETS)
def test_explanations_of_cases_are_true_as_printed(
    uea: Path, name: str, move: str, rounding: Rounding
) -> None:
    X, y, T, clf = small(uea, name)
    X, T = MOVED[move](X), MOVED[move](T)
    clf = moved(clf, X, y)
    for own in np.split(T, len(T)):
        [found] = clf.explain_local(own)
        printed = parse(found.to_unicode())
        assert holds(printed, own).all()
        rounding.check(np.concatenate([X, own]))
        check_printed(found)
        check_simplified(printed, X)


@pytest.mark.parametrize(("name", "move"), [*zip(SETS, 3 * list(MOVED), strict=False)])
def test_class_explanations_are_true_as_printed(uea: Path, name: str, move: str, rounding: Rounding) -> None:
    X, y, _, clf = small(uea, name)
    X = MOVED[move](X)
    clf = moved(clf, X, y)
    for method in ("default", "paper"):
        [found] = clf.explain_global(method=method, target=y[0]).values()
        rounding.check(X)
        check_printed(found)
        printed = parse(found.to_unicode())
        check_simplified(printed, X)
        assert found.n_satisfied == holds(printed, X[y == y[0]]).sum()
        assert found.n_mistaken == holds(printed, X[y != y[0]]).sum()


def check_simplified(printed: Formula, X: Array) -> None:
    """A formula simplified on data is true of the same cases, as printed too."""
    shorter = simplify(printed, X.copy()).result
    assert parse(shorter.to_unicode()) == shorter
    assert np.array_equal(holds(shorter, X), holds(printed, X))


def test_latitudes_and_pressures_are_told_apart() -> None:
    """What spans a thousandth at 48, or a tenth at 1013, is said to the digits that tell it apart."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(20, 2, 30)), np.array(["north", "south"] * 10)
    X[y == "north", 0, 10:20] += 6
    X[y == "south", 1, 10:20] += 6
    X = X * np.array([1e-4, 1e-2])[:, None] + np.array([48.137, 1013.0])[:, None]
    clf = st.StelleClassifier(n_concepts=60, random_state=0, channel_names=["latitude", "pressure"])
    clf.fit(X, y)
    for i, each in enumerate(clf.explain_local(X)):
        assert robustness(parse(each.to_unicode(), each.channel_names), X[i : i + 1])[0] >= 0
        check_printed(each)
        for node in nodes(each.formula):
            if isinstance(node, Tube):
                for track in node.tracks:
                    assert len(set(track.points)) > 1 or len(track.points) == 1
