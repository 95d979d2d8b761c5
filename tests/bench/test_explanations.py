"""The explanation benchmark runs, its tables hold its figures, and seeds are pooled rightly."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from stelle_nb.bench import explanations
from stelle_nb.bench.explaining.explanation_figures import (
    ExplanationFigure,
    SliderTime,
    measure,
    time_slider,
    to_frame,
)
from stelle_nb.bench.explaining.explanation_jobs import PlantedModel, to_run
from stelle_nb.bench.explaining.explanation_pooling import Figures
from stelle_nb.bench.explaining.explanation_report import write_report
from stelle_nb.bench.explaining.planted_sets import PLANTED, planted_formulas, planted_set
from stelle_nb.bench.explaining.planted_table import planted_table
from stelle_nb.data import load_dataset
from stelle_nb.data.sources.planted import make_planted
from stelle_nb.errors import BenchError
from stelle_nb.experiments.contenders import make_classifier
from stelle_nb.experiments.ledger import Ledger
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.metrics import class_quality
from stelle_nb.metrics.local import CORRECT
from stelle_nb.semantics import satisfies
from tests.small import CONFIGS

ANCHORS = """# published
dataset,scope,measure,value
BM,local,nodes_correct,9.07
BM,global,separability_percent,60.6
"""


@pytest.fixture(scope="module")
def data() -> Any:
    formulas = {"up": parse("F[5,15] x0 >= 1"), "down": parse("G[5,15] x0 <= 0")}
    return make_planted(formulas, 10, 20, name="BasicMotions")


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stelle_nb.bench.explaining.explanation_figures.SLIDER_CONCEPTS", 200)
    monkeypatch.setattr("stelle_nb.bench.explaining.explanation_figures.SLIDER_CASES", 20)
    monkeypatch.setattr("stelle_nb.bench.explaining.explanation_faithfulness.N_RANDOM", 3)
    for module in ("explanation_figures", "explanation_jobs"):
        monkeypatch.setattr(f"stelle_nb.bench.explaining.{module}.make_classifier", small_classifier)


def small_classifier(name: str, **options: Any) -> Any:
    clf = make_classifier(name, **options)
    if name == "scorecard":
        clf.set_params(n_concepts=30)
    return clf.set_params(config=CONFIGS[name])


@pytest.fixture
def folder(tmp_path: Path, data: Any) -> Path:
    arrays = {name: getattr(data, name) for name in ("X_train", "y_train", "X_test", "y_test")}
    np.savez(tmp_path / "BasicMotions.npz", **arrays)
    return tmp_path


def test_figures_and_tables_agree(folder: Path) -> None:
    data = load_dataset("BasicMotions", path=folder)
    with Ledger(folder / "figures.sqlite") as ledger:
        measured = explanations.Measured(2, ["paper"], ledger)
        frame, formulas = explanations.measure_sets([data], folder, ["dense"], measured)
        again, _ = explanations.measure_sets([data], folder, ["dense"], measured)
        assert len(ledger.entries) == 2
    pd.testing.assert_frame_equal(frame, again)  # times as well: nothing was run twice
    (entry, _) = ledger.entries.values()
    faithful = frame.query("scope == 'faithfulness' and measure == 'sufficiency'")
    assert set(faithful["group"]) == {"gamma_t = 0.8", "gamma = 3"}
    assert faithful["value"].between(0, 1).all()
    direct = measure(data, variant="dense", seed=0, methods=["paper"])
    assert to_run(json.loads(entry.result)).formulas == direct.formulas
    figures = Figures.of(frame)
    run = ("BasicMotions", "dense")
    assert figures.runs == (run,)
    recall = figures.get(run, "class", "recall", group="all", method="paper")
    assert recall.n == 4  # two classes, two seeds
    seed_0 = frame.query("seed == 0 and measure == 'recall' and group == 'all'")["value"].item()
    found = class_quality(formulas[*run, "paper"], data.X_test, data.y_test)
    assert seed_0 == pytest.approx(found.mean("recall"))
    nodes = figures.get(run, "local", "nodes", group=CORRECT)
    assert nodes.n == sum(frame.query("measure == 'nodes' and group == @CORRECT")["n"])
    published = {("BM", "local", "nodes_correct"): 9.07}
    report = write_report("how", frame, pd.DataFrame(), formulas, published, SliderTime(3000, 150, 1.25))
    assert f"{nodes.value:.2f} ± {nodes.deviation:.2f}" in report
    assert "| BasicMotions | published | C |" in report
    assert "3000 concepts and 150 training cases, as a slider asks for it again and again: 1.25 ms" in report
    assert formulas[*run, "paper"]["up"].to_unicode(digits=3) in report
    sufficiency = figures.get(run, "faithfulness", "sufficiency", group="gamma = 3")
    assert "| BasicMotions | dense | gamma = 3 |" in report and f"{100 * sufficiency.value:.1f}" in report


def test_seeds_are_pooled_as_if_measured_at_once() -> None:
    rng = np.random.default_rng(0)
    parts = [rng.normal(size=n) for n in (3, 5, 1)]
    rows = [
        ExplanationFigure(
            "d", "v", seed, "local", "", "g", "m", float(part.mean()), float(part.std()), len(part)
        )
        for seed, part in enumerate(parts)
    ]
    nothing = ExplanationFigure("d", "v", 3, "local", "", "g", "m", math.nan, math.nan, 0)
    found = Figures.of(to_frame([*rows, nothing])).get(("d", "v"), "local", "m", group="g")
    whole = np.concatenate(parts)
    assert (found.value, found.deviation, found.n) == pytest.approx((whole.mean(), whole.std(), 9))
    assert found.largest == max(part.mean() for part in parts)
    assert Figures.of(to_frame([nothing])).get(("d", "v"), "local", "m", group="g").n == 0


def test_the_command_writes_figures_and_report(folder: Path) -> None:
    (folder / "anchors.csv").write_text(ANCHORS)
    out = folder / "new" / "figures.csv"
    command = ["--data", str(folder), "--datasets", "BM", "--seeds", "1", "--planted"]
    explanations.main([*command, "--anchors", str(folder / "anchors.csv"), "--out", str(out)])
    report = out.with_suffix(".md").read_text()
    assert f"python -m stelle_nb.bench explanations --data {folder} --datasets BM" in report
    assert "torch" in report
    assert "9.07" in report and "60.6" in report
    assert "by chances" in report
    figures = pd.read_csv(out)
    assert {"model", "local", "faithfulness", "class"} <= set(figures["scope"])
    assert set(figures["variant"]) == {"scorecard"}
    assert (figures.query("measure == 'simulatability'")["value"] == 1).all()
    curve = figures.query("measure == 'relevance_carried' and group.str.startswith('gamma_t')")
    assert list(curve.sort_values("group")["group"]) == [f"gamma_t = {x:g}" for x in (0.5, 0.7, 0.8, 0.9, 1)]
    assert curve.sort_values("group")["value"].is_monotonic_increasing
    shown = figures.query("measure == 'shown' and group == 'gamma_t = 0.9'")["value"].item()
    assert f"| BasicMotions | 0.9 | {shown:.2f} |" in report


def test_planted_formulas_are_compared(tmp_path: Path) -> None:
    models = [PlantedModel("dense"), PlantedModel("scorecard", 1)]
    with Ledger(tmp_path / "figures.sqlite") as ledger:
        measured = explanations.Measured(1, ["paper"], ledger)
        rows = explanations.measure_planted(["level"], ["easy"], models, measured)
    assert list(rows["class"]) == ["burst", "calm"] * 3
    assert list(rows["method"]) == ["paper", "paper", "leading", "leading", "paper", "paper"]
    assert list(rows["model"]) == ["dense"] * 2 + ["scorecard, 1 a class"] * 4
    assert (rows["agreement"][:2] > 0.8).all()
    assert (rows["agreement"] > 0.5).all()  # a card of a few hundred candidates
    assert rows["form"].isin([0.0, 1.0]).all()
    report = planted_table(rows)
    assert "same form" in report and rows["found"][0] in report
    leading = rows[rows["method"] == "leading"]
    whole = f"{100 * leading['accuracy'].iloc[0]:.1f} | {100 * leading['agreement'].mean():.1f}"
    assert f"| level, easy | scorecard, 1 a class | {whole} |" in report
    assert write_report("how", pd.DataFrame(), rows, {}, {}, None).startswith(
        "# Explanations\n\nhow\n\n## Planted"
    )


def test_planted_models_follow_the_variants() -> None:
    found = explanations.planted_models(["scorecard", "paper"])
    assert [model.name for model in found] == ["scorecard, 1 a class", "scorecard, 2 a class", "paper"]


@pytest.mark.parametrize("name", PLANTED)
def test_planted_sets_hold_what_they_promise(name: str) -> None:
    data, formulas = planted_set(name), planted_formulas(name)
    holds = satisfies(list(formulas.values()), np.array(data.X_test))
    assert (holds == (data.y_test[:, None] == np.array(list(formulas)))).all()


def test_times_are_figures(data: Any) -> None:
    run = measure(data, variant="dense", seed=0, methods=[])
    times = {figure.measure: figure.value for figure in run.figures if "milliseconds" in figure.measure}
    assert list(times) == ["milliseconds", "milliseconds of evaluation", "milliseconds warm"]
    assert all(math.isfinite(value) for value in times.values())


def test_the_time_of_a_slider_says_what_it_was_taken_from() -> None:
    found = time_slider()
    assert (found.n_concepts, found.n_cases) == (200, 20)
    assert math.isfinite(found.milliseconds)


def test_bad_options_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match="cannot be read"):
        explanations.read_published(tmp_path / "none.csv")
    with pytest.raises(SystemExit):
        explanations.main(["--data", "nowhere", "--out", str(tmp_path / "figures.txt")])
