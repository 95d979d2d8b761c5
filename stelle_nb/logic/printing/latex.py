"""Formulas as LaTeX mathematics, in the letters of the paper.

Only commands that LaTeX, MathJax and matplotlib's mathtext share are used (mathtext lacks the
escapes for ``#`` and ``&``, which a channel's name may need).
"""

from __future__ import annotations

from collections.abc import Sequence

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.printing.notation import (
    Notation,
    channel_name,
    checked_digits,
    checked_names,
    rounded,
    write,
)
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Track, Tube
from stelle_nb.logic.weighted_sum import Term, WeightedSum

_ESCAPES = {
    " ": r"\ ", "_": r"\_", "%": r"\%", "#": r"\#", "&": r"\&", "$": r"\$", "{": r"\{", "}": r"\}",
    "\\": r"\backslash ", "^": r"\wedge ", "~": r"\sim ", "-": "{-}", '"': "''", "`": "'",
}  # fmt: skip

_COMMA = r",\ "


def to_latex(formula: Formula, channel_names: Sequence[str] | None = None, digits: int | None = None) -> str:
    r"""The formula as LaTeX mathematics, without dollar signs.

    Parameters
    ----------
    channel_names
        What to call the channels instead of ``x_{0}``, ``x_{1}``, …; set upright, specials escaped.
    digits
        Significant digits of thresholds and weights. By default numbers are written exactly: fewer digits
        may make the formula false for the data that it was made for.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> print(to_latex(parse("F[30,40] x0 >= 2.156"), ["gyro_x"]))
    \mathbf{F}_{[30,40]}\,(\mathrm{gyro\_x} \geq 2.156)
    >>> print(to_latex(parse("sum(0.6*mean(x0, 13)@20, -x1) >= 0.2")))
    0.6\,\mathrm{mean}_{13}(x_{0})(t-20) - x_{1} \geq 0.2
    """
    names, kept = checked_names(channel_names), checked_digits(digits)

    def signal(of: Signal) -> str:
        name = f"x_{{{of.channel}}}" if names is None else upright(channel_name(of.channel, names))
        name = rf"\mathrm{{zscore}}({name})" if of.zscore else name
        change = {0: name, 1: rf"\Delta {name}"}.get(of.lag, rf"\Delta_{{{of.lag}}} {name}")
        if of.absolute:
            change = f"|{change}|"
        return change if of.window == 1 else rf"\mathrm{{mean}}_{{{of.window}}}({change})"

    notation = Notation(
        true=r"\top",
        false=r"\bot",
        negation=r"\neg ",
        conjunction=r"\wedge",
        disjunction=r"\vee",
        implication=r"\rightarrow",
        always=r"\mathbf{G}",
        eventually=r"\mathbf{F}",
        until=r"\mathbf{U}",
        after_window=r"\,",
        relations={"<=": r"\leq", "<": "<", ">=": r"\geq", ">": ">"},
        interval=_interval,
        number=lambda value: _number(value, kept),
        signal=signal,
        summed=lambda of: _sum(of, notation),
        tube=lambda tube: _tube(tube, notation),
        counted=lambda count, parts: rf"\mathrm{{atleast}}_{{{count}}}({_COMMA.join(parts)})",
    )
    return write(formula, notation)


def upright(name: str) -> str:
    r"""Any text as an upright word in mathematics.

    >>> print(upright("50% of $x_1$"))
    \mathrm{50\%\ of\ \$x\_1\$}
    """
    return rf"\mathrm{{{''.join(_ESCAPES.get(char, char) for char in ' '.join(name.split()))}}}"


def _interval(interval: Interval) -> str:
    return f"_{{{interval}}}".replace("inf", r"\infty")


def _number(value: float, digits: int | None) -> str:
    mantissa, _, exponent = rounded(value, digits).partition("e")
    return mantissa if not exponent else rf"{mantissa} \times 10^{{{int(exponent)}}}"


def _sum(of: WeightedSum, notation: Notation) -> str:
    """The terms with their signs between them; ``(t-20)`` after a term is the time of its value."""

    def term_text(term: Term) -> str:
        factor = notation.number(abs(term.weight))
        delay = f"(t-{term.delay})" if term.delay else ""
        times = "" if factor in ("1", "1.0") else rf"{factor}\,"
        return f"{times}{notation.signal(term.signal)}{delay}"

    first, *others = of.terms
    text = ("-" if first.weight < 0 else "") + term_text(first)
    for term in others:
        text += f" {'-' if term.weight < 0 else '+'} {term_text(term)}"
    return text


def _tube(tube: Tube, notation: Notation) -> str:
    def track_text(track: Track) -> str:
        signal = notation.signal(track.signal)
        follower = rf"\mathrm{{rel}}({signal})" if track.is_relative else signal
        points = r",\,".join(notation.number(point) for point in track.points)
        return rf"{follower} \sim ({points}) \pm {notation.number(track.delta)}"

    window = "" if tube.interval.is_everything else notation.interval(tube.interval)
    step = "" if tube.step == 1 else rf";\ \mathrm{{step}}\ {tube.step}"
    tracks = r",\ ".join(map(track_text, tube.tracks))
    return rf"\mathrm{{tube}}{window}({tracks}{step})"
