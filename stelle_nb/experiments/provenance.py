"""The provenance of a figure: code, data and versions, as texts that can be compared."""

from __future__ import annotations

import hashlib
import platform
import subprocess
from collections.abc import Sequence
from pathlib import Path

import stelle_nb
from stelle_nb.data import SeriesDataset
from stelle_nb.depict.version import version_of

# The layers that a prediction passes through; explanations and drawings cannot change it.
PREDICTING = ("concepts", "data", "estimator", "kernels", "logic", "model", "semantics")
EXPLAINING = (*PREDICTING, "explain", "depict", "metrics", "rewrite")
HEADER_PACKAGES = ("stelle_nb", "torch", "aeon", "numba", "scikit-learn", "numpy")


def code_digest(layers: Sequence[str] = PREDICTING) -> str:
    """A short hash of the source and the shipped concepts that the results of these layers depend on."""
    root = Path(stelle_nb.__file__).parent
    files = (path for layer in layers for path in (root / layer).rglob("*"))
    digest = hashlib.sha256()
    for path in sorted(files):
        if path.is_file() and path.suffix not in (".pyc", ".tmp"):
            digest.update(path.relative_to(root).as_posix().encode() + b"\0")
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:8]


def data_digest(dataset: SeriesDataset) -> str:
    """A short hash of the values and labels of a data set, after any treatment."""
    digest = hashlib.sha256()
    for array in (dataset.X_train, dataset.y_train, dataset.X_test, dataset.y_test):
        digest.update(f"{array.dtype.str} {array.shape}".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()[:8]


def versions(packages: Sequence[str] = HEADER_PACKAGES) -> str:
    """Python and the given packages with their versions, in one line."""
    listed = [f"{package} {version_of(package)}" for package in packages]
    return ", ".join([f"Python {platform.python_version()}", *listed])


def git_commit() -> str:
    """The commit of this source, with a word if files differ from it; ``"unknown"`` outside of git."""
    root = Path(stelle_nb.__file__).parent
    try:
        commit = _git(root, "rev-parse", "--short=10", "HEAD")
        return f"{commit} with changes" if _git(root, "status", "--porcelain", "--", str(root)) else commit
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def _git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, text=True, check=True)
    return done.stdout.strip()
