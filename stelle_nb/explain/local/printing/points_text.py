"""Points of a score sheet as text: with a sign, and all with the same decimals."""

from __future__ import annotations

import math
from collections.abc import Iterable


def signed(value: float, decimals: int) -> str:
    """A number with its sign, zero without one.

    Examples
    --------
    >>> signed(1.234, 2), signed(-0.001, 2), signed(-3.0, 1)
    ('+1.23', '0', '−3.0')
    """
    text = f"{value:+.{decimals}f}"
    return "0" if float(text) == 0 else text.replace("-", "\N{MINUS SIGN}")


def decimals_of(values: Iterable[float]) -> int:
    """As many as give the largest number three digits, or two if it is below 1.

    Examples
    --------
    >>> decimals_of([10.2, -0.05]), decimals_of([0.4]), decimals_of([])
    (1, 2, 2)
    """
    largest = max(map(abs, values), default=0.0) or 1.0
    return max(0, 2 - max(0, math.floor(math.log10(largest)))) if largest >= 0.1 else 3
