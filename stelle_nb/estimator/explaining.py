"""The part of the classifier that explains: cases, classes, and classes in the light of new cases."""

from __future__ import annotations

from collections.abc import Sized
from typing import Any

import numpy as np
import numpy.typing as npt
from jaxtyping import Float

from stelle_nb.arguments import brief_list
from stelle_nb.data.cases import Series
from stelle_nb.data.indexed import align_labels
from stelle_nb.errors import ExplanationError
from stelle_nb.estimator.labels import Labels, encode, enter_labels
from stelle_nb.explain.background import Background
from stelle_nb.explain.build import spans_of
from stelle_nb.explain.changed_case import Counterfactual
from stelle_nb.explain.class_explanation import ClassExplanation
from stelle_nb.explain.class_level import ClassTask, explain_class, own_relevance
from stelle_nb.explain.counterfactual import counterfactual
from stelle_nb.explain.joining import join_evidence
from stelle_nb.explain.local import Gammas
from stelle_nb.explain.local_explanation import LocalExplanation
from stelle_nb.explain.local_level import Setting, explain_cases
from stelle_nb.explain.reading import reading_costs
from stelle_nb.explain.reference import Reference
from stelle_nb.explain.targets import class_number
from stelle_nb.logic.rounding import Span
from stelle_nb.model.concept_model import ConceptModel, Evidence
from stelle_nb.model.outliers import Reach
from stelle_nb.progress import Progress, as_progress, share_of

METHOD = "default"


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
        Of what the search for class formulas draws by chance; it is ``random_state`` where that is a number.
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
        """Say for each case why the model sees its class in it, or what would speak for another.

        Parameters
        ----------
        X
            Cases like those given to ``fit``.
        target
            The class to argue for: a label, or one for each case; the predicted one if left out.
        gamma
            How many concepts to consider, the most relevant first; None to let ``gamma_t`` decide.
        gamma_t
            Share of the model's relevance, in (0, 1], that the considered concepts carry.
        gamma_l
            In [0, 1): a condition stays only if it excludes more than this share of the training cases of
            other classes beyond those that the others exclude. More makes shorter formulas.

        Returns
        -------
        list of LocalExplanation
            One for each case.
        """
        self._check_is_fitted()  # type: ignore[attr-defined]
        gammas = Gammas(gamma, gamma_t, gamma_l)
        series: Series = self._preprocess_collection(X, store_metadata=False)  # type: ignore[attr-defined]
        targets = None if target is None else self._targets(align_labels(X, target, "target"), len(series))
        return explain_cases(self._setting(), series, self._evidence_of(series), targets, gammas)

    def explain_global(
        self,
        gamma_g: float = 0.0,
        *,
        method: str = METHOD,
        target: Any = None,
        gamma: int | None = None,
        gamma_t: float = 0.8,
        gamma_l: float = 0.0,
        progress: Progress | bool | None = None,
    ) -> dict[Any, ClassExplanation]:
        """Say for each class what its training cases have in common and the others lack.

        Parameters
        ----------
        gamma_g
            In [0, 1): what may be given up for a shorter formula. For ``"paper"`` the share of the class that
            is left uncovered, for ``"default"`` by how much its mistakes may exceed the fewest.
        method
            ``"default"`` joins up to three short conditions, some of them weighted sums of signals at several
            times, or asks for so many of up to five, with the
            clearest margin between the class and all else, on the training cases and where the model decides
            between them; ``"paper"`` covers the class by local explanations of its training cases.
        target
            The class to describe, or a list of some; all if left out. A class takes seconds, on long series
            half a minute, so ask for those that you want to know if there are hundreds.
        gamma, gamma_t, gamma_l
            Of the local explanations that ``"paper"`` starts from, see :meth:`explain_local`.
        progress
            Told how far it is, in steps of which each class takes the same number; see
            :mod:`stelle_nb.progress`.

        Returns
        -------
        dict
            From the label of each class to its ClassExplanation.
        """
        self._check_is_fitted()  # type: ignore[attr-defined]
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
        """Take further labelled cases into account, without training anew.

        The model stays as it is; from now on all explanations are told apart from these cases as well. Only
        the new cases are evaluated, and the result is what a computation from scratch would give. If it is
        cancelled or refused, all is as it was before.

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
        if "pool" in self._derived:
            reach = Reach.of(self.series_[: self.metadata_["n_cases"]])
            derived["pool"] = self._derived["pool"].extended(reach.clip(series), codes)
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
            :func:`stelle_nb.explain.counterfactual.counterfactual`.
        """
        self._check_is_fitted()  # type: ignore[attr-defined]
        return counterfactual(self, x, target=target, **options)  # type: ignore[arg-type]

    def _remember(
        self, reference: Reference, evidence: Evidence, background: Background, series: Series
    ) -> None:
        """Keep what explanations rest on; what follows from it is derived anew when it is needed."""
        self.reference_, self.evidence_, self.background_ = reference, evidence, background
        self.series_ = series
        self._derived: dict[Any, Any] = {}

    def __getstate__(self) -> dict[str, Any]:
        """Everything but what is derived again when it is needed: a pool of formulas is far larger."""
        state: Any = super().__getstate__()
        return {**state, "_derived": {}} if "_derived" in state else state

    def _evidence_of(self, series: Series) -> Evidence:
        """What the model knows about cases; of a single one it is remembered, for who turns the gammas."""
        if len(series) != 1:
            return self.model_.evidence(series)
        last = self._derived.get("asked")
        if last is None or not np.array_equal(last[0], series):
            last = self._derived["asked"] = series.copy(), self.model_.evidence(series)
        evidence: Evidence = last[1]
        return evidence

    def _costs(self) -> Float[npt.NDArray[np.float64], " concept"]:
        if "costs" not in self._derived:
            self._derived["costs"] = reading_costs(self.model_.concepts, self.model_.basis)
        return self._derived["costs"]  # type: ignore[no-any-return]

    def _spans(self) -> tuple[Span, ...]:
        if "spans" not in self._derived:
            self._derived["spans"] = spans_of(self.series_)
        return self._derived["spans"]  # type: ignore[no-any-return]

    def _setting(self) -> Setting:
        return Setting(
            model=self.model_,
            reference=self.reference_,
            costs=self._costs(),
            classes=self.classes_.tolist(),
            background=self.background_,
            wording=self.wording_,  # type: ignore[attr-defined]
            spans=self._spans(),
        )

    def _chosen(self, target: Any) -> list[int]:
        """The different class numbers among the targets, in the order of the classes."""
        n = len(target) if isinstance(target, Sized) and getattr(target, "ndim", None) != 0 else 1
        if n == 0 and class_number(target, self.classes_.tolist()) is None:
            raise ExplanationError(
                f"target must name one of the classes {brief_list(self.classes_.tolist())} at least, "
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
