"""The names at the top of the package: all there, the same for readers and for type checkers."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import stelle_nb as st


@pytest.mark.parametrize("name", st.__all__)
def test_every_name_resolves(name: str) -> None:
    assert getattr(st, name) is not None


def test_type_checkers_see_the_names_that_are_fetched_late() -> None:
    tree = ast.parse(Path(st.__file__).read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    declared = {
        (node.module, alias.name)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert declared == {(module, name) for name, module in st._HOME_OF.items()}


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = st.no_such_name
