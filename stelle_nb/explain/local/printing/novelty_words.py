"""Words for how foreign a case is to the training cases."""

from __future__ import annotations

from typing import Any

from stelle_nb.explain.document import finite_from_json
from stelle_nb.explain.explanation import percent


def join_warning(sentence: str, p_value: float | None, is_foreign: bool) -> str:
    """The sentence, followed by a warning if the case is foreign.

    Examples
    --------
    >>> join_warning("x0 stays above 1.", 0.021, True)
    'x0 stays above 1. Unlike the training cases: only 2.1 % of familiar cases look this unusual. Treat this \
explanation with caution.'
    >>> join_warning("x0 stays above 1.", 0.4, False)
    'x0 stays above 1.'
    """
    return f"{sentence} {warning(p_value, is_foreign)}".rstrip()


def warning(p_value: float | None, is_foreign: bool) -> str:
    """That a foreign case is one; nothing if it is not."""
    if not is_foreign or p_value is None:
        return ""
    share = percent(p_value)
    return (
        f"Unlike the training cases: only {share} of familiar cases look this unusual. "
        "Treat this explanation with caution."
    )


def novelty_facts(p_value: float | None, is_foreign: bool) -> dict[str, str]:
    """What a table of facts says of it; nothing if it was not measured.

    Examples
    --------
    >>> novelty_facts(0.4, False)
    {'like the training cases': 'yes (p = 0.4)'}
    """
    if p_value is None:
        return {}
    return {"like the training cases": f"{'no' if is_foreign else 'yes'} (p = {p_value:.2g})"}


def p_value_from_json(value: Any) -> float | None:
    """As it was written; None where it is missing, as in files of older versions."""
    return None if value is None else finite_from_json(value)
