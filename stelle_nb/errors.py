"""The errors of stelle_nb: each message states the rule, the value and the way out."""

from __future__ import annotations


class StelleError(Exception):
    """Anything this package refuses on purpose."""


class FormulaError(StelleError, ValueError):
    """A formula that cannot be built."""


class IntervalError(FormulaError):
    """An interval that is no interval."""
