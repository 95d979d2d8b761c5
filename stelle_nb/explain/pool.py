"""Short formulas to describe classes with, evaluated on training cases and on imagined ones."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from jaxtyping import Bool, Float, Int

from stelle_nb.concepts.channels import rename_channels
from stelle_nb.concepts.families import sample_intervals, sample_nested, sample_two_events
from stelle_nb.concepts.tubes import sample_tubes
from stelle_nb.data.basis import SignalBasis
from stelle_nb.data.cases import Series
from stelle_nb.explain.reading import Content, content_costs
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Tube
from stelle_nb.model.concept_model import ConceptModel
from stelle_nb.model.synthetic_cases import FURTHEST, imagine_cases
from stelle_nb.model.time_tolerance import find_tolerance
from stelle_nb.progress import Share, stretch_of, unheard
from stelle_nb.semantics.direct import Timeline

Floats = npt.NDArray[np.floating[Any]]

N_IMAGINED, FEWEST_IMAGINED = 400, 100
MOST_IMAGINED = 2**22  # values of all channels, beyond which fewer cases are imagined
N_INTERVALS = 500  # of each kind of signal
N_NESTED, N_TWO_EVENTS, N_TUBES, N_PAIRS = 500, 4000, 4000, 2500
N_LAGS = 8  # of the sizes of changes
MOST_VALUES = 2**27  # of all signals, beyond which one lag has to do
MOST_SHAPED, FEWEST_SHAPES = 2**19, 1 / 16  # values of a signal, beyond which fewer tubes are drawn; at least
MOST_TRIED, LEAST_EFFORT = 2**20, 1 / 4  # values of a signal, beyond which fewer events are tried; at least
AT_ONCE = 2**22  # values of signals in double precision, before they are kept in single precision
FURTHER_ATOM = 6.0  # the cost of a second event in time, beyond its nodes
WEIGHED_TERM = 2.0  # the same of each term of a sum
POINTS, PAIR_POINTS = (3, 4, 5, 7, 9, 11), (3, 4, 5)


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """Candidate formulas with their values on cases whose class the data or the model say.

    Parameters
    ----------
    concepts, basis
        The formulas, and the signals that they speak of.
    costs, sizes
        What each formula costs to read, and its nodes.
    is_shape
        Which of them are tubes: that a signal does not follow a shape says little to a reader.
    robustness, labels
        On the labelled cases, in the order of the reference.
    imagined, predicted, certainty
        On imagined cases, with the class that the model predicts for them, and by how much its probability
        exceeds that of the next class, less where the model is not to be trusted.
    signals
        What formulas are evaluated on: the labelled cases, then the imagined ones.
    """

    concepts: tuple[Formula, ...]
    basis: SignalBasis
    costs: Float[Floats, " concept"]
    sizes: Float[Floats, " concept"]
    is_shape: Bool[npt.NDArray[np.bool_], " concept"]
    robustness: Float[Floats, "case concept"]
    labels: Int[npt.NDArray[np.intp], " case"]
    imagined: Float[Floats, "imagined concept"]
    predicted: Int[npt.NDArray[np.intp], " imagined"]
    certainty: Float[Floats, " imagined"]
    signals: Timeline

    @property
    def n_timepoints(self) -> int:
        """Length of the cases."""
        return self.signals.n_timepoints

    @property
    def effort(self) -> float:
        """How many of the usual number of events to try, for the time that each takes."""
        return effort_of(self.signals.values[0].size)

    @property
    def swaps(self) -> dict[int, int]:
        """From the numbers of values to those of smoothed values, and back."""
        raw = {signal.channel: j for j, signal in enumerate(self.basis.signals) if signal.is_raw}
        smooth = [(j, s.channel) for j, s in enumerate(self.basis.signals) if not s.lag and not s.is_raw]
        pairs = [(raw[channel], j) for j, channel in smooth]
        return dict(pairs) | {b: a for a, b in pairs}

    @classmethod
    def draw(
        cls,
        model: ConceptModel,
        X: Series,
        labels: Int[npt.NDArray[np.intp], " case"],
        *,
        trust: float = 1.0,
        seed: int = 0,
        tell: Share = unheard,
    ) -> Pool:
        """Draw formulas from training cases and evaluate them on these and on imagined cases.

        Parameters
        ----------
        trust
            In [0, 1]: how far the model's certainty about imagined cases can be taken.
        """
        rng = np.random.default_rng(seed)
        basis = SignalBasis.fit(X, signals_to_speak_of(X.shape))
        concepts = _draw_formulas(
            basis.transform(X), X.shape[1], share_of_tubes(X.shape), effort_of(_n_tried(X.shape)), rng
        )
        tell(0.02)
        tolerance = find_tolerance(lambda cases: _ask(model, cases)[0], X, labels, furthest=FURTHEST)
        between = imagine_cases(X, labels, n_imagined(X.shape), displaced=tolerance, rng=rng)
        predicted, certainty = _ask(model, between)
        signals = _timeline(basis, X, between)
        values = signals.robustness(concepts, tell=stretch_of(tell, 0.1, 1))
        return cls(
            concepts, basis, *_described(concepts, basis), values[: len(X)], labels, values[len(X) :],
            predicted, trust * certainty, signals,
        )  # fmt: skip

    def extended(self, X: Series, labels: Int[npt.NDArray[np.intp], " case"]) -> Pool:
        """The same formulas with further labelled cases."""
        if not len(X):
            return self
        further = Timeline.of(self.basis.transform(X))
        known, imagined = np.split(self.signals.values, [len(self.labels)], axis=2)
        return replace(
            self,
            robustness=np.concatenate([self.robustness, further.robustness(self.concepts)]),
            labels=np.concatenate([self.labels, labels]),
            signals=Timeline(np.concatenate([known, further.values, imagined], axis=2)),
        )

    def with_concepts(self, concepts: tuple[Formula, ...]) -> Pool:
        """A pool of other formulas about the same cases."""
        values, n = self.signals.robustness(concepts), len(self.labels)
        costs, sizes, is_shape = _described(concepts, self.basis)
        return replace(
            self, concepts=concepts, costs=costs, sizes=sizes, is_shape=is_shape,
            robustness=values[:n], imagined=values[n:],
        )  # fmt: skip


def signals_to_speak_of(shape: tuple[int, int, int]) -> list[Signal]:
    """Of every channel: values, smoothed values, smoothed changes, and the size of changes over some time.

    Changes are taken over one sample up to an eighth of the length, their sizes averaged over a quarter: how
    large they are tells fast movements from slow ones, wherever a movement begins.

    Parameters
    ----------
    shape
        Of the labelled cases. Where all signals of these and of the imagined ones would be too much to
        hold, sizes of changes over fewer lags are taken.
    """
    n_cases, n_channels, n_timepoints = shape
    short, long = max(2, n_timepoints // 20), max(2, n_timepoints // 4)
    kinds = [Signal(0), Signal(0, 0, short), Signal(0, 1, short)]
    n_fitting = MOST_VALUES // ((n_cases + n_imagined(shape)) * n_channels * n_timepoints) - len(kinds)
    lags = np.geomspace(1, max(1, n_timepoints / 8), max(1, min(N_LAGS, n_fitting))).round().astype(int)
    kinds += [Signal(0, lag, long, absolute=True) for lag in np.unique(lags).tolist()]
    return [replace(kind, channel=channel) for kind in kinds for channel in range(n_channels)]


def share_of_tubes(shape: tuple[int, int, int]) -> float:
    """How many of the usual number of tubes to draw: each takes a time in proportion to what it is tried on.

    Examples
    --------
    >>> share_of_tubes((100, 3, 200)), share_of_tubes((24, 3, 10_000))
    (1.0, 0.321...)
    """
    return max(FEWEST_SHAPES, min(1.0, MOST_SHAPED / _n_tried(shape)))


def n_imagined(shape: tuple[int, int, int]) -> int:
    """How many cases to imagine: fewer where each is long or has many channels, to bound time and memory.

    Examples
    --------
    >>> n_imagined((100, 6, 1200)), n_imagined((20, 1, 20_000)), n_imagined((40, 500, 1000))
    (400, 209, 100)
    """
    _, n_channels, n_timepoints = shape
    return max(
        min(FEWEST_IMAGINED, N_IMAGINED), min(N_IMAGINED, MOST_IMAGINED // (n_channels * n_timepoints))
    )


def effort_of(n_values: int) -> float:
    """How many of the usual number of events to try, if each is tried on so many values.

    Examples
    --------
    >>> effort_of(600_000), effort_of(2_097_152), effort_of(10**8)
    (1.0, 0.5, 0.25)
    """
    return max(LEAST_EFFORT, min(1.0, MOST_TRIED / n_values))


def _n_tried(shape: tuple[int, int, int]) -> int:
    """Values that a formula about one signal is tried on."""
    n_cases, _, n_timepoints = shape
    return (n_cases + n_imagined(shape)) * n_timepoints


def _timeline(basis: SignalBasis, *parts: Series) -> Timeline:
    """The signals of all cases, a few at a time: in double precision they take several times the memory."""
    n_cases, n_timepoints = sum(map(len, parts)), parts[0].shape[2]
    values = np.empty((basis.n_signals, n_timepoints, n_cases), dtype=np.float32)
    at_once, done = max(1, AT_ONCE // (basis.n_signals * n_timepoints)), 0
    for X in parts:
        for start in range(0, len(X), at_once):
            some = basis.transform(X[start : start + at_once])
            values[:, :, done : done + len(some)] = some.transpose(1, 2, 0)
            done += len(some)
    return Timeline(values)


def _draw_formulas(
    signals: Series, n_channels: int, tubes: float, effort: float, rng: np.random.Generator
) -> tuple[Formula, ...]:
    values, changes = signals[:, : 2 * n_channels], signals[:, 2 * n_channels : 3 * n_channels]
    n_kinds = signals.shape[1] // n_channels
    drawn = sample_intervals(signals, N_INTERVALS * n_kinds, random_state=rng)
    drawn += sample_nested(signals, N_NESTED, random_state=rng)
    drawn += sample_two_events(values, round(effort * N_TWO_EVENTS), random_state=rng)
    drawn += _draw_tubes(values, 2 / 3 * tubes, 0.3, rng)
    shift = {j: j + 2 * n_channels for j in range(n_channels)}
    of_changes = _draw_tubes(changes, 1 / 3 * tubes, 0.0, rng)  # changes are relative already
    drawn += [rename_channels(tube, shift) for tube in of_changes]
    return tuple(dict.fromkeys(drawn))


def _draw_tubes(signals: Series, share: float, relative: float, rng: np.random.Generator) -> list[Formula]:
    single, pairs = round(share * N_TUBES), round(share * N_PAIRS)
    drawn = sample_tubes(signals, single, n_points=POINTS, relative=relative, random_state=rng)
    if signals.shape[1] > 1:
        drawn += sample_tubes(
            signals, pairs, n_tracks=(2,), n_points=PAIR_POINTS, relative=relative, random_state=rng
        )
    return drawn


def _ask(model: ConceptModel, X: Series) -> tuple[Int[npt.NDArray[np.intp], " case"], Float[Floats, " case"]]:
    chances = model.predict_proba(model.evidence(X)).cpu().double().numpy()
    ranked = np.sort(chances, axis=1)
    return chances.argmax(1), ranked[:, -1] - ranked[:, -2]


def _described(
    concepts: tuple[Formula, ...], basis: SignalBasis
) -> tuple[Float[Floats, " concept"], Float[Floats, " concept"], Bool[npt.NDArray[np.bool_], " concept"]]:
    contents = [Content.of(concept) for concept in concepts]
    sizes = np.array([content.n_nodes for content in contents], dtype=np.float32)
    further = [FURTHER_ATOM * max(0, c.n_atoms - 1) + WEIGHED_TERM * c.n_terms for c in contents]
    costs = content_costs(contents, basis).astype(np.float32) + np.array(further, dtype=np.float32)
    return costs, sizes, np.array([isinstance(concept, Tube) for concept in concepts], dtype=bool)
