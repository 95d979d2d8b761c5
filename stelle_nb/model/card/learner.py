"""Learning a score card: candidates, the choice among them, variants, points, short numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Float

from stelle_nb.concepts.sampling.idiom_sampling import sample_idioms
from stelle_nb.data.cases import Series
from stelle_nb.data.units import to_original_units
from stelle_nb.errors import ModelError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.idioms import recognise
from stelle_nb.logic.idioms.canonical import canonical
from stelle_nb.logic.shift import shift
from stelle_nb.logic.syntax import And, Eventually, Track, Tube, Until
from stelle_nb.logic.traversal import nodes, size
from stelle_nb.model.card.card_config import CardConfig
from stelle_nb.model.card.card_rounding import rounded_formula, significant
from stelle_nb.model.card.formula_selection import Options, best_alone, choose, make_options, shortlist
from stelle_nb.model.card.formula_variants import draw_variants
from stelle_nb.model.card.lesson import Lesson
from stelle_nb.model.card.points import find_sharpness, fit_few_points
from stelle_nb.model.card.scorecard import Scorecard
from stelle_nb.model.dense.screening import telling_channels
from stelle_nb.progress import Share, stretch_of, unheard
from stelle_nb.semantics.bank import FormulaBank

Floats = npt.NDArray[np.floating[Any]]

VALUES_AT_ONCE = 2**21  # of signals, after which work is reported and can be cancelled
WIDEST = 0.5  # tolerance of a shape, as a share of its range or of the deviation of its channel
LARGEST_POINTS = 10.0  # on the card: easily added with a pencil


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
        found: dict[Formula, None] = {}
        young = [phi for phi in formulas if isinstance(phi, Until) or _is_sequence(phi)]
        parents = self._evaluated(young[:1], few.cases, unheard)
        for _ in range(config.n_generations):
            if not young:
                break
            parents = parents.joined(self._evaluated(young, few.cases, unheard))
            options, worth = self._options(parents, few)
            best = best_alone(options, few.scores, few.weights, config.n_parents, worth=worth)
            formulas = [_formula(parents, options, j) for j in best]
            found.update(dict.fromkeys(formulas))
            parents = parents.take(options.candidate[best].tolist())
            young = draw_variants(
                formulas, options.reach[best].tolist(), config.n_parents * config.n_young,
                n_timepoints=few.cases.shape[2], rng=rng,
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

    def chosen(self, candidates: Candidates) -> tuple[Options, list[int]]:
        """The options of candidates, and the numbers of those that win on all cases."""
        options, worth = self._options(candidates, self.lesson)
        numbers = choose(
            options,
            self.lesson.scores,
            self.lesson.weights,
            self.n,
            worth=worth,
            redundancy=self.config.redundancy,
            is_usable=lambda j: recognise(_formula(candidates, options, j)) is not None,
        )
        return options, numbers

    def _options(self, candidates: Candidates, lesson: Lesson) -> tuple[Options, Float[Floats, " option"]]:
        """Candidates at several thresholds, and how much the gain of each counts."""
        options = make_options(candidates.robustness, lesson.weights, self.config.levels)
        sizes = np.array([size(formula) for formula in candidates.formulas], dtype=np.float64)
        bounds = np.array([_level_bounds(formula, self.deviations) for formula in candidates.formulas])
        least, most = bounds[options.candidate].T
        is_fitting = (options.level >= least) & (options.level < most)
        return options, sizes[options.candidate] ** -self.config.reading * is_fitting

    def _evaluated(self, formulas: Sequence[Formula], cases: Series, tell: Share) -> Candidates:
        bank = FormulaBank(formulas, device=self.device)
        at_once = max(1, VALUES_AT_ONCE // cases[0].size)
        parts = []
        for start in range(0, len(cases), at_once):
            some = torch.from_numpy(cases[start : start + at_once]).to(self.device)
            parts.append(bank.robustness(some).cpu().numpy())
            tell(min(1.0, (start + at_once) / len(cases)))
        return Candidates(tuple(formulas), np.ascontiguousarray(np.concatenate(parts).T))


def learn_card(
    lesson: Lesson,
    classes: Sequence[Any],
    *,
    n_formulas: int,
    config: CardConfig,
    rng: np.random.Generator,
    device: torch.device,
    units: Sequence[str | None] | None = None,
    tell: Share = unheard,
) -> Scorecard:
    """A card of at most ``n_formulas`` for each class on average that imitates the teacher of a lesson.

    Parameters
    ----------
    classes
        The labels, in the order of the lesson's targets.
    n_formulas
        Formulas for each class, on average; one is often used for several classes.
    units
        Of the channels, if known: channels of different units are not compared.
    """
    offset = lesson.training.mean(axis=(0, 2))
    contest = Contest(
        lesson=replace(lesson, cases=(lesson.cases - offset[:, None]).astype(np.float32)),
        deviations=lesson.training.std(axis=(0, 2)).tolist(),
        n=n_formulas * lesson.n_classes,
        config=config,
        device=device,
    )
    answers = lesson.targets[: lesson.n_training].argmax(1)
    focus = telling_channels(contest.lesson.training, answers, rng=rng)
    drawn = sample_idioms(
        contest.lesson.training, config.n_candidates, rng=rng, shares=config.shares, units=units,
        offset=offset, focus=focus,
    )  # fmt: skip
    if not drawn:
        raise ModelError("No formula tells the training cases apart. Are all of them the same?")
    candidates = contest.screened(drawn + contest.bred(drawn, rng), stretch_of(tell, 0.1, 0.7))
    options, chosen = contest.chosen(candidates)
    for i in range(config.n_rounds):
        kept = candidates.take(options.candidate[chosen].tolist())
        variants = draw_variants(
            kept.formulas, options.reach[chosen].tolist(), config.n_variants,
            n_timepoints=lesson.cases.shape[2], rng=rng,
        )  # fmt: skip
        if not variants:
            break
        part = stretch_of(tell, 0.7 + 0.2 * i / config.n_rounds, 0.7 + 0.2 * (i + 1) / config.n_rounds)
        candidates = kept.joined(contest.screened(variants, part))
        options, chosen = contest.chosen(candidates)
    formulas, reach = [], []
    for j in chosen:
        formula = to_original_units(_formula(candidates, options, j), np.ones_like(offset), offset)
        reach.append(significant(float(options.reach[j]), 2))
        formulas.append(rounded_formula(formula, reach[-1], config.digits))
    card = finish_card(formulas, np.array(reach), lesson, classes, config=config)
    tell(1.0)
    return card


def finish_card(
    formulas: Sequence[Formula],
    reach: Float[npt.NDArray[np.float64], " formula"],
    lesson: Lesson,
    classes: Sequence[Any],
    *,
    config: CardConfig,
) -> Scorecard:
    """The card of these formulas: points fitted to the lesson, short numbers, formulas put positively.

    Formulas that get no points are left out.

    Parameters
    ----------
    formulas
        In the order in which they were chosen.
    """
    blank = Scorecard(
        formulas=tuple(formulas),
        points=np.zeros((len(formulas), lesson.n_classes)),
        reach=reach,
        bias=np.zeros(lesson.n_classes),
        classes=tuple(classes),
    )
    degrees = blank.degrees(lesson.cases)
    points, bias = fit_few_points(
        degrees, lesson.targets, lesson.weights, config.penalties,
        steepness=config.steepness, tolerance=config.tolerance,
    )  # fmt: skip
    factor = LARGEST_POINTS / max(np.abs(points).max(), 1e-9)
    points, bias = (points * factor).round(1) + 0.0, (bias * factor).round(1) + 0.0
    scores = degrees @ points + bias
    sharpness = significant(find_sharpness(scores, lesson.targets, lesson.weights), 2)
    is_used = points.any(axis=1)
    is_used[0] |= not is_used.any()  # a card has at least one formula
    order = np.flatnonzero(is_used)[np.argsort(points[is_used].argmax(1), kind="stable")]
    turned = [_positive(formulas[j], points[j]) for j in order]
    return Scorecard(
        formulas=tuple(formula for formula, _ in turned),
        points=np.array([row for _, row in turned]),
        reach=reach[order],
        bias=bias,
        classes=tuple(classes),
        sharpness=sharpness,
    )


def _positive(formula: Formula, points: Float[Floats, " cls"]) -> tuple[Formula, Float[Floats, " cls"]]:
    """The formula or its negation, so that it speaks for a class rather than against one.

    The negation is taken only if it is an idiom that needs no "not".
    """
    if points.max() >= -points.min():
        return formula, points
    opposite = canonical(formula, negated=True)
    match = None if opposite is None else recognise(opposite)
    if opposite is None or match is None or match.negated:
        return formula, points
    return opposite, -points + 0.0


def _formula(candidates: Candidates, options: Options, j: int) -> Formula:
    """The formula of an option, about centred cases; moving both bounds of a band may leave no idiom."""
    return shift(candidates.formulas[options.candidate[j]], -float(options.level[j]))


def _is_sequence(formula: Formula) -> bool:
    match formula:
        case Eventually(And(_, Eventually())):
            return True
        case _:
            return False


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
