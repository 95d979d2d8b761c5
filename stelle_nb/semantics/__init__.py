"""What formulas mean on signals: robustness, satisfaction, and the reasons for both."""

from stelle_nb.semantics.bank import FormulaBank
from stelle_nb.semantics.device import resolve_device
from stelle_nb.semantics.robustness import robustness, robustness_trace, satisfies

__all__ = ["robustness", "robustness_trace", "satisfies", "FormulaBank", "resolve_device"]
