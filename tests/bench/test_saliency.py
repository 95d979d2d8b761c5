"""The saliency benchmark, small: its scores are those of xaitimesynth, and its report holds every method."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest

from stelle_nb.bench.saliency_scores import (
    GRADIENTS,
    OCCLUSION,
    OURS,
    Scored,
    run_task,
    saliency_report,
    to_csv,
)
from stelle_nb.bench.workloads.saliency_peers import fit_network, integrated_gradients, occlusion, predicted
from stelle_nb.bench.workloads.saliency_tasks import (
    planted_samples,
    saliency_tasks,
    scores_of,
    share_on_features,
)
from stelle_nb.estimator import StelleClassifier
from stelle_nb.model.card.card_config import CardConfig

pytest.importorskip("xaitimesynth", reason="xaitimesynth is not installed: pip install stelle_nb[bench]")
pytest.importorskip("captum", reason="captum is not installed: pip install stelle_nb[bench]")

SMALL = CardConfig(n_candidates=600, n_synthetic=400, n_variants=100)


@pytest.fixture(scope="module")
def rows() -> list[Scored]:
    clf = StelleClassifier("scorecard", n_concepts=100, config=SMALL, random_state=0)
    return run_task(saliency_tasks()[2], 0, n_cases=40, n_epochs=4, classifier=clf)


def test_every_task_plants_one_feature_in_every_case() -> None:
    for task in saliency_tasks():
        data = task.make(6, 0)
        planted = planted_samples(data)
        assert planted.shape == data["X"].shape
        assert (planted.any(2).sum(1) == 1).all()
        assert np.array_equal(data["X"], task.make(6, 0)["X"])
        assert not np.array_equal(data["X"], task.make(6, 1)["X"])
        assert (task.kind == "multivariate") == (data["X"].shape[1] > 1)


@pytest.mark.parametrize("number", range(4))
def test_a_perfect_map_has_perfect_scores_and_a_flat_one_the_share_of_the_feature(number: int) -> None:
    data = saliency_tasks()[number].make(6, 0)
    planted = planted_samples(data)
    perfect = planted.astype(np.float64)
    assert scores_of(perfect, data) == pytest.approx({"auc_pr": 1, "mass": 1, "rank": 1})
    assert share_on_features(perfect, data) == pytest.approx(1)
    flat = np.ones_like(perfect)
    shares = planted.mean(2)
    assert scores_of(flat, data)["mass"] == pytest.approx(shares[shares > 0].mean())
    assert share_on_features(flat, data) == pytest.approx(planted.mean((1, 2)).mean())


def test_rows_hold_every_method_and_part(rows: list[Scored]) -> None:
    assert {(row.method, row.part) for row in rows} == {
        (method, part) for method in (OURS, OCCLUSION, GRADIENTS) for part in ("positive", "absolute")
    }
    for row in rows:
        assert all(
            0 <= value <= 1 for value in (row.auc_pr, row.mass, row.rank, row.accuracy, row.on_features)
        )


def test_our_map_finds_more_than_a_flat_one(rows: list[Scored]) -> None:
    ours = next(row for row in rows if row.method == OURS and row.part == "positive")
    shares = planted_samples(saliency_tasks()[2].make(40, 0)).mean(2)
    flat = shares[shares > 0].mean()  # what a flat map has, see above
    assert ours.accuracy > 0.8 and ours.auc_pr > 1.5 * flat and ours.mass > 1.5 * flat


def test_the_report_and_the_csv_say_the_same(rows: list[Scored]) -> None:
    report = saliency_report(rows, "made by a test")
    assert "made by a test" in report and all(method in report for method in (OURS, OCCLUSION, GRADIENTS))
    read = list(csv.DictReader(io.StringIO(to_csv(rows))))
    assert len(read) == len(rows)
    ours = next(row for row in read if row["method"] == OURS and row["part"] == "positive")
    assert f"| {float(ours['mass']):.3f}" in report


def test_maps_of_the_network_have_the_shape_of_the_cases_and_leave_it_as_it_was() -> None:
    data = saliency_tasks()[2].make(12, 0)
    network = fit_network(data["X"], data["y"], n_epochs=1, seed=0)
    before = {name: value.clone() for name, value in network.state_dict().items()}
    for attribute in (integrated_gradients, occlusion):
        assert attribute(network, data["X"]).shape == data["X"].shape
    assert all((before[name] == value).all() for name, value in network.state_dict().items())
    assert predicted(network, data["X"]).shape == (12,)


def test_training_leaves_random_numbers_elsewhere_alone() -> None:
    import torch

    data = saliency_tasks()[0].make(12, 0)
    torch.manual_seed(3)
    expected = torch.rand(2)
    torch.manual_seed(3)
    fit_network(data["X"], data["y"], n_epochs=1, seed=0)
    assert torch.equal(torch.rand(2), expected)
