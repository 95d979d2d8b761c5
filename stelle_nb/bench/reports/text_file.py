"""Checks that a report can be written, before the work starts."""

from __future__ import annotations

import os
from pathlib import Path

from stelle_nb.errors import BenchError


def check_writable(path: Path, option: str = "--out") -> Path:
    """Fail now if the file could not be written later; the folder need not exist yet."""
    folder = next(parent for parent in path.absolute().parents if parent.exists())
    target = path if path.exists() else folder
    if path.is_dir() or not folder.is_dir() or not os.access(target, os.W_OK):
        raise BenchError(f"{path} cannot be written. Choose another {option}.")
    return path
