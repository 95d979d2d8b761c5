"""Laws of the paper's network: its kernel, its independence of the batch, its states and its devices."""

from __future__ import annotations

import copy
import math
from dataclasses import fields, replace

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from stelle_nb.errors import ModelError
from stelle_nb.model.concept_model import Evidence
from stelle_nb.model.paper.losses import class_weights
from stelle_nb.model.paper.network import PaperNetwork
from stelle_nb.model.paper.paper_config import PaperConfig
from stelle_nb.model.paper.statistics import ClassStatistics
from stelle_nb.model.paper.training import Cases, take_step

KERNELS = ["similarity", "distance", "exponential", "none"]


def build(problem, **settings) -> PaperNetwork:
    statistics = ClassStatistics.of(problem.robustness, problem.labels, n_classes=problem.n_classes)
    network = PaperNetwork(statistics, PaperConfig(**settings), generator=torch.Generator().manual_seed(0))
    network.keep_embedding_statistics(problem.pairs)
    return network


@pytest.mark.parametrize("form", ["similarity", "distance", "exponential"])
@pytest.mark.parametrize("eps", [0.3, 1.0, 4.0])
def test_kernel_is_the_cosine_over_the_draws(problem, form: str, eps: float) -> None:
    network = build(problem, kernel=form, locality=eps, kernel_bandwidth=None)
    kernel = network.kernel(problem.pairs)
    likeness = {
        "similarity": lambda d: 1 - 2 * d / eps,
        "distance": lambda d: d / eps,
        "exponential": lambda d: 2 * math.exp(-d / eps) - 1,
    }[form]
    for case, concept in [(0, 0), (3, 17), (39, 5)]:
        tau = [likeness(d) for d in problem.pairs.d[case].tolist()]
        rho = problem.pairs.rho[:, concept].tolist()
        expected = math.sumprod(tau, rho) if hasattr(math, "sumprod") else sum(map(float.__mul__, tau, rho))
        expected /= math.hypot(*tau) * math.hypot(*rho)
        assert kernel[case, concept].item() == pytest.approx(expected, abs=2e-5)
    if form != "exponential":
        torch.testing.assert_close(network.kernel(problem.terms), kernel, atol=2e-5, rtol=1e-4)


def test_exponentiation_is_applied_to_the_cosine(problem) -> None:
    plain = build(problem, kernel_bandwidth=None).kernel(problem.terms)
    raised = build(problem, kernel_bandwidth=0.44).kernel(problem.terms)
    torch.testing.assert_close(raised, torch.exp((plain - 1) / 0.44))


