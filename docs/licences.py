"""Writes the licences of what is installed with stelle_nb to docs/licences.md: ``make licences``."""

from __future__ import annotations

import importlib.metadata as metadata
import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "licences.md"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PARTS = {
    "Always installed": PROJECT["dependencies"],
    "For experiments: the extra `bench`": PROJECT["optional-dependencies"]["bench"],
    "For the standalone page: the extra `app`": PROJECT["optional-dependencies"]["app"],
}
KINDS = {  # the first that fits counts
    "strong copyleft": r"\bA?GPL|(?<!Lesser )General Public",
    "weak copyleft": r"\bMPL|Mozilla|\bLGPL|Lesser General Public|\bEPL|Eclipse",
    "permissive": r"\b(MIT|BSD|Apache|ISC|PSF|PSFL|Python Software Foundation|HPND|Zlib|Unlicense)\b",
}
REMARKS = {
    "stlcgpp": "The package states no licence. It is used only for comparison, in `python -m stelle_nb.bench "
    "speed` and in tests; none of it is part of stelle_nb, and nothing else needs it.",
}
GCC = re.compile(r"lib(gomp|gfortran|quadmath|stdc\+\+|gcc_s)\b")
OPENING = """# Licences

The packages installed with stelle_nb, with the licence that each states. `make licences` writes this page
from the installed packages; the versions are those of `constraints.txt`. stelle_nb itself is under the MIT
licence. It contains no third-party code: charts are drawn in the browser by the copy of Vega that comes with
vl-convert-python.

*Permissive* licences require little more than keeping their notice. *Weak copyleft* requires that changes to
that package itself stay open, but not the programs that use it. Packages under a strong copyleft licence,
such as the GPL: {strong}.
"""


def needed(lines: Iterable[str]) -> dict[str, metadata.Distribution]:
    """Every installed package that these requirements lead to on this machine, by its normal name."""
    waiting = [Requirement(line) for line in lines]
    looked_at: set[tuple[str, frozenset[str]]] = set()
    found: dict[str, metadata.Distribution] = {}
    while waiting:
        wanted = waiting.pop()
        name, extras = canonicalize_name(wanted.name), frozenset(wanted.extras)
        if (name, extras) in looked_at:
            continue
        looked_at.add((name, extras))
        found[name] = metadata.distribution(name)
        waiting += (each for each in map(Requirement, found[name].requires or ()) if _applies(each, extras))
    return found


def _applies(requirement: Requirement, extras: frozenset[str]) -> bool:
    marker = requirement.marker
    return marker is None or any(marker.evaluate({"extra": extra}) for extra in ("", *extras))


def licence(package: metadata.Distribution) -> str:
    """What a package says about its licence in its metadata, on one line; empty if nothing."""
    about = package.metadata
    if stated := about.get("License-Expression"):
        return str(stated)
    classifiers = about.get_all("Classifier") or []
    if named := [line.split(" :: ")[-1] for line in classifiers if line.startswith("License ::")]:
        return ", ".join(named)
    first = str(about.get("License") or "").strip().partition("\n")[0].strip()
    return "" if first == "UNKNOWN" else first


def kind(text: str) -> str:
    """Permissive, weak or strong copyleft; "not stated" where the text is none of them."""
    return next((name for name, pattern in KINDS.items() if re.search(pattern, text)), "not stated")


def runtimes(packages: Iterable[metadata.Distribution]) -> dict[str, list[str]]:
    """The packages whose wheels bring along libraries of GCC, with these."""
    brought = {}
    for package in packages:
        names = {match[0] for file in package.files or () if (match := GCC.match(file.name))}
        if names:
            brought[package.name] = sorted(names)
    return brought


def sections() -> Iterator[str]:
    """The page, part by part."""
    everything = needed(line for lines in PARTS.values() for line in lines)
    strong = [name for name, package in everything.items() if kind(licence(package)) == "strong copyleft"]
    yield OPENING.format(strong=", ".join(sorted(strong)) or "none")
    listed: set[str] = set()
    for title, lines in PARTS.items():
        fresh = {name: package for name, package in needed(lines).items() if name not in listed}
        listed |= set(fresh)
        rows = [_row(name, package) for name, package in sorted(fresh.items())]
        yield "\n".join(
            [f"## {title}\n", "| package | version | licence | kind |", "|---|---|---|---|", *rows, ""]
        )
    remarks = [f"- {name}: {text}" for name, text in REMARKS.items()]
    yield "\n".join(["## Remarks\n", *remarks, f"- {_gcc(runtimes(everything.values()))}", ""])


def _row(name: str, package: metadata.Distribution) -> str:
    text = licence(package)
    version = package.version.partition("+")[0]
    return f"| {name} | {version} | {text.replace('|', '/') or 'see below'} | {kind(text)} |"


def _gcc(brought: dict[str, list[str]]) -> str:
    named = "; ".join(f"{package}: {', '.join(libraries)}" for package, libraries in sorted(brought.items()))
    return (
        "Some packages include runtime libraries of GCC. These are under the GPL with the GCC Runtime "
        f"Library Exception, or the LGPL, which let any program use them. Here: {named or 'none'}."
    )


if __name__ == "__main__":
    PAGE.write_text("\n".join(sections()), encoding="utf-8")
