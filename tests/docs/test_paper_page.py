"""'From the paper to the code' has everything of the paper, and names only what exists."""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path

import numpy as np
import pytest
import torch

from stelle_nb.bench.__main__ import names
from stelle_nb.concepts.recipe import Recipe
from stelle_nb.concepts.sampling.templates import is_reduced
from stelle_nb.explain.classes.division import division_matrix
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.model.paper.head import Head
from stelle_nb.model.paper.network import PaperNetwork
from stelle_nb.model.paper.paper_config import LOCALITY_BOUNDS, TEMPERATURE_BOUNDS, PaperConfig
from stelle_nb.model.paper.statistics import ClassStatistics
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


DEVIATIONS = "Where the paper's variant deviates"


def test_the_page_says_where_the_papers_variant_deviates() -> None:
    """Each deviation is read off the code, and stands on the page."""
    text, config, recipe = section(DEVIATIONS), PaperConfig(), Recipe()
    statistics = ClassStatistics(mean=torch.zeros(2, 3), std=torch.ones(2, 3))
    network = PaperNetwork(statistics, config, generator=torch.Generator().manual_seed(0))
    trained = [name for name, _ in network.named_parameters()]
    assert not any("floor" in name for name in trained)
    assert f"`discriminability_floor` is {config.discriminability_floor:g}" in text
    assert f"exp((K − 1)/{config.kernel_bandwidth:g})" in text and "kernel_bandwidth=None" in text
    assert (
        any("norms" in name for name in trained) and "LayerNorm" in text and "LayerNorm" in str(Head.__doc__)
    )
    assert config.validation_share == 0 and "no case is held out" in text
    assert config.kernel == "similarity" and "1 − 2d/ε" in text
    low, high = TEMPERATURE_BOUNDS
    near, far = LOCALITY_BOUNDS
    assert f"T is kept between {low:g} and {high:g}, ε between {near:g} and {far:g}" in text
    head = f"One hidden layer of {config.hidden_dim}, rate {config.learning_rate:.4f}"
    assert config.n_layers == 1 and head in text and f"at most {config.max_epochs} epochs" in text
    assert not is_reduced(parse("F F x0 >= 0")) and "F F and G G" in text
    assert f"less than {100 * recipe.min_share:g} %" in text and recipe.max_channels == 1
    assert "is the network as described" not in PAGE


def test_a_covered_case_need_not_satisfy_the_formula() -> None:
    """The paper's division matrix asks for a robustness outside a range, and the guide says no more."""
    own, opponents = np.array([[-3.0]]), np.array([[-2.0], [-0.1]])
    assert division_matrix(own, opponents).all() and not (own >= 0).any()
    text = " ".join((DOCS / "guide" / "classes.md").read_text(encoding="utf-8").split())
    assert "every case satisfies one of them" not in text
    assert "outside the range" in text and "covering a case does not mean holding for it" in text
