"""What the model says of a case: the class, how sure it is, whether it is right, and why in a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from stelle_nb.explain.local.local_explanation import LocalExplanation
from stelle_nb.explain.local.printing.novelty_words import warning
from stelle_nb.panels.linked.regions.waterfall import SheetRow, Waterfall, spoken_parts


@dataclass(frozen=True, slots=True)
class ClassBar:
    """A class and its probability."""

    number: int
    name: str
    share: float
    text: str
    role: str
    before: float | None = None  # the probability before the case was changed


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer.

    Parameters
    ----------
    title
        The class that is predicted.
    chance
        Its probability as text.
    truth, is_right
        The true class, and whether it is the predicted one.
    question
        Asked by the rest of the view.
    why, against
        A sentence each; ``best`` is the number of the formula of the first one, or -1.
    why_label, against_label
        What stands before each: which class it is about. Empty where the sentence says so itself.
    warning
        A note if the case is unlike all training cases, or if the imitated classifier predicts another class.
    spoken
        All of it in one text, to be read out.
    """

    title: str
    chance: str
    truth: str
    is_right: bool
    question: str
    why: str
    why_label: str
    against: str
    against_label: str
    warning: str
    spoken: str
    best: int

    @property
    def against_told(self) -> str:
        """The sentence with its label."""
        return labelled(self.against_label, self.against)


def labelled(label: str, sentence: str) -> str:
    """A sentence after its label, if it has one.

    Examples
    --------
    >>> labelled("For Walking", "It rises."), labelled("", "Nothing speaks for Walking.")
    ('For Walking: It rises.', 'Nothing speaks for Walking.')
    """
    return f"{label}: {sentence}" if label else sentence


def class_bars(
    shares: Sequence[float],
    names: Sequence[str],
    *,
    target: int,
    rival: int,
    before: Sequence[float] | None = None,
) -> list[ClassBar]:
    """All classes, the likeliest first."""
    first = shares if before is None else before  # bars do not change places under the hand
    order = sorted(range(len(names)), key=lambda k: (-first[k], k))
    roles = {rival: "rival", target: "class"}
    return [
        ClassBar(
            k,
            names[k],
            round(float(shares[k]), 5),
            in_percent(float(shares[k])),
            roles.get(k, "other"),
            None if before is None else round(float(before[k]), 5),
        )
        for k in order
    ]


def in_percent(share: float) -> str:
    """Whole percent, and what is less or nearly all as such.

    Examples
    --------
    >>> in_percent(0.86), in_percent(0.004), in_percent(0.999), in_percent(0.0), in_percent(1.0)
    ('86 %', '< 1 %', '> 99 %', '0 %', '100 %')
    """
    if 0 < share < 0.005:
        return "< 1 %"
    if 0.995 < share < 1:
        return "> 99 %"
    return f"{100 * share:.0f} %"


def give_verdict(
    why: LocalExplanation,
    sheet: Waterfall,
    names: Sequence[str],
    *,
    number: int,
    shares: Sequence[float],
    predicted: int,
    target: int,
    rival: int,
    truth: int,
    doubt: str = "",
    changed: str = "",
) -> Verdict:
    """Put the answer into words.

    Parameters
    ----------
    number
        Of the case.
    shares
        The probability of each class.
    predicted, target, rival, truth
        Numbers of classes; the truth is -1 if the model does not know it.
    doubt
        Why the answer may differ from that of the imitated classifier.
    changed
        What was changed in the case, and what the model said before; empty if nothing was.
    """
    title, chance, is_right = names[predicted], in_percent(float(shares[predicted])), predicted == truth
    true_name = names[truth] if truth >= 0 else "unknown to the model"
    reason, other = _best(sheet, "for"), _best(sheet, "against")
    why_label, because = _because(why, sheet, reason, names[target], names[rival])
    against_label, against = ("", "") if sheet.kind == "shares" else _against(why, other, names[rival])
    is_argued = predicted != target and reason is not None
    question = f"Why {names[target]} and not {names[rival]}?"
    right = "which is right" if is_right else f"but it is {true_name}"
    fate = f"changed: {title}, {chance}. {changed}" if changed else f"{title}, {chance}, {right}."
    told = labelled(why_label if is_argued else "", because), labelled(against_label, against)
    spoken = f"Case {number}{',' if changed else ':'} {fate} {' '.join(told)}".strip()
    return Verdict(
        title=title,
        chance=chance,
        truth=true_name,
        is_right=is_right,
        question=question,
        why=because,
        why_label=why_label,
        against=against,
        against_label=against_label,
        warning=f"{doubt} {warning(why.novelty, why.is_foreign)}".strip(),
        spoken=spoken,
        best=-1 if reason is None else reason.number,
    )


def _best(sheet: Waterfall, group: str) -> SheetRow | None:
    """The largest row of a side, for the class a reason if there is one.

    What holds is easier to see in a signal than what fails: it is preferred if it has half as many points.
    """
    rows = [row for row in sheet.rows if row.group == group]
    rows = [row for row in rows if row.reason] or rows if group == "for" else rows
    if not rows:
        return None
    largest = max(abs(row.points) for row in rows)
    return next((row for row in rows if row.holds and abs(row.points) >= largest / 2), rows[0])


def _because(
    why: LocalExplanation, sheet: Waterfall, row: SheetRow | None, target: str, rival: str
) -> tuple[str, str]:
    if row is None:
        return "", f"No formula speaks for {target} rather than for {rival} here."
    return f"For {target}", true_sentence(why, row)


def _against(why: LocalExplanation, row: SheetRow | None, rival: str) -> tuple[str, str]:
    if row is None:
        return "", f"Nothing speaks for {rival}."
    return f"Against it, for {rival}", true_sentence(why, row)


def true_sentence(why: LocalExplanation, row: SheetRow) -> str:
    """What is true of the case, as a sentence: the formula if it holds, else its negation."""
    if why.sheet is None or row.holds:
        return row.sentence
    said = spoken_parts(why.sheet.contributions[row.number].true_formula, why.wording, why.case.shape[1])
    return str(said["sentence"])
