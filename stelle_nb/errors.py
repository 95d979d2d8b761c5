"""The errors of stelle_nb: each message states the rule, the value and the way out."""

from __future__ import annotations


class StelleError(Exception):
    """Anything this package refuses on purpose."""


class FormulaError(StelleError, ValueError):
    """A formula that cannot be built."""


class IntervalError(FormulaError):
    """An interval that is no interval."""


class DataError(StelleError, ValueError):
    """Time series or labels that cannot be used as they are."""


class DataNotFoundError(DataError, FileNotFoundError):
    """A data set that is not where it was looked for."""


class Cancelled(StelleError):
    """Long work that was stopped on request; nothing was changed."""


class KernelError(StelleError, ValueError):
    """A base measure or a kernel that cannot be computed as asked."""


class ConceptError(StelleError, ValueError):
    """Concepts that cannot be made or used as asked."""


class BundleError(StelleError, ValueError):
    """A saved folder or zip that is broken, foreign or too large."""


class ModelError(StelleError, ValueError):
    """A model that cannot be set up, trained or rebuilt as asked."""


class SignalError(StelleError, ValueError):
    """Signals on which a formula cannot be evaluated."""
