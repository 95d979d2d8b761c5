"""Where a case stands among the training cases: monotone, centred, and blind to the unit."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from stelle_nb.model.dense import ranks
from stelle_nb.model.dense.ranks import Ranks


def make_robustness(n_cases: int = 60, n_concepts: int = 5, seed: int = 0) -> torch.Tensor:
    generator = np.random.default_rng(seed)
    return torch.tensor(generator.normal(size=(n_cases, n_concepts)) * 5 + 2, dtype=torch.float32)


@settings(max_examples=60)
@given(st.lists(st.floats(-1e6, 1e6, width=32), min_size=1, max_size=80), st.integers(0, 2**16))
def test_z_never_falls_is_centred_and_has_deviation_one(values: list[float], seed: int) -> None:
    rho = torch.tensor(values, dtype=torch.float32)[:, None]
    scale = Ranks.fit(rho)
    z = scale.standardise(rho)
    assert abs(float(z.double().mean())) < 1e-4
    deviation = float(z.double().std(correction=0))
    assert deviation == pytest.approx(1, abs=1e-3) or not z.any()
    anywhere = np.sort(np.random.default_rng(seed).normal(size=200) * (1 + np.abs(values).max()))
    somewhere = torch.tensor(anywhere, dtype=torch.float32)[:, None]
    assert (scale.standardise(somewhere).diff(dim=0) >= -1e-5).all()


def test_the_unit_makes_no_difference() -> None:
    rho = make_robustness()
    other = 300 * rho - 7
    torch.testing.assert_close(
        Ranks.fit(rho).standardise(rho), Ranks.fit(other).standardise(other), atol=1e-3, rtol=0
    )


def test_growth_by_factors_hardly_makes_a_difference() -> None:
    rho = make_robustness(n_cases=400) / 5
    plain, grown = (Ranks.fit(r).standardise(r) for r in (rho, (2 * rho).exp()))
    assert float((plain - grown).abs().mean()) < 0.05


def test_a_few_far_cases_do_not_push_the_others_together() -> None:
    rho = make_robustness()
    far = rho.clone()
    far[:2] = 1e6
    before, after = Ranks.fit(rho).standardise(rho)[2:], Ranks.fit(far).standardise(far)[2:]
    assert float((before - after).abs().mean()) < 0.1
    assert float(after.std()) > 0.8 * float(before.std())


def test_a_constant_concept_counts_nothing_and_a_nearly_constant_one_too() -> None:
    rho = make_robustness()
    rho[:, 1] = 3.0
    rho[:, 2] = 3.0 + 1e-7 * rho[:, 2]
    scale = Ranks.fit(rho)
    unseen = make_robustness(seed=1)
    assert not scale.standardise(rho)[:, 1:3].any() and not scale.standardise(unseen)[:, 1:3].any()


def test_most_cases_alike_share_their_place_without_a_jump() -> None:
    rho = torch.zeros(50, 1)
    rho[:10, 0] = torch.arange(1.0, 11.0)
    scale = Ranks.fit(rho)
    at, near = scale.standardise(torch.tensor([[0.0], [1e-6]])).flatten()
    assert abs(float(near - at)) < 1e-4
    assert float(scale.standardise(torch.tensor([[-5.0]]))) == float(at)


def test_cases_standardised_in_parts_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rho = make_robustness()
    scale = Ranks.fit(rho)
    whole = scale.standardise(rho)
    monkeypatch.setattr(ranks, "AT_ONCE", 12)
    assert torch.equal(scale.standardise(rho), whole)
    assert torch.equal(scale.standardise(rho[:0]), whole[:0])


def test_quantiles_are_those_of_torch() -> None:
    rho, places = make_robustness(), torch.linspace(0, 1, ranks.N_KNOTS)
    torch.testing.assert_close(ranks._quantiles(rho, places), torch.quantile(rho, places, dim=0).T)
    assert torch.equal(ranks._quantiles(rho[:1], places), rho[:1].T.expand(-1, ranks.N_KNOTS))
