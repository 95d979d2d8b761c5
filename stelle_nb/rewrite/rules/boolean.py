"""Rules of the lattice of minimum and maximum: what a conjunction, disjunction or count says twice."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from itertools import permutations

from stelle_nb.logic.interval import Interval
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Always, And, AtLeast, Atom, Eventually, Formula, Or, Track, Truth, Tube
from stelle_nb.logic.traversal import children, rebuild
from stelle_nb.logic.weighted_sum import Quantity
from stelle_nb.rewrite.chain import dual, edited, identity, joined, members
from stelle_nb.rewrite.order import bounds, entails
from stelle_nb.rewrite.rule import law


@law("idempotence")
def idempotence(formula: Formula) -> Formula | None:
    """Saying the same thing twice adds nothing, whatever the order of its parts."""
    if not isinstance(formula, And | Or):
        return None
    seen: set[Hashable] = set()
    repeated: dict[int, None] = {}
    for i, member in enumerate(members(formula)):
        key = identity(member)
        if key in seen:
            repeated[i] = None
        seen.add(key)
    return edited(formula, repeated) if repeated else None


@law("absorption")
def absorption(formula: Formula) -> Formula | None:
    """Where p holds, p | q holds as well, so p & (p | q) is p.

    In the same way, p | (p & q) is p.
    """
    if not isinstance(formula, And | Or):
        return None
    other = dual(type(formula))
    if not any(isinstance(member, other) for member in members(formula)):
        return None
    parts = [_parts(other, member) for member in members(formula)]
    absorbed = {
        i: None
        for i, larger in enumerate(parts)
        if len(larger) > 1 and any(smaller < larger for smaller in parts)
    }
    return edited(formula, absorbed) if absorbed else None


@law("implied part")
def implied_part(formula: Formula) -> Formula | None:
    """A part that follows from another part adds nothing to a conjunction.

    A part from which another part follows adds nothing to a disjunction.
    """
    if not isinstance(formula, And | Or):
        return None
    parts = members(formula)
    about = [bounds(part) for part in parts]
    idle: dict[int, None] = {}
    for i, part in enumerate(parts):
        for j, other in enumerate(parts):
            if i == j or j in idle or about[i].isdisjoint(about[j]):
                continue
            if entails(other, part) if isinstance(formula, And) else entails(part, other):
                idle[i] = None
                break
    return edited(formula, idle) if idle else None


@law("granted part")
def granted_part(formula: Formula) -> Formula | None:
    """Inside the other parts of a conjunction, whatever follows from one part can be taken as true.

    Inside the other parts of a disjunction, whatever requires one part can be taken as false.
    """
    if not isinstance(formula, And | Or):
        return None
    parts = members(formula)
    about = [bounds(part) for part in parts]
    freed: dict[int, Formula | None] = {}
    for i, j in permutations(range(len(parts)), 2):
        if children(parts[i]) and not about[i].isdisjoint(about[j]):
            part = _freed(type(formula), parts[i], parts[j])
            if part is not parts[i]:
                freed[i] = parts[i] = part  # in place: two parts must not replace each other
    return edited(formula, freed) if freed else None


@law("common part")
def common_part(formula: Formula) -> Formula | None:
    """(p & q) | (p & r) is p & (q | r), and the same with & and | exchanged: one common part is enough."""
    if not isinstance(formula, And | Or):
        return None
    other = dual(type(formula))
    parts = [members(m) if isinstance(m, other) else [] for m in members(formula)]
    holders: dict[Hashable, list[tuple[int, int]]] = {}
    for i, inner in enumerate(parts):
        for key, j in {identity(part): j for j, part in enumerate(inner)}.items():
            holders.setdefault(key, []).append((i, j))
    shared = [places for places in holders.values() if len(places) > 1]
    if not shared:
        return None

    def saving(places: list[tuple[int, int]]) -> int:
        i, j = places[0]
        return (len(places) - 1) * (1 + parts[i][j].size)

    places = max(shared, key=saving)
    first, position = places[0]
    rests = [joined(other, parts[i][:j] + parts[i][j + 1 :]) for i, j in places]
    merged = joined(other, [parts[first][position], joined(type(formula), rests)])
    return edited(formula, {**{i: None for i, _ in places}, first: merged})


def _parts(kind: type[And | Or], member: Formula) -> frozenset[Hashable]:
    return frozenset(identity(part) for part in (members(member) if isinstance(member, kind) else [member]))


def _freed(kind: type[And | Or], part: Formula, fact: Formula) -> Formula:
    """``part`` with ``true`` (in a conjunction; else ``false``) for all that ``fact`` settles in it."""
    match part:
        case And() | Or():
            return rebuild(part, tuple(_freed(kind, child, fact) for child in children(part)))
        case _ if entails(fact, part) if kind is And else entails(part, fact):
            return Truth(kind is And)
        case AtLeast(_, parts):
            return rebuild(part, tuple(_freed(kind, child, fact) for child in parts))
        case Always(child, interval) | Eventually(child, interval):
            later = _later(kind, fact, interval)
            return part if later is None else rebuild(part, (_freed(kind, child, later),))
        case _:
            return part


def _later(kind: type[And | Or], fact: Formula, interval: Interval) -> Formula | None:
    """What remains of a fact about a whole window at each of the times of ``interval``."""
    lasting = Always if kind is And else Eventually
    if not isinstance(fact, lasting):
        return None
    window = fact.interval
    start = max(0, window.start - interval.start)
    if window.end is None:
        return lasting(fact.child, Interval(start))
    if interval.end is None or window.end - interval.end < start:
        return None
    return lasting(fact.child, Interval(start, window.end - interval.end))


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


@law("constant in a count")
def constant_in_count(formula: Formula) -> Formula | None:
    """A part that is true counts as one of those that hold; a part that is false never counts."""
    if not isinstance(formula, AtLeast):
        return None
    left = tuple(part for part in formula.parts if not isinstance(part, Truth))
    if len(left) == len(formula.parts):
        return None
    count = formula.count - sum(isinstance(part, Truth) and part.value for part in formula.parts)
    if count <= 0 or count > len(left):
        return Truth(count <= 0)
    return AtLeast(count, left)


@law("count of one or two")
def count_of_one_or_two(formula: Formula) -> Formula | None:
    """One of two is "or", two of two is "and", and a single part needs no count."""
    match formula:
        case AtLeast(_, (part,)):
            return part
        case AtLeast(count, (left, right)):
            return Or(left, right) if count == 1 else And(left, right)
    return None


@law("count of the same")
def count_of_the_same(formula: Formula) -> Formula | None:
    """Where all parts are the same, any number of them hold where one does."""
    if isinstance(formula, AtLeast) and len({identity(part) for part in formula.parts}) == 1:
        return formula.parts[0]
    return None
