"""The jobs of the explanation benchmark: one fit with its explanations, on a data set or on a planted one."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

import torch

from stelle_nb.bench.contenders import make_classifier
from stelle_nb.bench.explanation_figures import Figure, Run, measure
from stelle_nb.bench.jobs import Job, SettingsChanged
from stelle_nb.bench.planted_sets import planted_formulas, planted_set
from stelle_nb.bench.provenance import EXPLAINING, code_digest, data_digest
from stelle_nb.data import SeriesDataset, load_dataset
from stelle_nb.data.planted import Difficulty
from stelle_nb.explain.version import version_of
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.parser import parse
from stelle_nb.metrics import recovery


@dataclass(frozen=True, slots=True, eq=False)
class PlantedRun:
    """What one fit on a planted set found, by method and class: formulas, and their share of agreement."""

    accuracy: float
    formulas: Mapping[str, Mapping[Any, Formula]]
    agreement: Mapping[str, Mapping[Any, float]]


def set_job(data: SeriesDataset, folder: Path, variant: str, seed: int, methods: Sequence[str]) -> Job:
    """Fit on the training part, explain, and measure on both parts."""
    content = {
        "dataset": data.name,
        "variant": variant,
        "seed": seed,
        "methods": list(methods),
        "settings": f"data-{data_digest(data)} {_settings()}",
    }
    return Job.of("explanations", f"{__name__}:explain_set", content, place={"data": str(folder)})


def planted_job(name: str, difficulty: Difficulty, seed: int, methods: Sequence[str]) -> Job:
    """Fit on a planted set and compare the class formulas with the planted ones; each seed plants anew."""
    content = {
        "name": name,
        "difficulty": difficulty,
        "seed": seed,
        "methods": list(methods),
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
        Figure(*row[:7], *(math.nan if v is None else v for v in row[7:])) for row in result["figures"]
    )
    return Run(tuple(figures), _from_texts(result["formulas"]))


def explain_planted(
    *, name: str, difficulty: Difficulty, seed: int, methods: Sequence[str], settings: str
) -> dict[str, Any]:
    """What :func:`to_planted_run` reads."""
    _check(settings, _settings())
    data, planted = planted_set(name, difficulty=difficulty, seed=seed), planted_formulas(name)
    formulas: dict[str, dict[Any, Formula]] = {}
    agreement: dict[str, list[tuple[Any, float]]] = {}
    with _one_thread():
        clf = make_classifier("dense", seed=seed).fit(data.X_train, data.y_train)
        for method in methods:
            formulas[method] = {
                label: each.formula for label, each in clf.explain_global(method=method).items()
            }
            found = recovery(formulas[method], planted, data.X_test)
            agreement[method] = [(label, found.classes[label].agreement) for label in planted]
        accuracy = clf.score(data.X_test, data.y_test)
    return {"accuracy": float(accuracy), "formulas": _to_texts(formulas), "agreement": agreement}


def to_planted_run(result: Mapping[str, Any]) -> PlantedRun:
    """The run that a result stands for."""
    agreement = {method: dict(found) for method, found in result["agreement"].items()}
    return PlantedRun(result["accuracy"], _from_texts(result["formulas"]), agreement)


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
