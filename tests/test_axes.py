"""The axes that annotations name are those of the arrays: a whole pipeline runs with every call checked."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
import torch
from jaxtyping import Float, jaxtyped
from torch import Tensor

from tests.axes import checked
from tests.conftest import ROOT

PIPELINE = """
from tests import axes
axes.install()
import numpy as np
import torch
import stelle_nb as st
from tests.estimator.conftest import make_bursts
from tests.small import TINY_CONFIGS
torch.set_num_threads(1)
X, y = make_bursts()
for variant, config in TINY_CONFIGS.items():
    clf = st.StelleClassifier(variant, n_concepts=20, config=config, random_state=0).fit(X, y)
    clf.score(X, y), clf.novelty(X), clf.calibrate(X, y).predict_set(X[:3])
    clf.explain_local(X[:3]), clf.explain_global(), clf.update_global(X[:2], y[:2])
    st.metrics.faithfulness(clf, X[:3], n_random=2)
    st.metrics.local_quality(clf, X_train=X, y_train=y, X_test=X[:3], y_test=y[:3])
clf.counterfactual(X[0])
phi = st.parse("F[0,9] (x0 >= 1 & G[0,3] x1 <= 2) & tube[0,9](x0 ~ 0 1 0 +- 2)")
st.robustness(phi, X), st.robustness_trace(phi, X), st.smooth_robustness(phi, X), st.witness(phi, X[0])
st.formula_kernel([phi], [~phi], n_draws=50)
st.simplify(phi, X=X)
st.resample(st.SeriesDataset.from_arrays(X, y, X, y), 1)
print(len(axes.seen))
"""


@pytest.mark.slow
def test_a_whole_pipeline_keeps_to_the_axes_it_names() -> None:
    done = subprocess.run([sys.executable, "-c", PIPELINE], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    assert int(done.stdout) > 150  # functions whose axes were checked


@jaxtyped(typechecker=checked)
def product(one: Float[Tensor, "case concept"], two: Float[Tensor, "concept cls"] | None) -> Tensor:
    return one if two is None else one @ two


def test_other_axes_are_seen() -> None:
    assert product(torch.ones(2, 3), torch.ones(3, 1)).shape == (2, 1)
    assert product(torch.ones(2, 3), None).shape == (2, 3)
    for wrong in (torch.ones(2, 1), torch.ones(3), torch.ones(3, 1, dtype=torch.int64), np.ones((3, 1))):
        with pytest.raises(TypeError, match="parameter 'two'"):
            product(torch.ones(2, 3), wrong)
