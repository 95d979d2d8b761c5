"""The errors of stelle_nb: each message states the rule, the value and the way out."""

from __future__ import annotations


class StelleError(Exception):
    """Base class of all errors that this package raises on purpose."""


class ArgumentError(StelleError, TypeError):
    """An argument of the wrong type."""


class FormulaError(StelleError, ValueError):
    """A formula that cannot be built."""


class NotAFormulaError(FormulaError, TypeError):
    """Something other than a formula where one is required."""


class IntervalError(FormulaError):
    """An invalid interval."""


class DataError(StelleError, ValueError):
    """Time series or labels that cannot be used as they are."""


class DataWarning(UserWarning):
    """Time series that can be used as they are, but are probably not what was meant."""


class DataNotFoundError(DataError, FileNotFoundError):
    """A data set that is not where it was looked for."""


class Cancelled(StelleError):
    """A long computation that was cancelled; nothing was changed."""


class KernelError(StelleError, ValueError):
    """A base measure or a kernel that cannot be computed as requested."""


class ConceptError(StelleError, ValueError):
    """Concepts that cannot be generated or used as requested."""


class FileError(StelleError, OSError):
    """A file that cannot be written; what was there before is still there."""


class BundleError(StelleError, ValueError):
    """A saved folder or zip file that is corrupt, from another program, or too large."""


class ModelError(StelleError, ValueError):
    """A model that cannot be set up, trained or rebuilt as requested."""


class NoCardError(ModelError, AttributeError):
    """A score card requested from a model without one; an AttributeError, so that ``hasattr`` is False."""


class SignalError(StelleError, ValueError):
    """Signals on which a formula cannot be evaluated."""


class ParseError(FormulaError):
    """Text that is not a formula; ``line`` and ``column``, counted from 1, say where."""

    def __init__(self, message: str, text: str, line: int, column: int) -> None:
        super().__init__(message, text, line, column)
        self.message, self.text, self.line, self.column = message, text, line, column

    def __str__(self) -> str:
        begin = max(0, self.column - 41)  # a long line is shown around the place
        shown = self.text.split("\n")[self.line - 1].replace("\t", " ")[begin : begin + 80]
        place = f"column {self.column}" if self.line == 1 else f"line {self.line}, column {self.column}"
        return f"{self.message} ({place})\n    {shown}\n    {' ' * (self.column - 1 - begin)}^"


class SimplifyError(StelleError, ValueError):
    """A simplification that cannot be made or replayed as requested."""


class ExplanationError(StelleError, ValueError):
    """An explanation that cannot be given as requested."""


class BenchError(StelleError, ValueError):
    """A benchmark that cannot be run as requested."""


class PlotError(StelleError, ValueError):
    """A chart that cannot be drawn as requested."""


class PanelError(StelleError, ValueError):
    """A panel that cannot be shown in the requested state."""


class TeachError(StelleError, ValueError):
    """An exercise that cannot be made, or an answer that cannot be read."""
