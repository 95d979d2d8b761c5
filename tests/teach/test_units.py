"""The teaching notebooks: half an hour each, every exercise with a solution that is folded away."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest

import stelle_nb as st
from stelle_nb import teach
from stelle_nb.teach.item_picture import SAMPLES

UNITS = sorted((Path(__file__).resolve().parents[2] / "notebooks" / "teach").glob("*.ipynb"))
FOLDED = {"source_hidden": True, "outputs_hidden": True}


def test_there_are_three() -> None:
    assert [path.name[0] for path in UNITS] == ["1", "2", "3"]


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.stem)
def test_a_unit_is_made_for_a_class(path: Path) -> None:
    cells = nbformat.read(path, as_version=4).cells
    assert "**After this unit you can**" in cells[0].source and "**You need**" in cells[0].source
    assert sum(int(minutes) for minutes in re.findall(r"^\| (\d+) \|", cells[0].source, re.M)) == 30
    assert path.stat().st_size < 300_000
    code = [cell for cell in cells if cell.cell_type == "code"]
    assert max(len(cell.source.splitlines()) for cell in code) <= 8
    assert all(cell.execution_count for cell in code)


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.stem)
def test_every_exercise_and_question_has_a_folded_solution(path: Path) -> None:
    cells = nbformat.read(path, as_version=4).cells
    solutions = [i for i, cell in enumerate(cells) if "solution" in cell.metadata.get("tags", ())]
    for i in solutions:
        assert cells[i].source.startswith("# Solution") and cells[i].metadata["jupyter"] == FOLDED
    asked = [i for i, cell in enumerate(cells) if cell.source.startswith("teach.exercise(")]
    asked += [i for i, cell in enumerate(cells) if "**Question.**" in cell.source]
    assert len(asked) >= 4 and all(i + 1 in solutions for i in asked)


def sources(path: Path) -> list[str]:
    return [cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]


def test_progress_goes_from_unit_to_unit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first and the last cell of each unit, as a student runs them, with an answer in between."""
    monkeypatch.chdir(tmp_path)
    for number, path in enumerate(UNITS):
        first, *_, last = sources(path)
        names: dict[str, Any] = {}
        exec(first, names)
        progress, item = names["progress"], teach.make_item("choose", seed=number)
        assert len(progress.attempts) == number  # those of the units before
        teach.exercise("choose", seed=number, progress=progress).answer(teach.solution(item))
        exec(last, names)
    assert len(teach.Progress.load("progress.json").attempts) == len(UNITS)


def test_the_first_chart_of_the_first_unit_shows_the_signal_itself() -> None:
    signal, chart = sources(UNITS[0])[1].splitlines()
    names: dict[str, Any] = {"teach": teach}
    exec(signal, names)
    exec(f"chart = {chart}", names)
    rows = names["chart"].to_dict()["datasets"][SAMPLES]
    assert [row["value"] for row in rows] == [float(value) for value in names["signal"][0]]
    assert {row["kind"] for row in rows} == {"sample"}


@pytest.mark.parametrize("path", UNITS[:2], ids=lambda path: path.stem)
def test_only_the_example_of_touching_has_a_robustness_of_0(path: Path) -> None:
    """A row of a chart at exactly 0 shows no blue: it looks as if the formula failed."""
    code = sources(path)
    [signal] = {line for source in code for line in source.splitlines() if line.startswith("signal = ")}
    case = ast.literal_eval(signal.partition("=")[2].strip())
    for source in code:
        for text in re.findall(r'"((?:[GF]\[\d+,\d+\] )*\(?x0 [<>]=? [\d.]+\)?)"', source):
            touches = st.robustness(st.parse(text), [case])[0] == 0
            assert touches == ("[6,6]" in text), text
