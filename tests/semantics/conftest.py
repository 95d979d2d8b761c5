"""A CUDA device that is not there: fake tensors on it know shape and place, and refuse to meet others."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch
from torch import Tensor
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.overrides import TorchFunctionMode


class IndexingWithoutGuard(TorchFunctionMode):
    """Python's own indexing asks for a CUDA driver even of fake tensors, the operators behind it do not."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        if func is Tensor.__getitem__:
            return indexed(*args)
        if func is Tensor.contiguous:
            return args[0].clone(memory_format=torch.contiguous_format)
        return func(*args, **(kwargs or {}))


def indexed(x: Tensor, key) -> Tensor:
    keys = key if isinstance(key, tuple) else (key,)
    dim = 0
    for position, part in enumerate(keys):
        match part:
            case None:
                x, dim = x.unsqueeze(dim), dim + 1
            case int():
                x = x.select(dim, part)
            case slice():
                x, dim = torch.ops.aten.slice(x, dim, part.start, part.stop, part.step or 1), dim + 1
            case list():
                x, dim = x.index_select(dim, torch.tensor(part, device=x.device)), dim + 1
            case _ if part is ...:
                dim = x.ndim - sum(later is not None for later in keys[position + 1 :])
            case _:
                raise NotImplementedError(part)
    return x


@pytest.fixture
def pretended_cuda() -> Iterator[torch.device]:
    with FakeTensorMode(), IndexingWithoutGuard():
        yield torch.device("cuda:0")
