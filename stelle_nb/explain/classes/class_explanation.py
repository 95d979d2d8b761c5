"""The explanation of a class: what its cases have in common and the others lack."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field, replace
from typing import Any, final

import numpy as np
import numpy.typing as npt
import pandas as pd
from jaxtyping import Float

from stelle_nb.arguments import whole
from stelle_nb.depict.background import Background
from stelle_nb.depict.class_names import class_name
from stelle_nb.depict.regions import Case
from stelle_nb.depict.wording import Wording
from stelle_nb.errors import ExplanationError
from stelle_nb.explain.classes.card_part import CardEntry, entry_from_json, entry_to_json, with_unseen
from stelle_nb.explain.classes.class_clause import (
    ClassClause,
    ClassConjunct,
    clause_from_json,
    clause_to_json,
)
from stelle_nb.explain.classes.counts import Counts, counts_from_json, labelled_cases
from stelle_nb.explain.classes.cover import Cover
from stelle_nb.explain.document import (
    background_from_json,
    background_to_json,
    finite_from_json,
    formula_reader,
    label_from_json,
    label_to_json,
    read_document,
    trace_from_json,
    trace_to_json,
    wording_from_json,
    wording_to_json,
    write_document,
)
from stelle_nb.explain.explanation import Explanation, percent, size_text
from stelle_nb.logic.formula import Formula
from stelle_nb.rewrite import Trace
from stelle_nb.semantics.robustness import robustness, satisfies

KIND = "stelle_nb class explanation"
LEAST_POINTS = 0.25  # of the largest: formulas of the card with fewer are not worth a row


@final
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ClassExplanation(Explanation):
    """A formula that holds for the cases of a class and not for others, as far as training cases go.

    Parameters
    ----------
    clauses
        The alternatives.
    cover
        How they were chosen, if by set cover: solver, status, gap and the greedy choice; else None.
    n_own, n_opponents
        Training cases of the class and of the other classes.
    n_satisfied, n_mistaken
        Of these, the ones that satisfy the formula.
    method, gamma_g
        How it was made, and what was given up for a shorter formula, see ``explain_global``.
    needed
        How many of the clauses have to hold: one as a rule, more where they are conditions to be counted.
    card
        The class's part of the score card: what speaks for it, strongest first, then what speaks against it.
        Empty unless the method is ``"card"``.
    unseen
        How the formula divides unseen cases, see :meth:`on`; None if not computed.
    """

    target: Any
    trace: Trace
    clauses: tuple[ClassClause, ...]
    cover: Cover | None
    n_own: int
    n_opponents: int
    n_satisfied: int
    n_mistaken: int
    method: str
    gamma_g: float
    background: Background
    wording: Wording = field(default_factory=Wording)
    needed: int = 1
    card: tuple[CardEntry, ...] = ()
    unseen: Counts | None = None

    @property
    def conjuncts(self) -> tuple[ClassConjunct, ...]:
        """The conditions of all alternatives, in reading order."""
        return tuple(part for clause in self.clauses for part in clause.conjuncts)

    @property
    def relevance(self) -> Float[npt.NDArray[np.float64], " conjunct"]:
        """Of each conjunct: the share of training cases that would be on the wrong side without it."""
        return np.array([part.relevance for part in self.conjuncts], dtype=np.float64)

    @property
    def separability(self) -> float:
        """Share of all training cases that are on the right side."""
        right = self.n_satisfied + self.n_opponents - self.n_mistaken
        return right / (self.n_own + self.n_opponents)

    @property
    def recall(self) -> float:
        """Share of the training cases of the class that satisfy the formula."""
        return self.n_satisfied / self.n_own

    @property
    def specificity(self) -> float:
        """Share of the training cases of other classes that do not satisfy it."""
        return 1 - self.n_mistaken / self.n_opponents

    @property
    def precision(self) -> float:
        """Share of the class among the training cases that satisfy it; NaN if none do."""
        satisfied = self.n_satisfied + self.n_mistaken
        return self.n_satisfied / satisfied if satisfied else math.nan

    def on(self, X: Any, y: Any = None) -> ClassExplanation:
        """The same explanation with its figures on unseen cases beside those on the training cases.

        Parameters
        ----------
        X, y
            Unseen cases and their labels, or a :class:`stelle_nb.SeriesDataset`, whose test cases are taken.
        """
        cases, labels = labelled_cases(X, y)
        is_own = np.array([label == self.target for label in labels], dtype=bool)
        formulas = [self.formula, *(entry.formula for entry in self.card)]
        holds = np.asarray(satisfies(formulas, cases), dtype=bool)  # (case, formula)
        entries = with_unseen(self.card, holds[:, 1:], is_own)
        return replace(self, unseen=Counts.of(holds[:, 0], is_own), card=entries)

    @property
    def title(self) -> str:
        return f"What makes {class_name(self.target)}?"

    def facts(self) -> dict[str, str]:
        found = {
            "recall on training cases": f"{percent(self.recall)} of {self.n_own}",
            "specificity on training cases": f"{percent(self.specificity)} of {self.n_opponents}",
            "precision on training cases": percent(self.precision),
        }
        if (unseen := self.unseen) is not None:
            found["recall on unseen cases"] = f"{percent(unseen.recall)} of {unseen.n_own}"
            found["specificity on unseen cases"] = f"{percent(unseen.specificity)} of {unseen.n_opponents}"
        if self.card:
            n_for = sum(entry.points > 0 for entry in self.card)
            speak = "speaks" if n_for == 1 else "speak"
            found["formulas of the card"] = f"{n_for} {speak} for it, {len(self.card) - n_for} against it"
        found |= {
            "nodes": size_text(self.formula),
            "channels": ", ".join(self.wording.channel(channel) for channel in sorted(self.channels)),
            "method": f"{self.method} (gamma_g = {self.gamma_g:g})",
        }
        return found if self.cover is None else {**found, "set cover": _cover_text(self.cover)}

    def to_frame(self, *, least: float | None = None) -> pd.DataFrame:
        """A row for each formula of the class's part of the card, or for each clause if there is no card.

        Parameters
        ----------
        least
            Formulas of the card whose points are fewer than this share of the largest are left out; 0 for
            the whole card. A quarter if left out.
        """
        return self._card_frame(LEAST_POINTS if least is None else least) if self.card else self._clauses()

    def _card_frame(self, least: float) -> pd.DataFrame:
        largest = max(abs(entry.points) for entry in self.card)
        shown = [entry for entry in self.card if abs(entry.points) >= least * largest]
        columns: dict[str, list[Any]] = {
            "in words": [self.wording.english(entry.formula) for entry in shown],
            "speaks": [entry.speaks for entry in shown],
            "points": [round(entry.points, 1) for entry in shown],
            "holds in the class": [entry.in_class for entry in shown],
            "elsewhere": [entry.elsewhere for entry in shown],
        }
        if self.unseen is not None:
            columns["in the class, unseen"] = [entry.unseen_in_class for entry in shown]
            columns["elsewhere, unseen"] = [entry.unseen_elsewhere for entry in shown]
        columns["in the formula"] = [_use(entry) for entry in shown]
        columns["formula"] = [self.wording.unicode(entry.formula) for entry in shown]
        return pd.DataFrame(columns)

    def _clauses(self) -> pd.DataFrame:
        rows = [
            (
                self.wording.unicode(clause.formula),
                self.wording.english(clause.formula),
                len(clause.covered),
                len(clause.covered) / self.n_own,
                clause.excluded,
                clause.formula.size,
            )
            for clause in self.clauses
        ]
        return pd.DataFrame(rows, columns=["clause", "in words", "cases", "recall", "specificity", "nodes"])

    def _table(self) -> pd.DataFrame:
        """The rows as people read them: shares in percent."""
        table = self.to_frame()
        for name in ("holds in the class", "elsewhere", "in the class, unseen", "elsewhere, unseen"):
            if name in table:
                table[name] = [_whole_percent(share) for share in table[name]]
        return table.drop(columns="formula", errors="ignore")

    def to_json(self) -> str:
        return write_document(
            KIND,
            {
                "target": label_to_json(self.target),
                **trace_to_json(self.trace, self.wording),
                "english": self.to_english(),
                "clauses": [clause_to_json(clause, self.wording) for clause in self.clauses],
                "needed": self.needed,
                "card": [entry_to_json(entry, self.wording) for entry in self.card],
                "unseen": None if self.unseen is None else asdict(self.unseen),
                "cover": None if self.cover is None else asdict(self.cover),
                "n_own": self.n_own,
                "n_opponents": self.n_opponents,
                "n_satisfied": self.n_satisfied,
                "n_mistaken": self.n_mistaken,
                "method": self.method,
                "gamma_g": float(self.gamma_g),
                "background": background_to_json(self.background),
                **wording_to_json(self.wording),
            },
        )

    @classmethod
    def from_json(cls, text: str) -> ClassExplanation:
        """Read what :meth:`to_json` wrote; nothing in it is run."""
        return read_document(text, KIND, _from_document)

    @property
    def alternatives(self) -> tuple[Formula, ...]:
        """The formulas of its clauses."""
        return tuple(clause.formula for clause in self.clauses)

    def _front(self) -> tuple[Case | None, str]:
        """The first case of the class in the background that satisfies the formula."""
        background, caption = self.background, "an example"
        if background.stride > 1 or not background.channels:
            return None, caption  # shapes cannot be found on thinned cases
        full = np.zeros((len(background.labels), max(background.channels) + 1, background.cases.shape[2]))
        full[:, list(background.channels)] = background.cases
        holds = robustness(self.formula, full) >= 0
        own = [i for i, label in enumerate(background.labels) if label == self.target and holds[i]]
        return (full[own[0]] if own else None), caption

    def __repr__(self) -> str:
        return (
            f"<ClassExplanation of {self.target!r}: {self.to_unicode()}; recall {percent(self.recall)}, "
            f"specificity {percent(self.specificity)}, {self.size} nodes>"
        )


def _whole_percent(share: float | None) -> str:
    """A share to the percent; 0 and 100 mean none and all."""
    if share is None or math.isnan(share):
        return "-"
    return (
        f"{share:.0%}".replace("%", " %") if share in (0, 1) else f"{min(99, max(1, round(100 * share)))} %"
    )


def _use(entry: CardEntry) -> str:
    return ("as it stands" if entry.points > 0 else "negated") if entry.is_used else ""


def _cover_text(cover: Cover) -> str:
    gap = "unknown gap" if cover.gap is None else f"gap {percent(cover.gap)}"
    return (
        f"{cover.solver}, {cover.status}, {gap}: {len(cover.chosen)} clauses of cost {cover.cost:g}; "
        f"the greedy choice costs {cover.greedy_cost:g}; {cover.n_uncovered} cases stay uncovered"
    )


def _from_document(value: dict[str, Any]) -> ClassExplanation:
    read = formula_reader(value)
    clauses = tuple(clause_from_json(clause, read) for clause in value["clauses"])
    needed = whole(
        value.get("needed", 1), "needed", least=1, most=max(1, len(clauses)), error=ExplanationError
    )
    n_own = whole(value["n_own"], "n_own", least=1, error=ExplanationError)
    n_opponents = whole(value["n_opponents"], "n_opponents", least=1, error=ExplanationError)
    return ClassExplanation(
        target=label_from_json(value["target"]),
        trace=trace_from_json(value),
        clauses=clauses,
        cover=_cover_from_json(value["cover"]),
        n_own=n_own,
        n_opponents=n_opponents,
        n_satisfied=whole(value["n_satisfied"], "n_satisfied", most=n_own, error=ExplanationError),
        n_mistaken=whole(value["n_mistaken"], "n_mistaken", most=n_opponents, error=ExplanationError),
        method=str(value["method"]),
        gamma_g=finite_from_json(value["gamma_g"]),
        background=background_from_json(value["background"]),
        wording=wording_from_json(value),
        needed=needed,
        card=tuple(entry_from_json(entry, read) for entry in value.get("card", ())),
        unseen=counts_from_json(value.get("unseen")),
    )


def _cover_from_json(value: dict[str, Any] | None) -> Cover | None:
    if value is None:
        return None
    return Cover(
        chosen=tuple(int(j) for j in value["chosen"]),
        cost=finite_from_json(value["cost"]),
        solver=str(value["solver"]),
        status=str(value["status"]),
        gap=None if value["gap"] is None else finite_from_json(value["gap"]),
        greedy=tuple(int(j) for j in value["greedy"]),
        greedy_cost=finite_from_json(value["greedy_cost"]),
        n_uncovered=int(value["n_uncovered"]),
    )
