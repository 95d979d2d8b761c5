"""The same seed gives the same bytes; another number of threads gives the same to within rounding."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stelle_nb as st
from tests.conftest import ROOT
from tests.hardening.hostile import good_labels, good_series
from tests.small import TINY_CONFIGS

VARIANTS = ("scorecard", "dense", "paper")
TOLERANCE = 1e-5  # of a probability, between numbers of threads


def everything(folder: Path, variant: str) -> dict[str, Any]:
    """A fresh fit with the digests of all that comes of it, and its probabilities."""
    X, y = good_series(), good_labels()
    clf = st.StelleClassifier(variant, n_concepts=20, config=TINY_CONFIGS[variant], random_state=3).fit(X, y)
    local = clf.explain_local(X[:2])
    of_class = clf.explain_global(method="paper")["high"]
    data = st.SeriesDataset.from_arrays(X, y, X, y)
    figures = folder / f"{variant}.svg"
    st.plots.figure_local_explanation(local[0]).savefig(figures)
    made = {
        "model as zip": clf.save(folder / f"{variant}.zip").read_bytes(),
        "model as folder": _content(clf.save(folder / variant)),
        "local explanations": "".join(each.to_json() for each in local).encode(),
        "page": local[0].page().encode(),
        "class explanation": of_class.to_json().encode(),
        "chart of signals": st.plot_signals(data).to_json().encode(),
        "chart of an explanation": st.plot_local_explanation(local[0]).to_json().encode(),
        "figure for print": figures.read_bytes(),
    }
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in made.items()}
    return {
        "digests": digests,
        "shares": clf.predict_proba(good_series(1)).tolist(),
        "text": local[0].to_json(),
    }


def _content(folder: Path) -> bytes:
    return b"".join(file.name.encode() + file.read_bytes() for file in sorted(folder.iterdir()))


def elsewhere(folder: Path, n_threads: int, variants: tuple[str, ...] = VARIANTS) -> dict[str, Any]:
    """The same in a process of its own, with so many threads and other hashes of text."""
    folder.mkdir()
    program = (
        "import json, pathlib, torch; from tests.hardening.test_determinism import everything\n"
        f"torch.set_num_threads({n_threads}); assert torch.get_num_threads() == {n_threads}\n"
        f"folder = pathlib.Path({str(folder)!r})\n"
        f"print(json.dumps({{variant: everything(folder, variant) for variant in {variants}}}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("here")
    return {variant: everything(folder, variant) for variant in VARIANTS}


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes_in_another_process(here: dict[str, Any], tmp_path: Path) -> None:
    once = elsewhere(tmp_path / "once", 1)
    for variant in ("scorecard", "dense"):
        assert once[variant] == here[variant]
    # where much else has run before, MKL's sums may differ in the last bit of a weight of the network
    _check_close(here["paper"], once["paper"])
    assert once["paper"] == elsewhere(tmp_path / "again", 1, ("paper",))["paper"]


@pytest.mark.long
def test_two_threads_give_the_same_to_within_rounding(here: dict[str, Any], tmp_path: Path) -> None:
    two = elsewhere(tmp_path / "two", 2)
    for variant in VARIANTS:
        _check_close(here[variant], two[variant])


def _check_close(one: dict[str, Any], other: dict[str, Any]) -> None:
    shares = [np.array(each["shares"]) for each in (one, other)]
    assert np.abs(shares[0] - shares[1]).max() <= TOLERANCE
    assert np.array_equal(shares[0].argmax(1), shares[1].argmax(1))
    assert json.loads(one["text"])["formula"] == json.loads(other["text"])["formula"]
