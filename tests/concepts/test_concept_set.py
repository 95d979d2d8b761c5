"""Concept sets: made under a seed, fitted to data, complete in their record."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
import torch

from stelle_nb.concepts import ConceptSet, Recipe, default_concepts
from stelle_nb.concepts.generation import generate
from stelle_nb.errors import Cancelled, ConceptError
from stelle_nb.kernels import BaseMeasure, signatures
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.logic.traversal import horizon

SMALL = {"n_timepoints": 30, "n_trajectories": 200}


def _largest_cosine(rho: torch.Tensor) -> float:
    u = rho.double()
    u = u / u.norm(dim=0)
    return float((u.T @ u).fill_diagonal_(-1).max())


def test_default_number_is_500_per_channel_and_at_least_1000() -> None:
    assert [Recipe(n_channels=n).n_concepts for n in (1, 2, 3, 6)] == [1000, 1000, 1500, 3000]


def test_every_pair_of_the_shipped_set_is_below_t_on_its_own_trajectories() -> None:
    concepts = default_concepts()
    recipe = concepts.provenance["recipe"]
    assert (len(concepts), recipe["t"], recipe["n_trajectories"]) == (1000, 0.99, 1000)
    seed = np.random.SeedSequence(recipe["random_state"]).spawn(2 + recipe["n_channels"])[0]
    measure = BaseMeasure(**recipe["measure"])
    xi = measure.sample(recipe["n_trajectories"], random_state=np.random.default_rng(seed))
    rho = signatures(concepts.formulas, xi)
    assert _largest_cosine(rho) < recipe["t"]
    share = (rho >= 0).double().mean(0)
    assert share.min() >= recipe["min_share"]
    assert share.max() <= 1 - recipe["min_share"]


def test_shipped_set_is_what_it_says() -> None:
    concepts = default_concepts()
    assert max(phi.size for phi in concepts) <= concepts.provenance["recipe"]["max_nodes"]
    assert all(horizon(phi) in (*range(100), float("inf")) for phi in concepts)
    assert {phi.channels for phi in concepts} == {frozenset({0})}
    assert concepts is default_concepts()


@pytest.mark.parametrize("source", ["templates", "grammar"])
def test_generated_concepts_are_below_t(source: str) -> None:
    concepts = ConceptSet.generate(1, 30, 150, n_trajectories=200, source=source, t=0.95, random_state=2)
    assert len(concepts) == 150
    assert concepts.signatures is not None
    assert _largest_cosine(concepts.signatures) < 0.95
    assert max(phi.size for phi in concepts) <= 5


def test_same_seed_same_bytes(tmp_path: object) -> None:
    paths = []
    for i, seed in enumerate((5, 5, 6)):
        concepts = ConceptSet.generate(2, 30, 100, n_trajectories=200, random_state=seed)
        paths.append(concepts.save(f"{tmp_path}/{i}.zip").read_bytes())
    assert paths[0] == paths[1] != paths[2]


def test_copies_are_the_same_on_every_channel() -> None:
    concepts = generate(Recipe(n_channels=3, n_concepts=60, strategy="copy", **SMALL))
    thirds = [concepts.formulas[i : i + 20] for i in (0, 20, 40)]
    for channel, third in enumerate(thirds):
        assert all(phi.channels == {channel} for phi in third)
    assert [str(phi).replace("x0", "x2") for phi in thirds[0]] == list(map(str, thirds[2]))


def test_independent_channels_have_concepts_of_their_own() -> None:
    concepts = generate(Recipe(n_channels=3, n_concepts=60, strategy="independent", **SMALL))
    thirds = [concepts.formulas[i : i + 20] for i in (0, 20, 40)]
    for channel, third in enumerate(thirds):
        assert all(phi.channels == {channel} for phi in third)
    assert [str(phi).replace("x0", "x2") for phi in thirds[0]] != list(map(str, thirds[2]))


@pytest.mark.parametrize("strategy", ["copy", "independent"])
@pytest.mark.parametrize("max_channels", [2, 3])
def test_formulas_about_several_channels(strategy: str, max_channels: int) -> None:
    recipe = Recipe(n_channels=4, n_concepts=120, max_channels=max_channels, strategy=strategy, **SMALL)  # type: ignore[arg-type]
    concepts = generate(recipe)
    assert len(set(concepts)) == 120
    widths = {len(phi.channels) for phi in concepts}
    assert widths >= {1, 2}
    assert max(widths) <= max_channels
    assert {channel for phi in concepts for channel in phi.channels} == {0, 1, 2, 3}


def test_one_channel_stays_one_channel() -> None:
    concepts = generate(Recipe(n_channels=1, n_concepts=20, max_channels=3, **SMALL))
    assert {phi.channels for phi in concepts} == {frozenset({0})}


def test_record_is_complete_and_repeats_the_set() -> None:
    concepts = generate(Recipe(n_concepts=30, random_state=3, **SMALL))
    record = json.loads(json.dumps(dict(concepts.provenance)))["recipe"]
    again = generate(Recipe(**{**record, "measure": BaseMeasure(**record["measure"])}))
    assert again == concepts


def test_progress_goes_from_nothing_to_all() -> None:
    seen: list[tuple[int, int]] = []
    generate(
        Recipe(n_channels=2, n_concepts=60, strategy="independent", **SMALL),
        progress=lambda done, total: seen.append((done, total)),
    )
    assert seen[0] == (0, 60)
    assert seen[-1] == (60, 60)
    assert all(0 <= done <= total == 60 for done, total in seen)


def test_cancel() -> None:
    with pytest.raises(Cancelled, match="Stopped on request"):
        ConceptSet.generate(1, 30, 400, n_trajectories=100, progress=lambda done, total: done < 100)


def test_too_many_asked_for() -> None:
    with pytest.raises(ConceptError, match="Raise t or max_nodes, or ask for fewer"):
        generate(Recipe(n_timepoints=3, n_concepts=500, t=0.5, max_nodes=1, n_trajectories=50))


@pytest.mark.parametrize(
    "wrong",
    [
        {"t": 0}, {"t": 1.2}, {"n_concepts": 0}, {"strategy": "both"}, {"source": "dream"},
        {"min_share": 0.5}, {"n_channels": 1.5}, {"random_state": -1}, {"n_trajectories": 0},
        {"max_channels": 0},
    ],
)  # fmt: skip
def test_wrong_recipes(wrong: dict[str, object]) -> None:
    with pytest.raises(ConceptError, match="got"):
        Recipe(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("n_channels", "n_timepoints", "expected"), [(1, 100, 1000), (2, 50, 1000), (6, 144, 3000)]
)
def test_shipped_set_for_data(n_channels: int, n_timepoints: int, expected: int) -> None:
    concepts = default_concepts().for_data(n_channels, n_timepoints)
    assert (concepts.n_channels, concepts.n_timepoints) == (n_channels, n_timepoints)
    assert 0.9 * expected <= len(concepts) <= expected
    assert all(phi.horizon <= n_timepoints + 1 or phi.horizon == float("inf") for phi in concepts)
    assert len({len([phi for phi in concepts if phi.channels == {c}]) for c in range(n_channels)}) == 1


def test_same_shape_changes_nothing() -> None:
    assert default_concepts().for_data(1, 100).formulas == default_concepts().formulas


def test_very_short_data() -> None:
    concepts = default_concepts().for_data(1, 4)
    assert 100 < len(concepts) < 1000
    assert len(set(concepts)) == len(concepts)


def test_number_can_be_asked_for() -> None:
    assert len(default_concepts().for_data(3, 100, n_concepts=30)) == 30


def test_a_set_of_several_channels_fits_no_other_number() -> None:
    concepts = ConceptSet((parse("x0 >= 0 & x1 >= 0"),), n_channels=2, n_timepoints=10)
    with pytest.raises(ConceptError, match="use 2 channels"):
        concepts.for_data(3, 10)
    assert concepts.for_data(2, 19).n_timepoints == 19


def test_a_set_is_a_frozen_sequence() -> None:
    concepts = generate(Recipe(n_concepts=20, **SMALL))
    assert len(list(concepts)) == len(concepts) == 20
    assert concepts[3] == concepts.formulas[3]
    assert concepts == replace(concepts, signatures=None)
    with pytest.raises(AttributeError):
        concepts.n_channels = 2  # type: ignore[misc]
    with pytest.raises(TypeError):
        concepts.provenance["recipe"] = None  # type: ignore[index]


@pytest.mark.parametrize(
    ("formulas", "message"),
    [
        ((), "at least one formula"),
        ((parse("x0 >= 0"),) * 2, "must differ"),
        ((parse("x1 >= 0"),), "channel 1"),
    ],
)
def test_wrong_sets(formulas: tuple[object, ...], message: str) -> None:
    with pytest.raises(ConceptError, match=message):
        ConceptSet(formulas, n_channels=1, n_timepoints=10)  # type: ignore[arg-type]


def test_wrong_signatures() -> None:
    with pytest.raises(ConceptError, match="Signatures"):
        ConceptSet((parse("x0 >= 0"),), 1, 10, signatures=torch.zeros(4, 2))
