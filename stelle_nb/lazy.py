"""Names of a package, imported only when they are first used."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from typing import Any


def fetching(package: str, homes: Mapping[str, tuple[str, ...]]) -> Callable[[str], Any]:
    """A ``__getattr__`` for a package.

    Parameters
    ----------
    package
        Its name.
    homes
        By module, the names that the package takes from it.

    Examples
    --------
    >>> fetching("stelle_nb", {"math": ("pi",)})("tau")
    Traceback (most recent call last):
    AttributeError: module 'stelle_nb' has no attribute 'tau'
    """
    home_of = {name: module for module, names in homes.items() for name in names}

    def fetch(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home = importlib.import_module(home_of[name])
        for each in homes[home_of[name]]:  # all at once: a module may have the name of one of its functions
            setattr(sys.modules[package], each, getattr(home, each))
        return getattr(home, name)

    return fetch
