"""Making a concept set: draw candidates, compare their signatures on mu0, keep what is new."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from jaxtyping import Float
from torch import Tensor

from stelle_nb.concepts.channel_mapping import in_order_of_appearance, on_channel
from stelle_nb.concepts.concept_set import ConceptSet
from stelle_nb.concepts.recipe import Recipe
from stelle_nb.concepts.sampling.grammar import Grammar, sample_grammar
from stelle_nb.concepts.sampling.parameters import ParameterGrid
from stelle_nb.concepts.sampling.templates import is_reduced, templates
from stelle_nb.concepts.selection import Selector
from stelle_nb.errors import ConceptError
from stelle_nb.kernels.signature import signatures
from stelle_nb.logic.formula import Formula
from stelle_nb.progress import Progress, as_progress

BATCH = 500
PATIENCE = 40  # batches in a row without a new concept before the search ends

Draw = Callable[[int, np.random.Generator], list[Formula]]


def generate(recipe: Recipe, *, progress: Progress | bool | None = None) -> ConceptSet:
    """Make the concept set of a recipe; the same recipe gives the same set.

    Notes
    -----
    The cosine of any two concepts of the same channel stays below ``t``. Concepts of different channels
    are not compared: trajectories have independent channels.

    Examples
    --------
    >>> generate(Recipe(n_channels=2, n_timepoints=50, n_concepts=20, n_trajectories=100))
    ConceptSet(20 formulas, 2 channels x 50 samples)
    """
    n_channels, n_each = recipe.n_channels, min(recipe.max_channels, recipe.n_channels)
    measuring, naming, *drawing = (
        np.random.default_rng(seed)
        for seed in np.random.SeedSequence(recipe.random_state).spawn(2 + n_channels)
    )
    draw = _source(recipe, n_each)
    trajectories = recipe.measure.sample(recipe.n_trajectories, n_each, random_state=measuring)
    n_groups = 1 if recipe.strategy == "copy" else n_channels
    report = as_progress(progress, "concepts")
    total = recipe.n_per_channel * n_groups

    def select(i: int) -> Selector:
        def listen(done: int) -> None:
            report(i * recipe.n_per_channel + done, total)

        return _select(recipe, draw, trajectories, drawing[i], listen)

    groups = [select(i) for i in range(n_groups)]
    formulas = [
        phi
        for channel in range(n_channels)
        for phi in on_channel(groups[channel % n_groups].formulas, channel, n_channels, naming)
    ]
    provenance = {
        "recipe": recipe.to_json(),
        "n_compared": sum(group.n_offered for group in groups),
    }
    kept = groups[0].rho if n_channels == 1 else None
    return ConceptSet(tuple(formulas), n_channels, recipe.n_timepoints, provenance, kept)


def _select(
    recipe: Recipe,
    draw: Draw,
    trajectories: Float[Tensor, "trajectory channel time"],
    rng: np.random.Generator,
    report: Callable[[int], None],
) -> Selector:
    selector = Selector(recipe.t, up_to_negation=recipe.up_to_negation)
    most = idle = 0
    report(0)
    while len(selector) < recipe.n_per_channel:
        selector.offer(*_informative(draw(BATCH, rng), trajectories, recipe.min_share))
        idle = 0 if len(selector) > most else idle + 1
        most = max(most, len(selector))
        if idle == PATIENCE:
            raise ConceptError(
                f"Only {most} of {recipe.n_per_channel} concepts with cosine below t={recipe.t} were found "
                f"among {selector.n_offered} candidates. Raise t or max_nodes, or ask for fewer."
            )
        report(min(len(selector), recipe.n_per_channel))
    selector.cut(recipe.n_per_channel)
    return selector


def _informative(
    candidates: list[Formula], trajectories: Float[Tensor, "trajectory channel time"], min_share: float
) -> tuple[list[Formula], Float[Tensor, "trajectory candidate"]]:
    """Candidates that hold, and fail, on at least that share of the trajectories; and their signatures."""
    rho = signatures(candidates, trajectories)
    share = (rho >= 0).double().mean(0)  # (candidate,)
    chosen = ((share >= min_share) & (1 - share >= min_share)).nonzero().squeeze(1)
    return [candidates[i] for i in chosen], rho[:, chosen]


def _source(recipe: Recipe, n_channels: int) -> Draw:
    """A function that draws different candidates over ``x0, x1, …``, numbered as they appear."""
    if recipe.source == "grammar":
        grammar = Grammar(n_channels=n_channels, n_timepoints=recipe.n_timepoints, max_nodes=recipe.max_nodes)
        return lambda n, rng: _distinct(sample_grammar(n, grammar, random_state=rng))
    shapes = [list(filter(is_reduced, same_size)) for same_size in templates(recipe.max_nodes, n_channels)]
    grid = ParameterGrid.dense(recipe.n_timepoints)

    def draw(n: int, rng: np.random.Generator) -> list[Formula]:
        sizes = rng.integers(len(shapes), size=n)
        chosen = [
            shapes[size][int(u * len(shapes[size]))] for size, u in zip(sizes, rng.random(n), strict=True)
        ]
        return _distinct(grid.sample(chosen, rng))

    return draw


def _distinct(formulas: list[Formula]) -> list[Formula]:
    return list(dict.fromkeys(map(in_order_of_appearance, formulas)))
