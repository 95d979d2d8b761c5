"""Where tensors are computed."""

from __future__ import annotations

import torch

from stelle_nb.errors import SignalError


def resolve_device(device: str | torch.device = "auto") -> torch.device:
    """The requested device; ``"auto"`` is the first available of CUDA, MPS and CPU.

    Examples
    --------
    >>> resolve_device("cpu")
    device(type='cpu')
    """
    if not isinstance(device, str) or device != "auto":
        try:
            found = torch.device(device)
        except (RuntimeError, TypeError, ValueError, OverflowError) as error:
            raise SignalError(
                f'A device must be "auto" or one that torch knows, got {device!r}. Try "cpu" or "cuda".'
            ) from error
        try:
            torch.empty(0, device=found)
        except (AssertionError, RuntimeError, NotImplementedError) as error:
            why = str(error).partition("\n")[0].rstrip(".")
            raise SignalError(
                f'The device "{found}" is not available: {why}. Use "cpu" or "auto".'
            ) from error
        return found
    if torch.cuda.is_available():
        return torch.device("cuda")
    return torch.device("mps" if torch.backends.mps.is_available() else "cpu")
