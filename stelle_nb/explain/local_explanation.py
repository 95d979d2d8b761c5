"""The explanation of one case: why this class, or why another."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, final

import numpy as np
import numpy.typing as npt
import pandas as pd
from jaxtyping import Float

from stelle_nb.explain.background import Background
from stelle_nb.explain.document import (
    background_from_json,
    background_to_json,
    finite_from_json,
    formula_reader,
    label_from_json,
    label_to_json,
    matrix_from_json,
    number_to_json,
    read_document,
    trace_from_json,
    trace_to_json,
    wording_from_json,
    wording_to_json,
    write_document,
)
from stelle_nb.explain.explanation import Explanation, nodes_text, percent
from stelle_nb.explain.local import Gammas
from stelle_nb.explain.regions import Case
from stelle_nb.explain.wording import Wording
from stelle_nb.logic.formula import Formula
from stelle_nb.rewrite import Trace

KIND = "stelle_nb local explanation"


@final
@dataclass(frozen=True, slots=True)
class Conjunct:
    """One of the conditions that a local explanation joins by and.

    Parameters
    ----------
    formula
        The condition: the concept shifted, negated if need be, and simplified.
    concept
        The concept of the model that it was made of, in the user's units, rounded as far as a hundredth of
        their deviations allows.
    number
        Of the concept in the model.
    relevance
        What the concept matters to the model here, for the target rather than for the other classes.
    separability
        Share of the training cases of other classes that this condition alone excludes.
    """

    formula: Formula
    concept: Formula
    number: int
    relevance: float
    separability: float


@final
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LocalExplanation(Explanation):
    """A short formula that holds for a case and sets it apart, made of what mattered to the model.

    Parameters
    ----------
    conjuncts
        The conditions, in the order in which they were chosen.
    relevance_share
        Share of all the model's relevance that their concepts carry.
    separability
        Share of the training cases of other classes that the formula excludes.
    coverage
        Share of the training cases of the target class that it holds for.
    considered
        How many concepts the gammas let in.
    prediction
        What the model predicts for the case.
    probability
        What the model gives the target class.
    robustness
        Of the formula on the case.
    convergence_error
        By how much the model's attributions fail to add up to its score; 0 where they are exact.
    gammas
        How much was asked for.
    case
        The explained series ``(channel, time)``.
    """

    target: Any
    trace: Trace
    conjuncts: tuple[Conjunct, ...]
    relevance_share: float
    separability: float
    coverage: float
    considered: int
    prediction: Any
    probability: float
    robustness: float
    convergence_error: float
    gammas: Gammas
    case: Case
    background: Background
    wording: Wording = field(default_factory=Wording)

    @property
    def relevance(self) -> Float[npt.NDArray[np.float64], " conjunct"]:
        """Of each conjunct's concept."""
        return np.array([part.relevance for part in self.conjuncts], dtype=np.float64)

    @property
    def title(self) -> str:
        if self.prediction == self.target:
            return f"Why {self.target}?"
        return f"Why {self.target}, and not {self.prediction}?"

    def facts(self) -> dict[str, str]:
        gammas = self.gammas
        letting_in = f"gamma_t = {gammas.gamma_t:g}" if gammas.gamma is None else f"gamma = {gammas.gamma}"
        return {
            "predicted": str(self.prediction),
            f"probability of {self.target}": percent(self.probability),
            "separates from training cases of other classes": percent(self.separability),
            f"covers training cases of {self.target}": percent(self.coverage),
            "share of the model's relevance": percent(self.relevance_share),
            "nodes": nodes_text(self.formula),
            "channels": ", ".join(self.wording.channel(channel) for channel in sorted(self.channels)),
            "robustness of the case": f"{self.robustness:.4g}",
            "concepts considered": f"{self.considered} ({letting_in}, gamma_l = {gammas.gamma_l:g})",
            "convergence error of attributions": f"{self.convergence_error:.2g}",
        }

    def to_frame(self) -> pd.DataFrame:
        """A row for each conjunct, in the order in which they were chosen."""
        rows = [
            (
                self.wording.unicode(part.formula),
                self.wording.english(part.formula),
                part.relevance,
                part.separability,
                part.formula.size,
                self.wording.unicode(part.concept),
            )
            for part in self.conjuncts
        ]
        return pd.DataFrame(
            rows, columns=["condition", "in words", "relevance", "separability", "nodes", "concept"]
        )

    def to_json(self) -> str:
        gammas = self.gammas
        return write_document(
            KIND,
            {
                "target": label_to_json(self.target),
                **trace_to_json(self.trace, self.wording),
                "english": self.to_english(),
                "conjuncts": [_conjunct_to_json(part, self.wording) for part in self.conjuncts],
                "relevance_share": self.relevance_share,
                "separability": self.separability,
                "coverage": self.coverage,
                "considered": self.considered,
                "prediction": label_to_json(self.prediction),
                "probability": self.probability,
                "robustness": number_to_json(self.robustness),
                "convergence_error": self.convergence_error,
                "gammas": {
                    "gamma": None if gammas.gamma is None else int(gammas.gamma),
                    "gamma_t": float(gammas.gamma_t),
                    "gamma_l": float(gammas.gamma_l),
                },
                "case": self.case.tolist(),
                "background": background_to_json(self.background),
                **wording_to_json(self.wording),
            },
        )

    @classmethod
    def from_json(cls, text: str) -> LocalExplanation:
        """Read what :meth:`to_json` wrote; nothing in it is run."""
        return read_document(text, KIND, _from_document)

    def _front(self) -> tuple[Case | None, str]:
        return self.case, "this case"

    def __repr__(self) -> str:
        return (
            f"<LocalExplanation of {self.target!r}: {self.to_unicode()}; "
            f"separates {percent(self.separability)}, covers {percent(self.coverage)}, {self.size} nodes>"
        )


def _conjunct_to_json(part: Conjunct, wording: Wording) -> dict[str, Any]:
    return {
        "formula": wording.ascii(part.formula),
        "concept": wording.ascii(part.concept),
        "number": part.number,
        "relevance": part.relevance,
        "separability": part.separability,
    }


def _from_document(value: dict[str, Any]) -> LocalExplanation:
    read = formula_reader(value)
    conjuncts = tuple(
        Conjunct(
            read(part["formula"]),
            read(part["concept"]),
            int(part["number"]),
            finite_from_json(part["relevance"]),
            finite_from_json(part["separability"]),
        )
        for part in value["conjuncts"]
    )
    return LocalExplanation(
        target=label_from_json(value["target"]),
        trace=trace_from_json(value),
        conjuncts=conjuncts,
        relevance_share=finite_from_json(value["relevance_share"]),
        separability=finite_from_json(value["separability"]),
        coverage=finite_from_json(value["coverage"]),
        considered=int(value["considered"]),
        prediction=label_from_json(value["prediction"]),
        probability=finite_from_json(value["probability"]),
        robustness=float(value["robustness"]),
        convergence_error=finite_from_json(value["convergence_error"]),
        gammas=Gammas(**value["gammas"]),
        case=matrix_from_json(value["case"]),
        background=background_from_json(value["background"]),
        wording=wording_from_json(value),
    )
