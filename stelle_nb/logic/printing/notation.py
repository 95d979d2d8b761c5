"""How formulas are written in symbols, whichever notation is used."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from stelle_nb.arguments import storable, whole
from stelle_nb.errors import FormulaError, NotAFormulaError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import (
    Always,
    And,
    AtLeast,
    Atom,
    Eventually,
    Implies,
    Not,
    Or,
    Relation,
    Truth,
    Tube,
    Until,
)
from stelle_nb.logic.weighted_sum import Quantity, WeightedSum, signals_of

LEAF, UNARY, UNTIL, AND, OR, IMPLIES = 6, 5, 4, 3, 2, 1
"""How tightly each kind of node binds its parts."""

PRECEDENCE: Mapping[type[Formula], int] = {
    Truth: LEAF,
    Atom: LEAF,
    Tube: LEAF,
    AtLeast: LEAF,
    Not: UNARY,
    Always: UNARY,
    Eventually: UNARY,
    Until: UNTIL,
    And: AND,
    Or: OR,
    Implies: IMPLIES,
}


@dataclass(frozen=True, slots=True)
class Notation:
    """The symbols of one way to write formulas, spaces included."""

    true: str
    false: str
    negation: str
    conjunction: str
    disjunction: str
    implication: str
    always: str
    eventually: str
    until: str
    after_window: str
    relations: Mapping[Relation, str]
    interval: Callable[[Interval], str]
    number: Callable[[float], str]
    signal: Callable[[Signal], str]
    summed: Callable[[WeightedSum], str]
    tube: Callable[[Tube], str]
    counted: Callable[[int, Sequence[str]], str]


def write(formula: Formula, notation: Notation) -> str:
    """The formula with as few parentheses as keep it readable and unambiguous.

    Atoms stand in parentheses under ``!``, ``G`` and ``F``, where ``!x0 >= 1`` would be misread.
    """

    def part(child: Formula, least: int) -> str:
        text = write(child, notation)
        return text if PRECEDENCE[type(child)] >= least else f"({text})"

    def operand(child: Formula) -> str:
        return f"({write(child, notation)})" if isinstance(child, Atom) else part(child, UNARY)

    def window(symbol: str, interval: Interval) -> str:
        return symbol if interval.is_everything else symbol + notation.interval(interval)

    match formula:
        case Truth(value):
            return notation.true if value else notation.false
        case Atom(quantity, relation, threshold):
            sign = notation.relations[relation]
            return f"{_quantity(quantity, notation)} {sign} {notation.number(threshold)}"
        case Not(child):
            return notation.negation + operand(child)
        case Always(child, interval):
            return window(notation.always, interval) + notation.after_window + operand(child)
        case Eventually(child, interval):
            return window(notation.eventually, interval) + notation.after_window + operand(child)
        case Until(left, right, interval):
            sign = window(notation.until, interval)
            return f"{part(left, UNTIL + 1)} {sign} {part(right, UNTIL + 1)}"
        case And(left, right):
            return f"{part(left, AND)} {notation.conjunction} {part(right, AND + 1)}"
        case Or(left, right):
            return f"{part(left, OR)} {notation.disjunction} {part(right, OR + 1)}"
        case Implies(left, right):
            return f"{part(left, IMPLIES + 1)} {notation.implication} {part(right, IMPLIES)}"
        case Tube():
            return notation.tube(formula)
        case AtLeast(count, parts):
            return notation.counted(count, [write(each, notation) for each in parts])
        case _:
            raise NotAFormulaError(f"A formula was expected, got {formula!r}. Use parse() to convert text.")


def _quantity(quantity: Quantity, notation: Notation) -> str:
    return notation.summed(quantity) if isinstance(quantity, WeightedSum) else notation.signal(quantity)


def value_text(value: float, spread: float) -> str:
    """A value of a signal to three digits, or as many as distinguish it from others within the spread.

    Examples
    --------
    >>> value_text(2.15649, 5.0), value_text(1013.2531, 0.4), value_text(7.0, 0.0)
    ('2.16', '1013.25', '7')
    """
    is_far = 0 < spread < abs(value) < math.inf
    return rounded(value, min(17, 3 + math.floor(math.log10(abs(value) / spread))) if is_far else 3)


def checked_digits(digits: int | None) -> int | None:
    """How many significant digits to write, or None for all."""
    if digits is None:
        return None
    return whole(digits, "digits", least=1, most=17, error=FormulaError, way="None writes numbers exactly.")


def checked_names(channel_names: Sequence[str] | None) -> tuple[str, ...] | None:
    """The names of the channels as a tuple, or None where channels are called by number.

    Unpaired surrogates, which no file can hold, are rejected.
    """
    if channel_names is None:
        return None
    is_list = hasattr(channel_names, "__iter__") and not isinstance(channel_names, (str, bytes))
    names = tuple(channel_names) if is_list else ()
    if not is_list or not all(isinstance(name, str) for name in names):
        raise FormulaError(
            f"channel_names must be a list of names, one for each channel, got {channel_names!r}."
        )
    for name in names:
        storable(name, "A channel name", error=FormulaError)
    return names


def checked_units(units: Sequence[str | None] | None) -> tuple[str | None, ...] | None:
    """The units of the channels' values as a tuple; None, or empty text, for a channel without one."""
    if units is None:
        return None
    is_list = hasattr(units, "__iter__") and not isinstance(units, (str, bytes))
    listed = tuple(units) if is_list else ()
    if not is_list or not all(unit is None or isinstance(unit, str) for unit in listed):
        raise FormulaError(f"units must be a list, one text or None for each channel, got {units!r}.")
    for unit in listed:
        storable(unit or "", "A unit", error=FormulaError)
    return tuple(unit or None for unit in listed)


