"""Formulas as plain text that parses back to the very same formula."""

from __future__ import annotations

from collections.abc import Sequence

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.parsing.tokens import quoted
from stelle_nb.logic.printing.notation import Notation, channel_name, checked_names, write
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import RELATIONS, Track, Tube
from stelle_nb.logic.weighted_sum import Quantity, Term, WeightedSum


def to_ascii(formula: Formula, channel_names: Sequence[str] | None = None) -> str:
    """The formula as text, with exact numbers: ``parse(to_ascii(phi)) == phi``.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> phi = parse("always[0,20] (eventually[5,10] x0 >= 0.3 and (x1 <= 2 until x2 > 1))")
    >>> to_ascii(phi)
    'G[0,20] (F[5,10] (x0 >= 0.3) & x1 <= 2.0 U x2 > 1.0)'
    >>> to_ascii(parse("F[3,4] diff(`gyro x`) > 1", ["gyro x"]), ["gyro x"])
    'F[3,4] (diff(`gyro x`) > 1.0)'
    >>> to_ascii(parse("sum(x0@20, -0.5 * (x1 - x1@5)) > 0.2"))
    'sum(1.0*x0@20, -0.5*(x1 - x1@5)) > 0.2'
    """
    names = checked_names(channel_names)
    return write(formula, _PLAIN if names is None else _ascii(names))


def quantity_text(quantity: Quantity, channel_names: Sequence[str] | None = None) -> str:
    """What an atom compares, as it stands in :func:`to_ascii`.

    Examples
    --------
    >>> quantity_text(Signal(0, lag=5), ["gyro x"])
    '(`gyro x` - `gyro x`@5)'
    """
    notation = _ascii(checked_names(channel_names))
    return notation.summed(quantity) if isinstance(quantity, WeightedSum) else notation.signal(quantity)


def signal_text(signal: Signal, name: str) -> str:
    """A signal derived from the channel called ``name``.

    Examples
    --------
    >>> signal_text(Signal(0, lag=5, window=20, zscore=True), "x0")
    'mean(zscore(x0) - zscore(x0)@5, 20)'
    """
    if signal.zscore:
        name = f"zscore({name})"
    change = {0: name, 1: f"diff({name})"}.get(signal.lag, f"{name} - {name}@{signal.lag}")
    if signal.absolute:
        change = f"abs({change})"
    if signal.window > 1:
        return f"mean({change}, {signal.window})"
    return f"({change})" if signal.lag > 1 and not signal.absolute else change


def tube_text(tube: Tube, notation: Notation, *, tolerance: str) -> str:
    """A tube in the text form that :func:`stelle_nb.logic.parsing.parser.parse` reads."""

    def track_text(track: Track) -> str:
        signal = notation.signal(track.signal)
        points = " ".join(notation.number(point) for point in track.points)
        follower = f"rel({signal})" if track.is_relative else signal
        return f"{follower} ~ {points} {tolerance} {notation.number(track.delta)}"

    window = "" if tube.interval.is_everything else notation.interval(tube.interval)
    step = "" if tube.step == 1 else f"; step {tube.step}"
    return f"tube{window}({', '.join(map(track_text, tube.tracks))}{step})"


def sum_text(of: WeightedSum, notation: Notation, *, times: str) -> str:
    """A weighted sum in the text form that :func:`stelle_nb.logic.parsing.parser.parse` reads."""

    def term_text(term: Term) -> str:
        delay = f"@{term.delay}" if term.delay else ""
        return f"{notation.number(term.weight)}{times}{notation.signal(term.signal)}{delay}"

    return f"sum({', '.join(map(term_text, of.terms))})"


def count_text(count: int, parts: Sequence[str]) -> str:
    """How many of the parts have to hold, in the text form that is read back."""
    return f"atleast({count}; {', '.join(parts)})"


def _ascii(names: tuple[str, ...] | None) -> Notation:
    notation = Notation(
        true="true",
        false="false",
        negation="!",
        conjunction="&",
        disjunction="|",
        implication="->",
        always="G",
        eventually="F",
        until="U",
        after_window=" ",
        relations={relation: relation for relation in RELATIONS},
        interval=str,
        number=repr,
        signal=lambda signal: signal_text(signal, quoted(channel_name(signal.channel, names))),
        summed=lambda of: sum_text(of, notation, times="*"),
        tube=lambda tube: tube_text(tube, notation, tolerance="+-"),
        counted=count_text,
    )
    return notation


_PLAIN = _ascii(None)
