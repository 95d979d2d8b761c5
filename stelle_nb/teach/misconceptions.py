"""The misconceptions that exercises name: what is believed, what is true here, and what to look at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Key = Literal[
    "off_by_one",
    "always_eventually",
    "nested_windows",
    "until_left",
    "strict",
    "past_end",
    "probability",
    "implication",
]


@dataclass(frozen=True, slots=True)
class Misconception:
    """A wrong belief that has a name.

    Parameters
    ----------
    key
        What it is called in code and in saved progress.
    title
        What it is called on the page.
    belief
        What somebody who has it would say.
    truth
        What holds instead.
    """

    key: Key
    title: str
    belief: str
    truth: str


MISCONCEPTIONS: dict[Key, Misconception] = {
    each.key: each
    for each in (
        Misconception(
            "off_by_one",
            "interval off by one",
            "A window stops before its last sample, or begins one sample later.",
            "A window is closed and counts from 0: [2,6] means the five samples 2, 3, 4, 5 and 6.",
        ),
        Misconception(
            "always_eventually",
            "F for G, or G for F",
            "Eventually must hold throughout the window, or always is met by a single sample.",
            "G (always) asks for every sample of its window, F (eventually) for at least one.",
        ),
        Misconception(
            "nested_windows",
            "inner windows counted from the start",
            "The window of an inner operator counts from the start of the signal.",
            "An inner window counts from the sample that the outer operator is looking at, so windows add: "
            "F[3,5] G[0,4] looks as far as sample 9.",
        ),
        Misconception(
            "until_left",
            "Until without its left side",
            "For p U q it is enough that q comes, or p may stop before q or must go on after it.",
            "p U[a,b] q needs q at some sample of the window, and p at every sample from the start up to and "
            "including that one; after it, p is free.",
        ),
        Misconception(
            "strict",
            "strict against non-strict",
            "A signal that only touches the threshold satisfies >= but not >.",
            "Robustness is the distance to the threshold, the same for > and >=. A formula counts as "
            "satisfied if its robustness is at least 0, so touching is enough for both.",
        ),
        Misconception(
            "past_end",
            "vacuous truth past the end",
            "A window beyond the last sample is empty, so G holds there, whatever the signal does.",
            "A signal holds its last value for ever. A window past the end looks at that value.",
        ),
        Misconception(
            "probability",
            "robustness as a probability",
            "Robustness tells how likely the formula is, or what share of the samples satisfies it.",
            "Robustness is a distance in the unit of the signal: by how much the deciding value clears its "
            "threshold, or falls short of it. It may be negative, and larger than 1.",
        ),
        Misconception(
            "implication",
            "implication read as and",
            "p -> q asks for p and for q, or says the same as q -> p.",
            "p -> q asks for q only where p holds. Where p fails, nothing is asked.",
        ),
    )
}
