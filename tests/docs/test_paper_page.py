"""'From the paper to the code' has everything of the paper, and names only what exists."""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path

import pytest

from stelle_nb.bench.__main__ import names
from tests.docs.pages import DOCS, PAGES, ROOT, name_of

PAGE = (DOCS / "paper" / "to_code.md").read_text(encoding="utf-8")
RUN = re.compile(r"\[(\d\d), section (\d+)\]\(\.\./\.\./notebooks/([\w.]+)\)")
CODE = re.compile(r"`(stelle_nb(?:\.\w+)+)`")
LAYERS = sorted(path.name for path in (ROOT / "stelle_nb").iterdir() if (path / "__init__.py").is_file())
BY_LAYER = re.compile(rf"`((?:{'|'.join(LAYERS)})(?:\.\w+)+)`")


@pytest.fixture(scope="module")
def paper() -> str:
    """The source of the paper without its comments."""
    path = ROOT.parent / "shared" / "paper.tex"
    if not path.is_file():
        pytest.skip("The source of the paper is not beside this project.")
    return re.sub(r"(?<!\\)%.*", "", path.read_text(encoding="utf-8"))


def section(title: str) -> str:
    return PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def rows(title: str) -> list[str]:
    """The rows of a section's first table, without its head."""
    return [line for line in section(title).splitlines() if line.startswith("|")][2:]


@pytest.mark.parametrize(
    ("kind", "title"),
    [("eq", "Numbered equations"), ("alg", "Algorithms"), ("tab", "Tables"), ("fig", "Figures")],
)
def test_everything_with_a_label_is_there(paper: str, kind: str, title: str) -> None:
    labels = re.findall(rf"\\label{{({kind}:[^}}]+)}}", paper)
    assert labels
    assert re.findall(rf"`({kind}:[^`]+)`", section(title)) == labels
    assert [re.match(r"\| \(?(\d+)\)? ", row) is not None for row in rows(title)] == [True] * len(labels)


def test_every_equation_without_a_number_has_a_row(paper: str) -> None:
    n_displayed = len(re.findall(r"\\begin{(?:equation|alignat)\*}", paper))
    assert n_displayed
    assert len(
        [row for row in rows("Equations without a number") if "(example" not in row and "(proof" not in row]
    ) == (n_displayed)


@pytest.mark.parametrize(
    "title", ["Numbered equations", "Equations without a number", "Algorithms", "Figures"]
)
def test_every_row_names_a_section_of_a_notebook(title: str) -> None:
    found = [RUN.findall(row) for row in rows(title)]
    assert found
    assert all(len(places) == 1 for places in found)
    assert [place for [place] in found if not has_section(*place)] == []


def has_section(number: str, section: str, path: str) -> bool:
    """Whether a notebook of that number has a section of that number with code in it."""
    cells = json.loads((ROOT / "notebooks" / path).read_text(encoding="utf-8"))["cells"]
    headings = [f"\n## {section}. " in "\n" + "".join(cell["source"]) for cell in cells]
    if not path.startswith(f"{number}_") or True not in headings:
        return False
    return any(cell["cell_type"] == "code" for cell in cells[headings.index(True) + 1 :][:3])


def test_a_section_that_does_not_exist_is_noticed() -> None:
    assert has_section("02", "5", "02_kernels.ipynb")
    assert not has_section("02", "50", "02_kernels.ipynb")
    assert not has_section("03", "5", "02_kernels.ipynb")


def test_everything_on_the_page_exists() -> None:
    named = BY_LAYER.findall(PAGE)
    assert len(named) > len(rows("Equations without a number"))
    assert [name for name in named if not exists(f"stelle_nb.{name}")] == []


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_a_name_of_the_code_exists(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert [name for name in CODE.findall(text) if not exists(name)] == []
    assert set(re.findall(r"python -m stelle_nb\.bench (\w+)", text)) <= set(names())


def test_the_page_on_experiments_has_every_command() -> None:
    text = (DOCS / "howto" / "cluster.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"^\| `python -m stelle_nb\.bench (\w+)` \|", text, re.M)) == sorted(names())


def exists(name: str) -> bool:
    module, rest = name, []
    while module:
        try:
            found = importlib.import_module(module)
        except ModuleNotFoundError:
            module, _, last = module.rpartition(".")
            rest.insert(0, last)
            continue
        for part in rest:
            if not hasattr(found, part):
                return False
            found = getattr(found, part)
        return True
    return False


def test_a_name_that_does_not_exist_is_noticed() -> None:
    assert exists("stelle_nb.logic.syntax.Atom") and exists("stelle_nb.rewrite.rules")
    assert not exists("stelle_nb.logic.syntax.Molecule")
    assert not exists("stelle_nb.nowhere")


def test_the_rules_of_the_page_have_the_names_of_the_code() -> None:
    from stelle_nb.rewrite.rules import LOGICAL_RULES

    known = {rule.name for rule in LOGICAL_RULES}
    cells = [row.split("|")[2] for row in rows("The rules of Table 6") if "`" not in row.split("|")[2]]
    named = {name.strip() for cell in cells for name in cell.split(",")}
    assert named
    assert named <= known
