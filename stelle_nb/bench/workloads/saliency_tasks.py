"""Tasks with planted features, made by the package xaitimesynth, and its scores of saliency maps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from jaxtyping import Bool, Float

from stelle_nb.errors import BenchError

Floats = npt.NDArray[np.float64]
SCORES = ("auc_pr", "mass", "rank")


@dataclass(frozen=True, slots=True)
class SaliencyTask:
    """A kind of data set.

    Parameters
    ----------
    name, kind
        For tables: a word, and ``"univariate"`` or ``"multivariate"``.
    make
        From a number of cases and a seed to a data set of xaitimesynth.
    """

    name: str
    kind: str
    make: Callable[[int, int], dict[str, Any]]


def saliency_tasks() -> tuple[SaliencyTask, ...]:
    """All tasks; every class has one planted feature, at a random place, and noise around it."""
    synth = the_package()
    pulse, wave = synth.gaussian_pulse(amplitude=3.0), synth.seasonal(period=10, amplitude=3.0)
    step = synth.constant(value=3.0)

    def cylinder_bell_funnel(n_cases: int, seed: int) -> dict[str, Any]:
        return dict(synth.generate_cylinder_bell_funnel(n_samples=n_cases, random_state=seed))

    return (
        SaliencyTask("pulse or wave", "univariate", _planted([(pulse, 0), (wave, 0)], 1, 0.3)),
        SaliencyTask("cylinder, bell, funnel", "univariate", cylinder_bell_funnel),
        SaliencyTask("pulse or wave, 3 channels", "multivariate", _planted([(pulse, 0), (wave, 1)], 3, 0.3)),
        SaliencyTask(
            "step, pulse or wave, 3 channels",
            "multivariate",
            _planted([(step, 0), (pulse, 1), (wave, 2)], 3, 0.2),
        ),
    )


def _planted(
    features: list[tuple[Any, int]], n_channels: int, length: float
) -> Callable[[int, int], dict[str, Any]]:
    """A data set with a class for each feature and its channel, of 100 samples, standardised case by case."""
    synth = the_package()
    builder = synth.TimeSeriesBuilder(n_timesteps=100, n_dimensions=n_channels, normalization="zscore")
    for label, (feature, channel) in enumerate(features):
        builder = builder.for_class(label).add_signal(synth.gaussian_noise(sigma=1.0))
        builder = builder.add_feature(feature, random_location=True, length_pct=length, dim=[channel])

    def make(n_cases: int, seed: int) -> dict[str, Any]:
        return dict(builder.clone(n_samples=n_cases, random_state=seed).build())

    return make


def scores_of(maps: Float[Floats, "case channel time"], data: dict[str, Any]) -> dict[str, float]:
    """The scores of xaitimesynth, averaged over each case's channels that hold a planted feature.

    Elsewhere there is nothing to find, and the package gives 0 whatever the map.
    """
    from xaitimesynth import metrics

    planted = np.asarray(planted_samples(data).any(2))
    scorers = metrics.auc_pr_score, metrics.relevance_mass_accuracy, metrics.relevance_rank_accuracy
    found = {}
    for name, scorer in zip(SCORES, scorers, strict=True):
        each = scorer(np.moveaxis(maps, 1, 2), data, average=None)
        found[name] = float(np.mean([value for place, value in each.items() if planted[place]]))
    return found


def share_on_features(maps: Float[Floats, "case channel time"], data: dict[str, Any]) -> float:
    """Share of each map, over all channels, that lies on planted features; the mean over cases."""
    total = maps.sum((1, 2))
    on_features = (maps * planted_samples(data)).sum((1, 2))
    return float(np.mean(np.divide(on_features, total, out=np.zeros_like(total), where=total > 0)))


def planted_samples(data: dict[str, Any]) -> Bool[npt.NDArray[np.bool_], "case channel time"]:
    """Where features were planted."""
    facts = data["metadata"]
    planted = np.zeros((facts["n_samples"], facts["n_dimensions"], facts["n_timesteps"]), dtype=np.bool_)
    for name, mask in data["feature_masks"].items():
        planted[:, int(name.rpartition("_dim")[2]) if "_dim" in name else 0] |= mask
    return planted


def the_package() -> Any:
    """The package xaitimesynth, or an error that says how to get it."""
    try:
        import xaitimesynth
    except ImportError as error:
        raise BenchError(
            'This benchmark needs xaitimesynth and captum. Run pip install "stelle_nb[bench]".'
        ) from error
    return xaitimesynth
