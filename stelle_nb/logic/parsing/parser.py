"""Formulas from text, with errors that show the position and what was expected."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from stelle_nb.errors import FormulaError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.parsing.reader import Reader
from stelle_nb.logic.parsing.tokens import Token, error_at
from stelle_nb.logic.printing.notation import AND, IMPLIES, OR, UNARY, UNTIL, checked_names
from stelle_nb.logic.syntax import MAX_DEPTH, Always, And, AtLeast, Eventually, Implies, Not, Or, Until

_PREFIX: dict[str, Callable[..., Formula]] = {"!": Not, "~": Not, "G": Always, "F": Eventually}
_INFIX: dict[str, tuple[int, Callable[..., Formula]]] = {
    "U": (UNTIL, Until),
    "&": (AND, And),
    "|": (OR, Or),
    "->": (IMPLIES, Implies),
}
_RIGHT_TO_LEFT = {"U", "->"}
_TIMED = {"G", "F", "U"}


def parse(text: str, channel_names: Sequence[str] | None = None) -> Formula:
    """Parse a formula.

    Parameters
    ----------
    text
        For example ``G[0,20] F[5,10] (x0 >= 0.3) & (x1 <= 2 U[0,5] x2 > 1)``. ``!``, ``G`` and ``F``
        bind tightest, then ``U``, ``&``, ``|`` and ``->``. Words (``always``, ``eventually``, ``until``,
        ``not``, ``and``, ``or``, ``implies``) and symbols (``□ ◇ 𝒰 ¬ ∧ ∨ → ≥ ≤ ∞``) are read too.
        Signals may be ``diff(x0)``, ``x0 - x0@5`` or ``mean(x0, 20)``; several of them, weighted, delayed and
        added, are written ``sum(0.6*mean(x0, 13)@20, -0.4*x1) >= 0.2``; a shape to follow,
        ``tube[0,9](x0 ~ 0.1 0.5 0.9 +- 0.2, rel(x1) ~ 0.5 0.9 +- 0.3; step 3)``; and that two of three
        conditions hold, ``atleast(2; x0 > 1, F[0,5] (x1 < 0), x2 > 3)``.
    channel_names
        Names that channels may be called by besides ``x0``, ``x1``, …. A name always wins: with the names
        ``x1`` and ``x2``, ``x1`` is the first channel, and only ``x0`` is read as a number. Printers that
        are given names write only names, so that their text is read back as the same channels.
        Names that are not a single word are written in backticks or double quotes.

    Raises
    ------
    ParseError
        Its message shows the place; ``line`` and ``column`` hold it.

    Examples
    --------
    >>> parse("always[0,20] gyro >= 0.3 implies eventually x0 < -1e-3", ["acc", "gyro"])
    parse('G[0,20] (x1 >= 0.3) -> F (x0 < -0.001)')
    >>> parse("G[3,1] x0 > 2")
    Traceback (most recent call last):
    stelle_nb.errors.ParseError: An interval must not end before it starts, got [3,1]. ... (column 2)
        G[3,1] x0 > 2
         ^
    """
    if not isinstance(text, str):
        raise FormulaError(f"parse() reads text, got {text!r}. A formula needs no parsing.")
    return _read_formula(Reader(text, checked_names(channel_names)))


@dataclass(frozen=True, slots=True)
class _Waiting:
    """An operator whose operands are not complete yet; an open parenthesis builds nothing.

    After ``atleast(`` the parenthesis has a ``count``, and its parts lie above ``n_before`` operands.
    """

    token: Token
    precedence: int = 0
    build: Callable[..., Formula] | None = None
    interval: Interval | None = None
    count: int | None = None
    n_before: int = 0


def _read_formula(reader: Reader) -> Formula:
    """Read operands and operators in turn.

    Operators wait on a stack until their operands are complete, so there is no recursion and the
    time is proportional to the length of the text, however deeply it is nested.
    """
    operands: list[Formula] = []
    waiting: list[_Waiting] = []
    while True:
        _read_prefixes(reader, waiting, len(operands))
        operands.append(reader.leaf())
        while reader.next.kind == ")":
            _complete(reader, operands, waiting)
            if not waiting:
                raise error_at("This ')' closes nothing.", reader.text, reader.next.at)
            _close(reader, operands, waiting.pop())
        token = reader.next
        if token.kind == "," and _is_counting(waiting):
            _complete(reader, operands, waiting)
            reader.take()
            continue
        if token.kind == "end":
            _complete(reader, operands, waiting)
            if waiting:
                opened = "(" if waiting[-1].count is None else "atleast("
                raise error_at(f"This '{opened}' is never closed.", reader.text, waiting[-1].token.at)
            return operands[0]
        if token.kind not in _INFIX:
            further = "',' or ')'" if _is_counting(waiting) else "')' or the end of the formula"
            raise reader.expected(f"& | -> U, {further}")
        precedence, build = _INFIX[reader.take().kind]
        _complete(reader, operands, waiting, precedence + (token.kind in _RIGHT_TO_LEFT))
        interval = reader.interval() if token.kind in _TIMED else None
        waiting.append(_Waiting(token, precedence, build, interval))


def _close(reader: Reader, operands: list[Formula], opened: _Waiting) -> None:
    """Step over a closing parenthesis; that of ``atleast(`` makes one operand of its parts."""
    reader.take()
    if opened.count is not None:
        parts = tuple(operands[opened.n_before :])
        del operands[opened.n_before :]
        operands.append(reader.built(opened.token, AtLeast, opened.count, parts))


def _is_counting(waiting: list[_Waiting]) -> bool:
    """Whether a comma may stand here: the innermost open parenthesis is that of ``atleast(``."""
    innermost = next((each for each in reversed(waiting) if each.build is None), None)
    return innermost is not None and innermost.count is not None


def _read_prefixes(reader: Reader, waiting: list[_Waiting], n_operands: int) -> None:
    """Read whatever may stand before an operand: ``!``, ``G``, ``F``, ``atleast(`` and parentheses."""
    while True:
        token = reader.next
        if token.kind in _PREFIX:
            reader.take()
            interval = reader.interval() if token.kind in _TIMED else None
            waiting.append(_Waiting(token, UNARY, _PREFIX[token.kind], interval))
        elif (count := reader.counting()) is not None:
            waiting.append(_Waiting(token, count=count, n_before=n_operands))
        elif token.kind == "(" and not reader.opens_signal():
            waiting.append(_Waiting(reader.take()))
        else:
            return
        if len(waiting) > 2 * MAX_DEPTH:  # each level of a formula opens an operator and a parenthesis
            rule = f"A formula may be nested at most {MAX_DEPTH} deep, and this one is nested deeper."
            raise error_at(f"{rule} Remove unnecessary parentheses.", reader.text, token.at)


def _complete(reader: Reader, operands: list[Formula], waiting: list[_Waiting], least: int = 0) -> None:
    """Build whatever binds at least as tightly, back to the last open parenthesis."""
    while waiting and (build := waiting[-1].build) is not None and waiting[-1].precedence >= least:
        operator = waiting.pop()
        n_operands = 1 if operator.precedence == UNARY else 2
        parts = operands[-n_operands:]
        del operands[-n_operands:]
        extra = () if operator.interval is None else (operator.interval,)
        operands.append(reader.built(operator.token, build, *parts, *extra))
