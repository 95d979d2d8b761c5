"""The dense model: a linear head on families of concepts, weighted as the data favour."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from stelle_nb.concepts.channel_mapping import rename_channels
from stelle_nb.concepts.vocabulary import Block, default_blocks, draw_concepts, fit_basis, take_signals
from stelle_nb.data.basis import SignalBasis
from stelle_nb.data.cases import Series
from stelle_nb.errors import ModelError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.traversal import channels
from stelle_nb.model.concept_model import Attributions, ConceptModel, Evidence, evaluate
from stelle_nb.model.dense.blocks import choose_shares, fit_blocks
from stelle_nb.model.dense.dense_config import DenseConfig
from stelle_nb.model.dense.ridge import LinearHead
from stelle_nb.model.dense.screening import differ_in_scale, telling_channels
from stelle_nb.model.dense.shrink import shrink
from stelle_nb.progress import Progress, as_progress
from stelle_nb.semantics.bank import FormulaBank

DRAWING = 0.3  # of the time of a drawing; the rest is evaluation
STAGES = {
    0: "a few concepts of every family are drawn",
    40: "families are weighted by leave-one-out",
    65: "concepts of the chosen families are drawn",
    95: "the linear head is fitted",
}
"""What happens from each hundredth of the reported progress on."""

OnShare = Callable[[float], object]
"""Called with the share of some work that is done."""


class LinearConceptModel(ConceptModel):
    """Scores are linear in the ranks of the concepts' robustness (:class:`Ranks`); attributions are exact.

    Parameters
    ----------
    concepts, basis, device
        As for :class:`ConceptModel`.
    head
        Kept on the CPU, where a product this small is quick.
    loo_error
        If known, the share of training cases that the head puts into another class if fitted without them.
    """

    def __init__(
        self,
        concepts: tuple[Formula, ...],
        basis: SignalBasis,
        head: LinearHead,
        *,
        device: torch.device,
        loo_error: float | None = None,
    ) -> None:
        super().__init__(concepts, basis, device=device)
        self.head = head
        self.loo_error = loo_error

    @property
    def n_classes(self) -> int:
        return len(self.head.bias)

    def scores(self, evidence: Evidence) -> Float[Tensor, "case cls"]:
        return self.head.scores(evidence.robustness.cpu())

    def predict_proba(self, evidence: Evidence) -> Float[Tensor, "case cls"]:
        return self.head.predict_proba(evidence.robustness.cpu())

    def attributions(self, evidence: Evidence) -> Attributions:
        return Attributions(self.head.attributions(evidence.robustness.cpu()), torch.zeros(len(evidence)))


@dataclass(frozen=True, slots=True, eq=False)
class Drawing:
    """Concepts, the block of each, and their robustness on the training cases."""

    concepts: tuple[Formula, ...]
    blocks: Int[Tensor, " concept"]
    robustness: Float[Tensor, "case concept"]


def fit_default(
    X: Series,
    labels: Int[Tensor, " case"],
    *,
    n_classes: int,
    n_concepts: int | None = None,
    config: DenseConfig | None = None,
    random_state: int | np.random.Generator | None = None,
    device: torch.device,
    progress: Progress | bool | None = None,
) -> tuple[LinearConceptModel, Evidence]:
    """Fit the dense model; also return its evidence on the training cases.

    Parameters
    ----------
    X, labels
        Finite training cases, and their class numbers from 0 on.
    n_concepts
        Size of the vocabulary; None for the model's own choice. Fewer are chosen by how much
        the scores depend on them.

    Notes
    -----
    A pilot draws a few concepts of every block and chooses the shares of the blocks by leave-one-out. Then
    concepts are sampled again in numbers proportional to the shares, and all count equally.
    """
    report = as_progress(progress, "fitting")
    config = config or DenseConfig()
    rng = np.random.default_rng(random_state)

    def between(start: int, stop: int) -> OnShare:
        return lambda share: report(round(start + (stop - start) * share), 100)

    report(0, 100)
    looked_at = rng.permutation(len(X))[: config.count_cases(X[0].size)]
    blocks = default_blocks(X.shape[2], zscores=config.zscores and differ_in_scale(X[looked_at]))
    focus = telling_channels(X[looked_at], labels.cpu().numpy()[looked_at], rng=rng)
    basis = fit_basis(X[looked_at], blocks)
    pilot = looked_at[: config.n_pilot_cases]
    drawn = draw(
        blocks, [config.n_pilot] * len(blocks), basis, X[pilot], X[pilot],
        focus=focus, rng=rng, device=device, on_part=between(0, 40),
    )  # fmt: skip
    pilot_labels = labels[torch.from_numpy(pilot)]
    shares = pilot_shares(
        blocks, drawn, pilot_labels, n_classes=n_classes, config=config, on_step=between(40, 65)
    )
    numbers = [round(config.n_drawn * share) for share in shares]
    drawn = draw(
        blocks, numbers, basis, X[looked_at], X,
        focus=focus, rng=rng, device=device, on_part=between(65, 95),
    )  # fmt: skip
    fit = fit_blocks(drawn.robustness, labels, drawn.blocks, shares, n_classes=n_classes)
    head = fit.head
    chosen = torch.arange(len(drawn.concepts))
    if n_concepts is not None:
        head, chosen = shrink(head, drawn.robustness, labels, n_concepts)
    concepts, basis = narrow([drawn.concepts[i] for i in chosen.tolist()], basis)
    model = LinearConceptModel(concepts, basis, head, device=device, loo_error=fit.loo_error)
    report(100, 100)
    return model, Evidence(drawn.robustness[:, chosen])


def draw(
    blocks: Sequence[Block],
    numbers: Sequence[int],
    basis: SignalBasis,
    examples: Series,
    X: Series,
    *,
    focus: Collection[int] | None = None,
    rng: np.random.Generator,
    device: torch.device,
    on_part: OnShare | None = None,
) -> Drawing:
    """Draw the given number of concepts of each block from examples, and evaluate them on all cases.

    Parameters
    ----------
    focus
        Channels that most concepts should use; all equally if left out.
    """
    concepts: list[Formula] = []
    members: list[int] = []
    for b, (block, n) in enumerate(zip(blocks, numbers, strict=True)):
        found = draw_concepts(block, n, basis, examples, focus=focus, rng=rng) if n else []
        concepts += found
        members += [b] * len(found)
        if on_part is not None:
            on_part(DRAWING * (b + 1) / len(blocks))
    if not concepts:
        raise ModelError("Every channel is constant over all training cases, so nothing distinguishes them.")

    def on_evaluated(share: float) -> None:
        if on_part is not None:
            on_part(DRAWING + (1 - DRAWING) * share)

    spoken_of = (tuple(concepts), basis) if focus is None else narrow(concepts, basis)
    bank = FormulaBank(spoken_of[0], device=device)
    robustness = evaluate(bank, spoken_of[1], X, on_part=on_evaluated)
    return Drawing(tuple(concepts), torch.tensor(members), robustness)


def pilot_shares(
    blocks: Sequence[Block],
    drawn: Drawing,
    labels: Int[Tensor, " case"],
    *,
    n_classes: int,
    config: DenseConfig,
    on_step: OnShare | None = None,
) -> tuple[float, ...]:
    """The shares of the blocks by leave-one-out; light ones are dropped."""
    present = set(drawn.blocks.tolist())
    start = [b for b in sorted(present) if blocks[b].is_usual] or sorted(present)
    floor = {b: config.plain_share for b in present if blocks[b].is_plain}
    shares = choose_shares(
        drawn.robustness,
        labels,
        drawn.blocks,
        start=start,
        n_classes=n_classes,
        max_steps=config.max_steps,
        floor=floor,
        on_step=on_step,
    )
    kept = [share if share >= config.least_share else 0.0 for share in shares]
    return tuple(share / sum(kept) for share in kept) + (0.0,) * (len(blocks) - len(shares))


def narrow(concepts: Sequence[Formula], basis: SignalBasis) -> tuple[tuple[Formula, ...], SignalBasis]:
    """The concepts on a basis that holds their signals alone."""
    used = sorted(set().union(*map(channels, concepts)))
    places = {old: new for new, old in enumerate(used)}
    return tuple(rename_channels(phi, places) for phi in concepts), take_signals(basis, used)
