"""The teaching notebooks: half an hour each, every exercise with a solution that is folded away."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest

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
