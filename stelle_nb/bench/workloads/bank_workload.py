"""The concepts on which the speed of a bank is measured: at most five nodes, every sixth with an until."""

from __future__ import annotations

import random
from collections.abc import Callable

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Always, And, Atom, Eventually, Not, Or, Until


def random_concepts(
    n_concepts: int, n_timepoints: int, *, n_channels: int = 3, random_state: int = 0
) -> list[Formula]:
    """Concepts of every shape with windows anywhere in the signal.

    Examples
    --------
    >>> concepts = random_concepts(60, 100)
    >>> max(concept.size for concept in concepts), sum("U" in str(concept) for concept in concepts)
    (5, 10)
    """
    rng = random.Random(random_state)

    def atom() -> Formula:
        return Atom(Signal(rng.randrange(n_channels)), rng.choice(("<=", ">=")), rng.gauss(0, 1))

    def interval() -> Interval:
        return Interval(*sorted((rng.randrange(n_timepoints), rng.randrange(n_timepoints))))

    def window(child: Formula) -> Formula:
        return rng.choice((Always, Eventually))(child, interval())

    def join(left: Formula, right: Formula) -> Formula:
        return rng.choice((And, Or))(left, right)

    def until(left: Formula, right: Formula) -> Formula:
        return Until(left, right, interval())

    plain: list[Callable[[], Formula]] = [
        lambda: window(atom()),
        lambda: window(window(atom())),
        lambda: window(Not(window(atom()))),
        lambda: window(window(window(atom()))),
        lambda: window(join(atom(), atom())),
        lambda: window(join(atom(), window(atom()))),
        lambda: join(window(atom()), window(atom())),
        lambda: join(atom(), window(window(atom()))),
    ]
    with_until: list[Callable[[], Formula]] = [
        lambda: until(atom(), atom()),
        lambda: until(atom(), window(atom())),
        lambda: until(window(atom()), atom()),
        lambda: until(atom(), join(atom(), atom())),
        lambda: until(join(atom(), atom()), atom()),
        lambda: window(until(atom(), atom())),
        lambda: join(until(atom(), atom()), atom()),
    ]
    return [rng.choice(plain if i % 6 else with_until)() for i in range(n_concepts)]
