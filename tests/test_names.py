"""The names at the top of the package: all there, the same for readers and for type checkers."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import stelle_nb as st


@pytest.mark.parametrize("name", st.__all__)
def test_every_name_resolves(name: str) -> None:
    assert getattr(st, name) is not None


@pytest.mark.parametrize("package", ["stelle_nb", "stelle_nb.panels", "stelle_nb.plots"])
def test_type_checkers_see_the_names_that_are_fetched_late(package: str) -> None:
    module = importlib.import_module(package)
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    declared = {
        (node.module, alias.name)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert declared == {(home, name) for home, names in module._HOMES.items() for name in names}
    assert {name for _, name in declared} <= set(module.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = st.no_such_name


def test_the_data_of_an_explorer_are_shown_without_what_only_models_and_charts_need() -> None:
    code = (
        "import sys; import stelle_nb.panels.explorer; "
        "print(sorted({'aeon', 'altair', 'matplotlib', 'pandas', 'sklearn'} & set(sys.modules)))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
