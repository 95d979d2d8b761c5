"""What many classes cost: ``python -m tests.hardening.many_classes 1000 10000``, a case of each.

Each number of classes is measured by a process of its own, in CPU seconds of one thread.
"""

from __future__ import annotations

import subprocess
import sys
import time

import numpy as np
import torch

from stelle_nb.estimator.classifier import StelleClassifier
from stelle_nb.experiments.run import peak_memory


def measure(n_classes: int) -> None:
    """Print a row of the table."""
    torch.set_num_threads(1)
    X = np.random.default_rng(0).normal(size=(n_classes, 1, 30)).astype(np.float32)
    clf = StelleClassifier("dense", random_state=0, device="cpu")
    tasks = {
        "fit": lambda: clf.fit(X, np.arange(n_classes)),
        "predict 100": lambda: clf.predict(X[:100]),
        "explain_local of one": lambda: clf.explain_local(X[:1]),
    }
    print(f"{n_classes} classes:", flush=True)
    for name, task in tasks.items():
        began = time.process_time()
        task()
        seconds = time.process_time() - began
        print(f"  {name}: {seconds:.1f} s, peak {peak_memory() / 2**20:.0f} MiB", flush=True)


if __name__ == "__main__":
    if len(sys.argv) == 2:
        measure(int(sys.argv[1]))
    else:
        for number in sys.argv[1:]:
            subprocess.run([sys.executable, "-m", "tests.hardening.many_classes", number], check=True)
