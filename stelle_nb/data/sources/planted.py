"""Synthetic sets whose classes are defined by formulas, so that the truth is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import conv1d, interpolate, one_hot

from stelle_nb.arguments import one_of, positive, seed_of, validate_types, whole
from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.errors import DataError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.traversal import channels
from stelle_nb.semantics.robustness import robustness

Difficulty = Literal["easy", "medium", "hard"]

N_KNOTS = 8  # of the random signals that the planting begins with
N_ROUNDS = 10  # of new signals for those that cannot be made to fit
N_STEPS = 200
N_IDLE = 20  # steps in a row that improve no signal
ROUNDING = 1e-4  # rounding of single precision
MOST_VALUES = 10**6  # cases of a class, or samples of a signal
MOST_MARGIN = 1e6
LONGEST_STEP = 1e3  # robustness may be minus infinity


@dataclass(frozen=True, slots=True)
class _Level:
    """How much noise there is, how far signals clear the margin, and whether classes share their signals."""

    noise: float
    clearance: tuple[float, float]
    is_shared: bool


LEVELS: dict[str, _Level] = {
    "easy": _Level(0.05, (2.0, 4.0), False),
    "medium": _Level(0.2, (1.0, 2.0), False),
    "hard": _Level(0.4, (1.0, 1.1), True),
}


@validate_types(DataError)
def make_planted(
    formulas: Mapping[Any, Formula],
    n_cases_per_class: int = 30,
    n_timepoints: int = 100,
    n_channels: int | None = None,
    *,
    margin: float = 0.2,
    difficulty: Difficulty = "easy",
    n_test_per_class: int | None = None,
    random_state: int | np.random.Generator = 0,
    name: str = "planted",
) -> SeriesDataset:
    """Sample a data set in which each class satisfies its own formula and no other.

    Parameters
    ----------
    formulas
        For each label the formula of its class. Signals begin as random curves with values of order one, so
        thresholds of order one are suitable.
    n_cases_per_class, n_test_per_class
        Training cases and test cases; as many of the latter as of the former if omitted.
    n_channels
        Channels that no formula uses are distractors. As few as the formulas need if omitted.
    margin
        Every case has robustness of at least ``margin`` for its own formula, and of at most ``-margin`` for
        those of the other classes.
    difficulty
        ``"easy"``: little noise, margins exceeded two to four times where possible. ``"medium"``: more
        noise, margins exceeded up to twice. ``"hard"``: much noise, margins just kept, and every signal has
        a twin in each other class that differs from it only where the formulas demand it.

    Notes
    -----
    A signal is changed where its robustness is decided, step by step along the gradient of the robustness,
    smoothed over time at first, until all demands are met. What is returned has been checked.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> make_planted({"high": parse("F[20,40] x0 >= 1"), "low": parse("G[0,60] x0 <= 0")}, 5)
    SeriesDataset('planted': 10 training and 10 test cases, 1 channel x 100 samples, 2 classes)
    """
    _check(formulas, n_cases_per_class, n_timepoints, margin, difficulty)
    needed = 1 + max((channel for phi in formulas.values() for channel in channels(phi)), default=0)
    n_channels = needed if n_channels is None else whole(n_channels, "n_channels", error=DataError)
    if n_channels < needed:
        raise DataError(f"The formulas use channel {needed - 1}, so n_channels must be at least {needed}.")
    n_test = n_cases_per_class
    if n_test_per_class is not None:
        n_test = whole(n_test_per_class, "n_test_per_class", error=DataError)
    planter = _Planter(tuple(formulas.values()), n_channels, n_timepoints, margin, LEVELS[difficulty])
    rng = np.random.default_rng(seed_of(random_state, error=DataError))
    X = planter.plant(n_cases_per_class + n_test, rng)  # (class, case, channel, time)
    labels = np.array(list(formulas))
    train, test = X[:, :n_cases_per_class].flatten(0, 1), X[:, n_cases_per_class:].flatten(0, 1)
    return SeriesDataset.from_arrays(
        train,
        labels.repeat(n_cases_per_class),
        test if n_test else None,
        labels.repeat(n_test) if n_test else None,
        name=name,
        source=f"planted with margin {margin:g}, {difficulty}: "
        + "; ".join(f"{label}: {phi}" for label, phi in formulas.items()),
    )


@dataclass(frozen=True, slots=True)
class _Planter:
    formulas: tuple[Formula, ...]
    n_channels: int
    n_timepoints: int
    margin: float
    level: _Level

    def plant(self, n: int, rng: np.random.Generator) -> Tensor:
        """Signals of every class, (class, case, channel, time)."""
        n_classes = len(self.formulas)
        classes = torch.arange(n_classes).repeat_interleave(n)
        clearance = torch.from_numpy(rng.uniform(*self.level.clearance, len(classes)))
        X = self._curves(n, rng, n_classes)
        for i in range(N_ROUNDS):
            # what is asked for beyond the margin may be out of reach, so later rounds ask for less
            goals = self.margin * (1 + (clearance - 1) * (1 - i / N_ROUNDS))
            X = self._repaired(X, classes, goals)
            bad = self._least(X, classes) < self.margin
            if not bad.any():
                return X.reshape(n_classes, n, *X.shape[1:])
            if i >= N_ROUNDS // 2 and bad.reshape(n_classes, n).all(1).any():  # a class without any success
                break
            if self.level.is_shared:  # twins are drawn anew together
                bad = bad.reshape(n_classes, n).any(0).repeat(n_classes)
            # wider curves reach what no small step leads to
            X = torch.where(bad[:, None, None], (1 + i) * self._curves(n, rng, n_classes), X)
        raise DataError(
            f"No signal was found that satisfies {self.formulas[int(classes[bad][0])]} and no formula of "
            f"another class, each with margin {self.margin:g}. "
            "The formulas may contradict each other; if not, try a smaller margin."
        )

    def _curves(self, n: int, rng: np.random.Generator, n_classes: int) -> Tensor:
        total = n if self.level.is_shared else n * n_classes
        knots = torch.from_numpy(rng.normal(size=(total, self.n_channels, N_KNOTS)))
        curves = interpolate(knots, size=self.n_timepoints, mode="linear", align_corners=True)
        curves = curves + self.level.noise * torch.from_numpy(rng.normal(size=curves.shape))
        return curves.repeat(n_classes, 1, 1) if self.level.is_shared else curves

    def _least(self, X: Tensor, classes: Tensor) -> Tensor:
        """How clearly each case meets the demand that it meets least, (case,)."""
        met = torch.stack([-robustness(phi, X) for phi in self.formulas], dim=1)  # (case, class)
        own = one_hot(classes, len(self.formulas)).bool()
        return torch.where(own, -met, met).amin(1)

    def _repaired(self, X: Tensor, classes: Tensor, goals: Tensor) -> Tensor:
        """The signals changed until they reach their goals, or as near as they came."""
        X, best = X.double().clone(), X.double().clone()
        most = torch.full((len(X),), -torch.inf, dtype=X.dtype)
        todo, idle = torch.arange(len(X)), 0
        for i in range(N_STEPS):
            x = X[todo].requires_grad_()
            least = self._least(x, classes[todo])
            (slope,) = torch.autograd.grad(least.sum(), x)
            least = least.detach()
            better = todo[least > most[todo]]
            idle = 0 if len(better) else idle + 1
            most[todo] = torch.maximum(most[todo], least)
            best[better] = X[better]
            short = (goals[todo] + ROUNDING - least).clamp_max(LONGEST_STEP)  # (case,)
            todo, slope, short = todo[short > 0], slope[short > 0], short[short > 0]
            if not len(todo) or idle == N_IDLE:
                break
            way = _smoothed(slope, width=self.n_timepoints / 20 * (1 - 2 * i / N_STEPS))
            gain = (slope * way).sum((1, 2))  # by how much a unit step raises the robustness
            X[todo] += (1.1 * short / gain.clamp_min(1e-9))[:, None, None] * way
        return best.float()


def _smoothed(slope: Tensor, width: float) -> Tensor:
    """The slope spread over ``width`` samples to both sides, its peaks as high as before."""
    if width < 1:
        return slope
    offsets = torch.arange(-int(width), int(width) + 1, dtype=slope.dtype)
    weights = 0.5 + 0.5 * torch.cos(torch.pi * offsets / (width + 1))
    flat = slope.flatten(0, 1).unsqueeze(1)
    return conv1d(flat, weights[None, None], padding=int(width)).reshape(slope.shape)


def _check(
    formulas: Mapping[Any, Formula], n_cases: int, n_timepoints: int, margin: float, difficulty: str
) -> None:
    if len(formulas) < 2 or not all(isinstance(phi, Formula) for phi in formulas.values()):
        raise DataError(
            "make_planted needs a formula for each of two classes or more. Use parse() to convert text."
        )
    whole(n_cases, "n_cases_per_class", least=1, most=MOST_VALUES, error=DataError, way="Try 30.")
    whole(n_timepoints, "n_timepoints", least=2, most=MOST_VALUES, error=DataError, way="Try 100.")
    positive(margin, "margin", most=MOST_MARGIN, error=DataError, way="Try 0.2.")
    one_of(difficulty, "difficulty", LEVELS, error=DataError)
