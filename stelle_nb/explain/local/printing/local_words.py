"""Local explanations in words: the reasons, what they carry, and what speaks for the next class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from stelle_nb.depict.class_names import class_name
from stelle_nb.explain.explanation import percent, size_text
from stelle_nb.explain.local.printing.novelty_words import join_warning, novelty_facts
from stelle_nb.explain.local.reasons import MAX_SHOWN
from stelle_nb.logic.formula import Formula
from stelle_nb.logic.idioms import Words, sentence
from stelle_nb.logic.printing.notation import rounded

if TYPE_CHECKING:
    from stelle_nb.explain.local.local_explanation import LocalExplanation
    from stelle_nb.explain.local.sheet import ScoreSheet

MOST = 0.5  # of a decision: reasons that carry less are called "some of many"


def english(why: LocalExplanation) -> str:
    """The explanation as a few sentences, and a warning if the case is unlike all training cases."""
    return join_warning(_reasons(why), why.novelty, why.is_foreign)


def _reasons(why: LocalExplanation) -> str:
    if why.sheet is None:
        text = why.wording.english(why.formula)
        return f"{text} {carried(why)}" if why.conjuncts else text
    reasons = _listed(reason_sentences(why), 1, alone=len(why.shown) == 1)
    return " ".join([beginning(why), *reasons, *_share(why), *added_words(why), standing(why.sheet)])


def said(why: LocalExplanation, formula: Formula) -> str:
    """A formula as a sentence about signals as long as the case."""
    n_timepoints = why.case.shape[1]
    words = Words(why.channel_names, why.step, why.unit, why.units, n_timepoints=n_timepoints)
    return sentence(formula, words) or why.wording.english(formula)


def carried(why: LocalExplanation) -> str:
    """How much of the decision the shown reasons carry, as a sentence."""
    share, n = percent(why.relevance_share), len(why.shown)
    if why.sheet is not None:
        carry = "This carries" if n == 1 else "Together they carry"
        asked = why.gammas.gamma_t
        is_cut = why.gammas.gamma is None and n == MAX_SHOWN and why.relevance_share < asked
        less = f", not the {percent(asked)} asked for: at most {MAX_SHOWN} are shown" if is_cut else ""
        return f"{carry} {share} of what speaks for {class_name(why.target)}{less}."
    carry = "it carries" if n == 1 else "together they carry"
    many = "One" if n == 1 else "Some"
    if why.relevance_share < MOST:
        return f"{many} of many reasons: {carry} {share} of this decision."
    return f"{carry.capitalize()} {share} of this decision."


def standing(sheet: ScoreSheet) -> str:
    """How far the target is ahead of the rival, or behind, as a sentence."""
    points = rounded(abs(sheet.margin), 3)
    if sheet.margin >= 0:
        return f"Next comes {class_name(sheet.rival)}, {points} points behind."
    return f"{class_name(sheet.rival)} is {points} points ahead."


def against_words(why: LocalExplanation) -> str:
    """What speaks against the class most, in words, for an explanation of a score card."""
    if not why.against:
        return "nothing"
    more = len(why.against) - 1
    return said(why, why.against[0].true_formula) + (f" And {more} more." if more else "")


def beginning(why: LocalExplanation) -> str:
    """The verdict of a score card, and that reasons follow, or why there are none."""
    is_predicted = why.target == why.prediction
    if why.shown:
        if is_predicted:
            return f"Predicted {class_name(why.target)}, because:"
        return f"Predicted {class_name(why.prediction)}. What speaks for {class_name(why.target)}:"
    if why.considered:
        least = percent(why.gammas.gamma_l)
        return (
            f"Nothing that speaks for {class_name(why.target)} excludes more than {least} of the training "
            "cases of other classes; a smaller gamma_l shows more."
        )
    if is_predicted:
        return f"Predicted {class_name(why.target)}, although no formula of the card speaks for it here."
    predicted, target = class_name(why.prediction), class_name(why.target)
    return f"Predicted {predicted}. No formula of the card speaks for {target} here."


def reason_sentences(why: LocalExplanation) -> list[str]:
    """What is shown of a score card, a sentence for each formula, as it is true of the case."""
    return [said(why, formula) for formula in _shown(why)]


def added_words(why: LocalExplanation) -> list[str]:
    """What else separates the case from training cases of other classes, if the reasons alone do not."""
    shown = _shown(why)
    n = len(shown)
    further = [part.formula for part in why.conjuncts if not part.is_reason]
    moved = {
        i: part.formula for i, part in enumerate(why.conjuncts[:n], start=1) if part.formula != shown[i - 1]
    }
    is_shared = n > 0 and why.separated_by == "not separated"
    also: list[str] = []
    if further:
        rest = _listed([said(why, formula) for formula in further], n + 1, alone=False)
        which = "them" if why.separated_by == "further formulas of the card" else "some of them"
        also += [f"Some training cases of other classes share all this; these exclude {which}:", *rest]
    if moved:
        tighter = " ".join(f"({i}) {said(why, formula)}" for i, formula in moved.items())
        few = (
            "Fewer training cases of other classes meet"
            if is_shared
            else "No training case of another class meets"
        )
        also += [f"{few} these tighter thresholds: {tighter}"]
    if is_shared:
        still = "still share" if also else "share"
        also += [f"{percent(1 - why.separability)} of the training cases of other classes {still} all this."]
    return also


def _shown(why: LocalExplanation) -> list[Formula]:
    return [part.true_formula for part in why.shown]  # type: ignore[union-attr]


def _share(why: LocalExplanation) -> list[str]:
    return [carried(why)] if why.shown else []


def _listed(sentences: Sequence[str], first: int, *, alone: bool) -> list[str]:
    return list(sentences) if alone else [f"({i}) {text}" for i, text in enumerate(sentences, start=first)]


def facts(why: LocalExplanation) -> dict[str, str]:
    """The measures and the origin of the explanation, as text by name."""
    gammas, sheet = why.gammas, why.sheet
    letting_in = f"gamma_t = {gammas.gamma_t:g}" if gammas.gamma is None else f"gamma = {gammas.gamma}"
    let_in = f"{letting_in}, gamma_l = {gammas.gamma_l:g}"
    separates = percent(why.separability)
    return {
        "predicted": str(why.prediction),
        f"probability of {class_name(why.target)}": percent(why.probability),
        **novelty_facts(why.novelty, why.is_foreign),
        **({} if sheet is None else _sheet_facts(why, sheet, let_in)),
        f"share of what speaks for {class_name(why.target)}": percent(why.relevance_share),
        "share of all that speaks for or against it": percent(why.absolute_share),
        "separates from training cases of other classes": separates
        if sheet is None
        else f"{separates} ({why.separated_by})",
        f"covers training cases of {class_name(why.target)}": percent(why.coverage),
        "nodes": size_text(why.formula),
        "channels": ", ".join(why.wording.channel(channel) for channel in sorted(why.channels)),
        "robustness of the case": f"{why.robustness:.4g}",
        **({} if sheet is not None else _concept_facts(why, let_in)),
    }


def _sheet_facts(why: LocalExplanation, sheet: ScoreSheet, let_in: str) -> dict[str, str]:
    n_for, n_against = len(sheet.speaking_for), len(sheet.speaking_against)
    points = rounded(abs(sheet.margin), 3)
    ahead = "behind" if sheet.margin >= 0 else "ahead"
    return {
        "rival": f"{class_name(sheet.rival)}, {points} points {ahead}",
        "formulas of the card": f"{n_for} speak for {class_name(why.target)}, {n_against} against it",
        "what speaks against it most": against_words(why),
        "shown": f"{len(why.shown)} ({let_in})",
    }


def _concept_facts(why: LocalExplanation, let_in: str) -> dict[str, str]:
    return {
        "how much of the decision this carries": carried(why) if why.conjuncts else "-",
        "concepts considered": f"{why.considered} ({let_in})",
        "convergence error of attributions": f"{why.convergence_error:.2g}",
    }
