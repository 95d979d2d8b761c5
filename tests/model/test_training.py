"""Training repeats to the last bit, stops when told, keeps its best state and learns what can be learned."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from stelle_nb.errors import ModelError
from stelle_nb.model import History, PaperConfig, Progress, fit_network
from stelle_nb.model.paper.training_cases import split_off

QUICK = PaperConfig(hidden_dim=16, learning_rate=1e-3, max_epochs=6)


def fit(problem, *, seed: int = 0, on_epoch=None, config: PaperConfig = QUICK, terms="terms"):
    return fit_network(
        problem.robustness,
        problem.labels,
        getattr(problem, terms) if terms else None,
        n_classes=problem.n_classes,
        config=config,
        generator=torch.Generator().manual_seed(seed),
        on_epoch=on_epoch,
    )


def accuracy(fitted, problem) -> float:
    probabilities = fitted.network.predict_proba(problem.robustness, problem.terms)
    return (probabilities.argmax(1) == problem.labels).double().mean().item()


def watched(history: History) -> list[float]:
    return [row.watched_loss for row in history.rows if row.watched_loss is not None]


@pytest.mark.parametrize("n_layers", [0, 1, 2])
@pytest.mark.parametrize("absolute", [True, False])
def test_separable_classes_are_learned_and_carry_over(problem, unseen, n_layers: int, absolute: bool) -> None:
    config = PaperConfig(
        n_layers=n_layers, hidden_dim=64, absolute=absolute, learning_rate=5e-3, max_epochs=60, kernel="none"
    )
    fitted = fit(problem, config=config)
    assert accuracy(fitted, problem) == 1
    assert accuracy(fitted, unseen) >= 0.9


def test_the_gated_network_learns_its_training_cases(problem) -> None:
    config = PaperConfig(hidden_dim=64, learning_rate=5e-3, max_epochs=60)
    fitted = fit(problem, config=config)
    assert accuracy(fitted, problem) == 1
    assert fitted.history.rows[-1].loss < fitted.history.rows[0].loss / 2


def test_the_same_seed_gives_the_same_network_to_the_last_bit(problem) -> None:
    config = replace(QUICK, validation_share=0.25, dropout=0.5)
    one = fit(problem, config=config)
    torch.manual_seed(12345)  # the global generator has no say
    torch.rand(3)
    same, other = fit(problem, config=config), fit(problem, config=config, seed=1)
    assert one.history == same.history
    state = same.network.state_dict()
    assert all(torch.equal(value, state[name]) for name, value in one.network.state_dict().items())
    assert one.history != other.history


def test_the_global_generator_is_left_alone(problem) -> None:
    before = torch.random.get_rng_state()
    fit(problem)
    assert torch.equal(before, torch.random.get_rng_state())


def test_the_best_state_is_restored_not_the_last(problem) -> None:
    states = {}
    config = replace(QUICK, learning_rate=0.05, max_epochs=25, validation_share=0.3)

    def remember(progress: Progress) -> None:
        states[progress.row.epoch] = progress.row

    fitted = fit(problem, config=config, on_epoch=remember)
    losses = watched(fitted.history)
    assert fitted.history.best_epoch == 1 + losses.index(min(losses))
    assert fitted.history.best_epoch < len(fitted.history)  # or the test would show nothing
    best = states[fitted.history.best_epoch]
    assert fitted.network.temperature.item() == best.temperature
    assert fitted.network.locality.item() == best.locality
    again = fit(problem, config=replace(config, max_epochs=fitted.history.best_epoch))
    state = again.network.state_dict()
    assert all(torch.equal(value, state[name]) for name, value in fitted.network.state_dict().items())


def test_embedding_statistics_belong_to_the_restored_eps(problem) -> None:
    fitted = fit(problem, config=replace(QUICK, learning_rate=0.05, max_epochs=10))
    embedding = fitted.network.embedding(problem.terms)
    torch.testing.assert_close(embedding.mean(0), torch.zeros(20), atol=1e-4, rtol=0)
    torch.testing.assert_close(embedding.std(0, correction=0), torch.ones(20), atol=1e-4, rtol=0)


def test_statistics_never_see_the_held_out_cases(problem) -> None:
    config = replace(QUICK, validation_share=0.25)
    kept, held = split_off(problem.labels, 0.25, generator=torch.Generator().manual_seed(0))
    fitted = fit(problem, config=config)
    robustness = problem.robustness.clone()
    robustness[held] += 100.0
    spoiled = fit(replace(problem, robustness=robustness), config=replace(config, patience=100))
    assert torch.equal(fitted.network.class_mean, spoiled.network.class_mean)
    others = problem.robustness[kept][problem.labels[kept] != 1]
    torch.testing.assert_close(fitted.network.class_mean[1], others.mean(0), atol=1e-5, rtol=1e-5)


def test_false_cancels_and_keeps_the_best_state(problem) -> None:
    seen = []

    def stop_at_three(progress: Progress) -> bool:
        seen.append(progress.row.epoch)
        assert progress.max_epochs == 6
        return progress.row.epoch < 3

    fitted = fit(problem, on_epoch=stop_at_three)
    assert seen == [1, 2, 3]
    assert fitted.history.ending == "cancelled"
    whole = fit(problem, config=replace(QUICK, max_epochs=3))
    assert whole.history.ending == "finished"
    state = whole.network.state_dict()
    assert all(torch.equal(value, state[name]) for name, value in fitted.network.state_dict().items())


def test_cancelling_between_two_looks_still_keeps_what_was_learned(problem) -> None:
    config = replace(QUICK, check_every=5)
    fitted = fit(problem, config=config, on_epoch=lambda progress: progress.row.epoch < 2)
    assert fitted.history.best_epoch == 2


def test_looks_come_as_often_as_asked(problem) -> None:
    history = fit(problem, config=replace(QUICK, check_every=4)).history
    assert [row.epoch for row in history.rows if row.watched_loss is not None] == [4, 6]


def test_patience_ends_the_run(problem) -> None:
    config = replace(QUICK, learning_rate=0.1, max_epochs=200, validation_share=0.3, patience=3)
    history = fit(problem, config=config).history
    assert history.ending == "patience"
    assert len(history) == history.best_epoch + 3


def test_divergence_keeps_the_best_state_or_says_so(problem, monkeypatch) -> None:
    from stelle_nb.model.paper import training

    losses = iter([0.5, 0.4, float("nan")])
    monkeypatch.setattr(training, "_run_epoch", lambda *_, **__: next(losses))
    fitted = fit(problem)
    assert fitted.history.ending == "diverged"
    assert len(fitted.history) == 2
    monkeypatch.setattr(training, "_run_epoch", lambda *_, **__: float("inf"))
    with pytest.raises(ModelError, match="Lower learning_rate"):
        fit(problem)


def test_history_as_a_table(problem) -> None:
    history = fit(problem).history
    frame = history.to_frame()
    assert list(frame.index) == [1, 2, 3, 4, 5, 6]
    assert frame["watched_loss"].tolist() == watched(history)
    assert {"loss", "temperature", "locality"} <= set(frame.columns)
    assert history.watched == "training"


def test_training_holds_strengths_and_scales_within_bounds(problem) -> None:
    rows = fit(problem, config=replace(QUICK, auxiliary_rate=2000.0)).history.rows
    assert all(0.0999 < row.temperature < 10.001 for row in rows)
    assert all(0.0499 < row.locality < 10.001 for row in rows)
    assert rows[-1].temperature_strength == pytest.approx(QUICK.temperature_strength / 100)


def test_auxiliary_parameters_learn_ten_times_faster(problem) -> None:
    from stelle_nb.model.paper.training import make_optimiser

    optimiser = make_optimiser(fit(problem).network)
    rates = [(group["lr"], len(group["params"])) for group in optimiser.param_groups]
    assert rates == [(1e-3, 6), (1e-2, 4)]


def test_split_keeps_every_class_and_every_case() -> None:
    labels = torch.tensor([0] * 10 + [1] * 5 + [2])
    kept, held = split_off(labels, 0.2, generator=torch.Generator().manual_seed(0))
    assert sorted([*kept.tolist(), *held.tolist()]) == list(range(16))
    assert torch.bincount(labels[held], minlength=3).tolist() == [2, 1, 0]
    kept, _ = split_off(labels, 0.9, generator=torch.Generator().manual_seed(0))
    assert torch.bincount(labels[kept], minlength=3).tolist() == [1, 1, 1]
    with pytest.raises(ModelError, match="no case to validate on"):
        split_off(torch.tensor([0, 1, 2]), 0.2, generator=torch.Generator())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"robustness": torch.zeros(40, 0)}, "filled table"),
        ({"robustness": torch.full((40, 20), torch.nan)}, "800 NaN or infinite"),
        ({"labels": torch.zeros(40, dtype=torch.int64)}, r"got the classes \[0\]"),
        ({"labels": torch.zeros(39, dtype=torch.int64)}, "one for each of the 40 cases"),
        ({"labels": torch.zeros(40)}, "int64"),
        ({"labels": torch.zeros(40, dtype=torch.int64, device="meta")}, "must be on cpu"),
        ({"n_classes": 1}, "at least 2"),
    ],
)
def test_bad_cases_are_refused_before_any_work(problem, change, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        fit(replace(problem, **change))


def test_bad_terms_are_refused_before_any_work(problem, unseen) -> None:
    with pytest.raises(ModelError, match="needs embedding terms"):
        fit(problem, terms=None)
    with pytest.raises(ModelError, match="must describe"):
        fit(replace(problem, terms=problem.terms.take(torch.tensor([0]))))
    with pytest.raises(ModelError, match=r"terms\.b must be finite"):
        fit(replace(problem, terms=replace(problem.terms, b=problem.terms.b / 0)))
