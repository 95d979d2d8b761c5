"""Nothing leaves the device of the signals; checked on a pretended one."""

from __future__ import annotations

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorDeviceMismatchError

from stelle_nb.errors import SignalError
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.semantics import FormulaBank, resolve_device
from stelle_nb.semantics.definition import settled_trace

TEXTS = (
    "true",
    "F[0,3] (x0 >= 1)",
    "!(G[2,inf) diff(x0) <= 0.5)",
    "G[1,4] (x0 >= 1 & F[0,2] (x1 <= 0))",
    "F[0,3] G[0,2] F[1,4] (x0 > 1 | x1 > 0)",
    "(x0 >= 0) U[1,5] (x1 > 1)",
    "(x0 > 0 & x1 > 1) U x2 > 0",
    "F[0,3] ((x0 >= 0) U[1,5] (x1 > 1))",
    "tube[0,9](x0 ~ 1.0 2.0 +- 0.5, rel(x1) ~ 1.0 +- 0.5; step 3)",
)


def test_devices_do_not_mix_silently(pretended_cuda: torch.device) -> None:
    with pytest.raises(FakeTensorDeviceMismatchError):
        torch.empty(2, device=pretended_cuda) + torch.empty(2)


@pytest.mark.parametrize("text", TEXTS)
def test_a_trace_stays_on_its_device(pretended_cuda: torch.device, text: str) -> None:
    X = torch.empty(4, 3, 20, device=pretended_cuda)
    assert settled_trace(parse(text), X).device == pretended_cuda


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_a_bank_stays_on_its_device(pretended_cuda: torch.device, dtype: torch.dtype) -> None:
    X = torch.empty(4, 3, 20, device=pretended_cuda, dtype=dtype)
    values = FormulaBank([parse(text) for text in TEXTS], device=pretended_cuda).evaluate(X)
    assert (values.device, values.dtype, values.shape) == (pretended_cuda, dtype, (4, len(TEXTS)))


def test_auto_takes_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
    assert resolve_device("auto") == torch.device("cpu")
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: True)
    assert resolve_device("auto") == torch.device("mps")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert resolve_device("auto") == torch.device("cuda")


def test_an_unknown_device_is_refused() -> None:
    with pytest.raises(SignalError, match="got 'gpu'"):
        resolve_device("gpu")