def test_training_embedding_is_standard_and_unseen_cases_use_the_same_scale(problem, unseen) -> None:
    network = build(problem)
    embedding = network.embedding(problem.pairs)
    torch.testing.assert_close(embedding.mean(0), torch.zeros(20), atol=1e-4, rtol=0)
    torch.testing.assert_close(embedding.std(0, correction=0), torch.ones(20), atol=1e-4, rtol=0)
    kernel, theirs = network.kernel(problem.pairs), network.kernel(unseen.pairs)
    expected = (theirs - kernel.mean(0)) / kernel.std(0, correction=0)
    torch.testing.assert_close(network.embedding(unseen.pairs), expected, atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("kind", ["pairs", "terms"])
def test_a_concept_whose_kernel_never_varies_is_left_out(problem, kind: str) -> None:
    problem.pairs.rho[:, 4] = 0.0
    for name in ("b", "norm"):
        getattr(problem.terms, name)[4] = 0.0
    problem.terms.D[:, 4] = 0.0
    network = build(problem)
    terms = getattr(problem, kind)
    assert network.embedding(terms)[:, 4].abs().max() < 1e-3
    network(problem.robustness, terms).sum().backward()
    assert all(p.grad is None or p.grad.isfinite().all() for p in network.parameters())


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("n_layers", [0, 1, 3])
def test_a_prediction_does_not_depend_on_its_batch(problem, unseen, kernel: str, n_layers: int) -> None:
    network = build(problem, kernel=kernel, n_layers=n_layers, hidden_dim=16)
    whole = network.predict_proba(unseen.robustness, unseen.pairs)
    torch.testing.assert_close(whole.sum(1), torch.ones(40))
    for case in range(0, 40, 7):
        alone = torch.tensor([case])
        torch.testing.assert_close(
            network.predict_proba(unseen.robustness[alone], unseen.pairs.take(alone)), whole[alone]
        )
    order = torch.randperm(40, generator=torch.Generator().manual_seed(5))
    torch.testing.assert_close(
        network.predict_proba(unseen.robustness[order], unseen.pairs.take(order)), whole[order]
    )


def test_predicting_in_small_batches_changes_nothing(problem, unseen, monkeypatch) -> None:
    network = build(problem)
    whole = network.predict_logits(unseen.robustness, unseen.terms)
    monkeypatch.setattr("stelle_nb.model.paper.network.PREDICT_BUDGET", 3 * 20 * 3)
    torch.testing.assert_close(network.predict_logits(unseen.robustness, unseen.terms), whole)


@pytest.mark.parametrize("kernel", KERNELS)
def test_logits_follow_from_raw_z(problem, kernel: str) -> None:
    network = build(problem, kernel=kernel, n_layers=2, hidden_dim=16)
    z = network.z(problem.robustness, problem.pairs)
    assert z.shape == (40, 20, 3)
    torch.testing.assert_close(network.logits_from_z(z), network(problem.robustness, problem.pairs))
    gamma, scores = network.relevance(problem.pairs), network.discriminability(problem.robustness)
    torch.testing.assert_close(z, gamma.unsqueeze(2) * scores)


def test_attributing_to_z_leaves_the_network_as_it_was(problem) -> None:
    network = build(problem)
    before = copy.deepcopy(network.state_dict())
    global_state = torch.random.get_rng_state()
    z = network.z(problem.robustness, problem.terms).detach().requires_grad_()
    (gradient,) = torch.autograd.grad(network.logits_from_z(z)[:, 0].sum(), z)
    assert gradient.abs().sum() > 0
    assert all(torch.equal(before[name], value) for name, value in network.state_dict().items())
    assert all(p.grad is None for p in network.parameters())
    assert torch.equal(global_state, torch.random.get_rng_state())


def test_dropout_acts_only_when_a_generator_is_passed(problem) -> None:
    network = build(problem, dropout=0.5)
    inputs = problem.robustness, problem.terms
    network.train()
    assert torch.equal(network(*inputs), network(*inputs))
    one, same, other = (network(*inputs, generator=torch.Generator().manual_seed(s)) for s in (1, 1, 2))
    assert torch.equal(one, same)
    assert not torch.allclose(one, other)


def test_temperature_and_locality_learn_from_the_classification(problem) -> None:
    network = build(problem)
    loss = torch.nn.functional.cross_entropy(network(problem.robustness, problem.terms), problem.labels)
    by_temperature, by_locality = torch.autograd.grad(loss, [network.log_temperature, network.log_locality])
    for parameter, gradient in (
        (network.log_temperature, by_temperature),
        (network.log_locality, by_locality),
    ):
        values = []
        for step in (1e-2, -1e-2):
            with torch.no_grad():
                parameter += step
                logits = network(problem.robustness, problem.terms).double()
                parameter -= step
            values.append(torch.nn.functional.cross_entropy(logits, problem.labels).item())
        assert gradient.item() == pytest.approx((values[0] - values[1]) / 2e-2, rel=0.05, abs=1e-5)
        assert gradient.item() != 0


def test_state_and_configuration_rebuild_the_network(problem, unseen) -> None:
    network = build(problem, n_layers=2, hidden_dim=16)
    twin = PaperNetwork.from_state(network.state_dict(), network.config)
    inputs = unseen.robustness, unseen.terms
    assert torch.equal(twin.predict_proba(*inputs), network.predict_proba(*inputs))
    with torch.no_grad():
        twin.class_mean += 1
        twin.head.linears[0].weight += 1
    assert not torch.equal(twin.class_mean, network.class_mean)
    assert not torch.equal(twin.head.linears[0].weight, network.head.linears[0].weight)


def test_a_state_that_does_not_fit_is_refused(problem) -> None:
    network = build(problem)
    with pytest.raises(ModelError, match="does not fit"):
        PaperNetwork.from_state(network.state_dict(), replace(network.config, n_layers=2))
    with pytest.raises(ModelError, match="class_mean"):
        PaperNetwork.from_state({}, network.config)


def test_an_embedding_needs_terms(problem) -> None:
    with pytest.raises(ModelError, match="terms=None"):
        build(problem)(problem.robustness, None)


def move(terms, device: torch.device):
    return replace(terms, **{f.name: getattr(terms, f.name).to(device) for f in fields(terms)})


@pytest.mark.parametrize("kernel", KERNELS)
def test_everything_stays_on_the_device_of_its_inputs(problem, kernel: str) -> None:
    device = torch.device("cuda:0")  # pretended: fake tensors raise when devices meet
    with FakeTensorMode(allow_non_fake_inputs=True) as mode, torch.no_grad():
        robustness, labels = (mode.from_tensor(t).to(device) for t in (problem.robustness, problem.labels))
        terms = move(problem.pairs, device)
        statistics = ClassStatistics.of(robustness, labels, n_classes=3)
        network = PaperNetwork(
            statistics, PaperConfig(kernel=kernel, n_layers=2), generator=torch.Generator().manual_seed(0)
        )
        network.keep_embedding_statistics(terms)
        network.constrain()
        assert network.predict_proba(robustness, terms).device == device
        assert network.logits_from_z(network.z(robustness, terms)).device == device
        assert network.regularisation().device == device
        assert class_weights(labels, n_classes=3).device == device
        assert network(robustness, terms, generator=torch.Generator().manual_seed(0)).device == device
        assert {value.device for value in network.state_dict().values()} == {device}


def test_a_training_step_stays_on_the_device_of_its_inputs(problem) -> None:
    device = torch.device("meta")  # fake cuda tensors have no gradients on a CPU build; meta tensors have
    cases = Cases(problem.robustness, problem.labels, problem.terms)
    cases = Cases(cases.robustness.to(device), cases.labels.to(device), move(problem.terms, device))
    statistics = ClassStatistics.of(cases.robustness, cases.labels, n_classes=3)
    network = PaperNetwork(statistics, PaperConfig(), generator=torch.Generator().manual_seed(0))
    network.keep_embedding_statistics(cases.terms)
    weight = class_weights(cases.labels, n_classes=3)
    batch = cases.take(torch.tensor([3, 1, 2]))
    optimiser = torch.optim.Adam(network.parameters())  # the fused one of training knows no meta tensors
    loss = take_step(network, optimiser, batch, weight, generator=torch.Generator())
    assert loss.device == device
    assert all(p.grad is not None and p.grad.device == device for p in network.parameters())


def test_cases_are_taken_on_the_device_of_the_evidence(problem) -> None:
    device = torch.device("cuda:0")
    with FakeTensorMode(allow_non_fake_inputs=True) as mode:
        evidence = Evidence(mode.from_tensor(problem.robustness).to(device), move(problem.pairs, device))
        some = evidence.take(torch.arange(2))
        assert some.robustness.device == device and some.terms is not None
