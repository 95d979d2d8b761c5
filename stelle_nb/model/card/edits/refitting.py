"""Points of an edited card: refitted to the training cases, close to the card as it was before."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
from jaxtyping import Bool, Float, Int

from stelle_nb.errors import ModelError
from stelle_nb.model.card.card_rounding import rounded_to, significant
from stelle_nb.model.card.minimising import minimise
from stelle_nb.model.card.points import Penalties
from stelle_nb.model.card.scorecard import Scorecard

Floats = npt.NDArray[np.float64]
Labels = Int[npt.NDArray[np.intp], " case"]

PROXIMITY = 1e-3  # on squared changes of points, in units of log odds: between the learner's two penalties
NEGLIGIBLE = (
    1e-10  # gain, as a share of the loss, at which to stop: points are then off by less than they are rounded
)
RIDGE = 1.0  # of leave-one-out: as much as one case at the degree 1
REACH_DIGITS = 2  # as the learner rounds
HALF_RANGE = 5.0  # points from here to ten times as much have one decimal, as the learner's largest, 10, has


def probabilities(card: Scorecard, degrees: Float[Floats, "case formula"]) -> Float[Floats, "case cls"]:
    """Of each class, by the degrees of the card's formulas."""
    scores = card.sharpness * (degrees @ card.points + card.bias)
    chances = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(chances / chances.sum(axis=1, keepdims=True))


def refit_points(
    card: Scorecard,
    degrees: Float[Floats, "case formula"],
    labels: Labels,
    before: Float[Floats, "case cls"],
    *,
    kinship: Float[Floats, " formula"],
    is_fixed: Bool[npt.NDArray[np.bool_], " formula"],
    may_have: Bool[npt.NDArray[np.bool_], "formula cls"],
    penalties: Penalties,
) -> Scorecard:
    """The card with points and bias refitted after an edit; with nothing edited, the very same card.

    Parameters
    ----------
    card
        The edited card. Its points and bias are where the refit starts, and what it stays close to.
    degrees, labels
        Of the training cases, for the formulas of the edited card.
    before
        Probabilities that the card gave before the edit.
    kinship
        From 0 for a new formula to 1 for one that was kept, see :func:`kinship_of`.
    is_fixed
        Formulas whose points stay.
    may_have
        Which points may differ from 0.
    penalties
        Of the learner; points that were 0 stay 0 where they would be small.

    Notes
    -----
    With points and bias in units of log odds, ``B = sharpness * points``, the refit minimises::

        mean_i( logsumexp(d_i B) - sum_jk d_ij B_jk T_jik ) + PROXIMITY * |B - B_before|^2

    which is cross-entropy with targets T of its own for each formula j. The target of a kept formula is what
    the card said before, moved towards the label by as much as the edit disturbs the case (the total
    variation between the probabilities before and right after the edit). The target of a new formula is the
    label. A replaced formula is in between, by its kinship with the old one.

    If nothing was edited, all targets are the card's own probabilities. The gradient is then 0 at the card's
    own points, and as the loss is strictly convex, these are the only optimum. A small edit changes points
    little, for the same reason. The synthetic cases of the lesson are not stored; imitating the card
    and staying close to it take their place.
    """
    own = np.eye(card.n_classes)[labels]
    disturbed = np.abs(probabilities(card, degrees) - before).sum(axis=1, keepdims=True) / 2
    kept_targets = before + disturbed * (own - before)
    n_cases = len(degrees)
    pull = degrees.T @ kept_targets * kinship[:, None] + degrees.T @ own * (1 - kinship)[:, None]
    pulls = np.vstack([pull, kept_targets.sum(axis=0)]) / n_cases
    design = np.hstack([degrees, np.ones((n_cases, 1))])
    start = card.sharpness * np.vstack([card.points, card.bias])
    is_free = np.vstack([may_have & ~is_fixed[:, None], np.ones((1, card.n_classes), dtype=bool)])
    found = _optimum(design, pulls, start, is_free)
    is_small = _small(found[:-1], penalties) & (card.points == 0) & is_free[:-1]
    if is_small.any():
        is_free[:-1] &= ~is_small
        found = _optimum(design, pulls, start, is_free)
    return _with_changes(card, (found - start) / card.sharpness)


