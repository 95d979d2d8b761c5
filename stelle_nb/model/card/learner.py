"""Learning a score card: candidates, the choice among them, variants, points, short numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Float

from stelle_nb.concepts.sampling.idiom_sampling import sample_idioms
from stelle_nb.data.units import to_original_units
from stelle_nb.errors import ModelError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.idioms import recognise
from stelle_nb.logic.idioms.canonical import canonical
from stelle_nb.logic.shift import shift
from stelle_nb.model.card.card_config import CardConfig, tolerance_for
from stelle_nb.model.card.card_rounding import rounded_formula, significant
from stelle_nb.model.card.lesson import Lesson
from stelle_nb.model.card.points import find_sharpness, fit_few_points
from stelle_nb.model.card.scorecard import Scorecard
from stelle_nb.model.card.search.contest import Contest
from stelle_nb.model.card.search.formula_variants import draw_variants
from stelle_nb.model.dense.screening import telling_channels
from stelle_nb.progress import Share, stretch_of, unheard

Floats = npt.NDArray[np.floating[Any]]

LARGEST_POINTS = 10.0  # on the card: easily added with a pencil


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
    options, chosen = contest.chosen(candidates, config.reading)
    for i in range(config.n_rounds):
        kept = contest.simplest(candidates, options, chosen)
        variants = draw_variants(
            kept.formulas, options.reach[chosen].tolist(), config.n_variants,
            n_timepoints=lesson.cases.shape[2], rng=rng,
        )  # fmt: skip
        if not variants:
            break
        part = stretch_of(tell, 0.7 + 0.2 * i / config.n_rounds, 0.7 + 0.2 * (i + 1) / config.n_rounds)
        candidates = kept.joined(contest.screened(variants, part))
        options, chosen = contest.chosen(candidates, config.reading)
    formulas, reach = [], []
    for centred, j in zip(contest.simplest(candidates, options, chosen).formulas, chosen, strict=True):
        formula = to_original_units(shift(centred, -float(options.level[j])), np.ones_like(offset), offset)
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
        steepness=config.steepness, tolerance=tolerance_for(config.tolerance, lesson.n_classes),
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
