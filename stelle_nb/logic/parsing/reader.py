"""The leaves of a formula read from its tokens: intervals, signals, sums, atoms and tubes."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from stelle_nb.errors import FormulaError, ParseError
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.parsing.tokens import Token, error_at, plain, tokenize, unquoted
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import ALL_TIME, MIRRORED, RELATIONS, Atom, Relation, Track, Truth, Tube
from stelle_nb.logic.weighted_sum import MAX_TERMS, Quantity, Term, WeightedSum

_T = TypeVar("_T")

_OPENING_TERM = {"name", "quoted", "number", "-", "+", "inf", "nan", "("}
_SIGNAL_KINDS = {"name", "quoted", "number", "-", "+", "*", "@", ",", "(", ")"}
_LONGEST_QUANTITY = 32 * (MAX_TERMS + 1)  # tokens of a sum in parentheses, with room to spare


class Reader:
    """A position in the tokens of a text, and what can be read from there."""

    def __init__(self, text: str, names: tuple[str, ...] | None) -> None:
        self.text = text
        self.names = names
        self.tokens = tokenize(text)
        self.i = 0

    @property
    def next(self) -> Token:
        """The token to be read now."""
        return self.tokens[self.i]

    def ahead(self, offset: int) -> Token:
        """The token ``ahead`` places after the next one."""
        return self.tokens[min(self.i + offset, len(self.tokens) - 1)]

    def take(self) -> Token:
        """Step over the next token; the end stays where it is."""
        token = self.tokens[self.i]
        self.i += token.kind != "end"
        return token

    def accept(self, kind: str) -> bool:
        """Step over the next token if it is of this kind."""
        found = self.next.kind == kind
        self.i += found
        return found

    def expect(self, kind: str, where: str) -> None:
        """Step over the next token, which must be of this kind."""
        if not self.accept(kind):
            raise self.expected(f"{kind!r} {where}")

    def expected(self, what: str) -> ParseError:
        """The error that rejects the next token."""
        return error_at(f"Expected {what}, got {self.next}.", self.text, self.next.at)

    def built(self, at: Token, build: Callable[..., _T], *parts: Any) -> _T:
        """What ``build`` makes of the parts; its objections are shown at a token."""
        try:
            return build(*parts)
        except FormulaError as error:
            raise error_at(str(error), self.text, at.at) from None

    def leaf(self) -> Formula:
        """An atom, a tube, ``true`` or ``false``."""
        token = self.next
        if token.kind in ("true", "false"):
            return Truth(self.take().kind == "true")
        if token.text == "tube" and self.ahead(1).kind in ("[", "("):
            return self._tube()
        if token.kind in ("number", "-", "+", "inf", "nan"):
            threshold, relation = self._number("A threshold"), MIRRORED[self._relation()]
            return Atom(self._quantity(), relation, threshold)
        if token.kind in ("name", "quoted", "("):
            return Atom(self._quantity(), self._relation(), self._number("A threshold"))
        if len(self.tokens) == 1:
            raise error_at("A formula must not be empty. Write for example x0 >= 0.3.", self.text, 0)
        raise self.expected("a formula such as x0 >= 0.3 or F[0,5] (x0 < 1)")

    def counting(self) -> int | None:
        """Step over ``atleast(2;`` if that is what stands here; how many parts have to hold."""
        if not self._function("atleast"):
            return None
        count = self._whole("how many parts must hold", least=1, way="Write for example atleast(2; p, q, r).")
        self.expect(";", "after the count of atleast")
        return count

    def interval(self) -> Interval:
        """The interval that may follow G, F, U or tube; ``[0,inf)`` if there is none."""
        opening = self.next
        if not self.accept("["):
            return ALL_TIME
        start = self._whole("the start of an interval")
        self.expect(",", "between the bounds of an interval")
        if self.accept("inf"):
            if not self.accept(")"):
                self.expect("]", "or ')' after inf")
            return Interval(start)
        end = self._whole("the end of an interval")
        if self.next.kind == ")":
            raise self.expected("']', as intervals include both their bounds")
        self.expect("]", "at the end of an interval")
        return self.built(opening, Interval, start, end)

    def opens_signal(self) -> bool:
        """Whether the parenthesis that opens here encloses a signal or a sum, not a formula."""
        depth = 0
        for offset in range(_LONGEST_QUANTITY):
            kind = self.ahead(offset).kind
            if kind not in _SIGNAL_KINDS:
                return False
            depth += (kind == "(") - (kind == ")")
            if depth == 0:
                return self.ahead(offset + 1).kind in RELATIONS
        return False

    def _relation(self) -> Relation:
        for relation in RELATIONS:
            if self.accept(relation):
                return relation
        raise self.expected("one of <= < >= > to compare a signal with a number")

    def _number(self, what: str, way: str = "Use true or false for a bound that never binds.") -> float:
        first = self.next
        sign = -1.0 if self.accept("-") else 1.0
        if first.kind == "+":
            self.take()
        token = self.next
        value = float(token.text) if token.kind == "number" else math.inf
        if token.kind in ("inf", "nan") or (token.kind == "number" and math.isinf(value)):
            given = self.text[first.at : token.at + len(token.text)]
            rule = f"{what} must be a finite number, got {given[:40]}."
            raise error_at(f"{rule} {way}", self.text, first.at)
        if token.kind != "number":
            raise self.expected(f"a number ({what[0].lower()}{what[1:]})")
        self.take()
        return sign * value

    def _whole(
        self, what: str, least: int = 0, way: str = "Divide a time by the sampling step to get its index."
    ) -> int:
        token = self.next
        if token.kind not in ("number", "-", "+"):
            raise self.expected(f"an integer ({what})")
        digits = token.text.isdecimal() and len(token.text) <= 4000  # beyond, Python refuses to convert
        if not digits or int(token.text) < least:
            given = token.text if token.kind == "number" else token.text + self.ahead(1).text
            rule = f"Expected an integer of at least {least} ({what}), got {given[:40]}."
            raise error_at(f"{rule} {way}", self.text, token.at)
        self.take()
        return int(token.text)

    def _quantity(self) -> Quantity:
        """A signal, or a weighted sum of signals."""
        token, n_open = self.next, self._opened()
        if not self._function("sum"):
            self.i -= n_open
            return self._signal()
        terms = [self._term()]
        while self.accept(","):
            terms.append(self._term())
        if not self.accept(")"):
            raise self.expected("',' or ')' after a term of a sum such as -0.4*x1 or 0.5*(x0 - x0@5)")
        self._close(n_open)
        return self.built(token, WeightedSum, tuple(terms))

    def _term(self) -> Term:
        token = self.next
        if token.kind not in _OPENING_TERM:
            raise self.expected("a term of a sum such as -0.4*x1")
        weight = self._weight()
        signal = self._past_signal()
        delay = self._whole("the delay of a term") if self.accept("@") else 0
        return self.built(token, Term, weight, signal, delay)

    def _weight(self) -> float:
        """What stands before a signal: ``0.6*``, ``-``, or nothing."""
        signed = self.next.kind in ("-", "+")
        if self.ahead(int(signed)).kind in ("name", "quoted", "("):
            sign = -1.0 if self.next.kind == "-" else 1.0
            self.i += signed
            return sign
        weight = self._number("A weight", "Leave the term out, or write for example 0.5*x0.")
        self.expect("*", "between a weight and its signal")
        return weight

    def _past_signal(self) -> Signal:
        """A signal that a delay may follow: a change stands in parentheses, as ``(x0 - x0@5)@20``."""
        is_channel = self.next.kind in ("name", "quoted") and self.ahead(1).kind != "("
        return self._course() if is_channel or self.next.text == "zscore" else self._signal()

    def _signal(self) -> Signal:
        n_open = self._opened()
        if self._function("mean"):
            change = self._change()
            self.expect(",", "between the signal and the number of samples of mean")
            signal = replace(change, window=self._whole("the samples to average", least=1))
            self.expect(")", "at the end of mean")
        else:
            signal = self._change()
        self._close(n_open)
        return signal

    def _function(self, name: str) -> bool:
        """Step over ``name(`` if that is what stands here."""
        found = self.next.text == name and self.ahead(1).kind == "("
        self.i += 2 * found
        return found

    def _opened(self) -> int:
        n_open = 0
        while self.accept("("):
            n_open += 1
        return n_open

    def _close(self, n_open: int) -> None:
        for _ in range(n_open):
            self.expect(")", "after a signal")

    def _change(self) -> Signal:
        """A channel, its change over some samples, or the absolute value of that change."""
        token, n_open = self.next, self._opened()
        if self._function("abs"):
            change = self._difference()
            self.expect(")", "at the end of abs")
            change = self.built(token, lambda: replace(change, absolute=True))
        else:
            change = self._difference()
        self._close(n_open)
        return change

    def _difference(self) -> Signal:
        n_open = self._opened()
        if self._function("diff"):
            change = replace(self._course(), lag=1)
            self.expect(")", "after the channel of diff")
        else:
            course = self._course()
            change = replace(course, lag=self._lag(course))
        self._close(n_open)
        return change

    def _course(self) -> Signal:
        """A channel, or its z-scores."""
        if not self._function("zscore"):
            return Signal(self._channel())
        course = Signal(self._channel(), zscore=True)
        self.expect(")", "after the channel of zscore")
        return course

    def _lag(self, course: Signal) -> int:
        """What may follow a channel or its z-scores: minus the same some samples ago."""
        if self.next.kind == "@":
            raise self.expected(
                "a comparison, as a past value is allowed only in a change such as x0 - x0@5, or in sum(x0@5)"
            )
        if not self.accept("-"):
            return 0
        other = self.next
        if self._course() != course:
            rule = "A change must be of one channel, such as x0 - x0@5 or zscore(x0) - zscore(x0)@5."
            raise error_at(rule, self.text, other.at)
        self.expect("@", "and a number of samples, as in x0 - x0@5")
        return self._whole("the samples of a change", least=1)

    def _channel(self) -> int:
        token = self.next
        if token.kind not in ("name", "quoted"):
            raise self.expected("the name of a channel such as x0")
        if token.text == "sum" and self.ahead(1).kind == "(":
            raise self.expected("the name of a channel, as a sum is allowed only as one side of a comparison")
        name = unquoted(self.take())
        own = [i for i, known in enumerate(self.names or ()) if known == name]
        if len(own) == 1:
            return own[0]  # a name wins over a number, whatever it looks like
        if own:
            several = " and ".join(f"x{i}" for i in own)
            raise error_at(f"{name!r} names several channels. Write {several} instead.", self.text, token.at)
        numbered = re.fullmatch(r"x_?([0-9]{1,4000})", plain(name)) if token.kind == "name" else None
        if numbered and (self.names is None or int(numbered[1]) < len(self.names)):
            return int(numbered[1])
        raise error_at(f"There is no channel {name[:40]!r}. {self._suggestion(name)}", self.text, token.at)

    def _suggestion(self, name: str) -> str:
        if self.names is None:
            return "Without channel_names, channels are called x0, x1, …"
        numbers = "x0" if len(self.names) == 1 else f"x0 to x{len(self.names) - 1}"
        close = difflib.get_close_matches(name[:100], self.names, n=1, cutoff=0.5)
        if close:
            return f"Did you mean {close[0]!r}? Numbers are understood too: {numbers}."
        shown = ", ".join(map(repr, self.names[:8])) + (", …" if len(self.names) > 8 else "")
        return f"The channels are {shown}, or {numbers}."

    def _tube(self) -> Tube:
        opening = self.take()
        interval = self.interval()
        self.expect("(", "and the shape of a tube")
        tracks = [self._track()]
        while self.accept(","):
            tracks.append(self._track())
        step = 1
        if self.accept(";"):
            if self.next.text != "step":
                raise self.expected("'step' and a number of samples")
            self.take()
            step = self._whole("the step of a tube", least=1)
        self.expect(")", "at the end of a tube")
        return self.built(opening, Tube, tuple(tracks), step, interval)

    def _track(self) -> Track:
        token = self.next
        is_relative = self._function("rel")
        signal = self._signal()
        if is_relative:
            self.expect(")", "after rel(")
        self.expect("~", "before the points of a shape")
        points = [self._number("A point of a tube")]
        while self.next.kind in ("number", "-", "+", "inf", "nan"):
            points.append(self._number("A point of a tube"))
        self.expect("+-", "and the tolerance after the points of a shape")
        delta = self._number("The tolerance of a tube")
        return self.built(token, Track, signal, tuple(points), delta, is_relative)
