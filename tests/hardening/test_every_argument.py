"""One argument of a public function is spoilt at a time: a clean result, or one clear error of ours."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import stelle_nb as st
from tests.hardening.calls import CALLS as OTHER_CALLS
from tests.hardening.card_calls import CARDS
from tests.hardening.hostile import LABELS, SCALARS, SERIES
from tests.hardening.panel_calls import PANELS
from tests.hardening.teach_calls import TEACH
from tests.hardening.trial import try_out

CALLS = {**OTHER_CALLS, **PANELS, **CARDS, **TEACH}
OF_SERIES = {"X", "X_train", "X_test", "X_new", "x", "case", "cases", "frame", "data"}
OF_LABELS = {"y", "y_train", "y_test", "y_new", "y_true", "y_pred", "predictions", "targets"}
# Every kind of series and of labels is thrown at the main functions in test_bad_input; here one of each sort.
FEW_SERIES = (
    "none",
    "text",
    "generator",
    "ragged",
    "0-d",
    "objects",
    "nan",
    "float16",
    "tensor with gradient",
)
FEW_LABELS = ("none", "number", "too few", "2-d", "nan", "unhashable", "html")
FEW_SCALARS = ("text", "negative", "object")  # for what draws a whole panel or page

MAY_BE_NAN = ("metrics.coverage",)  # for a class without cases, as its docstring says
# Public, and no function that takes what a user brings.
NO_DOOR = {
    "StelleError": "an error",
    "Formula": "what formulas have in common; never built",
    "default_concepts": "takes no argument",
    "Edit": "a record, made by edits of a classifier",
    **dict.fromkeys(("LocalExplanation", "ClassExplanation"), "made by the classifier, read by from_json"),
    **{
        f"metrics.{name}": "a record of results"
        for name in ("LocalQuality", "LocalRow", "ClassQuality", "Division", "Agreement", "ClassAgreement",
                     "Readability", "Faithfulness", "FaithfulnessRow", "Deletion", "Intervention", "Form",
                     "FormRecovery")
    },
    "plots.PlotChart": "a chart of Altair",
    **{
        f"teach.{name}": "a record, made by make_item, judge and mutants"
        for name in ("Item", "Choice", "Judgement", "Counterexample", "Misconception", "Mutant", "Attempt",
                     "Progress", "plot_counterexample")
    },
}  # fmt: skip


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def public() -> Iterator[tuple[str, Any]]:
    """All that can be called by a public name, once."""
    seen: set[int] = set()
    for prefix, home in [("", st), *((f"{name}.", getattr(st, name)) for name in st._PACKAGES)]:
        for name in getattr(home, "__all__", ()):
            value = getattr(home, name)
            if callable(value) and id(value) not in seen:
                seen.add(id(value))
                yield prefix + name, value


def test_every_public_name_is_in_the_table_or_named_as_an_exception() -> None:
    names = {name for name, _ in public()}
    assert names - set(CALLS) == set(NO_DOOR)
    assert set(MAY_BE_NAN) <= set(CALLS)


def test_every_argument_is_in_the_table() -> None:
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    for name, value in public():
        if name in CALLS:
            wanted = {p.name for p in inspect.signature(value).parameters.values() if p.kind not in kinds}
            assert wanted <= set(CALLS[name]()[1]), name


@pytest.mark.parametrize("name", CALLS)
def test_spoilt_arguments(name: str) -> None:
    function, good = CALLS[name]()
    if not name.endswith(".load"):
        function(**good)

    def call(**given: Any) -> Any:
        result = function(**given)
        return None if name in MAY_BE_NAN else result

    wrong = []
    for argument in good:
        for what, value in _values(argument, name):
            try:
                try_out(lambda spoilt, a=argument: call(**{**good, a: spoilt}), value())
            except Exception as error:  # all that slipped through is told at once
                wrong.append(f"{argument} = {what}: {type(error).__name__}: {str(error)[:200]}")
    assert not wrong, "\n".join(wrong)


def _values(argument: str, name: str) -> list[tuple[str, Callable[[], Any]]]:
    of_state = name.endswith(("State", ".report"))
    if argument in OF_SERIES and not of_state:
        return [(each, SERIES[each]) for each in FEW_SERIES]
    if argument in OF_LABELS:
        return [(each, LABELS[each]) for each in FEW_LABELS]
    is_slow = of_state or "anel" in name or name in ("explore", "playground", "teach.exercise")
    return [(each, make) for each, make in SCALARS.items() if not is_slow or each in FEW_SCALARS]
