"""The contest of candidates for a place on a card: bred, screened, chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Float

from stelle_nb.data.cases import Series
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.idioms import recognise
from stelle_nb.logic.shift import shift
from stelle_nb.logic.syntax import Track, Tube
from stelle_nb.logic.traversal import nodes, size
from stelle_nb.model.card.card_config import CardConfig, tolerance_for
from stelle_nb.model.card.lesson import Lesson
from stelle_nb.model.card.search.formula_selection import (
    Options,
    agreement,
    best_alone,
    choose,
    make_options,
    shortlist,
)
from stelle_nb.model.card.search.formula_variants import draw_variants
from stelle_nb.model.card.search.two_events import (
    draw_sequences,
    is_of_two_events,
    kind_of,
    single_events,
    with_windows_closed,
)
from stelle_nb.progress import Share, stretch_of, unheard
from stelle_nb.semantics.bank import FormulaBank

Floats = npt.NDArray[np.floating[Any]]

VALUES_AT_ONCE = 2**21  # of signals, after which work is reported and can be cancelled
WIDEST = 0.5  # tolerance of a shape, as a share of its range or of the deviation of its channel
SAME = 0.01  # mean change of degrees up to which a simpler formula is taken to say the same


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Formulas about centred cases, with their robustness on the cases of a lesson."""

    formulas: tuple[Formula, ...]
    robustness: Float[Floats, "candidate case"]

    def take(self, numbers: Sequence[int]) -> Candidates:
        """The candidates of these numbers."""
        return Candidates(tuple(self.formulas[i] for i in numbers), self.robustness[list(numbers)])

    def joined(self, other: Candidates) -> Candidates:
        """Both, one after the other."""
        values = np.concatenate([self.robustness, other.robustness])
        return Candidates(self.formulas + other.formulas, values)


