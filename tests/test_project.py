"""The project's own promises: dependencies pinned, data shipped, documents in step with the code."""

from __future__ import annotations

import ast
import re
import subprocess
import tomllib
from collections import Counter
from importlib import import_module
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
CONFIG = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = CONFIG["project"]
CORE = [Requirement(line) for line in PROJECT["dependencies"]]
EXTRA = [Requirement(line) for lines in PROJECT["optional-dependencies"].values() for line in lines]
PINS = re.findall(r"^[^#].*$", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.M)
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
LINES_PER_MODULE = 400
MODULES_PER_FOLDER = 15


def tracked(*patterns: str) -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--", *patterns], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode:
        pytest.skip("This is not a git clone, so there is no list of tracked files.")
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).exists()]


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_a_pin_is_an_exact_version_of_a_public_release() -> None:
    assert PINS
    assert [pin for pin in PINS if not re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][A-Za-z0-9.]*", pin)] == []


def test_a_requirement_has_a_pin_within_its_range() -> None:
    pins = {canonicalize_name(name): version for name, version in (pin.split("==") for pin in PINS)}
    foreign = [each for each in CORE + EXTRA if each.name != PROJECT["name"]]
    unpinned = [each for each in foreign if pins.get(canonicalize_name(each.name), "0") not in each.specifier]
    assert unpinned == []


def test_the_wheel_ships_every_tracked_file_of_the_package() -> None:
    shipped = {file.relative_path for file in WheelBuilder(str(ROOT)).recurse_included_files()}
    assert set(tracked("stelle_nb")) <= shipped
    assert "stelle_nb/py.typed" in shipped


def test_the_architecture_page_shows_the_layers_that_are_checked() -> None:
    lines = CONFIG["tool"]["importlinter"]["contracts"][0]["layers"]
    checked = re.findall(r"\w+", " ".join(lines))
    figure = re.search(r"^## Layers\n+```\n(.*?)^```$", read("ARCHITECTURE.md"), re.M | re.S)
    assert figure
    assert re.findall(r"(?:^| {4,})([a-z]+) {2,}", figure[1], re.M) == checked


def test_the_glossary_names_what_exists() -> None:
    glossary = read("ARCHITECTURE.md").partition("## Glossary")[2].partition("## ")[0]
    names = set(re.findall(r"`([a-z_]+(?:\.[a-z_]+)+)\.(\w+)`", glossary))
    assert names
    gone = [
        f"{module}.{name}"
        for module, name in names
        if not hasattr(import_module(f"stelle_nb.{module}"), name)
    ]
    assert gone == []


def test_the_readme_maps_every_notebook() -> None:
    assert NOTEBOOKS
    assert set(re.findall(r"\(notebooks/([\w.]+)\)", read("README.md"))) == {path.name for path in NOTEBOOKS}


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"])
def test_a_document_names_commands_and_files_that_exist(document: str) -> None:
    targets = set(re.findall(r"^([a-z]+):", read("Makefile"), re.M))
    assert set(re.findall(r"(?:`|^)make ([a-z]+)", read(document), re.M)) <= targets
    linked = re.findall(r"\]\((?!https?:|#)([^)#]+)\)", read(document))
    assert [name for name in linked if not (ROOT / name).exists()] == []


def test_a_module_stays_readable() -> None:
    length = {name: len(read(name).splitlines()) for name in tracked("stelle_nb/*.py", "tests/*.py")}
    assert {name: lines for name, lines in length.items() if lines > LINES_PER_MODULE} == {}


def test_a_class_name_says_which_class_is_meant() -> None:
    trees = [ast.parse(read(name)) for name in tracked("stelle_nb/*.py")]
    names = Counter(node.name for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    assert {name: count for name, count in names.items() if count > 1} == {}


def test_a_module_name_says_which_module_is_meant() -> None:
    modules = [Path(name) for name in tracked("stelle_nb/*.py")]
    layers = [path.parent.name for path in modules if path.name == "__init__.py" and len(path.parts) == 3]
    names = Counter(layers + [path.stem for path in modules if not path.stem.startswith("__")])
    assert {name: count for name, count in names.items() if count > 1} == {}


def test_a_folder_stays_clear() -> None:
    modules = [Path(name) for name in tracked("stelle_nb/*.py") if not name.endswith("__.py")]
    held = Counter(path.parent.as_posix() for path in modules)
    assert {folder: count for folder, count in held.items() if count > MODULES_PER_FOLDER} == {}


def test_the_architecture_page_names_every_room() -> None:
    rooms = read("ARCHITECTURE.md").partition("## Rooms")[2].partition("## ")[0]
    named = set(re.findall(r"`([a-z_]+(?:/[a-z_]+)+)/`", rooms))
    folders = {Path(name).parent.relative_to("stelle_nb") for name in tracked("stelle_nb/*/__init__.py")}
    assert named == {folder.as_posix() for folder in folders if len(folder.parts) > 1}


def test_the_architecture_page_says_where_to_add_what() -> None:
    answers = read("ARCHITECTURE.md").partition("## Where do I …?")[2].partition("## ")[0]
    questions = re.findall(r"^\| an? ([a-z ]+) \| `(\S+)`", answers, re.M)
    assert [topic for topic, _ in questions] == [
        "idiom",
        "rewrite rule",
        "panel",
        "reader",
        "metric",
        "model variant",
        "chart",
        "benchmark",
        "exercise",
        "translation",
    ]
    paths = re.findall(r"`((?:stelle_nb|tests)/[\w/.]+)`", answers)
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_no_tracked_file_knows_a_machine() -> None:
    machine_path = re.compile(rb"(?<![\w.:/-])/(work|root|tmp|home/\w+)/\w")
    guilty = [name for name in tracked() if machine_path.search((ROOT / name).read_bytes())]
    assert guilty == []
