"""Formulas in the symbols of temporal logic, for people to read."""

from __future__ import annotations

from collections.abc import Sequence

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.parsing.tokens import quoted
from stelle_nb.logic.printing.ascii import count_text, signal_text, sum_text, tube_text
from stelle_nb.logic.printing.notation import (
    Notation,
    channel_name,
    checked_digits,
    checked_names,
    rounded,
    write,
)
from stelle_nb.logic.signal import Signal

_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def to_unicode(
    formula: Formula, channel_names: Sequence[str] | None = None, digits: int | None = None
) -> str:
    """The formula in symbols; it parses back, to the same formula unless ``digits`` rounds it.

    Parameters
    ----------
    channel_names
        What to call the channels instead of x₀, x₁, ….
    digits
        Significant digits of thresholds and weights. By default numbers are written exactly: fewer digits
        may make the formula false for the data that it was made for.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> to_unicode(parse("G[0,20] (x0 >= 0.123456 -> F (!(x1 < 1) U[2,5] true))"))
    '□[0,20] (x₀ ≥ 0.123456 → ◇ (¬(x₁ < 1) 𝒰[2,5] ⊤))'
    """
    names, kept = checked_names(channel_names), checked_digits(digits)

    def signal(of: Signal) -> str:
        name = f"x{of.channel}".translate(_SUBSCRIPTS) if names is None else None
        return signal_text(of, name or quoted(channel_name(of.channel, names)))

    notation = Notation(
        true="⊤",
        false="⊥",
        negation="¬",
        conjunction="∧",
        disjunction="∨",
        implication="→",
        always="□",
        eventually="◇",
        until="𝒰",
        relations={"<=": "≤", "<": "<", ">=": "≥", ">": ">"},
        after_window=" ",
        interval=_interval,
        number=lambda value: rounded(value, kept),
        signal=signal,
        summed=lambda of: sum_text(of, notation, times="·"),
        tube=lambda tube: tube_text(tube, notation, tolerance="±"),
        counted=count_text,
    )
    return write(formula, notation)


def _interval(interval: Interval) -> str:
    return str(interval).replace("inf", "∞")
