"""The rules that keep robustness on every signal, in the order in which they are tried at a node."""

from __future__ import annotations

from stelle_nb.rewrite.rule import Rule
from stelle_nb.rewrite.rules import adjacent_windows, boolean, constants, negation, temporal

EARLY_RULES: tuple[Rule, ...] = (
    constants.negated_constant,
    constants.constant_in_conjunction,
    constants.constant_in_disjunction,
    constants.constant_in_implication,
    constants.constant_in_time,
    constants.constant_in_until,
    boolean.constant_in_count,
    boolean.count_of_one_or_two,
    negation.double_negation,
    negation.negated_bound,
    negation.negated_always,
    negation.negated_eventually,
    negation.negated_conjunction,
    negation.negated_disjunction,
    negation.negated_implication,
    negation.negated_count,
)
"""Rules that are tried before a node's parts are looked at: no work is done on parts that are removed, and a
negation meets the next one on its way down instead of flipping everything below twice."""

LOGICAL_RULES: tuple[Rule, ...] = (
    *EARLY_RULES,
    negation.implication_as_disjunction,
    negation.implication_among_alternatives,
    temporal.window_of_now,
    temporal.single_sample,
    temporal.nested_windows,
    temporal.moved_window,
    temporal.unchanging_part,
    temporal.long_run,
    temporal.until_of_the_same,
    temporal.until_of_the_implied,
    temporal.until_now,
    temporal.until_of_a_repeated_promise,
    temporal.nested_until,
    temporal.until_at_any_later_time,
    boolean.repeated_track,
    boolean.count_of_the_same,
    boolean.idempotence,
    boolean.absorption,
    boolean.merged_bounds,
    adjacent_windows.joined_windows,
    adjacent_windows.window_inside_window,
    boolean.implied_part,
    boolean.granted_part,
    adjacent_windows.shared_window,
    adjacent_windows.shared_until,
    boolean.common_part,
)
"""Particular rules stand before general ones, so that a step has the name that textbooks use."""
