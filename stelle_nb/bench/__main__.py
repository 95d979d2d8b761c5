"""Runs a benchmark by its name: ``python -m stelle_nb.bench speed``."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from types import ModuleType

import stelle_nb.bench as package


def names() -> list[str]:
    """The benchmarks there are: modules of this package that define ``main``."""
    return [name for name in _modules() if hasattr(_module(name), "main")]


def run(arguments: list[str]) -> int:
    """Hand over to the benchmark named first, with the remaining arguments."""
    name = arguments[0] if arguments else ""
    if name not in _modules() or not hasattr(_module(name), "main"):
        asked = f"There is no benchmark {name!r}. " if name else ""
        print(f"{asked}Choose one of: {', '.join(names())}.", file=sys.stderr)
        return 2
    _module(name).main(arguments[1:])
    return 0


def _modules() -> list[str]:
    found = (module.name for module in pkgutil.iter_modules(package.__path__))
    return sorted(name for name in found if name != "__main__")


def _module(name: str) -> ModuleType:
    return importlib.import_module(f"{package.__name__}.{name}")


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
