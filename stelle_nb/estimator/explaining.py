"""The part of the classifier that explains: cases, classes, and classes updated with new cases."""

from __future__ import annotations

from collections.abc import Callable, Sized
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from jaxtyping import Float

from stelle_nb.arguments import brief_list
from stelle_nb.data.cases import Series
from stelle_nb.data.readers.indexed import align_labels
from stelle_nb.depict.background import Background
from stelle_nb.errors import ExplanationError
from stelle_nb.estimator.labels import Labels, encode, enter_labels
from stelle_nb.explain.classes.class_explanation import ClassExplanation
from stelle_nb.explain.classes.class_level import DEFAULT, explain_class, method_of
from stelle_nb.explain.classes.class_task import ClassTask, own_relevance
from stelle_nb.explain.counterfactual.changed_case import Counterfactual
from stelle_nb.explain.counterfactual.counterfactual import counterfactual
from stelle_nb.explain.joining import join_evidence
from stelle_nb.explain.local.build import spans_of
from stelle_nb.explain.local.card_level import explain_by_card
from stelle_nb.explain.local.local_clause import Gammas
from stelle_nb.explain.local.local_explanation import LocalExplanation
from stelle_nb.explain.local.local_level import Setting, explain_cases
from stelle_nb.explain.local.reading_cost import reading_costs
from stelle_nb.explain.local.saliency import resting_level
from stelle_nb.explain.reference import Reference
from stelle_nb.explain.targets import class_number
from stelle_nb.logic.printing.rounding import Span
from stelle_nb.model.card.card_model import ScorecardModel
from stelle_nb.model.concept_model import ConceptModel, Evidence
from stelle_nb.progress import Progress, as_progress, share_of

Known = TypeVar("Known")


