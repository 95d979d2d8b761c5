"""What formulas mean on signals: robustness, satisfaction, and the reasons for both."""

from stelle_nb.semantics.bank import FormulaBank
from stelle_nb.semantics.device import resolve_device
from stelle_nb.semantics.robustness import robustness, robustness_trace, robustness_traces, satisfies
from stelle_nb.semantics.smooth import smooth_robustness
from stelle_nb.semantics.witness import Witness, witness

__all__ = [
    "robustness",
    "robustness_trace",
    "robustness_traces",
    "satisfies",
    "FormulaBank",
    "resolve_device",
    "smooth_robustness",
    "witness",
    "Witness",
]
