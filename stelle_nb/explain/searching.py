"""A search for the descriptions of a class that do least wrong: alternatives, and conditions to count."""

from __future__ import annotations

from stelle_nb.explain.judging import Judges
from stelle_nb.explain.literals import Literals
from stelle_nb.explain.sketch import BEAM, Extension, Sketch, extensions

MAX_LITERALS = 3  # of alternatives
MAX_COUNTED = 5
KEPT = 3  # for each count of so many conditions
GROWN = 8  # of these, how many are made longer
MAX_EXCHANGES = 4  # rounds
LEAST_GAIN = 1e-3


def find_sketches(literals: Literals, judges: Judges) -> list[Sketch]:
    """Descriptions made of the literals, the best first."""
    begun = extensions(Sketch.empty(literals), Extension(None), literals, judges)
    found = [*begun, *_alternatives(begun, literals, judges), *_counted(begun, literals, judges)]
    plain = sorted(map(_without_counting_all, found), key=_loss)
    return list({_said(sketch): sketch for sketch in reversed(plain)}.values())[::-1]


def _alternatives(beam: list[Sketch], literals: Literals, judges: Judges) -> list[Sketch]:
    """Conjunctions joined by or, longer as long as that saves more mistakes than it costs to read."""
    found: list[Sketch] = []
    for _ in range(MAX_LITERALS - 1):
        grown = [
            longer
            for sketch in beam
            for place in (*range(len(sketch.clauses)), None)
            for longer in extensions(sketch, Extension(place), literals, judges)
            if longer.loss < sketch.loss
        ]
        beam = sorted(grown, key=_loss)[:BEAM]
        found += beam
    return found


def _counted(beam: list[Sketch], literals: Literals, judges: Judges) -> list[Sketch]:
    """At least so many of up to five conditions.

    A count gains from a condition more only once there are three, so that it grows whatever it loses on the
    way; once there are three, each condition is exchanged for the best beside the others.
    """
    found: list[Sketch] = []
    for n in range(2, MAX_COUNTED + 1):
        grown = [
            longer
            for sketch in beam
            for needed in (sketch.needed, sketch.needed + 1)
            for longer in extensions(sketch, Extension(None, needed), literals, judges)
        ]
        kept: list[Sketch] = []
        for needed in range(1, n + 1):
            best = sorted((each for each in grown if each.needed == needed), key=_loss)[:KEPT]
            kept += best if n == 2 else [_exchanged(each, literals, judges) for each in best]
        beam = sorted(kept, key=_loss)[:GROWN]
        found += kept if n > 2 else []
    return found


def _exchanged(sketch: Sketch, literals: Literals, judges: Judges) -> Sketch:
    """Every condition in turn exchanged for the best beside the others, as long as that helps."""
    for _ in range(MAX_EXCHANGES):
        before = sketch.loss
        for (
            _
        ) in sketch.clauses:  # the first goes and what comes for it stands last, so that each has its turn
            rest = sketch.without(0)
            best = extensions(rest, Extension(None, sketch.needed), literals, judges, 1)
            is_better = bool(best) and best[0].loss < sketch.loss - LEAST_GAIN
            sketch = best[0] if is_better else _turned(sketch)
        if sketch.loss == before:
            break
    return sketch


def _turned(sketch: Sketch) -> Sketch:
    """The same with its first clause last."""
    clauses = (*sketch.clauses[1:], sketch.clauses[0])
    order = [*range(1, len(clauses)), 0]
    return Sketch(clauses, sketch.margins[:, order], sketch.needed, sketch.loss)


def _without_counting_all(sketch: Sketch) -> Sketch:
    """The same, all of several clauses being one clause that joins them by and."""
    if sketch.needed == 1 or sketch.needed < len(sketch.clauses):
        return sketch
    joined = tuple(literal for clause in sketch.clauses for literal in clause)
    return Sketch((joined,), sketch.margins.min(1, keepdims=True), 1, sketch.loss)


def _said(sketch: Sketch) -> tuple[int, frozenset[frozenset[tuple[int, float]]]]:
    """What a sketch says, whatever the order."""
    return sketch.needed, frozenset(frozenset(clause) for clause in sketch.clauses)


def _loss(sketch: Sketch) -> float:
    return sketch.loss
