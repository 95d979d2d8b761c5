"""The causes of wrong answers that exercises name: misconceptions, and conventions of other tools."""

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
    """A named wrong belief, or a convention that differs from the one used here.

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
    is_convention
        Whether this is a convention, not a mistake: other tools may do as ``belief`` says.

    Examples
    --------
    >>> MISCONCEPTIONS["past_end"].comment
    'Here, by convention, a signal holds its last value forever, ...'
    """

    key: Key
    title: str
    belief: str
    truth: str
    is_convention: bool = False

    @property
    def comment(self) -> str:
        """What to say about it: what is true, or what is the convention here."""
        return f"Here, by convention, {self.truth}" if self.is_convention else self.truth

    @property
    def stance(self) -> str:
        """What somebody who has it would say, introduced as a belief or as a convention."""
        kind = "The convention of other tools is" if self.is_convention else "The belief is"
        return f"{kind}: {self.belief}"


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
            "Eventually must hold throughout the window, or always is satisfied by a single sample.",
            "G (always) requires every sample of its window, F (eventually) at least one.",
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
            "For p U q it is enough that q holds, or p may stop before q, or must continue after it.",
            "p U[a,b] q requires q at some sample of the window, and p at every sample from the start up to "
            "and including that one; after it, p no longer matters.",
        ),
        Misconception(
            "strict",
            "another convention: touching a strict bound",
            "A signal that only touches the threshold satisfies >= but not >.",
            "a formula counts as satisfied if its robustness is at least 0. Robustness is the distance to "
            "the threshold, the same for > and >=, so touching is enough for both.",
            is_convention=True,
        ),
        Misconception(
            "past_end",
            "another convention: windows past the end",
            "A window beyond the last sample is empty, so G holds there, whatever the signal does.",
            "a signal holds its last value forever, so a window past the end looks at that value.",
            is_convention=True,
        ),
        Misconception(
            "probability",
            "robustness as a probability",
            "Robustness says how likely the formula is to hold, or what share of the samples satisfies it.",
            "Robustness is a distance in the unit of the signal: by how much the deciding value clears its "
            "threshold, or falls short of it. It may be negative, and larger than 1.",
        ),
        Misconception(
            "implication",
            "implication read as and",
            "p -> q requires both p and q, or means the same as q -> p.",
            "p -> q requires q only where p holds. Where p fails, nothing is required.",
        ),
    )
}
