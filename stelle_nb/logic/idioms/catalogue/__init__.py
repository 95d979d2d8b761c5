"""The idioms, one module each. A module added here is found automatically if it has a tuple ``IDIOMS``."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from stelle_nb.logic.idioms.idiom import Idiom


def all_idioms() -> tuple[Idiom, ...]:
    """The idioms of every module of this folder, in the order in which they are tried."""
    modules = [import_module(f"{__name__}.{info.name}") for info in iter_modules(__path__)]
    found: list[Idiom] = [idiom for module in modules for idiom in module.IDIOMS]
    return tuple(sorted(found, key=lambda idiom: (idiom.rank, idiom.name)))
