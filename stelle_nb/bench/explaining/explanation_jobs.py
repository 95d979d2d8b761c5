"""The jobs of the explanation benchmark: one fit with its explanations, on a data set or on a planted one."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

import torch

from stelle_nb.bench.explaining.explanation_figures import ExplanationFigure, Run, measure
from stelle_nb.bench.explaining.planted_sets import planted_formulas, planted_set
from stelle_nb.data import SeriesDataset, load_dataset
from stelle_nb.data.sources.planted import Difficulty
from stelle_nb.depict.version import version_of
from stelle_nb.experiments.contenders import make_classifier
from stelle_nb.experiments.jobs import Job, SettingsChanged
from stelle_nb.experiments.provenance import EXPLAINING, code_digest, data_digest
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.metrics import recovery
from stelle_nb.metrics.form import compare_forms, leading_formulas

LEADING = "leading"  # the method of formulas that are a card's own


@dataclass(frozen=True, slots=True)
class PlantedModel:
    """What is fitted to a planted set: a variant and, of a score card, its formulas for each class."""

    variant: str
    n_formulas: int | None = None

    @property
    def name(self) -> str:
        """What tables call it.

        Examples
        --------
        >>> PlantedModel("scorecard", 1).name, PlantedModel("paper").name
        ('scorecard, 1 a class', 'paper')
        """
        return self.variant if self.n_formulas is None else f"{self.variant}, {self.n_formulas} a class"


@dataclass(frozen=True, slots=True, eq=False)
class PlantedRun:
    """What one fit on a planted set found, by method and class.

    Parameters
    ----------
    accuracy
        Of the model.
    formulas
        Class formulas, and as method ``"leading"`` the leading formula of each class on a score card.
    agreement
        Share of fresh signals on which each formula agrees with the planted one.
    form
        Whether it has the planted form: the same idiom on the same channels, windows overlapping by half.
    """

    accuracy: float
    formulas: Mapping[str, Mapping[Any, Formula]]
    agreement: Mapping[str, Mapping[Any, float]]
    form: Mapping[str, Mapping[Any, bool]]


def methods_for(variant: str, methods: Sequence[str]) -> list[str]:
    """Those methods of class formulas that a variant has: only a score card can be read off.

    Examples
    --------
    >>> methods_for("dense", ["card", "paper"]), methods_for("scorecard", ["card", "paper"])
    (['paper'], ['card', 'paper'])
    """
    return [method for method in methods if method != "card" or variant == "scorecard"]


def set_job(data: SeriesDataset, folder: Path, variant: str, seed: int, methods: Sequence[str]) -> Job:
    """Fit on the training part, explain, and measure on both parts."""
    content = {
        "dataset": data.name,
        "variant": variant,
        "seed": seed,
        "methods": methods_for(variant, methods),
        "settings": f"data-{data_digest(data)} {_settings()}",
    }
    return Job.of("explanations", f"{__name__}:explain_set", content, place={"data": str(folder)})


def planted_job(
    name: str, difficulty: Difficulty, model: PlantedModel, seed: int, methods: Sequence[str]
) -> Job:
    """Fit on a planted set and compare formulas with the planted ones; each seed plants anew."""
    content = {
        "name": name,
        "difficulty": difficulty,
        "variant": model.variant,
        "n_formulas": model.n_formulas,
        "seed": seed,
        "methods": methods_for(model.variant, methods),
        "settings": _settings(),
    }
    return Job.of("planted explanations", f"{__name__}:explain_planted", content)


def explain_set(
    *, dataset: str, variant: str, seed: int, methods: Sequence[str], settings: str, data: str
) -> dict[str, Any]:
    """What :func:`to_run` reads."""
    found = load_dataset(dataset, path=data, may_download=False)
    _check(settings, f"data-{data_digest(found)} {_settings()}")
    with _one_thread():
        run = measure(found, variant=variant, seed=seed, methods=methods)
    figures = [[_plain(value) for value in astuple(figure)] for figure in run.figures]
    return {"figures": figures, "formulas": _to_texts(run.formulas)}


def to_run(result: Mapping[str, Any]) -> Run:
    """The run that a result stands for."""
    figures = (
        ExplanationFigure(*row[:7], *(math.nan if v is None else v for v in row[7:]))
        for row in result["figures"]
    )
    return Run(tuple(figures), _from_texts(result["formulas"]))


def explain_planted(
    *,
    name: str,
    difficulty: Difficulty,
    variant: str,
    n_formulas: int | None,
    seed: int,
    methods: Sequence[str],
    settings: str,
) -> dict[str, Any]:
    """What :func:`to_planted_run` reads."""
    _check(settings, _settings())
    data, planted = planted_set(name, difficulty=difficulty, seed=seed), planted_formulas(name)
    formulas: dict[str, dict[Any, Formula]] = {}
    with _one_thread():
        clf = make_classifier(variant, n_concepts=n_formulas, seed=seed).fit(data.X_train, data.y_train)
        if variant == "scorecard":
            formulas[LEADING] = leading_formulas(clf.card_)
        for method in methods:
            formulas[method] = {
                label: each.formula for label, each in clf.explain_global(method=method).items()
            }
        accuracy = clf.score(data.X_test, data.y_test)
    agreement: dict[str, list[tuple[Any, float]]] = {}
    form: dict[str, list[tuple[Any, bool]]] = {}
    for method, each in formulas.items():
        found = recovery(each, planted, data.X_test)
        agreement[method] = [(label, found.classes[label].agreement) for label in planted]
        form[method] = [
            (label, compare_forms(each[label], phi, n_timepoints=data.n_timepoints).is_same)
            for label, phi in planted.items()
        ]
    texts = _to_texts(formulas)
    return {"accuracy": float(accuracy), "formulas": texts, "agreement": agreement, "form": form}


def to_planted_run(result: Mapping[str, Any]) -> PlantedRun:
    """The run that a result stands for."""
    agreement = {method: dict(found) for method, found in result["agreement"].items()}
    form = {method: dict(found) for method, found in result["form"].items()}
    return PlantedRun(result["accuracy"], _from_texts(result["formulas"]), agreement, form)


def _settings() -> str:
    return f"code-{code_digest(EXPLAINING)} torch-{version_of('torch')}"


def _check(planned: str, now: str) -> None:
    if planned != now:
        raise SettingsChanged(f"{planned} became {now}.")


@contextmanager
def _one_thread() -> Iterator[None]:
    """CPU seconds are those of one thread."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def _plain(value: Any) -> Any:
    return None if isinstance(value, float) and math.isnan(value) else value


def _to_texts(formulas: Mapping[str, Mapping[Any, Formula]]) -> dict[str, list[tuple[str, str]]]:
    return {m: [(str(label), str(phi)) for label, phi in found.items()] for m, found in formulas.items()}


def _from_texts(texts: Mapping[str, Sequence[Sequence[str]]]) -> dict[str, dict[Any, Formula]]:
    return {method: {label: parse(text) for label, text in found} for method, found in texts.items()}
