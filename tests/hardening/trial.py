"""One hostile call: a clean result or one clear error of ours, in time."""

from __future__ import annotations

import signal
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pandas as pd
import torch

from stelle_nb.errors import StelleError

PATIENCE = 60  # seconds; the machine may be busy


def try_out(function: Callable[[Any], Any], value: Any) -> str:
    """Call, let nothing through but a result without NaN or an error of ours, and say which it was."""
    with warnings.catch_warnings(), at_most(PATIENCE):
        warnings.simplefilter("error", RuntimeWarning)  # numpy's word for a silent NaN
        try:
            result = function(value)
        except StelleError as error:
            said = str(error)
        else:
            assert not has_nan(result), result
            return "a result"
    assert len(said) > 20, f"too short to help: {said}"
    return said


@contextmanager
def at_most(seconds: int) -> Iterator[None]:
    """Interrupt what takes longer: nothing may hang."""

    def interrupt(*_: Any) -> None:
        raise TimeoutError(f"still at work after {seconds} s")

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def has_nan(result: Any) -> bool:
    if isinstance(result, torch.Tensor):
        return bool(torch.isnan(result).any())
    if isinstance(result, np.ndarray) and result.dtype.kind == "f":
        return bool(np.isnan(result).any())
    return isinstance(result, pd.DataFrame) and bool(result.isna().any(axis=None))
