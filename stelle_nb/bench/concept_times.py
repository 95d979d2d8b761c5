"""How long concept sets take to generate and to load: ``python -m stelle_nb.bench concepts``."""

from __future__ import annotations

import argparse
import json
import math
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

import stelle_nb.concepts
from stelle_nb.concepts import ConceptSet, default_concepts
from stelle_nb.files import write_text

TARGET_GENERATION = 20.0  # seconds of CPU time for 1000 concepts
TARGET_LOADING = 0.2  # seconds after import
SIZES = (250, 500, 1000, 2000, 4000)

LOADING = """
import time
from stelle_nb.concepts import default_concepts
began, busy = time.perf_counter(), time.process_time()
default_concepts()
print(time.perf_counter() - began, time.process_time() - busy)
"""


def main(arguments: Sequence[str]) -> None:
    """Print the figures, or write them as JSON."""
    parser = argparse.ArgumentParser(prog="python -m stelle_nb.bench concepts", description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="numbers of concepts to make")
    parser.add_argument("--loads", type=int, default=5, help="fresh interpreters to load the shipped set in")
    parser.add_argument("--json", type=Path, help="write the figures to this file, too")
    parser.add_argument(
        "--write-default", action="store_true", help="only regenerate the set that ships with the package"
    )
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)
    if options.write_default:
        print(f"Written: {write_default()}")
        return
    generation = [measure_generation(n) for n in options.sizes]
    figures: dict[str, Any] = {
        "generation": generation,
        "growth_exponent": growth_exponent(generation),
        "loading": measure_loading(options.loads),
        "shipped_is_repeatable_here": ConceptSet.generate().formulas == default_concepts().formulas,
    }
    _show(figures)
    if options.json:
        write_text(options.json, json.dumps(figures, indent=1) + "\n")


def measure_generation(n_concepts: int) -> dict[str, float]:
    """CPU seconds of one thread for univariate concepts at t = 0.99, on 1000 trajectories of 100 samples."""
    began = time.process_time()
    concepts = ConceptSet.generate(1, 100, n_concepts, t=0.99, n_trajectories=1000, random_state=0)
    return {
        "n_concepts": n_concepts,
        "cpu_seconds": time.process_time() - began,
        "n_compared": concepts.provenance["n_compared"],
    }


def measure_loading(n: int) -> dict[str, float]:
    """Median seconds for the shipped set in fresh interpreters, after import."""
    runs = [
        subprocess.run([sys.executable, "-c", LOADING], capture_output=True, text=True, check=True).stdout
        for _ in range(n)
    ]
    wall, cpu = zip(*(map(float, run.split()) for run in runs), strict=True)
    return {"wall_seconds": statistics.median(wall), "cpu_seconds": statistics.median(cpu)}


def growth_exponent(generation: Sequence[dict[str, float]]) -> float | None:
    """The power of the number of concepts with which the time grows; None for a single number."""
    if len({row["n_concepts"] for row in generation}) < 2:
        return None
    sizes = [math.log(row["n_concepts"]) for row in generation]
    times = [math.log(row["cpu_seconds"]) for row in generation]
    return statistics.linear_regression(sizes, times).slope


def write_default() -> Path:
    """Write the default set into the package; its signatures follow from the recipe, so they stay out."""
    folder = Path(stelle_nb.concepts.__file__).parent / "shipped" / "univariate"
    return replace(ConceptSet.generate(), signatures=None).save(folder)


def _show(figures: dict[str, Any]) -> None:
    print("concepts   CPU seconds   candidates compared")
    for row in figures["generation"]:
        print(f"{row['n_concepts']:8d} {row['cpu_seconds']:13.2f} {row['n_compared']:21d}")
    print(f"(target: 1000 concepts within {TARGET_GENERATION:g} s)")
    if figures["growth_exponent"] is not None:
        print(f"time grows as (number of concepts)^{figures['growth_exponent']:.2f}")
    loading = figures["loading"]
    print(
        f"shipped set loads in {loading['wall_seconds']:.3f} s, CPU {loading['cpu_seconds']:.3f} s"
        f" (target: {TARGET_LOADING:g} s)"
    )
    print(f"shipped set is repeatable here: {figures['shipped_is_repeatable_here']}")
