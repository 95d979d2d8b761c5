"""Rules that keep one bound where several compare the same signal."""

from __future__ import annotations

from dataclasses import replace

from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import And, Atom, Formula, Or, Track, Tube
from stelle_nb.logic.weighted_sum import Quantity
from stelle_nb.rewrite.chain import edited, members
from stelle_nb.rewrite.order import entails
from stelle_nb.rewrite.rule import law


@law("merged bounds")
def merged_bounds(formula: Formula) -> Formula | None:
    """Of several bounds on the same side of a signal only one decides.

    In a conjunction it is the tightest, in a disjunction the loosest.
    """
    if not isinstance(formula, And | Or):
        return None
    kept: dict[tuple[Quantity, bool], tuple[int, Atom]] = {}
    dropped: dict[int, None] = {}
    for i, atom in enumerate(members(formula)):
        if not isinstance(atom, Atom):
            continue
        side = atom.signal, atom.is_lower_bound
        if side not in kept:
            kept[side] = i, atom
            continue
        j, other = kept[side]
        strong, weak = (other, atom) if isinstance(formula, And) else (atom, other)
        if entails(strong, weak):
            dropped[i] = None
        else:
            kept[side] = i, atom
            dropped[j] = None
    return edited(formula, dropped) if dropped else None


@law("repeated track")
def repeated_track(formula: Formula) -> Formula | None:
    """A tube that follows the same points of a signal twice needs only the more exact of the two tracks."""
    if not isinstance(formula, Tube):
        return None
    kept: dict[tuple[Signal, tuple[float, ...], bool], Track] = {}
    for track in formula.tracks:
        course = track.signal, track.points, track.is_relative
        if course not in kept or track.delta < kept[course].delta:
            kept[course] = track
    return None if len(kept) == len(formula.tracks) else replace(formula, tracks=tuple(kept.values()))
