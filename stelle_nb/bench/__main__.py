"""Runs a benchmark by its name: ``python -m stelle_nb.bench speed``."""

from __future__ import annotations

import ast
import importlib
import sys
from pathlib import Path

import stelle_nb.bench as package

USAGE = """usage: python -m {package} BENCHMARK [options]
       python -m {package} BENCHMARK --help

Measures accuracy, explanations and speed, and prints a report.

benchmarks:
{lines}
"""


def names() -> list[str]:
    """The benchmarks there are: modules of this package that define ``main``."""
    return list(summaries())


def summaries() -> dict[str, str]:
    """What each benchmark measures, in one line."""
    return {name: text for name, (_, text) in _commands().items()}


def _commands() -> dict[str, tuple[str, str]]:
    """The module of each benchmark, here or in a folder of this package, and what it measures.

    The first line of a module says what it measures, then its call. The modules are read, not imported: help
    needs neither the packages that some of them want nor the time.
    """
    found = {}
    for folder in map(Path, package.__path__):
        for path in sorted(folder.rglob("*.py")):
            if path.stem.startswith("__"):
                continue
            tree = ast.parse(path.read_text(encoding="utf-8"))
            if any(isinstance(node, ast.FunctionDef) and node.name == "main" for node in tree.body):
                text, _, call = (ast.get_docstring(tree) or "").partition("\n")[0].partition(": ``")
                name = call.removeprefix(f"python -m {package.__name__} ").partition("``")[0]
                module = ".".join([package.__name__, *path.relative_to(folder).with_suffix("").parts])
                found[name] = module, text
    return dict(sorted(found.items()))


def usage() -> str:
    """Usage, with the list of benchmarks."""
    known = summaries()
    width = max(map(len, known))
    lines = "\n".join(f"  {name:<{width}}  {text}" for name, text in known.items())
    return USAGE.format(package=package.__name__, lines=lines)


def run(arguments: list[str]) -> int:
    """Run the benchmark named first with the remaining arguments; none or ``--help`` lists all."""
    name = arguments[0] if arguments else "--help"
    if name in ("--help", "-h"):
        print(usage(), end="")
        return 0
    if name not in names():
        print(f"There is no benchmark {name!r}. Choose one of: {', '.join(names())}.", file=sys.stderr)
        return 2
    importlib.import_module(_commands()[name][0]).main(arguments[1:])
    return 0


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
