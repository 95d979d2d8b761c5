"""The notebooks as they are committed: whole, short, with outputs that nbval can compare.

``pytest --nbval-lax notebooks``, a part of `make test`, runs them; here is what it does not look at.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import nbformat
import pytest

HERE = Path(__file__).resolve().parent.parent / "notebooks"
PATHS = sorted(HERE.glob("*.ipynb"))
UNITS = sorted(HERE.glob("teach/*.ipynb"))  # what they teach is tested in tests/teach
MARK = "# NBVAL_CHECK_OUTPUT"
MAX_BYTES = 300_000
MAX_LINES = 8
ADDRESS = re.compile(r"https?://")
MACHINE_PATH = re.compile(r"(?<![\w.:/-])/(work|root|tmp|home/\w+|Users/\w+)/\w")
DATA_URI = re.compile(r"data:image/png;base64,[A-Za-z0-9+/=\s]+")
PICTURES = {"image/png", "text/html", "text/latex"}

every_notebook = pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
units_too = pytest.mark.parametrize("path", PATHS + UNITS, ids=lambda path: path.stem)


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)


def code_cells(path: Path) -> list[Any]:
    return [cell for cell in read(path).cells if cell.cell_type == "code"]


def prose(path: Path) -> list[str]:
    return [cell.source for cell in read(path).cells if cell.cell_type == "markdown"]


def texts(cell: Any) -> list[str]:
    """What a cell shows as text: printed, or as its value where no picture or table says the same."""
    printed = [output.text for output in cell.outputs if output.output_type == "stream"]
    values = [output.data for output in cell.outputs if "data" in output]
    return printed + [data["text/plain"] for data in values if not PICTURES & set(data)]


def is_table(cell: Any) -> bool:
    return any("<table" in output.get("data", {}).get("text/html", "") for output in cell.outputs)


def test_they_are_numbered_without_a_gap() -> None:
    assert [int(path.name[:2]) for path in PATHS] == list(range(len(PATHS)))
    assert len(PATHS) >= 11


@units_too
def test_it_opens_with_the_usual_kernel_and_is_light(path: Path) -> None:
    assert path.stat().st_size < MAX_BYTES
    assert read(path).metadata.kernelspec.name == "python3"


@every_notebook
def test_it_says_what_is_learned_and_how_long_it_takes_and_ends_with_exercises(path: Path) -> None:
    first, *_, last = prose(path)
    assert first.startswith("# ")
    assert "**You will learn** " in first
    assert re.search(r"\*\*Time:\*\* .*minutes", first)
    assert last.startswith("## Exercises")
    assert len(re.findall(r"^\d\. ", last, re.M)) >= 3


@every_notebook
def test_its_links_lead_somewhere(path: Path) -> None:
    targets = re.findall(r"\]\(([^)]+)\)", "\n".join(prose(path)))
    assert [name for name in targets if not (HERE / name).exists()] == []


@every_notebook
def test_its_cells_are_few_and_short(path: Path) -> None:
    cells = code_cells(path)
    assert 8 <= len(cells) <= 20
    assert [cell.source for cell in cells if len(cell.source.strip().splitlines()) > MAX_LINES] == []


@units_too
def test_it_was_run_from_top_to_bottom_without_complaint(path: Path) -> None:
    cells = code_cells(path)
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    outputs = [output for cell in cells for output in cell.outputs]
    assert [output for output in outputs if output.output_type == "error"] == []
    assert [output.text for output in outputs if output.get("name") == "stderr"] == []


@every_notebook
def test_text_that_is_stored_is_compared_with_that_of_the_present_code(path: Path) -> None:
    for cell in code_cells(path):
        is_marked = cell.source.startswith(MARK)
        assert is_marked == bool(texts(cell) or (is_marked and is_table(cell))), cell.source
        assert is_marked or "print(" not in cell.source, cell.source


@units_too
def test_what_it_shows_can_be_seen_without_a_kernel(path: Path) -> None:
    for cell in code_cells(path):
        for output in cell.outputs:
            data = output.get("data", {})
            assert not [kind for kind in data if kind.startswith("application/")], cell.source
            assert "text/plain" in data or output.output_type == "stream"


@units_too
def test_it_needs_no_network_and_knows_no_machine(path: Path) -> None:
    text = DATA_URI.sub("", "\n".join(prose(path)))
    for cell in code_cells(path):
        shown = [value for output in cell.outputs for value in output.get("data", {}).items()]
        readable = [str(value) for kind, value in shown if kind != "image/png"]
        text += DATA_URI.sub("", "\n".join([cell.source, *texts(cell), *readable]))
    assert ADDRESS.findall(text) == []
    assert MACHINE_PATH.findall(text) == []


@units_too
def test_its_cells_have_names_that_stay(path: Path) -> None:
    assert [cell.id for cell in read(path).cells] == [f"cell-{i:02}" for i in range(len(read(path).cells))]
