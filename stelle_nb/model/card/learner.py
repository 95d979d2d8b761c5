"""Learning a score card: candidates, the choice among them, variants, points, short numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Float

from stelle_nb.concepts.idiom_sampling import sample_idioms
from stelle_nb.data.cases import Series
from stelle_nb.data.units import to_original_units
from stelle_nb.errors import ModelError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.idioms import recognise
from stelle_nb.logic.idioms.canonical import canonical
from stelle_nb.logic.shift import shift
from stelle_nb.logic.syntax import Track, Tube
from stelle_nb.logic.traversal import nodes, size
from stelle_nb.model.card.card_config import CardConfig
from stelle_nb.model.card.card_rounding import rounded_formula, significant
from stelle_nb.model.card.lesson import Lesson
from stelle_nb.model.card.points import find_sharpness, fit_points
from stelle_nb.model.card.scorecard import Scorecard
from stelle_nb.model.card.selection import Options, choose, make_options
from stelle_nb.model.card.variants import draw_variants
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


def learn_card(
    lesson: Lesson,
    classes: Sequence[Any],
    *,
    n_formulas: int,
    config: CardConfig,
    rng: np.random.Generator,
    device: torch.device,
    tell: Share = unheard,
) -> Scorecard:
    """A card of at most ``n_formulas`` for each class on average that imitates the teacher of a lesson.

    Parameters
    ----------
    classes
        The labels, in the order of the lesson's targets.
    n_formulas
        Formulas for each class, on average; one is often used for several classes.
    """
    offset = lesson.training.mean(axis=(0, 2))
    centred = (lesson.cases - offset[:, None]).astype(np.float32)
    drawn = sample_idioms(centred[: lesson.n_training], config.n_candidates, rng=rng, shares=config.shares)
    if not drawn:
        raise ModelError("No formula tells the training cases apart. Are all of them the same?")
    candidates = _evaluated(drawn, centred, device, stretch_of(tell, 0.05, 0.6))
    n_wanted, deviations = n_formulas * lesson.n_classes, lesson.training.std(axis=(0, 2)).tolist()
    options, chosen = _chosen(candidates, lesson, deviations, n_wanted, config)
    tell(0.7)
    for i in range(config.n_rounds):
        numbers = options.candidate[chosen].tolist()
        kept = candidates.take(numbers)
        variants = draw_variants(
            kept.formulas, options.reach[chosen].tolist(), config.n_variants,
            n_timepoints=centred.shape[2], rng=rng,
        )  # fmt: skip
        if not variants:
            break
        part = stretch_of(tell, 0.7 + 0.2 * i / config.n_rounds, 0.7 + 0.2 * (i + 1) / config.n_rounds)
        candidates = kept.joined(_evaluated(variants, centred, device, part))
        options, chosen = _chosen(candidates, lesson, deviations, n_wanted, config)
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
    """The card of these formulas: points fitted to the lesson, short numbers, formulas put positively."""
    blank = Scorecard(
        formulas=tuple(formulas),
        points=np.zeros((len(formulas), lesson.n_classes)),
        reach=reach,
        bias=np.zeros(lesson.n_classes),
        classes=tuple(classes),
    )
    degrees = blank.degrees(lesson.cases)
    points, bias = fit_points(
        degrees, lesson.targets, lesson.weights,
        shrinkage=config.shrinkage, sparsity=config.sparsity, least=config.least_points,
    )  # fmt: skip
    factor = LARGEST_POINTS / max(np.abs(points).max(), 1e-9)
    points, bias = (points * factor).round(1) + 0.0, (bias * factor).round(1) + 0.0
    scores = degrees @ points + bias
    sharpness = significant(find_sharpness(scores, lesson.targets, lesson.weights), 2)
    order = np.argsort(points.argmax(1), kind="stable")
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


def _chosen(
    candidates: Candidates, lesson: Lesson, deviations: Sequence[float], n: int, config: CardConfig
) -> tuple[Options, list[int]]:
    options = make_options(candidates.robustness, lesson.weights, config.levels)
    sizes = np.array([size(formula) for formula in candidates.formulas], dtype=np.float64)
    bounds = np.array([_level_bounds(formula, deviations) for formula in candidates.formulas])
    least, most = bounds[options.candidate].T
    is_fitting = (options.level >= least) & (options.level < most)
    worth = sizes[options.candidate] ** -config.reading * is_fitting
    chosen = choose(
        options,
        lesson.scores,
        lesson.weights,
        n,
        worth=worth,
        redundancy=config.redundancy,
        is_usable=lambda j: recognise(_formula(candidates, options, j)) is not None,
    )
    return options, chosen


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


def _evaluated(formulas: Sequence[Formula], cases: Series, device: torch.device, tell: Share) -> Candidates:
    bank = FormulaBank(formulas, device=device)
    at_once = max(1, VALUES_AT_ONCE // cases[0].size)
    parts = []
    for start in range(0, len(cases), at_once):
        some = torch.from_numpy(cases[start : start + at_once]).to(device)
        parts.append(bank.robustness(some).cpu().numpy())
        tell(min(1.0, (start + at_once) / len(cases)))
    return Candidates(tuple(formulas), np.ascontiguousarray(np.concatenate(parts).T))
