"""The score card: a few formulas with points for every class, evaluated and edited as one value."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Float
from torch import Tensor

from stelle_nb.arguments import whole
from stelle_nb.errors import ModelError
from stelle_nb.logic.formula import Formula
from stelle_nb.model.card.card_checks import (
    Floats,
    check_channels_known,
    check_scores,
    entered_classes,
    entered_fidelity,
    entered_formulas,
    entered_names,
    entered_numbers,
    entered_place,
    entered_reach,
    entered_sharpness,
    entered_step,
    entered_unit,
    entered_units,
)
from stelle_nb.model.card.card_evaluation import degrees_of, evaluated, label_array, placed
from stelle_nb.semantics.arrays import Array
from stelle_nb.semantics.bank import FormulaBank

if TYPE_CHECKING:
    import pandas as pd

KEEP: Any = object()  # stands for an argument that was not given, as None means something


@final
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Scorecard:
    """A few formulas and, for each, points for every class: the class with the largest score wins.

    The printed card is the whole model: ``Scorecard.from_text(card.to_text()) == card``.

    Parameters
    ----------
    formulas
        In the units, channel numbers and samples of the data.
    points
        ``(n_formulas, n_classes)``: what a formula adds to each class's score if it clearly holds; it takes
        as much away if it clearly does not hold.
    reach
        ``(n_formulas,)``, positive: the robustness from which on a formula holds clearly, in its own units.
    bias
        ``(n_classes,)``: the scores that every case starts with.
    classes
        Labels: text, numbers, booleans or tuples of these, all different.
    sharpness
        Positive; scores are multiplied by it before they become probabilities.
    channel_names
        What channels are called; None for x0, x1, ….
    step, unit
        Time from one sample to the next, such as ``0.1`` and ``"s"``; None to count samples.
    units
        The unit of each channel's values, or None where it is unknown.
    fidelity
        Of a distilled card: the share of held-out cases on which a card learned without them gives the class
        that its teacher gives. None for other cards, and for edited ones.
    n_edits
        How often a classifier's card was changed by hand since it was learned; 0 for a card as learned.

    Notes
    -----
    ``degree = clip(robustness / reach, -1, 1)`` and ``score = bias + degrees @ points``. A degree is at least
    0 exactly if the formula holds. Everything is computed in double precision, whatever the type of the
    signals, so that signals with a large offset keep the sign of their robustness.

    Every method that takes signals ``X (n_cases, n_channels, n_timepoints)`` computes on ``device``, or where
    ``X`` is, and returns arrays of the kind of ``X``; labels are always NumPy arrays.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> card = Scorecard(
    ...     formulas=(parse("F[0,2] (x0 >= 1)"), parse("G[0,2] (x0 <= 4)")),
    ...     points=[[2, -1], [0, 0.5]], reach=[1, 2], bias=[0, 0.5], classes=("high", "low"),
    ... )
    >>> X = [[0.0, 1.5, 0.0], [0.0, 0.5, 0.0]]
    >>> card.degrees(X).tolist(), card.scores(X).tolist(), card.predict(X).tolist()
    ([[0.5, 1.0], [-0.5, 1.0]], [[1.0, 0.5], [-1.0, 1.5]], ['high', 'low'])
    >>> card
    Scorecard(2 formulas, 2 classes)
    """

    formulas: tuple[Formula, ...]
    points: Float[Floats, "formula cls"]
    reach: Float[Floats, " formula"]
    bias: Float[Floats, " cls"]
    classes: tuple[Any, ...]
    sharpness: float = 1.0
    channel_names: tuple[str, ...] | None = None
    step: float | None = None
    unit: str | None = None
    units: tuple[str | None, ...] | None = None
    fidelity: float | None = None
    n_edits: int = 0
    _cached_bank: FormulaBank | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        formulas, classes = entered_formulas(self.formulas), entered_classes(self.classes)
        shape = len(formulas), len(classes)
        names = entered_names(self.channel_names)
        checked = {
            "formulas": formulas,
            "classes": classes,
            "points": entered_numbers(self.points, "points", shape, "a row for each formula"),
            "reach": entered_reach(self.reach, len(formulas)),
            "bias": entered_numbers(self.bias, "bias", shape[1:], "one for each class"),
            "sharpness": entered_sharpness(self.sharpness),
            "channel_names": names,
            "step": entered_step(self.step),
            "unit": entered_unit(self.unit),
            "units": entered_units(self.units, names),
            "fidelity": entered_fidelity(self.fidelity),
            "n_edits": whole(self.n_edits, "n_edits", error=ModelError),
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)
        check_scores(self.points, self.bias, self.sharpness)
        check_channels_known(formulas, names, "channel_names")
        check_channels_known(formulas, self.units, "units")

    @property
    def n_formulas(self) -> int:
        """Number of formulas."""
        return len(self.formulas)

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.classes)

    @property
    def sentences(self) -> tuple[str, ...]:
        """Every formula in words."""
        from stelle_nb.model.card.printing.card_words import sentence

        return tuple(sentence(self, j) for j in range(self.n_formulas))

    # Evaluation

    def robustness(self, X: Array, *, device: str | torch.device | None = None) -> Array:
        """Robustness of each formula, ``(n_cases, n_formulas)``, in its own units."""
        return evaluated(self._bank(), X, device, lambda rho: rho)

    def degrees(self, X: Array, *, device: str | torch.device | None = None) -> Array:
        """How clearly each formula holds, ``(n_cases, n_formulas)`` from -1 to 1; at least 0 if it holds."""
        return self._evaluated(X, device, lambda degrees: degrees)

    def holds(self, X: Array, *, device: str | torch.device | None = None) -> Array:
        """Whether each formula holds, ``(n_cases, n_formulas)``: ``satisfies`` in double precision."""
        return self._evaluated(X, device, lambda degrees: degrees >= 0)

    def contributions(self, X: Array, *, device: str | torch.device | None = None) -> Array:
        """What each formula adds to each score, ``(n_cases, n_formulas, n_classes)``."""
        return self._evaluated(
            X, device, lambda degrees: degrees[:, :, None] * placed(self.points, degrees)[None] + 0.0
        )

    def scores(self, X: Array, *, device: str | torch.device | None = None) -> Array:
        """One score for each class, ``(n_cases, n_classes)``: the bias plus all contributions."""
        return self._evaluated(X, device, self._scores)

    def predict_proba(self, X: Array, *, device: str | torch.device | None = None) -> Array:
        """A probability for each class, ``(n_cases, n_classes)``: softmax of sharpness times score."""
        return self._evaluated(X, device, lambda degrees: (self.sharpness * self._scores(degrees)).softmax(1))

    def predict(self, X: Array, *, device: str | torch.device | None = None) -> npt.NDArray[Any]:
        """The label with the largest score for each case; of equal scores, the first class's."""
        best = self._evaluated(X, device, lambda degrees: self._scores(degrees).argmax(1))
        numbers = best.cpu().numpy() if isinstance(best, Tensor) else best
        labels: npt.NDArray[Any] = label_array(self.classes)[numbers]
        return labels

    def _scores(self, degrees: Float[Tensor, "case formula"]) -> Float[Tensor, "case cls"]:
        return placed(self.bias, degrees) + degrees @ placed(self.points, degrees)

    def _evaluated(
        self, X: Array, device: str | torch.device | None, finish: Callable[[Tensor], Tensor]
    ) -> Array:
        """What ``finish`` makes of the degrees, a part of the cases at a time."""
        return evaluated(self._bank(), X, device, lambda rho: finish(degrees_of(rho, self.reach)))

    def _bank(self) -> FormulaBank:
        if self._cached_bank is None:
            object.__setattr__(self, "_cached_bank", FormulaBank(self.formulas, device="cpu"))
        return self._cached_bank  # type: ignore[return-value]

    # Edits

    def without(self, j: int) -> Scorecard:
        """The card without formula ``j``."""
        kept = np.arange(self.n_formulas) != entered_place(j, self.n_formulas)
        formulas = tuple(formula for formula, keep in zip(self.formulas, kept, strict=True) if keep)
        return replace(
            self, formulas=formulas, points=self.points[kept], reach=self.reach[kept], fidelity=None
        )

    def replaced(self, j: int, formula: Formula | str, *, reach: float | None = None) -> Scorecard:
        """The card with another formula in place of ``j``, points kept; the reach too unless given."""
        from stelle_nb.model.card.printing.card_words import read_formula

        j = entered_place(j, self.n_formulas)
        new = read_formula(formula, self.channel_names) if isinstance(formula, str) else formula
        formulas = (*self.formulas[:j], new, *self.formulas[j + 1 :])
        reaches: Any = [*self.reach[:j], self.reach[j] if reach is None else reach, *self.reach[j + 1 :]]
        return replace(self, formulas=formulas, reach=reaches, fidelity=None)

    def with_points(self, points: Any, *, bias: Any = None) -> Scorecard:
        """The card with other points; with another bias too if given."""
        return replace(self, points=points, bias=self.bias if bias is None else bias, fidelity=None)

    def named(
        self, *, channel_names: Any = KEEP, step: Any = KEEP, unit: Any = KEEP, units: Any = KEEP
    ) -> Scorecard:
        """The card with other names and units; what is not given stays, None removes."""
        given = {"channel_names": channel_names, "step": step, "unit": unit, "units": units}
        return replace(self, **{name: value for name, value in given.items() if value is not KEEP})

    def rounded(self, digits: int = 3) -> Scorecard:
        """The card with short numbers; what is printed is then exactly the model.

        Reaches and sharpness keep this many significant digits. Points and bias are rounded to the decimal
        place where the largest of them has that many, thresholds and tolerances to that of the reach.
        """
        from stelle_nb.model.card.card_rounding import rounded_card

        return rounded_card(self, digits)

    # Printing and reading

    def to_text(self, digits: int | None = None) -> str:
        """The card as text that people can edit and :meth:`from_text` reads, rounded first if asked."""
        from stelle_nb.model.card.printing.card_text import card_to_text

        return card_to_text(self if digits is None else self.rounded(digits))

    @classmethod
    def from_text(cls, text: str) -> Scorecard:
        """Read what :meth:`to_text` wrote; an error names the line that cannot be read."""
        from stelle_nb.model.card.printing.card_text import card_from_text

        return card_from_text(text)

    def to_json(self) -> str:
        """The card as JSON, exactly."""
        from stelle_nb.model.card.printing.card_json import card_to_json

        return card_to_json(self)

    @classmethod
    def from_json(cls, text: str) -> Scorecard:
        """Read what :meth:`to_json` wrote; anything else is rejected."""
        from stelle_nb.model.card.printing.card_json import card_from_json

        return card_from_json(text)

    def to_frame(self) -> pd.DataFrame:
        """A row for each formula: sentence, formula, idiom, reach, and points under each class's label."""
        from stelle_nb.model.card.printing.card_tables import card_to_frame

        return card_to_frame(self)

    def to_latex(self) -> str:
        """A table for a paper, one column wide; needs the package booktabs."""
        from stelle_nb.model.card.printing.card_tables import card_to_latex

        return card_to_latex(self)

    def to_html(self, path: str | os.PathLike[str] | None = None) -> str | Path:
        """A page that needs no other file: its text, or with a path the file that was written."""
        from stelle_nb.files import write_text
        from stelle_nb.model.card.printing.card_page import card_page

        page = card_page(self)
        return page if path is None else write_text(path, page)

    def _repr_html_(self) -> str:
        from stelle_nb.model.card.printing.card_page import card_html

        return card_html(self)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        plural = "" if self.n_formulas == 1 else "s"
        return f"Scorecard({self.n_formulas} formula{plural}, {self.n_classes} classes)"

    # Equality by value

    def _values(self) -> tuple[Any, ...]:
        """Every field in a form that compares and hashes by value; 1 and True are different labels."""
        kinds = tuple(map(repr, self.classes))
        numbers = (self.points.tobytes(), self.reach.tobytes(), self.bias.tobytes(), self.sharpness)
        return (
            self.formulas,
            kinds,
            *numbers,
            self.channel_names,
            self.step,
            self.unit,
            self.units,
            self.fidelity,
            self.n_edits,
        )

    def __eq__(self, other: object) -> bool:
        return self._values() == other._values() if isinstance(other, Scorecard) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._values())

    def __reduce__(self) -> tuple[Any, ...]:
        return Scorecard, tuple(getattr(self, each.name) for each in fields(self) if each.init)
