"""Robustness and satisfaction of formulas on signals."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.traversal import Path
from stelle_nb.semantics.arrays import Array, check_channels, check_formulas, enter, listed
from stelle_nb.semantics.bank import FormulaBank
from stelle_nb.semantics.definition import settled_trace


def robustness(
    formula: Formula | Sequence[Formula],
    X: Array,
    *,
    device: str | torch.device | None = None,
    dtype: torch.dtype | None = None,
) -> Array:
    """How clearly each case satisfies a formula at its first sample; negative if it does not.

    Parameters
    ----------
    formula
        One formula, or several; to evaluate the same formulas repeatedly, make a
        :class:`~stelle_nb.semantics.bank.FormulaBank`.
    X
        Finite signals ``(n_cases, n_channels, n_timepoints)``; two dimensions mean one channel.
    device
        Where to compute; where ``X`` is unless given.
    dtype
        Precision of the computation and of the result; that of ``X`` unless given.

    Returns
    -------
    array or tensor, as ``X`` is
        ``(n_cases,)``, or ``(n_cases, n_formulas)`` for several formulas.

    Examples
    --------
    >>> import numpy as np
    >>> from stelle_nb.logic.syntax import Atom
    >>> X = np.array([[0.0, 1.0, 5.0], [0.0, 0.5, 0.0]])
    >>> robustness(Atom(0, ">=", 2.0).eventually(0, 2), X)
    array([ 3. , -1.5])
    """
    x, leave = enter(X, device=device, dtype=dtype)
    if not isinstance(formula, Formula):
        bank = FormulaBank(formula, device=x.device)
        check_channels(bank.quantities, x)
        return leave(bank.evaluate(x))
    check_channels(check_formulas([formula]), x)
    return leave(settled_trace(formula, x)[:, 0])


def robustness_trace(
    formula: Formula | Sequence[Formula],
    X: Array,
    *,
    device: str | torch.device | None = None,
    dtype: torch.dtype | None = None,
) -> Array:
    """Robustness at every sample: ``(n_cases, n_timepoints)``, with formulas as the middle axis if several.

    Parameters are those of :func:`robustness`.

    Examples
    --------
    >>> import numpy as np
    >>> from stelle_nb.logic.syntax import Atom
    >>> robustness_trace(Atom(0, ">=", 2.0).eventually(0, 1), np.array([[0.0, 1.0, 5.0, 2.5]]))
    array([[-1. ,  3. ,  3. ,  0.5]])
    """
    x, leave = enter(X, device=device, dtype=dtype)
    formulas = listed(formula)
    check_channels(check_formulas(formulas), x)
    traces = [settled_trace(each, x)[:, : x.shape[-1]] for each in formulas]
    if isinstance(formula, Formula):
        return leave(traces[0])
    return leave(torch.stack(traces, 1) if traces else x.new_empty(x.shape[0], 0, x.shape[-1]))


def robustness_traces(
    formula: Formula,
    X: Array,
    *,
    device: str | torch.device | None = None,
    dtype: torch.dtype | None = None,
) -> dict[Path, Array]:
    """Robustness of every sub-formula at every sample, by its path from the root.

    Parameters are those of :func:`robustness`.

    Examples
    --------
    >>> import numpy as np
    >>> from stelle_nb.logic.syntax import Atom
    >>> robustness_traces(Atom(0, ">=", 2.0).eventually(0, 1), np.array([[0.0, 1.0, 5.0]]))
    {(): array([[-1.,  3.,  3.]]), (0,): array([[-2., -1.,  3.]])}
    """
    x, leave = enter(X, device=device, dtype=dtype)
    check_channels(check_formulas([formula]), x)
    traces: dict[Path, Array] = {}

    def keep(path: Path, trace: torch.Tensor) -> None:
        traces[path] = leave(trace[:, : x.shape[-1]])

    settled_trace(formula, x, keep)
    return dict(sorted(traces.items()))


def satisfies(
    formula: Formula | Sequence[Formula],
    X: Array,
    *,
    device: str | torch.device | None = None,
    dtype: torch.dtype | None = None,
) -> Array:
    """Whether each case satisfies the formula: robustness of at least zero.

    Parameters are those of :func:`robustness`.

    Examples
    --------
    >>> import numpy as np
    >>> from stelle_nb.logic.syntax import Atom
    >>> satisfies(Atom(0, ">=", 2.0).eventually(0, 2), np.array([[0.0, 1.0, 5.0], [0.0, 0.5, 0.0]]))
    array([ True, False])
    """
    return robustness(formula, X, device=device, dtype=dtype) >= 0
