"""Hypothesis strategies that draw score cards."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.syntax import Atom, Tube
from stelle_nb.logic.traversal import nodes
from stelle_nb.model.card.scorecard import Scorecard
from stelle_nb.testing.strategies import formulas, numbers

N_CHANNELS = 2
AWKWARD = (
    "a|b",
    '"',
    "\\",
    "`",
    "two\nlines",
    "x1",
    "x0",
    "",
    " ",
    "$x$",
    "<b>",
    "\u2028",
    "é 🙂",
    "true",
    "G",
    "%_&",
)


def labels() -> SearchStrategy[tuple[object, ...]]:
    plain = st.text(max_size=5) | st.integers() | st.sampled_from(AWKWARD) | st.floats(-9, 9)
    label = plain | st.booleans() | st.tuples(plain, plain)
    return st.lists(label, min_size=2, max_size=4, unique=True).map(tuple)


def names() -> SearchStrategy[tuple[str, ...]]:
    """Names that repeat, too."""
    name = st.text(max_size=4) | st.sampled_from(AWKWARD)
    return st.lists(name, min_size=N_CHANNELS, max_size=N_CHANNELS + 1).map(tuple)


def short_numbers() -> SearchStrategy[float]:
    """At most three digits."""
    return st.builds(lambda n, place: round(n * 10.0**place, 9), st.integers(-999, 999), st.integers(-3, 2))


@st.composite
def cards(draw: st.DrawFn, number: SearchStrategy[float] | None = None) -> Scorecard:
    """Cards about two channels, with any names and labels."""
    number = numbers() if number is None else number
    drawn = draw(st.lists(formulas(N_CHANNELS, max_depth=3), min_size=1, max_size=4))
    classes, n = draw(labels()), len(drawn)
    called = draw(st.none() | names())
    n_channels = N_CHANNELS if called is None else len(called)
    units = st.lists(st.none() | st.text(max_size=3), min_size=n_channels, max_size=n_channels)
    positive = number.map(lambda value: abs(value) + 0.001)
    row = st.lists(number, min_size=len(classes), max_size=len(classes))
    return Scorecard(
        formulas=tuple(drawn),
        points=draw(st.lists(row, min_size=n, max_size=n)),
        reach=draw(st.lists(positive, min_size=n, max_size=n)),
        bias=draw(row),
        classes=classes,
        sharpness=draw(positive),
        channel_names=called,
        step=draw(st.none() | st.sampled_from((0.1, 1.0, 1 / 3))),
        unit=draw(st.none() | st.sampled_from(("s", "", "µs\n"))),
        units=draw(st.none() | units),
        fidelity=draw(st.none() | st.sampled_from((0.0, 0.95, 1.0))),
    )


def compares_something(formula: Formula) -> bool:
    return any(isinstance(node, Atom | Tube) for node in nodes(formula))
