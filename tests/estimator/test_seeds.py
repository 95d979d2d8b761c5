"""Everything random comes from ``random_state``: what is fitted, class formulas, novelty, controls."""

from __future__ import annotations

import ast
import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stelle_nb
from stelle_nb.estimator import StelleClassifier, report_content
from stelle_nb.explain.classes import card_method
from stelle_nb.metrics import local
from tests.estimator.conftest import make_bursts, make_classifier

DRAWING = ("concepts", "estimator", "explain", "kernels", "metrics", "model", "rewrite", "semantics")
OVERWRITTEN = "model/paper/network.py"  # it builds a network only to load stored weights into it


def reseeded(clf: StelleClassifier, seed: int) -> StelleClassifier:
    """The same model with another seed for what is drawn after the fit."""
    other = copy.copy(clf)
    other._remember(clf.reference_, clf.evidence_, clf.background_, clf.series_)
    other.seed_ = seed
    return other


def test_a_seed_repeats_and_another_differs(variant: str) -> None:
    X, y = make_bursts()
    fitted = [make_classifier(variant, random_state=seed).fit(X, y) for seed in (0, 0, 1)]
    concepts, answers = [clf.concepts_ for clf in fitted], [clf.predict_proba(X) for clf in fitted]
    assert concepts[0] == concepts[1] and np.array_equal(answers[0], answers[1])
    assert not np.array_equal(answers[0], answers[2])
    assert (concepts[0] == concepts[2]) == (variant == "paper")  # whose concepts come with the package
    assert [clf.seed_ for clf in fitted] == [0, 0, 1]


def test_the_search_for_class_formulas_draws_from_the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    clf = make_classifier("scorecard").fit(*make_bursts())
    drawn: list[np.ndarray] = []
    imagine = card_method.imagine_cases

    def recorded(*given: Any, **named: Any) -> np.ndarray:
        drawn.append(imagine(*given, **named))
        return drawn[-1]

    monkeypatch.setattr(card_method, "imagine_cases", recorded)
    for seed in (0, 0, 1):
        reseeded(clf, seed).explain_global()
    assert len(drawn) == 3  # once for all classes
    assert np.array_equal(drawn[0], drawn[1]) and not np.array_equal(drawn[0], drawn[2])


def test_novelty_draws_from_the_seed() -> None:
    clf = make_classifier().fit(*make_bursts())
    points = []
    for seed in (0, 0, 1):
        other = reseeded(clf, seed)
        other.novelty(make_bursts()[0])
        points.append(other._derived["known cases"].cases.points)
    assert np.array_equal(points[0], points[1]) and not np.array_equal(points[0], points[2])


@pytest.mark.parametrize("where", ["measures", "report"])
def test_random_controls_draw_from_the_seed(
    where: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    X, y = make_bursts()
    clf = make_classifier("scorecard").fit(X, y)
    module: Any = local if where == "measures" else report_content
    drawn: list[float] = []
    delete = module.delete_shown

    def recorded(*given: Any, rng: np.random.Generator, **named: Any) -> Any:
        drawn.append(copy.deepcopy(rng).random())
        return delete(*given, rng=rng, **named)

    monkeypatch.setattr(module, "delete_shown", recorded)
    for seed in (0, 5):
        other = reseeded(clf, seed)
        if where == "measures":
            local.local_quality(other, X_train=X, y_train=y, X_test=X[:3], y_test=y[:3])
        else:
            other.report(tmp_path / f"{seed}.html")
    assert drawn == [np.random.default_rng(seed).random() for seed in (0, 5)]


def test_no_layer_that_draws_has_a_seed_of_its_own() -> None:
    root = Path(stelle_nb.__file__).parent
    found = []
    for path in (path for layer in DRAWING for path in sorted((root / layer).rglob("*.py"))):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            if node.func.attr in ("default_rng", "RandomState", "manual_seed"):
                is_own = not node.args or isinstance(node.args[0], ast.Constant)
                is_own |= bool(node.args) and isinstance(node.args[0], ast.Name) and node.args[0].id.isupper()
                found += [path.relative_to(root).as_posix()] if is_own else []
    assert found == [OVERWRITTEN]
