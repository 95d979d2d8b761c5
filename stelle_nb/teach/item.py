"""What an exercise is, and the feedback on an answer to it: frozen values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt
from jaxtyping import Float

from stelle_nb.logic.formula import Formula
from stelle_nb.teach.misconceptions import MISCONCEPTIONS, Key, Misconception

Kind = Literal["choose", "separate", "draw", "predict", "to_formula", "to_english", "spot"]
KINDS: tuple[Kind, ...] = get_args(Kind)
Level = Literal[1, 2, 3]
LEVELS: tuple[Level, ...] = get_args(Level)

Case = tuple[tuple[float, ...], ...]
"""The values of one signal: channels, each with its samples."""
Cases = Float[npt.NDArray[np.float64], "case channel time"]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several answers.

    Parameters
    ----------
    text
        What is shown.
    formula
        The formula it stands for, or is about.
    misconception
        The misconception behind it; None for the right choice and for plain distractors.
    """

    text: str
    formula: Formula
    misconception: Key | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """An exercise; the same kind, level and seed give the same one on every machine.

    Parameters
    ----------
    question
        In plain words; formulas in it stand in backticks.
    formula
        What is asked for, or what the question is about.
    cases
        The signals that are shown; for a drawing, what it begins with.
    choices, right
        The answers to choose from and the number of the right one; -1 where there is no choice.
    labels
        For the exercise that separates groups: whether each case belongs to the first group.
    """

    kind: Kind
    level: Level
    seed: int
    question: str
    formula: Formula
    cases: tuple[Case, ...]
    choices: tuple[Choice, ...] = ()
    right: int = -1
    labels: tuple[bool, ...] = ()

    @property
    def signals(self) -> Cases:
        """The signals as an array ``(case, channel, time)``."""
        return np.array(self.cases, dtype=np.float64)

    @property
    def n_channels(self) -> int:
        """Channels of a signal."""
        return len(self.cases[0])

    @property
    def n_timepoints(self) -> int:
        """Samples of a signal."""
        return len(self.cases[0][0])


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A signal on which an answer goes wrong.

    Parameters
    ----------
    case
        The signal.
    formula
        The formula whose windows and bounds are drawn on it.
    note
        What is to be seen.
    """

    case: Case
    formula: Formula
    note: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """The feedback on an answer.

    Parameters
    ----------
    is_right
        Whether it is accepted.
    message
        In plain words.
    misconception
        The key of the misconception that explains a wrong answer, if one does.
    counterexample
        A signal that shows why it is wrong, or right.
    is_readable
        False for unreadable input, which does not count as an attempt.
    """

    is_right: bool
    message: str
    misconception: Key | None = None
    counterexample: Counterexample | None = None
    is_readable: bool = True

    @property
    def named(self) -> Misconception | None:
        """The misconception in words."""
        return None if self.misconception is None else MISCONCEPTIONS[self.misconception]


def as_case(values: Any) -> Case:
    """One signal ``(channel, time)`` as a frozen value."""
    return tuple(tuple(float(value) for value in channel) for channel in values)


def shuffled(choices: Sequence[Choice], rng: np.random.Generator) -> tuple[tuple[Choice, ...], int]:
    """The choices in a random order, and where the first of them, the right one, went."""
    order = rng.permutation(len(choices)).tolist()
    return tuple(choices[i] for i in order), order.index(0)


def unreadable(message: str) -> Judgement:
    """The feedback on something that is not an answer."""
    return Judgement(False, message, is_readable=False)