class Explaining:
    """Explanations of a fitted classifier; the model stays as it is.

    Attributes
    ----------
    model_
        The fitted model.
    reference_, evidence_
        What it knows about the training cases, and about those of later updates.
    background_
        A few training cases of each class, for drawings.
    series_
        The cases of ``reference_`` as they were given, those of ``fit`` first.
    seed_
        Of the synthetic cases that class formulas are judged on; it is ``random_state`` where that is a
        number.
    """

    model_: ConceptModel
    reference_: Reference
    evidence_: Evidence
    background_: Background
    series_: Series
    seed_: int
    metadata_: dict[str, Any]
    classes_: Labels

    def explain_local(
        self,
        X: Any,
        target: Any = None,
        *,
        gamma: int | None = None,
        gamma_t: float = 0.8,
        gamma_l: float = 0.0,
    ) -> list[LocalExplanation]:
        """Explain for each case why the model predicts its class, or what supports another one.

        Parameters
        ----------
        X
            Cases like those given to ``fit``.
        target
            The class to argue for: a label, or one for each case; the predicted one if left out.
        gamma
            How many formulas of the score card to show, the most relevant first, at most 8; of other models,
            how many concepts to choose from. None to let ``gamma_t`` decide.
        gamma_t
            Share of what speaks for the class, in (0, 1], that these formulas or concepts carry. Of a score
            card, up to 0.15 more where the class would be predicted without them.
        gamma_l
            In [0, 1): a condition stays only if it excludes more than this share of the training cases of
            other classes beyond those that the others exclude. More makes shorter formulas. With 0, all that
            a score card shows stays.

        Returns
        -------
        list of LocalExplanation
            One for each case. Of a score card, ``why.sheet`` holds all its formulas, with what each adds to
            each score.
        """
        self._check_is_fitted()  # type: ignore[attr-defined]
        gammas = Gammas(gamma, gamma_t, gamma_l)
        series: Series = self._preprocess_collection(X, store_metadata=False)  # type: ignore[attr-defined]
        targets = None if target is None else self._targets(align_labels(X, target, "target"), len(series))
        if isinstance(self.model_, ScorecardModel):
            rho = self._remembered(series, self.model_.robustness)
            found = explain_by_card(self._setting(), series, rho, targets, gammas)
        else:
            evidence = self._remembered(series, self.model_.evidence)
            found = explain_cases(self._setting(), series, evidence, targets, gammas)
        return self._with_novelty(found, series)  # type: ignore[attr-defined,no-any-return]

    def explain_global(
        self,
        gamma_g: float = 0.0,
        *,
        method: str = DEFAULT,
        target: Any = None,
        gamma: int | None = None,
        gamma_t: float = 0.8,
        gamma_l: float = 0.0,
        progress: Progress | bool | None = None,
    ) -> dict[Any, ClassExplanation]:
        """Describe for each class what its cases have in common and the others lack.

        Parameters
        ----------
        gamma_g
            In [0, 1): how much of the class may be given up for a shorter formula. For ``"paper"`` it is the
            share of the class that is left uncovered. For ``"card"`` it is the share of the class that may be
            missed beyond what the best formula misses; false alarms count as well.
        method
            ``"card"``, for score cards only, reads off what speaks for the class and what against it, and
            joins up to five of the card's formulas: at least m of n, all, or any of them. ``"paper"`` covers
            the class by local explanations of its training cases. ``"default"`` is ``"card"`` for a score
            card and ``"paper"`` for other models.
        target
            The class to describe, or a list of some; all if left out.
        gamma, gamma_t, gamma_l
            Of the local explanations that ``"paper"`` starts from, see :meth:`explain_local`.
        progress
            Progress callback, with equally many steps for each class; see :mod:`stelle_nb.progress`.

        Returns
        -------
        dict
            From the label of each class to its ClassExplanation. Its figures are those on training cases;
            ``explanation.on(X_test, y_test)`` adds those on unseen ones.
        """
        self._check_is_fitted()  # type: ignore[attr-defined]
        method_of(method, self.model_)
        setting, gammas = self._setting(), Gammas(gamma, gamma_t, gamma_l)
        cases = self.evidence_, self.series_, self.metadata_["n_cases"]
        chosen = range(len(setting.classes)) if target is None else self._chosen(target)
        report, found = as_progress(progress, "describing"), {}
        share_of(report, 0, len(chosen))(0)
        for n_done, k in enumerate(chosen):
            tell = share_of(report, n_done, len(chosen))
            task = ClassTask(setting, *cases, k, gammas, gamma_g, self.seed_, self._derived, tell)
            found[setting.classes[k]] = explain_class(task, method)
            tell(1)
        return found

    def update_global(self, X_new: Any, y_new: Any, **options: Any) -> dict[Any, ClassExplanation]:
        """Take further labelled cases into account without retraining.

        The model stays as it is; from now on explanations exclude these cases as well. Only
        the new cases are evaluated, and the result is what a computation from scratch would give. If it is
        cancelled or rejected, nothing changes.

        Parameters
        ----------
        X_new, y_new
            Cases like those given to ``fit``, with labels of classes that it has seen.
        **options
            As for :meth:`explain_global`, whose result is returned.
        """
        self._check_is_fitted()  # type: ignore[attr-defined]
        series: Series = self._preprocess_collection(X_new, store_metadata=False)  # type: ignore[attr-defined]
        codes = encode(enter_labels(align_labels(X_new, y_new), len(series)), self.classes_)
        evidence = self.model_.evidence(series)
        derived: dict[str, Any] = {"costs": self._costs()}
        if "relevance" in self._derived:
            derived["relevance"] = {
                k: np.concatenate([known, own_relevance(self.model_, evidence, codes == k, k)])
                for k, known in self._derived["relevance"].items()
            }
        known = self.reference_, self.evidence_, self.background_, self.series_
        known_derived = self._derived
        self._remember(
            self.reference_.extended(evidence.robustness.cpu().numpy(), codes),
            join_evidence(self.evidence_, evidence),
            self.background_,
            np.concatenate([self.series_, series]),
        )
        self._derived.update(derived)
        try:
            return self.explain_global(**options)
        except BaseException:  # cancelled or refused: asked again, the cases must not count twice
            self._remember(*known)
            self._derived.update(known_derived)
            raise

    def counterfactual(self, x: Any, *, target: Any = None, **options: Any) -> Counterfactual:
        """Find a small, smooth change of a case that makes its explanation false and flips the prediction.

        Parameters
        ----------
        x
            One case ``(n_channels, n_timepoints)``.
        target
            The class to flip to; the one that is closest if left out.
        **options
            ``channels``, ``smoothness``, ``bound`` and others of
            :func:`stelle_nb.explain.counterfactual.counterfactual.counterfactual`.
        """
        self._check_is_fitted()  # type: ignore[attr-defined]
        return counterfactual(self, x, target=target, **options)  # type: ignore[arg-type]

    def _remember(
        self, reference: Reference, evidence: Evidence, background: Background, series: Series
    ) -> None:
        """Keep what explanations are based on; everything else is derived again when needed."""
        self.reference_, self.evidence_, self.background_ = reference, evidence, background
        self.series_ = series
        self._derived: dict[Any, Any] = {}

    def __getstate__(self) -> dict[str, Any]:
        """Everything but what is derived again when it is needed."""
        state: Any = super().__getstate__()
        return {**state, "_derived": {}} if "_derived" in state else state

    def _remembered(self, series: Series, evaluate: Callable[[Series], Known]) -> Known:
        """The model's evidence on cases; that of a single case is cached, for when the gammas change."""
        if len(series) != 1:
            return evaluate(series)
        last = self._derived.get("asked")
        if last is None or not np.array_equal(last[0], series):
            last = self._derived["asked"] = series.copy(), evaluate(series)
        known: Known = last[1]
        return known

    def _costs(self) -> Float[npt.NDArray[np.float64], " concept"]:
        if "costs" not in self._derived:
            self._derived["costs"] = reading_costs(self.model_.concepts, self.model_.basis)
        return self._derived["costs"]  # type: ignore[no-any-return]

    def _spans(self) -> tuple[Span, ...]:
        if "spans" not in self._derived:
            self._derived["spans"] = spans_of(self.series_)
        return self._derived["spans"]  # type: ignore[no-any-return]

    def _rest(self) -> tuple[float, ...]:
        if "rest" not in self._derived:
            self._derived["rest"] = tuple(resting_level(self.series_).tolist())
        return self._derived["rest"]  # type: ignore[no-any-return]

    def _setting(self) -> Setting:
        return Setting(
            model=self.model_,
            reference=self.reference_,
            costs=self._costs(),
            classes=self.classes_.tolist(),
            background=self.background_,
            wording=self.wording_,  # type: ignore[attr-defined]
            spans=self._spans(),
            series=self.series_,
            rest=self._rest(),
        )

    def _chosen(self, target: Any) -> list[int]:
        """The different class numbers among the targets, in the order of the classes."""
        n = len(target) if isinstance(target, Sized) and getattr(target, "ndim", None) != 0 else 1
        if n == 0 and class_number(target, self.classes_.tolist()) is None:
            raise ExplanationError(
                f"target must name at least one of the classes {brief_list(self.classes_.tolist())}, "
                f"got {target!r}. Leave it out for all classes."
            )
        return sorted(set(self._targets(target, n)))

    def _targets(self, target: Any, n_cases: int) -> list[int]:
        """The class number to argue for in each case."""
        classes = self.classes_.tolist()
        target = target.item() if isinstance(target, np.ndarray) and target.ndim == 0 else target
        if (number := class_number(target, classes)) is not None:
            return [number] * n_cases
        if isinstance(target, str) or not hasattr(target, "__len__"):
            raise ExplanationError(
                f"target must be one of the classes {brief_list(classes)}, or a list of these, "
                f"got {target!r}."
            )
        codes: list[int] = encode(enter_labels(target, n_cases, "target"), self.classes_).tolist()
        return codes
