"""The rules that keep robustness on every signal, in the order in which they are tried at a node."""

from __future__ import annotations

from stelle_nb.rewrite.rule import Rule
from stelle_nb.rewrite.rules import (
    boolean,
    bounds,
    constants,
    counting,
    limit,
    negation,
    temporal,
    until,
    windows,
)

EARLY_RULES: tuple[Rule, ...] = (
    constants.negated_constant,
    constants.constant_in_conjunction,
    constants.constant_in_disjunction,
    constants.constant_in_implication,
    constants.constant_in_time,
    constants.constant_in_until,
    counting.constant_in_count,
    counting.count_of_one_or_two,
    negation.double_negation,
    negation.negated_bound,
    negation.negated_always,
    negation.negated_eventually,
    negation.negated_conjunction,
    negation.negated_disjunction,
    negation.negated_implication,
    negation.negated_count,
)
"""Rules that are tried before a node's parts are looked at: no work is done on what goes, and a
negation meets the next one on its way down instead of turning everything below twice."""

LOGICAL_RULES: tuple[Rule, ...] = (
    *EARLY_RULES,
    negation.implication_as_disjunction,
    negation.implication_among_alternatives,
    temporal.window_of_now,
    temporal.single_sample,
    temporal.nested_windows,
    temporal.moved_window,
    limit.unchanging_part,
    limit.long_run,
    until.until_of_the_same,
    until.until_of_the_implied,
    until.until_now,
    until.until_of_a_repeated_promise,
    until.nested_until,
    until.until_at_any_later_time,
    bounds.repeated_track,
    counting.count_of_the_same,
    boolean.idempotence,
    boolean.absorption,
    bounds.merged_bounds,
    windows.joined_windows,
    windows.window_inside_window,
    boolean.implied_part,
    boolean.granted_part,
    windows.shared_window,
    windows.shared_until,
    boolean.common_part,
)
"""Particular rules stand before general ones, so that a step bears the name a textbook gives it."""
