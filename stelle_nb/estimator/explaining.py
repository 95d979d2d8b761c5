"""The part of the classifier that explains: cases, classes, and classes updated with new cases."""

from __future__ import annotations

from collections.abc import Sized
from typing import TYPE_CHECKING, Any

import numpy as np

from stelle_nb.arguments import brief_list
from stelle_nb.data.cases import Series
from stelle_nb.data.readers.indexed import align_labels
from stelle_nb.depict.background import Background
from stelle_nb.depict.wording import Wording
from stelle_nb.errors import ExplanationError
from stelle_nb.estimator.labelling import Labels, encode, enter_labels
from stelle_nb.explain.classes.class_explanation import ClassExplanation
from stelle_nb.explain.classes.class_level import DEFAULT, method_of
from stelle_nb.explain.counterfactual.changed_case import Counterfactual
from stelle_nb.explain.counterfactual.counterfactual import counterfactual
from stelle_nb.explain.explainer import Explainer, ExplainerMemory
from stelle_nb.explain.local.local_clause import Gammas
from stelle_nb.explain.local.local_explanation import LocalExplanation
from stelle_nb.explain.reference import Reference
from stelle_nb.explain.targets import class_number
from stelle_nb.model.concept_model import ConceptModel, Evidence
from stelle_nb.progress import Progress, as_progress


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
    _memory: ExplainerMemory
    _derived: dict[Any, Any]

    if TYPE_CHECKING:  # what the other parts of the classifier have

        @property
        def wording_(self) -> Wording: ...
        def _check_is_fitted(self) -> None: ...
        def _preprocess_collection(self, X: Any, store_metadata: bool = True) -> Series: ...
        def predict_proba(self, X: Any) -> Any: ...
        def _with_novelty(self, found: list[LocalExplanation], series: Series) -> list[LocalExplanation]: ...

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
            The class to argue for: a label, or one for each case; the predicted one if omitted.
        gamma
            How many formulas of the score card to show, the most relevant first, at most 8; of other models,
            how many concepts to choose from. None to let ``gamma_t`` decide.
        gamma_t
            Share of what speaks for the class, in (0, 1], that these formulas or concepts carry. For a score
            card, up to 0.15 more if the class would be predicted even without them.
        gamma_l
            In [0, 1): a condition stays only if it excludes more than this share of the training cases of
            other classes beyond those that the others exclude. A larger share gives shorter formulas. With 0,
            everything that a score card shows stays.

        Returns
        -------
        list of LocalExplanation
            One for each case. For a score card, ``why.sheet`` holds all its formulas, with what each adds to
            each score.
        """
        self._check_is_fitted()
        gammas = Gammas(gamma, gamma_t, gamma_l)
        series = self._preprocess_collection(X, store_metadata=False)
        targets = None if target is None else self._targets(align_labels(X, target, "target"), len(series))
        return self._with_novelty(self.explainer_.local(series, targets, gammas), series)

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
            The class to describe, or a list of some; all if omitted.
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
        self._check_is_fitted()
        method_of(method, self.model_)
        gammas = Gammas(gamma, gamma_t, gamma_l)
        chosen = range(len(self.classes_)) if target is None else self._chosen(target)
        report = as_progress(progress, "describing")
        return self.explainer_.classes(chosen, method, gammas=gammas, gamma_g=gamma_g, report=report)

    def update_global(self, X_new: Any, y_new: Any, **options: Any) -> dict[Any, ClassExplanation]:
        """Take further labelled cases into account without retraining.

        The model stays as it is; from now on explanations are built to separate these cases as well. Only the
        new cases are evaluated, and the result is what a computation from scratch would give. If it is
        cancelled or rejected, nothing changes.

        Parameters
        ----------
        X_new, y_new
            Cases like those given to ``fit``, with labels of classes that it has seen.
        **options
            As for :meth:`explain_global`, whose result is returned.
        """
        self._check_is_fitted()
        series = self._preprocess_collection(X_new, store_metadata=False)
        codes = encode(enter_labels(align_labels(X_new, y_new), len(series)), self.classes_)
        before, known = self.explainer_, self._derived
        self._take_over(before.extended(series, codes))
        try:
            return self.explain_global(**options)
        except BaseException:  # cancelled or refused: asked again, the cases must not count twice
            self._take_over(before)
            self._derived = known
            raise

    def counterfactual(self, x: Any, *, target: Any = None, **options: Any) -> Counterfactual:
        """Find a small, smooth change of a case that makes its explanation false and flips the prediction.

        Parameters
        ----------
        x
            One case ``(n_channels, n_timepoints)``.
        target
            The class to flip to; the one that is closest if omitted.
        **options
            ``channels``, ``smoothness``, ``bound`` and others of
            :func:`stelle_nb.explain.counterfactual.counterfactual.counterfactual`.
        """
        self._check_is_fitted()
        return counterfactual(self, x, target=target, **options)

    def _remember(
        self, reference: Reference, evidence: Evidence, background: Background, series: Series
    ) -> None:
        """Keep what explanations are based on; everything else is derived again when needed."""
        self.reference_, self.evidence_, self.background_ = reference, evidence, background
        self.series_ = series
        self._memory, self._derived = ExplainerMemory(), {}

    def _take_over(self, explainer: Explainer) -> None:
        self._remember(explainer.reference, explainer.evidence, explainer.background, explainer.series)
        self._memory = explainer.memory

    @property
    def explainer_(self) -> Explainer:
        """Model, training cases and names as one value, from which all explanations come."""
        return Explainer(
            model=self.model_,
            reference=self.reference_,
            evidence=self.evidence_,
            series=self.series_,
            n_fitted=self.metadata_["n_cases"],
            background=self.background_,
            labels=self.classes_.tolist(),
            wording=self.wording_,
            seed=self.seed_,
            memory=self._memory,
        )

    def __getstate__(self) -> dict[str, Any]:
        """Everything but what is derived again when it is needed."""
        state: Any = super().__getstate__()
        return {**state, "_memory": ExplainerMemory(), "_derived": {}} if "_memory" in state else state

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