@dataclass(frozen=True, slots=True, eq=False)
class Contest:
    """What candidates compete in: a lesson about centred cases, and how many of them win.

    Parameters
    ----------
    deviations
        Of the channels.
    n
        How many formulas to choose.
    """

    lesson: Lesson
    deviations: Sequence[float]
    n: int
    config: CardConfig
    device: torch.device

    @property
    def few(self) -> Lesson:
        """The part of the lesson that candidates are bred and screened on."""
        return self.lesson.thinned(self.config.count_screening(self.lesson.cases.shape[2]))

    def bred(self, formulas: Sequence[Formula], rng: np.random.Generator) -> list[Formula]:
        """Further formulas of two events: variants of the best ones, of the best of these, and so on.

        Two events have six numbers, which are not hit by chance all at once.
        """
        few, config = self.few, self.config
        n_timepoints = few.cases.shape[2]
        found: dict[Formula, None] = {}
        young = [phi for phi in formulas if is_of_two_events(phi)]
        if config.n_sequences:
            more = draw_sequences(few.training, config.n_sequences, rng=rng)
            young = [with_windows_closed(phi, n_timepoints) for phi in young + more]
        parents = self._evaluated(young[:1], few.cases, unheard)
        for _ in range(config.n_generations):
            if not young:
                break
            parents = parents.joined(self._evaluated(young, few.cases, unheard))
            options, worth = self._options(parents, few)
            kinds = [kind_of(formula) for formula in parents.formulas]
            best = best_alone(
                options, few.scores, few.weights, config.n_parents, worth=worth, kinds=kinds,
                most_alike=config.most_alike,
            )  # fmt: skip
            formulas = [_formula(parents, options, j) for j in best]
            found.update(dict.fromkeys(formulas))
            parents = parents.take(options.candidate[best].tolist())
            young = draw_variants(
                formulas, options.reach[best].tolist(), config.n_parents * config.n_young,
                n_timepoints=n_timepoints, rng=rng,
            )  # fmt: skip
        return list(found)

    def screened(self, formulas: Sequence[Formula], tell: Share) -> Candidates:
        """Those of the formulas that come close to being chosen on a few cases, evaluated on all."""
        few = self.few
        candidates = self._evaluated(formulas, few.cases, stretch_of(tell, 0, 0.5))
        options, worth = self._options(candidates, few)
        width = max(1, self.config.n_shortlist // self.n)
        numbers = shortlist(
            options,
            few.scores,
            few.weights,
            self.n,
            worth=worth,
            redundancy=self.config.redundancy,
            width=width,
        )
        best = candidates.take(numbers).formulas
        return self._evaluated(best, self.lesson.cases, stretch_of(tell, 0.5, 1))

    def chosen(self, candidates: Candidates, reading: Sequence[float]) -> tuple[Options, list[int]]:
        """The options of candidates, and the numbers of those that win on all cases.

        Parameters
        ----------
        reading
            What reading may cost: the largest value is taken that costs hardly any agreement.
        """
        lesson = self.lesson
        options = make_options(candidates.robustness, lesson.weights, self.config.levels, self.config.reach)

        def found(price: float) -> tuple[list[int], float]:
            numbers = choose(
                options,
                lesson.scores,
                lesson.weights,
                self.n,
                worth=self._worth(candidates, options, price),
                redundancy=self.config.redundancy,
                is_usable=lambda j: recognise(_formula(candidates, options, j)) is not None,
            )
            return numbers, agreement(options.degrees[numbers], lesson.scores, lesson.weights)

        lowest, *higher = sorted(set(reading))
        best, most = found(lowest)
        for price in reversed(higher):
            numbers, reached = found(price)
            if reached >= most - tolerance_for(self.config.reading_tolerance, lesson.n_classes):
                return options, numbers
        return options, best

    def simplest(self, candidates: Candidates, options: Options, chosen: Sequence[int]) -> Candidates:
        """The candidates of chosen options; of two events that degrees hardly depend on both of, only one."""
        kept = candidates.take(options.candidate[list(chosen)].tolist())
        formulas, robustness = list(kept.formulas), kept.robustness.copy()
        for i, j in enumerate(chosen):
            parts = single_events(kept.formulas[i])
            if not parts:
                continue
            values = self._evaluated(parts, self.lesson.cases, unheard).robustness
            degrees = ((values - options.level[j]) / options.reach[j]).clip(-1, 1)
            changes = np.abs(degrees - options.degrees[j]) @ self.lesson.weights
            best = int(changes.argmin())
            if changes[best] <= SAME:
                formulas[i], robustness[i] = parts[best], values[best]
        return Candidates(tuple(formulas), robustness)

    def _options(self, candidates: Candidates, lesson: Lesson) -> tuple[Options, Float[Floats, " option"]]:
        """Candidates at several thresholds, and how much the gain of each counts if reading costs little."""
        options = make_options(candidates.robustness, lesson.weights, self.config.levels, self.config.reach)
        return options, self._worth(candidates, options, min(self.config.reading))

    def _worth(self, candidates: Candidates, options: Options, price: float) -> Float[Floats, " option"]:
        """What the gain of each option is multiplied by; 0 where its threshold does not fit."""
        sizes = np.array([size(formula) for formula in candidates.formulas], dtype=np.float64)
        bounds = np.array([_level_bounds(formula, self.deviations) for formula in candidates.formulas])
        least, most = bounds[options.candidate].T
        is_fitting = (options.level >= least) & (options.level < most)
        return np.asarray(sizes[options.candidate] ** -price * is_fitting)

    def _evaluated(self, formulas: Sequence[Formula], cases: Series, tell: Share) -> Candidates:
        bank = FormulaBank(formulas, device=self.device)
        at_once = max(1, VALUES_AT_ONCE // cases[0].size)
        parts = []
        for start in range(0, len(cases), at_once):
            some = torch.from_numpy(cases[start : start + at_once]).to(self.device)
            parts.append(bank.robustness(some).cpu().numpy())
            tell(min(1.0, (start + at_once) / len(cases)))
        return Candidates(tuple(formulas), np.ascontiguousarray(np.concatenate(parts).T))


def _formula(candidates: Candidates, options: Options, j: int) -> Formula:
    """The formula of an option, about centred cases; moving both bounds of a band may leave no idiom."""
    return shift(candidates.formulas[options.candidate[j]], -float(options.level[j]))


def _level_bounds(formula: Formula, deviations: Sequence[float]) -> tuple[float, float]:
    """By how much at least and at most robustness may be lowered.

    The tolerance of a shape stays positive, and narrow enough to be a shape: no wider than half of the range
    of its points, or than half a deviation of the channel if the shape is flatter.
    """
    tracks = [track for node in nodes(formula) if isinstance(node, Tube) for track in node.tracks]
    least = max((track.delta - _widest(track, deviations) for track in tracks), default=-np.inf)
    return least, min((track.delta for track in tracks), default=np.inf)


def _widest(track: Track, deviations: Sequence[float]) -> float:
    points = (*track.points, 0.0) if track.is_relative else track.points
    return WIDEST * max(max(points) - min(points), deviations[track.signal.channel])
