"""Further formulas for a card: those that best separate the cases that it leaves undecided."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Float, Int

from stelle_nb.concepts.sampling.idiom_sampling import sample_idioms
from stelle_nb.data.cases import Series
from stelle_nb.data.units import to_original_units
from stelle_nb.errors import ModelError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.shift import shift
from stelle_nb.model.card.card_config import CardConfig
from stelle_nb.model.card.card_rounding import rounded_formula, significant
from stelle_nb.model.card.lesson import TRAINING_WEIGHT, Lesson, sample_cases
from stelle_nb.model.card.scorecard import Scorecard
from stelle_nb.model.card.search.contest import Contest
from stelle_nb.model.dense.screening import telling_channels
from stelle_nb.model.synthetic_cases import FURTHEST, imagine_cases
from stelle_nb.model.time_tolerance import find_tolerance
from stelle_nb.progress import Share, stretch_of, unheard
from stelle_nb.semantics.bank import FormulaBank

Floats = npt.NDArray[np.float64]
Labels = Int[npt.NDArray[np.intp], " case"]

RIDGE = 1e-3  # of the fit that says what the card leaves open, where cases weigh 1 together
ALIKE = 0.5  # correlation within classes from which on a formula says what another one says
AT_ONCE = 2000  # formulas that are evaluated together


def find_formulas(
    card: Scorecard,
    X: Series,
    labels: Labels,
    n: int,
    *,
    struck_out: Sequence[Formula] = (),
    channels: Collection[int] | None = None,
    config: CardConfig,
    rng: np.random.Generator,
    device: torch.device,
    units: Sequence[str | None] | None = None,
    tell: Share = unheard,
) -> list[tuple[Formula, float]]:
    """At most ``n`` formulas, each with its reach, that together add most to a card.

    Parameters
    ----------
    card
        In the units of the cases; none of its formulas is found again.
    X, labels
        Training cases and their class numbers; of many, a sample.
    struck_out
        Formulas that were taken off the card by hand. A new formula whose robustness correlates with that of
        such a one *within* classes says the same of a case, and is not taken. Between classes all formulas
        that tell them apart correlate, so that would say nothing.
    channels
        What the new formulas may speak of; left out, all channels.
    units
        Of the channels, if known: channels of different units are not compared.

    Notes
    -----
    Labels are fitted to the degrees of the card by least squares, on training cases and on mixtures of cases
    of one class. New formulas are chosen as those of a card are, with the residuals as their targets.
    """
    some = sample_cases(labels, config.max_cases, rng)
    lesson = _lesson(card, X[some], labels[some], config, rng)
    offset = lesson.training.mean(axis=(0, 2))
    centred = replace(lesson, cases=(lesson.cases - offset[:, None]).astype(np.float32))
    tell(0.1)
    focus = telling_channels(centred.training, labels[some], rng=rng)
    if channels is not None:
        focus = [c for c in focus or range(X.shape[1]) if c in channels] or list(channels)
    drawn = [
        formula
        for formula in sample_idioms(
            centred.training,
            config.n_candidates,
            rng=rng,
            shares=config.shares,
            units=units,
            offset=offset,
            focus=focus,
        )
        if channels is None or formula.channels <= set(channels)
    ]
    tell(0.3)
    unwanted = [_moved(formula, -offset) for formula in struck_out]
    drawn = _unlike(drawn, unwanted, centred.training, labels[some], device, stretch_of(tell, 0.3, 0.5))
    if not drawn:
        raise ModelError(
            "No formula was found that differs from those that were struck out. Name other channels."
        )
    contest = Contest(centred, centred.training.std(axis=(0, 2)).tolist(), n, config, device)
    candidates = contest.screened(drawn, stretch_of(tell, 0.5, 0.9))
    options, chosen = contest.chosen(candidates, config.reading)
    found = []
    for j in chosen:
        reach = significant(float(options.reach[j]), 2)
        at_level = shift(candidates.formulas[options.candidate[j]], -float(options.level[j]))
        formula = rounded_formula(_moved(at_level, offset), reach, config.digits)
        if formula not in card.formulas:
            found.append((formula, reach))
    tell(1.0)
    return found


def _lesson(
    card: Scorecard, X: Series, labels: Labels, config: CardConfig, rng: np.random.Generator
) -> Lesson:
    """Cases whose scores, as a lesson gives them, are what the card leaves open of their labels."""
    tolerance = find_tolerance(lambda cases: card.scores(cases).argmax(1), X, labels, furthest=FURTHEST)
    n_synthetic = config.count_synthetic(X.shape[2], card.n_formulas)
    cases, own = [X], [labels]
    for k, n_members in enumerate(np.bincount(labels)):
        if n := round(n_synthetic * int(n_members) / len(labels)):
            members = X[labels == k]
            mixed = imagine_cases(
                members, np.zeros(len(members), dtype=np.intp), n, displaced=tolerance, rng=rng
            )
            cases.append(mixed)
            own.append(np.full(n, k))
    together, codes = np.concatenate(cases), np.concatenate(own)
    weights = np.full(len(together), TRAINING_WEIGHT / len(X))
    weights[len(X) :] = config.synthetic_weight / max(1, len(together) - len(X))
    weights /= weights.sum()
    open_part = residuals(card.degrees(together), np.eye(card.n_classes)[codes], weights)
    chances = np.exp(open_part)
    return Lesson(together, chances / chances.sum(axis=1, keepdims=True), weights, len(X))


def residuals(
    degrees: Float[Floats, "case formula"],
    targets: Float[Floats, "case cls"],
    weights: Float[Floats, " case"],
) -> Float[Floats, "case cls"]:
    """What a weighted least-squares fit of the targets to degrees and a bias leaves.

    Examples
    --------
    >>> degrees = np.array([[1.0], [-1.0], [1.0]])
    >>> residuals(degrees, np.eye(2)[[0, 1, 1]], np.ones(3) / 3).round(2).tolist()
    [[0.5, -0.5], [-0.0, 0.0], [-0.5, 0.5]]
    """
    design = np.hstack([degrees, np.ones((len(degrees), 1))])
    weighted = design * weights[:, None]
    penalty = RIDGE * np.eye(design.shape[1])
    penalty[-1, -1] = 0  # the bias is free, so that residuals sum to 0
    return np.asarray(targets - design @ np.linalg.solve(design.T @ weighted + penalty, weighted.T @ targets))


def _unlike(
    formulas: Sequence[Formula],
    unwanted: Sequence[Formula],
    X: Series,
    labels: Labels,
    device: torch.device,
    tell: Share,
) -> list[Formula]:
    """Those of the formulas that do not say what an unwanted one says."""
    if not unwanted:
        return list(formulas)
    against = _within(_robustness(unwanted, X, device), labels)
    kept: list[Formula] = []
    for start in range(0, len(formulas), AT_ONCE):
        part = formulas[start : start + AT_ONCE]
        alike = np.abs(_within(_robustness(part, X, device), labels).T @ against).max(axis=1)
        kept += [formula for formula, value in zip(part, alike.tolist(), strict=True) if value < ALIKE]
        tell(min(1.0, (start + AT_ONCE) / len(formulas)))
    return kept


def _robustness(formulas: Sequence[Formula], X: Series, device: torch.device) -> Any:
    bank = FormulaBank(formulas, device=device)
    return bank.robustness(torch.from_numpy(X).to(device)).cpu().double().numpy()


def _within(values: Float[Floats, "case formula"], labels: Labels) -> Float[Floats, "case formula"]:
    """Deviations from the mean of the class, of length one."""
    found = values.copy()
    for k in np.unique(labels):
        found[labels == k] -= values[labels == k].mean(axis=0)
    return np.asarray(found / np.maximum(np.linalg.norm(found, axis=0), 1e-12))


def _moved(formula: Formula, offset: Any) -> Formula:
    return to_original_units(formula, np.ones_like(offset), offset)
