"""The share of each sample in the robustness of a formula: a soft witness.

The witness names one sample. With soft extremes every sample that a formula reads has a share in its
value, the larger the closer it is to deciding; as the temperature falls, the witness gets it all.
"""

from __future__ import annotations

import math

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Always, Atom, Eventually, Truth, Until
from stelle_nb.logic.traversal import children, quantities
from stelle_nb.logic.weighted_sum import Quantity, Term
from stelle_nb.semantics.definition import margin_of, signal_values
from stelle_nb.semantics.derived import settling_time, zscores
from stelle_nb.semantics.smooth import soft_trace, without_truth
from stelle_nb.semantics.windows import clipped


def soft_witness(
    formula: Formula, x: Float[Tensor, "case channel time"], temperature: float
) -> Float[Tensor, "case channel time"]:
    """The share that each sample has in the robustness of a formula, which sum to 1 for every case.

    A value that a comparison reads from several samples is shared by them: evenly for an average, half each
    for both ends of a change, by the size of the weights for a sum. A z-score is shared by its sample, the
    mean and the deviation, by how much it depends on each: all samples of the case have an even share of the
    mean, and of the deviation by their distance from the mean.

    Parameters
    ----------
    formula
        Any formula; of one that reads no sample all shares are 0.
    x
        Cases in double precision, with all channels of the formula.
    temperature
        Positive, in the unit of the signals: see :func:`~stelle_nb.semantics.smooth.smooth_robustness`.

    Notes
    -----
    The shares of comparisons are the gradient of smooth robustness, one for each comparison and sample, so
    that two opposite bounds do not cancel each other.

    Examples
    --------
    >>> x = torch.tensor([[[0.0, 1.0, 5.0]]], dtype=torch.float64)
    >>> found = soft_witness(Atom(0, ">=", 2.0).eventually(0, 2), x, temperature=1.0)
    >>> [round(share, 2) for share in found[0, 0].tolist()]
    [0.01, 0.02, 0.98]
    """
    plain = without_truth(formula)
    shares = torch.zeros_like(x)
    if isinstance(plain, Truth):
        return shares
    value_of = signal_values(x.detach(), x.shape[-1] + settling_time(quantities(plain)))
    margins: list[tuple[Atom, Tensor]] = []

    def margin(atom: Atom) -> Tensor:
        trace = margin_of(atom, value_of).detach().requires_grad_()
        margins.append((atom, trace))
        return trace

    with torch.enable_grad():
        value = soft_trace(plain, margin, temperature)[:, 0].sum()
        gradients = torch.autograd.grad(value, [trace for _, trace in margins])
    for (atom, _), gradient in zip(margins, gradients, strict=True):
        _lay(gradient.abs(), atom.signal, x.detach(), shares)
    total = shares.sum((1, 2), keepdim=True)
    return shares / torch.where(total > 0, total, 1)


def samples_read(formula: Formula, n_channels: int, n_timepoints: int) -> Bool[Tensor, "channel time"]:
    """Where a formula looks: of each channel all samples from the first to the last that it may read.

    Z-scores read all samples of their channel.

    Examples
    --------
    >>> samples_read(Atom(1, ">=", 2.0).eventually(1, 2), 2, 4).int().tolist()
    [[0, 0, 0, 0], [0, 1, 1, 0]]
    """
    is_read = torch.zeros(n_channels, n_timepoints, dtype=torch.bool)
    bounds: dict[int, tuple[int, int]] = {}

    def visit(node: Formula, first: int, last: int) -> None:
        match node:
            case Atom(quantity):
                for term in _terms(quantity):
                    channel = term.signal.channel
                    start, end = first - term.delay - term.signal.memory, last - term.delay
                    if term.signal.zscore:
                        start, end = 0, n_timepoints - 1
                    known = bounds.get(channel, (start, end))
                    bounds[channel] = min(known[0], start), max(known[1], end)
            case Always(child, interval) | Eventually(child, interval):
                start, end = clipped(interval, length)
                visit(child, first + start, last + end)
            case Until(left, right, interval):
                start, end = clipped(interval, length)
                visit(left, first, last + end)
                visit(right, first + start, last + end)
            case _:
                for child in children(node):
                    visit(child, first, last)

    plain = without_truth(formula)
    length = n_timepoints + settling_time(quantities(plain))
    visit(plain, 0, 0)
    for channel, (first, last) in bounds.items():
        is_read[channel, _inside(first, n_timepoints) : _inside(last, n_timepoints) + 1] = True
    return is_read


def _lay(
    gradient: Float[Tensor, "case time"],
    quantity: Quantity,
    x: Float[Tensor, "case channel time"],
    shares: Float[Tensor, "case channel time"],
) -> None:
    """Add the share of every value of a quantity to those of the samples that it is computed from."""
    kernels = _kernels(quantity)
    total = math.fsum(float(kernel.sum()) for kernel in kernels.values())
    for (channel, is_zscore), kernel in kernels.items():
        if total > 0:
            laid = _read_back(gradient, kernel.to(gradient) / total, shares.shape[-1])
            shares[:, channel] += _spread(laid, x[:, channel]) if is_zscore else laid


def _spread(
    laid: Float[Tensor, "case sample"], course: Float[Tensor, "case sample"]
) -> Float[Tensor, "case sample"]:
    """Pass on what lies on z-scores to the samples that they, their mean and their deviation come from.

    The derivative of ``z[t]`` by ``x[s]`` is ``(t == s) - 1/n - z[t] z[s] / n``, in units of the deviation.
    """
    z = zscores(course).abs()
    once = laid / (2 + z * z.mean(-1, keepdim=True))  # what falls to the sample itself
    from_mean = once.mean(-1, keepdim=True)
    from_deviation = z * (once * z).mean(-1, keepdim=True)
    return once + from_mean + from_deviation


def _kernels(quantity: Quantity) -> dict[tuple[int, bool], Float[Tensor, " ago"]]:
    """How much a value depends on the value ``ago`` samples before of each channel, or of its z-scores."""
    found: dict[tuple[int, bool], Tensor] = {}
    for term in _terms(quantity):
        signal = term.signal
        key, nothing = (signal.channel, signal.zscore), torch.zeros(quantity.memory + 1, dtype=torch.float64)
        kernel = found.setdefault(key, nothing)
        weight = abs(term.weight) if signal.absolute else term.weight
        window = slice(term.delay, term.delay + signal.window)
        kernel[window] += weight / signal.window
        if signal.lag:
            earlier = slice(window.start + signal.lag, window.stop + signal.lag)
            kernel[earlier] -= (-weight if signal.absolute else weight) / signal.window
    return {key: kernel.abs() for key, kernel in found.items()}


def _read_back(
    gradient: Float[Tensor, "case time"], kernel: Float[Tensor, " ago"], n_timepoints: int
) -> Float[Tensor, "case sample"]:
    """Lay each value on the samples before it; those before the start or past the end are held ones."""
    memory = len(kernel) - 1
    padded = torch.nn.functional.pad(gradient[:, None], (memory, memory))
    laid = torch.nn.functional.conv1d(padded, kernel[None, None])[:, 0]  # from sample -memory on
    inside = laid[:, memory : memory + n_timepoints].clone()
    inside[:, 0] += laid[:, :memory].sum(1)
    inside[:, -1] += laid[:, memory + n_timepoints :].sum(1)
    return inside


def _terms(quantity: Quantity) -> tuple[Term, ...]:
    return (Term(1.0, quantity),) if isinstance(quantity, Signal) else quantity.terms


def _inside(sample: int, n_timepoints: int) -> int:
    return min(max(sample, 0), n_timepoints - 1)