def common_unit(channels: Iterable[int], units: Sequence[str | None] | None) -> str | None:
    """The unit of a quantity made of these channels, if they all have the same one.

    Examples
    --------
    >>> common_unit([0, 1], ["m", "m", "s"]), common_unit([0, 2], ["m", "m", "s"]), common_unit([0], None)
    ('m', None, None)
    """
    if units is None:
        return None
    found = {units[channel] if channel < len(units) else None for channel in channels}
    return found.pop() if len(found) == 1 else None


def quantity_unit(quantity: Quantity, units: Sequence[str | None] | None) -> str | None:
    """The unit of a signal's values, or of a sum whose channels share one; z-scores have none.

    Examples
    --------
    >>> quantity_unit(Signal(0, lag=3), ["m"]), quantity_unit(Signal(0, zscore=True), ["m"])
    ('m', None)
    """
    signals = signals_of(quantity)
    if any(signal.zscore for signal in signals):
        return None
    return common_unit((signal.channel for signal in signals), units)


def with_unit(text: str, unit: str | None) -> str:
    """A number and its unit: ``2.2 rad/s``."""
    return f"{text} {unit}" if unit else text


def axis_titles(names: Sequence[str], units: Sequence[str | None]) -> list[str]:
    """Names with their units, ``gyro x (rad/s)``; the names alone if two of these were the same.

    Examples
    --------
    >>> axis_titles(["gyro x", "load"], ["rad/s", None])
    ['gyro x (rad/s)', 'load']
    """
    titles = [f"{name} ({unit})" if unit else name for name, unit in zip(names, units, strict=True)]
    return titles if len(set(titles)) == len(titles) else list(names)


def channel_name(channel: int, names: tuple[str, ...] | None) -> str:
    """What a channel is called: its name, or else ``x`` with its number."""
    if names is None:
        return f"x{channel}"
    if channel >= len(names):
        raise FormulaError(
            f"channel_names must name every channel, got {len(names)} names and a formula on x{channel}."
        )
    return names[channel]


def rounded(value: float, digits: int | None) -> str:
    """The number rounded to significant digits, integer digits always kept; None writes it exactly.

    Examples
    --------
    >>> rounded(2.15649, 3), rounded(12345.678, 3), rounded(1.5e-07, 3)
    ('2.16', '12346', '1.5e-07')
    >>> rounded(1013.25, None), rounded(2.0, None), rounded(-0.00001, None)
    ('1013.25', '2', '-1e-05')
    """
    if digits is None:
        text = repr(float(value)).removesuffix(".0")
        return "0" if text == "-0" else text
    size = abs(value)
    if size and not 1e-4 <= size < 1e7:
        return f"{value:.{digits}g}"
    decimals = max(0, digits - 1 - math.floor(math.log10(size))) if size else 0
    text = f"{value:.{decimals}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text
