"""Recovery by form: whether a formula says what a planted one says, in the same words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import pandas as pd

from stelle_nb.arguments import validate_types
from stelle_nb.errors import ExplanationError
from stelle_nb.explain.targets import class_number
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.idioms import Match, recognise
from stelle_nb.logic.idioms.canonical import canonical
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.syntax import Always, And, Not
from stelle_nb.logic.traversal import conjuncts
from stelle_nb.model.card.scorecard import Scorecard

HALF = 0.5  # of the samples of two windows together that both have to have


@dataclass(frozen=True, slots=True)
class Form:
    """What a card's leading formula for a class has in common with the planted one.

    Parameters
    ----------
    formula
        The leading formula, in the polarity that speaks for the class.
    idiom
        Whether it is the planted idiom, in the planted direction.
    channels
        Whether it speaks of the same channels.
    overlap
        Samples that both windows have, as a share of those that either has; of several, the least.
    """

    formula: Formula
    idiom: bool
    channels: bool
    overlap: float

    @property
    def is_same(self) -> bool:
        """The same idiom on the same channels, with windows that overlap by half."""
        return self.idiom and self.channels and self.overlap >= HALF


@dataclass(frozen=True, slots=True)
class FormRecovery:
    """The form of the leading formula of each class."""

    classes: Mapping[Any, Form]

    @property
    def share(self) -> float:
        """Share of the classes whose leading formula has the planted form."""
        return sum(form.is_same for form in self.classes.values()) / len(self.classes)

    def to_frame(self) -> pd.DataFrame:
        """A row for each class."""
        rows = [
            {"class": label, **asdict(form), "formula": str(form.formula), "is_same": form.is_same}
            for label, form in self.classes.items()
        ]
        return pd.DataFrame(rows, columns=["class", "formula", "idiom", "channels", "overlap", "is_same"])


@validate_types(ExplanationError)
def recovered_form(
    card: Scorecard, planted: Mapping[Any, Formula], *, n_timepoints: int | None = None
) -> FormRecovery:
    """Compare each class's leading formula on a card with the planted one by form.

    Parameters
    ----------
    card
        Learned from signals of the planted classes.
    planted
        From the label of a class to the formula that made it. Of a conjunction, one part is enough.
    n_timepoints
        Length of the signals, at which windows without an end are cut.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> card = Scorecard((parse("F[25,60] (x0 >= 0.9)"),), [[1, -1]], [1], [0, 0], ("burst", "calm"))
    >>> planted = {"burst": parse("F[30,60] x0 >= 1"), "calm": parse("G[30,60] x0 <= 0.5")}
    >>> recovered_form(card, planted).share
    1.0
    """
    leading = leading_formulas(card)
    found = {}
    for label, phi in planted.items():
        number = class_number(label, list(card.classes))
        if number is None:
            raise ExplanationError(f"The card must know the planted classes, got {label!r}.")
        found[label] = compare_forms(leading[card.classes[number]], phi, n_timepoints=n_timepoints)
    return FormRecovery(found)


def leading_formulas(card: Scorecard) -> dict[Any, Formula]:
    """For each class the formula that tells it from the others by the most points, as it speaks for it.

    A formula with points against the class is negated; of equals, one with points for it goes first.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> card = Scorecard((parse("x0 >= 1"), parse("x1 >= 1")), [[2, -1], [1, 0]], [1, 1], [0, 0], ("a", "b"))
    >>> {label: str(phi) for label, phi in leading_formulas(card).items()}
    {'a': 'x0 >= 1.0', 'b': '!(x0 >= 1.0)'}
    """
    n_others = card.n_classes - 1
    found: dict[Any, Formula] = {}
    for k, label in enumerate(card.classes):
        relevance = (card.points[:, k] - (card.points.sum(1) - card.points[:, k]) / n_others).tolist()
        j, _ = max(enumerate(relevance), key=lambda pair: (abs(pair[1]), pair[1]))
        found[label] = card.formulas[j] if relevance[j] >= 0 else Not(card.formulas[j])
    return found


def compare_forms(formula: Formula, planted: Formula, *, n_timepoints: int | None = None) -> Form:
    """What a formula has in common with the part of a planted one that it resembles most.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> compare_forms(parse("!F[20,35] (x0 < 0.4)"), parse("G[20,40] (x0 >= 0.5 & x1 >= 0)")).is_same
    True
    """
    if (form := _plain(formula)) is not None and form == _plain(planted):
        return Form(formula, True, True, 1.0)
    own = _match(formula)
    forms = [_compared(formula, own, _match(part), n_timepoints) for part in _parts(planted)]
    return max(forms, key=lambda form: (form.is_same, form.idiom + form.channels, form.overlap))


def _parts(planted: Formula) -> Iterator[Formula]:
    """The formula itself, then what it joins: an Always of a conjunction says as much of each part."""
    yield planted
    for part in conjuncts(planted):
        match part:
            case Always(And() as both, interval):
                yield from (Always(each, interval) for each in conjuncts(both))
            case _:
                yield part


def _plain(formula: Formula) -> Formula | None:
    """The formula in the one way of writing that idioms read."""
    negated = False
    while isinstance(formula, Not):
        negated, formula = not negated, formula.child
    return canonical(formula, negated=negated)


def _match(formula: Formula) -> Match | None:
    """The idiom that a formula is, however it is written."""
    form = _plain(formula)
    return None if form is None else recognise(form)


def _compared(formula: Formula, own: Match | None, other: Match | None, n_timepoints: int | None) -> Form:
    if own is None or other is None:
        return Form(formula, False, False, 0.0)
    is_same = (own.idiom, own.negated, own.above) == (other.idiom, other.negated, other.above)
    overlaps = [
        _overlap(one, two, n_timepoints) for one, two in zip(own.intervals, other.intervals, strict=False)
    ]
    return Form(formula, is_same, own.channels == other.channels, min(overlaps, default=0.0))


def _overlap(one: Interval, two: Interval, n_timepoints: int | None) -> float:
    """Samples that both windows have, as a share of those that either has."""
    last = max(one.start, two.start, one.end or 0, two.end or 0, (n_timepoints or 1) - 1)
    ends = [last if each.end is None else each.end for each in (one, two)]
    both = min(ends) - max(one.start, two.start) + 1
    either = max(ends) - min(one.start, two.start) + 1
    return max(0, both) / either
