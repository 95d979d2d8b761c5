"""Saliency: the contributions of a score card's formulas, assigned to the samples that decide them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Float
from torch import Tensor

from stelle_nb.arguments import brief_list
from stelle_nb.data.cases import Series
from stelle_nb.errors import ExplanationError
from stelle_nb.explain.local.sheet import ScoreSheet
from stelle_nb.explain.targets import class_number
from stelle_nb.logic.formula import Formula
from stelle_nb.model.card.scorecard import Scorecard
from stelle_nb.semantics.arrays import enter
from stelle_nb.semantics.robustness import robustness
from stelle_nb.semantics.soft_witness import samples_read, soft_witness

Floats = npt.NDArray[np.float64]
LEAST_DEVIATION = 0.01  # of the mean deviation: a sample that decides keeps a share even if it is at rest


@final
@dataclass(frozen=True, slots=True)
class SaliencyConfig:
    """How far a contribution spreads from the sample that decides it.

    Parameters
    ----------
    softness
        Positive: how far from deciding a sample may be and still count, as a share of the formula's reach.
    neighbourhood
        At least 0: how far a contribution spreads over neighbouring samples, as a share of the series; they
        get less the farther away they are.

    Notes
    -----
    The defaults were chosen on the tasks of ``python -m stelle_nb.bench saliency``, with other seeds than
    those that it reports.
    """

    softness: float = 0.6
    neighbourhood: float = 0.12


def saliency_map(
    formulas: Sequence[Formula],
    reach: Float[Floats, " formula"],
    contributions: Float[Floats, " formula"],
    case: Float[npt.NDArray[np.floating[Any]], "channel time"],
    *,
    rest: Float[Floats, " channel"] | None = None,
    config: SaliencyConfig | None = None,
) -> Float[Floats, "channel time"]:
    """Assign what each formula contributes to the samples of one case that decide it.

    Parameters
    ----------
    formulas, reach
        Of a score card, in the units of the case.
    contributions
        What each formula adds, signed: any numbers.
    case
        One case.
    rest
        The level of each channel from which deviations count; see :func:`resting_level`. Left out, a sample
        counts by how far it decides alone.

    Returns
    -------
    array
        It sums to the contributions and is 0 where no formula reads. A formula that reads no sample, such as
        true, is left out.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> formulas = (parse("F[0,2] (x0 >= 1)"), parse("G[3,4] (x0 <= 2)"))
    >>> sharp = SaliencyConfig(softness=0.01, neighbourhood=0)
    >>> case = np.array([[0.0, 3.0, 0.0, 0.0, 1.0]])
    >>> saliency_map(formulas, np.ones(2), np.array([2.0, 1.0]), case, config=sharp).round(2)
    array([[0., 2., 0., 0., 1.]])
    """
    counts = len(formulas), len(reach), len(contributions)
    if len(set(counts)) > 1:
        raise ExplanationError(
            f"formulas, reach and contributions must be equally many, got {brief_list(list(counts))}."
        )
    maps = _maps(formulas, reach, np.asarray(contributions)[None], np.asarray(case)[None], rest, config)
    return np.asarray(maps[0])


def card_saliency(
    card: Scorecard,
    X: Series,
    targets: Sequence[Any] | None = None,
    *,
    rest: Float[Floats, " channel"] | None = None,
    config: SaliencyConfig | None = None,
) -> Float[Floats, "case channel time"]:
    """The map of each case for a class: positive where a sample speaks for it, negative where against it.

    Parameters
    ----------
    targets
        The label of a class for each case; the predicted ones if left out.
    rest
        Resting level of each channel. With it contributions are compared with those of a case that rests:
        what both lack, such as a spike that never comes, is then not attributed to any sample.

    Notes
    -----
    A formula contributes its points for the target minus the mean of its points for the other classes, times
    its degree; with ``rest``, times the degree minus the degree at rest. So the map of a case sums to the
    lead of the target over the other classes' mean, less the bias or, with ``rest``, less the lead at rest.
    """
    X = enter(X, dtype=torch.float64)[0].numpy()
    n_cases, _, n_timepoints = X.shape
    numbers = card.scores(X).argmax(1) if targets is None else _numbers(card, targets, n_cases)
    others = (card.points.sum(1, keepdims=True) - card.points) / max(1, card.n_classes - 1)
    degrees = card.degrees(X)
    if rest is not None:
        degrees = degrees - card.degrees(np.repeat(np.asarray(rest)[None, :, None], n_timepoints, axis=2))
    contributions = degrees * (card.points - others)[:, numbers].T
    return _maps(card.formulas, card.reach, contributions, X, rest, config)


def sheet_saliency(
    sheet: ScoreSheet, case: Float[npt.NDArray[np.floating[Any]], "channel time"], rest: Sequence[float] = ()
) -> Float[Floats, "channel time"]:
    """The map of the case of a score sheet, for its target; see :func:`card_saliency`.

    Parameters
    ----------
    rest
        Resting level of each channel; empty to compare with nothing.

    Notes
    -----
    A formula whose degree is exactly 0 contributes nothing.
    """
    formulas = [part.formula for part in sheet.contributions]
    reach = np.array([part.reach for part in sheet.contributions])
    contributions = sheet.relevance
    if not rest:
        return saliency_map(formulas, reach, contributions, case)
    level = np.asarray(rest, dtype=np.float64)
    flat = np.repeat(level[None, :, None], case.shape[1], axis=2)
    at_rest = np.clip(np.asarray(robustness(formulas, flat))[0] / reach, -1, 1)
    degrees = np.array([part.degree for part in sheet.contributions])
    compared = 1 - np.divide(at_rest, degrees, out=np.zeros_like(degrees), where=degrees != 0)
    return saliency_map(formulas, reach, contributions * compared, case, rest=level)


def resting_level(X: Series) -> Float[Floats, " channel"]:
    """The level at which each channel is most of the time: the middle of the shortest half of its values.

    Unlike the mean it is not affected by rare events.

    Examples
    --------
    >>> resting_level(np.array([[[0.0, 0.1, 7.0, 0.2, 0.1, 9.0]]])).tolist()
    [0.1]
    """
    values = np.sort(np.moveaxis(np.asarray(X, dtype=np.float64), 1, 0).reshape(X.shape[1], -1))
    half = values.shape[1] // 2
    first = (values[:, half:] - values[:, : values.shape[1] - half]).argmin(1)[:, None]
    ends = np.take_along_axis(values, np.hstack([first, first + half]), 1)
    return np.asarray(ends.mean(1))


def _maps(
    formulas: Sequence[Formula],
    reach: Float[Floats, " formula"],
    contributions: Float[Floats, "case formula"],
    X: Series,
    rest: Float[Floats, " channel"] | None,
    config: SaliencyConfig | None,
) -> Float[Floats, "case channel time"]:
    config = config or SaliencyConfig()
    x = torch.from_numpy(np.array(X, dtype=np.float64))
    smoothing = _smoothing(x.shape[-1], config.neighbourhood)
    deviation = None if rest is None else (x - torch.from_numpy(np.array(rest))[:, None]).abs() @ smoothing
    maps = torch.zeros_like(x)
    for formula, width, amounts in zip(formulas, reach.tolist(), contributions.T, strict=True):
        if amounts.any():
            shares = soft_witness(formula, x, config.softness * width)
            shares = (shares @ smoothing) * samples_read(formula, *x.shape[1:])
            shares = _weighted(_normalised(shares), deviation)
            maps += torch.from_numpy(np.array(amounts))[:, None, None] * shares
    return np.asarray(maps.numpy())


def _weighted(
    shares: Float[Tensor, "case channel time"], deviation: Float[Tensor, "case channel time"] | None
) -> Float[Tensor, "case channel time"]:
    """Shares in proportion to how far each sample deviates."""
    if deviation is None:
        return shares
    mean = (shares * deviation).sum((1, 2), keepdim=True)
    return torch.where(mean > 0, _normalised(shares * (deviation + LEAST_DEVIATION * mean)), shares)


def _normalised(shares: Float[Tensor, "case channel time"]) -> Float[Tensor, "case channel time"]:
    total = shares.sum((1, 2), keepdim=True)
    return shares / torch.where(total > 0, total, 1)


def _smoothing(n_timepoints: int, neighbourhood: float) -> Float[Tensor, "time time"]:
    """A matrix that passes shares on to neighbours, less the farther away they are (a Hann window)."""
    apart = torch.arange(n_timepoints, dtype=torch.float64)
    apart = (apart[:, None] - apart).abs() / (neighbourhood * n_timepoints + 1)
    weights = torch.where(apart < 1, 0.5 + 0.5 * torch.cos(torch.pi * apart), 0.0)
    return weights / weights.sum(1, keepdim=True)


def _numbers(card: Scorecard, targets: Sequence[Any], n_cases: int) -> npt.NDArray[np.intp]:
    labels = list(targets)
    if len(labels) != n_cases:
        raise ExplanationError(f"targets must hold one label for each of {n_cases} cases, got {len(labels)}.")
    numbers = [class_number(label, list(card.classes)) for label in labels]
    if None in numbers:
        wrong = labels[numbers.index(None)]
        raise ExplanationError(f"A target must be one of {brief_list(list(card.classes))}, got {wrong!r}.")
    return np.array(numbers, dtype=np.intp)
