"""Runs a benchmark by its name: ``python -m stelle_nb.bench speed``."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from types import ModuleType

import stelle_nb.bench as package


def names() -> list[str]:
    """The benchmarks there are: modules of this package that define ``main``."""
    found = sorted(module.name for module in pkgutil.iter_modules(package.__path__))
    return [name for name in found if name != "__main__" and hasattr(_module(name), "main")]


def _module(name: str) -> ModuleType:
    return importlib.import_module(f"{package.__name__}.{name}")


def run(arguments: list[str]) -> int:
    """Hand over to the benchmark named first, with the remaining arguments."""
    if not arguments or arguments[0] not in names():
        asked = f"There is no benchmark {arguments[0]!r}. " if arguments else ""
        print(f"{asked}Choose one of: {', '.join(names())}.", file=sys.stderr)
        return 2
    _module(arguments[0]).main(arguments[1:])
    return 0


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
