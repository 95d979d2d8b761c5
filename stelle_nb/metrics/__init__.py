"""What explanations are worth: measures on formulas, cases, labels and predictions."""

from stelle_nb.metrics.agreement import Agreement, ClassAgreement, fidelity, recovery, stability
from stelle_nb.metrics.classes import ClassQuality, Division, class_quality
from stelle_nb.metrics.deletion import Deletion
from stelle_nb.metrics.faithfulness import Faithfulness, FaithfulnessRow, faithfulness
from stelle_nb.metrics.form import Form, FormRecovery, recovered_form
from stelle_nb.metrics.intervention import Intervention
from stelle_nb.metrics.local import (
    LocalQuality,
    LocalRow,
    coverage,
    local_quality,
    local_separability,
    measure_local,
)
from stelle_nb.metrics.readability import Readability, readability
from stelle_nb.metrics.rule_classifier import (
    formula_accuracy,
    formula_units,
    predict_by_formulas,
    signal_scale,
)

__all__ = [
    "local_separability",
    "coverage",
    "measure_local",
    "local_quality",
    "LocalQuality",
    "LocalRow",
    "faithfulness",
    "Faithfulness",
    "FaithfulnessRow",
    "Deletion",
    "Intervention",
    "class_quality",
    "ClassQuality",
    "Division",
    "fidelity",
    "recovery",
    "recovered_form",
    "FormRecovery",
    "Form",
    "stability",
    "Agreement",
    "ClassAgreement",
    "readability",
    "Readability",
    "signal_scale",
    "formula_units",
    "predict_by_formulas",
    "formula_accuracy",
]
