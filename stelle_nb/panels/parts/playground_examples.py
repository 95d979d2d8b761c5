"""A gallery for the playground: formulas with signals that show what each part of the logic means."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, final

import numpy as np

from stelle_nb.depict.regions import Case
from stelle_nb.depict.wording import Wording


@final
@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A formula and a signal.

    Parameters
    ----------
    name
        What it is called in the list.
    says
        What to look at, and what to try.
    """

    name: str
    says: str
    formula: str
    signal: Case
    wording: Wording


@cache
def examples() -> dict[str, Example]:
    """All examples by name."""
    return {example.name: example for example in (*_operators(), *_combinations(), *_signals())}


def _example(name: str, says: str, formula: str, *channels: Any, names: str) -> Example:
    signal: Case = np.array(channels, dtype=np.float64).round(3)
    return Example(name, says, formula, signal, Wording(tuple(names.split(", ")), 0.1, "s"))


_T = np.arange(60)


def _bump(centre: float, width: float, height: float) -> Any:
    return height * np.exp(-(((_T - centre) / width) ** 2))


def _operators() -> list[Example]:
    rise = _bump(30, 5, 2.0)
    return [
        _example(
            "eventually: once is enough",
            "One peak reaches the green. Pull the peak below the threshold, and the formula fails.",
            "F[20,40] (height >= 1.5)",
            rise,
            names="height",
        ),
        _example(
            "always: every sample counts",
            "The same signal, but now every sample of the window would have to lie in the green.",
            "G[20,40] (height >= 1.5)",
            rise,
            names="height",
        ),
        _example(
            "always below: the worst sample decides",
            "The ring is the sample closest to the threshold. Pull another one higher: the ring goes there.",
            "G (temperature <= 80)",
            60 + _bump(15, 6, 12) + _bump(42, 8, 17),
            names="temperature",
        ),
        _example(
            "until: hold on until an event",
            "The pressure must stay up until the valve opens. Let the pressure drop before that, or open the "
            "valve earlier.",
            "pressure >= 2 U[0,50] valve >= 0.5",
            3 - 2.5 / (1 + np.exp(-(_T - 44) / 2.0)),
            1 / (1 + np.exp(-(_T - 36) / 1.0)),
            names="pressure, valve",
        ),
        _example(
            "not: the other side of the threshold",
            "'Not at some time above' is the same as 'always at or below': the robustness is equal, too.",
            "!F (noise > 1)",
            0.7 * np.sin(_T / 4) * np.exp(-_T / 60),
            names="noise",
        ),
    ]


def _combinations() -> list[Example]:
    waves = np.sin(2 * np.pi * _T / 20)
    return [
        _example(
            "and: the weaker side decides",
            "Robustness is the smaller of the two. Choose each side in the tree to see it alone.",
            "F (bend >= 1) & G (turn <= 1.2)",
            _bump(22, 5, 1.8),
            0.8 * np.sin(_T / 7),
            names="bend, turn",
        ),
        _example(
            "or: the stronger side decides",
            "Robustness is the larger of the two: only one side has to hold.",
            "F (bend >= 2.5) | F (turn <= -0.5)",
            _bump(22, 5, 1.8),
            0.8 * np.sin(_T / 7),
            names="bend, turn",
        ),
        _example(
            "at least: one sensor may miss it",
            "Two of the three sensors must see the peak. The one in the middle misses it by far, "
            "which does not matter. Flatten another one.",
            "atleast(2; F (left >= 1), F (middle >= 1), F (right >= 1))",
            _bump(22, 5, 1.8),
            -1 + 0.2 * np.sin(_T / 4),
            _bump(30, 5, 1.5),
            names="left, middle, right",
        ),
        _example(
            "always eventually: again and again",
            "From any time on, a wave must come within 2 s. Flatten one wave, and the formula fails.",
            "G[0,39] F[0,20] (wave >= 0.8)",
            waves,
            names="wave",
        ),
        _example(
            "eventually always: settling",
            "At some time the signal must come to rest and stay. Disturb its end.",
            "F[0,40] G[0,15] (error <= 0.2 & error >= -0.2)",
            1.5 * np.exp(-_T / 12) * np.cos(_T / 3),
            names="error",
        ),
        _example(
            "whenever … then: an answer in time",
            "Each time the request goes up, the answer must follow within 1 s. The second one comes late.",
            "G[0,45] (request >= 1 -> F[0,10] answer >= 1)",
            _bump(10, 2, 1.6) + _bump(36, 2, 1.6),
            _bump(15, 3, 1.5) + _bump(52, 3, 1.5),
            names="request, answer",
        ),
    ]


def _signals() -> list[Example]:
    ramp = np.clip((_T - 20) / 12, 0, 1) * 4
    return [
        _example(
            "change: how fast, not how much",
            "The comparison is about the change since the previous sample. Make the ramp steeper.",
            "G (diff(speed) <= 0.5)",
            ramp,
            names="speed",
        ),
        _example(
            "change over a time: climbing",
            "The change over the last second reaches 3. Where the signal starts does not matter.",
            "F (speed - speed@10 >= 3)",
            ramp,
            names="speed",
        ),
        _example(
            "average: noise may pass",
            "The average over 1 s must stay below the threshold; single samples need not.",
            "G (mean(load, 10) <= 1.5)",
            1 + 0.9 * np.sin(_T * 2.1) * (_T % 7 == 0) + 0.3 * np.sin(_T / 9),
            names="load",
        ),
        _example(
            "weighted sum: one makes up for the other",
            "The push a while ago and the pull now are averaged, weighted and added. Lower one and raise "
            "the other: only their sum counts.",
            "G[45,45] (sum(0.6*mean(push, 10)@20, 0.4*mean(pull, 10)) >= 0.8)",
            _bump(20, 5, 1.8),
            0.5 + _bump(42, 6, 0.8),
            names="push, pull",
        ),
        _example(
            "tube: a shape at some time",
            "The green band lies where the signal follows the shape best. Pull a sample out of it.",
            "tube[0,45](beat ~ 0.2 1 1.8 1 0.2 +- 0.5; step 3)",
            0.15 * np.sin(_T / 5) + _bump(32, 5, 1.7),
            names="beat",
        ),
        _example(
            "tube of changes: a shape at any height",
            "Only the changes since the start of the shape count, so the whole bump may stand anywhere.",
            "tube[0,45](rel(beat) ~ 0.8 1.6 0.8 0 +- 0.45; step 3)",
            5 + 0.15 * np.sin(_T / 5) + _bump(28, 5, 1.7),
            names="beat",
        ),
    ]