def kinship_of(old: Float[Floats, " case"], new: Float[Floats, " case"]) -> float:
    """How far a formula says the same as another, by their degrees: 1 for the same, 0 for nothing alike.

    Examples
    --------
    >>> a = np.array([1.0, -1.0, 0.5])
    >>> kinship_of(a, a), kinship_of(a, -a), kinship_of(a, a / 2)
    (1.0, 0.0, 0.5)
    """
    largest = max(float((old * old).sum()), float((new * new).sum()))
    return min(1.0, max(0.0, float((old * new).sum()) / largest)) if largest else 1.0


def reach_of(
    robustness: Float[Floats, " case"],
    old: tuple[float, Float[Floats, " case"]] | None = None,
    *,
    deviations: float,
) -> float:
    """The reach of a new formula, from its robustness on the training cases, rounded.

    Parameters
    ----------
    old
        Reach and robustness of the formula that is replaced. Its reach then grows as the deviation does, and
        stays where the deviation does.
    deviations
        How many deviations of the robustness the reach is, if nothing is replaced.
    """
    spread = float(robustness.std())
    if not math.isfinite(spread) or spread <= 1e-9 * float(np.abs(robustness).max()):
        raise ModelError(
            "A formula must differ in robustness between training cases, got "
            f"{float(robustness[0]):g} for all of them. Give its reach=, or change its window or threshold."
        )
    if old is not None and (old_spread := float(old[1].std())) > 0:
        ratio = spread / old_spread
        return old[0] if math.isclose(ratio, 1, rel_tol=1e-6) else significant(old[0] * ratio, REACH_DIGITS)
    return significant(deviations * spread, REACH_DIGITS)


def leave_one_out(degrees: Float[Floats, "case formula"], labels: Labels, n_classes: int) -> float:
    """How many labels the formulas can tell: accuracy of least squares on their degrees, each case left out.

    A linear fit of the labels to the degrees, with a small ridge, predicts each case from all others. This is
    exact and needs one fit. It judges formulas, not points: these do not enter.
    """
    design = np.hstack([degrees, np.ones((len(degrees), 1))])
    own = np.eye(n_classes)[labels]
    gram = design.T @ design + RIDGE * np.eye(design.shape[1])
    solved = np.linalg.solve(gram, design.T)  # (formula + 1, case)
    leverage = np.einsum("ij,ji->i", design, solved)[:, None]
    scores = (design @ (solved @ own) - leverage * own) / (1 - leverage)
    return float(np.mean(scores.argmax(axis=1) == labels))


def _optimum(design: Floats, pulls: Floats, start: Floats, is_free: npt.NDArray[np.bool_]) -> Floats:
    """Minimise over the free entries; the others stay at the start."""

    def loss(values: Floats) -> tuple[float, Floats]:
        scores, change = design @ values, values - start
        largest = scores.max(axis=1, keepdims=True)
        chances = np.exp(scores - largest)
        sums = chances.sum(axis=1, keepdims=True)
        slope = design.T @ (chances / sums) / len(design) - pulls + 2 * PROXIMITY * change
        error = float((np.log(sums) + largest).mean() - (values * pulls).sum())
        return error + PROXIMITY * float((change**2).sum()), slope * is_free

    return minimise(loss, start, smallest_gain=NEGLIGIBLE)


def _small(values: Floats, penalties: Penalties) -> npt.NDArray[np.bool_]:
    size = np.abs(values)
    small = (size < penalties.least * size.max(axis=1, keepdims=True)) | (
        size < penalties.negligible * size.max()
    )
    return np.asarray(small)


def _with_changes(card: Scorecard, changes: Floats) -> Scorecard:
    """The card with its numbers changed; changes are rounded, so that most numbers stay as they are."""
    now = np.vstack([card.points, card.bias])
    decimals = _decimals(float(np.abs(now + changes).max()))
    steps = zip(now.ravel().tolist(), changes.ravel().tolist(), strict=True)
    short = [
        value if rounded_to(change, decimals) == 0 else rounded_to(value + change, decimals)
        for value, change in steps
    ]
    found: Any = np.array(short).reshape(now.shape)
    return replace(card, points=found[:-1], bias=found[-1])


def _decimals(largest: float) -> int:
    return 1 - math.floor(math.log10(largest / HALF_RANGE)) if largest > 0 else 1
