"""The paper's tables: every number where it belongs, in three forms, and what is missing is said."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
import pytest

from stelle_nb.bench import paper
from stelle_nb.bench.explaining.explanation_figures import ExplanationFigure
from stelle_nb.bench.reports.critical_difference import figure_critical_difference, mean_ranks
from stelle_nb.bench.reports.tables import PaperTable
from stelle_nb.errors import BenchError
from stelle_nb.experiments.accuracy_rows import to_entry, write_rows
from stelle_nb.experiments.ledger import Ledger
from stelle_nb.experiments.run import Row
from stelle_nb.metrics.local import CORRECT

ROW = Row(
    dataset="Libras", resample=0, seed=0, variant="dense", concepts=None, settings="data-1 code-old",
    status="finished", accuracy=0.9, fit_cpu_s=2.0, predict_cpu_s=1.0, one_case_cpu_ms=3.0, peak_rss_mb=500.0,
)  # fmt: skip


def rows() -> list[Row]:
    return [
        replace(ROW, dataset=name, resample=resample, variant=variant, accuracy=value + resample / 10)
        for name, value in (("Libras", 0.7), ("ERing", 0.8), ("AtrialFibrillation", 0.1))
        for resample in (0, 1)
        for variant in ("dense", "paper")
    ]


def figures() -> pd.DataFrame:
    local = [("nodes_before", 5.0), ("nodes", 4.0), ("channels_before", 2.0), ("channels", 1.5)]
    found = [ExplanationFigure("ERing", "dense", 0, "local", "", CORRECT, n, v, 0.5, 10) for n, v in local]
    found += [
        ExplanationFigure("ERing", "dense", 0, "class", "pool", "all", name, 0.75, 0.1, 6)
        for name in ("separability", "recall", "specificity", "precision")
    ]
    found += [
        ExplanationFigure("ERing", "dense", 0, "class", "pool", "", name, v, 1.0, 6) for name, v in local
    ]
    found.append(ExplanationFigure("ERing", "dense", 0, "class", "pool", "", "seconds", 1.5))
    found += [
        ExplanationFigure("ERing", "dense", 0, "local", "", "", name, 2.0)
        for name in ("milliseconds", "milliseconds of evaluation")
    ]
    return pd.DataFrame(found)


@pytest.fixture
def anchors(tmp_path: Path) -> Path:
    folder = tmp_path / "anchors"
    folder.mkdir()
    (folder / "accuracy.csv").write_text(
        "method,protocol,LI,ER,AF\nSTELLE,10 folds x 3 seeds,0.71,0.84,0.33\n"
        "HC2,30 resamples,0.93,0.99,0.28\n"
        "HC2,default split,0.928,0.989,0.2\n"
    )
    (folder / "explanations.csv").write_text(
        "# published\ndataset,scope,measure,value\nER,local,nodes_before_correct,4.07\n"
        "ER,local,nodes_correct,3.78\nER,local,vars_correct,1.30\nER,global,separability_percent,71.4\n"
        "ER,global,nodes,8.7\nER,global,vars,2.0\nER,global,recall_percent,66.7\n"
    )
    return folder


def line(path: Path, *starts: str) -> list[str]:
    for text in path.read_text().splitlines():
        cells = [cell.strip() for cell in text.strip("|").split("|")]
        if cells[: len(starts)] == list(starts):
            return cells[len(starts) :]
    raise AssertionError(f"{starts} is not in {path.read_text()}")


def test_tables_hold_ours_beside_the_published(tmp_path: Path, anchors: Path) -> None:
    results, out = tmp_path / "results", tmp_path / "paper"
    results.mkdir()
    write_rows(results / "accuracy.csv", rows()[:4])
    with Ledger(results / "accuracy.sqlite") as ledger:
        ledger.record(*map(to_entry, rows()))
    figures().to_csv(results / "explanations.csv", index=False)
    given = ["--results", str(results), "--anchors", str(anchors), "--apart", "AF", "--out", str(out)]
    paper.main(given)
    accuracy = out / "accuracy.md"
    assert line(accuracy, "stelle_nb dense") == [
        "2 resamples x 1 seed", "0.150 ± 0.071", "0.850 ± 0.071", "0.750 ± 0.071", "0.800", "2.50",
    ]  # fmt: skip
    assert line(accuracy, "HC2, published", "30 resamples") == ["0.280", "0.990", "0.930", "0.960", "1.00"]
    assert line(accuracy, "HC2, published", "default split")[-1] == "–"  # one split is not like resamples
    before, after = out / "readability_before.md", out / "readability_after.md"
    assert line(before, "ERing", "dense") == ["5.00 ± 0.50", "–", "–", "2.00 ± 0.50", "–", "–"]
    assert line(before, "ERing", "published") == ["4.07", "–", "–", "1.30", "–", "–"]
    assert line(after, "ERing", "published")[0] == "3.78"
    assert line(out / "global.md", "ERing", "dense", "pool") == [
        "–", "–", "75.0", "5.00 ± 1.00 n, 2.00 ± 1.00 v", "4.00 ± 1.00 n, 1.50 ± 1.00 v",
        "75.0", "75.0", "75.0",
    ]  # fmt: skip
    assert line(out / "global.md", "ERing", "published")[3:6] == ["71.4", "–", "8.7 n, 2.0 v"]
    assert line(out / "times.md", "ERing", "stelle_nb dense") == ["2", "1", "3", "500", "4", "1.5"]
    assert pd.read_csv(out / "accuracy.csv").shape == (5, 7)
    assert r"0.850 $\pm$ 0.071" in (out / "accuracy.tex").read_text()
    page = (out / "README.md").read_text()
    assert "bench paper --results" in page and "![mean ranks](critical_difference.svg)" in page
    assert "--data" in page and "code-old are shown" in page  # what is missing
    assert "HC2, 30 resamples" in (out / "critical_difference.svg").read_text()


def test_tables_of_several_variants_are_joined(tmp_path: Path, anchors: Path) -> None:
    names = ["explanations.csv", "explanations_paper.csv", "explanations_missing.csv"]
    for name, variant in zip(names[:2], ("scorecard", "paper"), strict=True):
        figures().assign(variant=variant).to_csv(tmp_path / name, index=False)
    out = tmp_path / "paper"
    given = ["--results", str(tmp_path), "--anchors", str(anchors), "--out", str(out), "--explanations"]
    paper.main([*given, *names])
    after = out / "readability_after.md"
    assert line(after, "ERing", "scorecard") == line(after, "ERing", "paper")
    assert after.read_text().count("| published |") == 1


def test_without_results_everything_is_missing_and_nothing_breaks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paper.main(["--results", str(tmp_path), "--out", str(tmp_path / "paper")])
    shown = capsys.readouterr().out
    assert shown.count("Missing:") == 5 and "bench accuracy" in shown and "bench explanations" in shown
    assert [path.name for path in (tmp_path / "paper").iterdir()] == ["README.md"]


def test_rows_of_the_present_code_are_preferred(monkeypatch: pytest.MonkeyPatch) -> None:
    new = replace(ROW, settings="data-1 code-new", accuracy=0.5)
    old = [replace(ROW, seed=seed) for seed in range(3)]
    monkeypatch.setattr(paper, "code_digest", lambda: "new")
    assert paper.newest([*old, new]) == ([new], [])
    monkeypatch.setattr(paper, "code_digest", lambda: "other")
    kept, notes = paper.newest([*old, new])
    assert kept == old and "code-old are shown" in notes[0]


@pytest.mark.parametrize(
    ("name", "text"), [("accuracy.csv", "a,b\n"), ("explanations.csv", "a,b\n"), ("accuracy.sqlite", "text")]
)
def test_broken_results_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, text: str
) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(SystemExit):
        paper.main(["--results", str(tmp_path), "--out", str(tmp_path / "paper")])
    assert name in capsys.readouterr().err and not (tmp_path / "paper").exists()


def test_ranks_share_ties_and_the_diagram_leaves_no_state() -> None:
    scores = {"a": {"x": 0.9, "y": 0.8, "z": 0.7}, "b": {"x": 0.9, "y": 0.7, "z": 0.6}, "c": {"x": 1.0}}
    scores["d"] = {"x": 0.1, "y": 0.1, "z": 0.1}
    ranks = mean_ranks(scores, ["x", "y", "z"])
    assert ranks == {"a": pytest.approx(3.5 / 3), "b": pytest.approx(5.5 / 3), "d": 3.0}
    before = plt.get_fignums()
    figure = figure_critical_difference(scores, ["x", "y", "z"])
    assert plt.get_fignums() == before and len(figure.axes) == 1
    with pytest.raises(BenchError, match="three methods or more"):
        figure_critical_difference({"a": scores["a"], "b": scores["b"]}, ["x", "y"])


def test_latex_and_csv_say_the_same_as_markdown() -> None:
    table = PaperTable("t", "caption", ("set", "a|b"), (("x_1", "0.5 ± 0.1"), ("y & z", "–")))
    assert "a\\|b" in table.to_markdown()
    assert table.to_csv() == "set,a|b\nx_1,0.5 ± 0.1\ny & z,–\n"
    assert r"y \& z & -- \\" in table.to_latex() and r"x\_1" in table.to_latex()
