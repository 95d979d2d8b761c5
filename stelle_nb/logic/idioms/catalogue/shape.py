"""Shape: a tube of at most five points on one channel, or on two at the same time.

Channels may be smoothed by a moving average, so that a shape does not depend on noise. Its sentence says the
course in words; the points and their tolerance stand in the formula only.
"""

from __future__ import annotations

from dataclasses import replace

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.idioms.canonical import is_point
from stelle_nb.logic.idioms.courses import course, moves
from stelle_nb.logic.idioms.idiom import Idiom, Mark, Match
from stelle_nb.logic.idioms.material import Material
from stelle_nb.logic.idioms.saying import Said
from stelle_nb.logic.idioms.words import Words, widened
from stelle_nb.logic.interval import Interval
from stelle_nb.logic.syntax import Track, Tube

MOST_POINTS = 5
MOST_WORDS = 25
WORDS_OF_NAME = 2  # such as "gyro x"
NUMBERS_OF_LEVELS = {1: 2, 2: 1}  # for each channel, by their number: five in all with the times
SMOOTHED = 0.5  # of the shapes are of smoothed channels
WIDEST = 0.12  # of the length: the most that a channel is smoothed over


def _read(formula: Formula) -> Match | None:
    if not isinstance(formula, Tube):
        return None
    tracks = formula.tracks
    channels = tuple(track.signal.channel for track in tracks)
    spans = {track.signal.window for track in tracks}
    is_short = len(set(channels)) == len(tracks) <= 2 and all(len(t.points) <= MOST_POINTS for t in tracks)
    if not is_short or len(spans) > 1 or not all(_is_shown(t) for t in tracks):
        return None
    return Match(
        "shape", formula, channels, (formula.interval,), span=spans.pop(), tracks=tracks, step=formula.step
    )


def _is_shown(track: Track) -> bool:
    """Whether the track follows a channel as measured, or smoothed."""
    return track.signal.lag == 0 and not track.signal.zscore and track.delta > 0


def smoothing(match: Match, words: Words) -> str:
    """Over how long the channels are smoothed, such as ``smoothed over 0.2 s``; empty if they are not."""
    return f"smoothed over {words.clock.length(match.span)}" if match.span > 1 else ""


def reach(match: Match) -> int:
    """Samples from the start of the shape to its last point."""
    return Tube(match.tracks, match.step).reach


def _say(match: Match, words: Words, negated: bool) -> Said:
    """As many details as 25 words allow: first the duration is left out, then the levels, then the paces.

    Every name counts as two words, so that the form of a sentence does not depend on the names.
    """
    n_numbers = NUMBERS_OF_LEVELS[len(match.tracks)]
    is_full = is_point(match.intervals[0]) or match.span > 1  # of numbers: five are enough
    within = "" if is_full else _duration(match, words)
    details = ((n_numbers, within), (n_numbers, ""), (0, within), (0, ""))
    said = [_said(match, words, negated, *detail) for detail in details]
    brief = said[-1].brief
    said.append(_said(match, words, negated, 0, "", paced=False))
    excess = sum(len(words.name(channel).split()) - WORDS_OF_NAME for channel in match.channels)
    fitting = (each for each in said if len(each.text.split()) - excess <= MOST_WORDS)
    return replace(next(fitting, said[-1]), brief=brief)


def _duration(match: Match, words: Words) -> str:
    length, pieces = words.clock.length(reach(match)), [moves(track) for track in match.tracks]
    if len(pieces) > 1 or len(pieces[0]) > 1:
        return f", all within {length}"
    return f" within {length}" if any(piece.direction for piece in pieces[0]) else f" for {length}"


def _said(
    match: Match, words: Words, negated: bool, n_numbers: int, within: str, *, paced: bool = True
) -> Said:
    (interval,) = match.intervals
    names = _names(match, words)
    doing = [course(track, words, n_numbers=n_numbers, paced=paced) for track in match.tracks]
    others = "".join(f" while {name} {does}" for name, does in zip(names[1:], doing[1:], strict=True))
    if match.span > 1 and len(names) > 1:
        within = f", both {smoothing(match, words)}"
    others += within
    commas = within.startswith(",") or _has_commas(match, n_numbers, negated=negated, paced=paced)
    if not negated:
        what = f"{names[0]} {doing[0]}{others}"
        return Said(_place(match, words), what, what, commas)
    do, does = (
        course(match.tracks[0], words, n_numbers=n_numbers, finite=finite, negated=True, paced=paced)
        for finite in (False, True)
    )
    if is_point(interval):
        what = f"{names[0]} does not {do}{others}"
        return Said(_place(match, words), what, what, commas)
    never = f"{names[0]} never {does}{others}"
    looked_at = _looked_at(match)
    if words.is_open(looked_at):
        when = words.some(looked_at, "no")
        return Said("", f"{when} does {names[0]} {do}{others}", never, commas)
    return Said(_place(match, words), never, never, commas)


def _names(match: Match, words: Words) -> list[str]:
    names = [words.name(channel) for channel in match.channels]
    return [f"{names[0]} {smoothing(match, words)}"] if match.span > 1 and len(names) == 1 else names


def _has_commas(match: Match, n_numbers: int, *, negated: bool, paced: bool) -> bool:
    """Whether a course contains commas; without units, all its words are known."""
    first, *others = match.tracks
    said = [course(first, Words(), n_numbers=n_numbers, negated=negated, paced=paced)]
    said += [course(track, Words(), n_numbers=n_numbers, paced=paced) for track in others]
    return any("," in text for text in said)


def _place(match: Match, words: Words) -> str:
    """All the time that the shape may take, from its earliest start to its latest end."""
    looked_at = _looked_at(match)
    return words.every(looked_at) if is_point(match.intervals[0]) else words.some(looked_at)


def _looked_at(match: Match) -> Interval:
    (interval,) = match.intervals
    return widened(interval, before=match.span - 1, after=reach(match))


def _marks(match: Match) -> tuple[Mark, ...]:
    (interval,) = match.intervals
    return tuple(
        Mark(
            "track",
            track.signal.channel,
            interval.start,
            interval.end,
            False,
            -track.delta,
            track.delta,
            points=track.points,
            step=match.step,
            is_relative=track.is_relative,
            span=match.span,
        )
        for track in match.tracks
    )


def _sample(material: Material) -> Formula | None:
    is_relative, n_tracks = material.chance(0.4), 2 if material.chance(0.3) else 1
    n_points = 3 if material.chance(0.3) else 4 if material.chance(0.3) else MOST_POINTS
    span = material.samples(WIDEST) if material.chance(SMOOTHED) else 1
    found = material.stretch(n_points, n_tracks, is_relative=is_relative, span=span)
    if found is None or not any(piece.direction for track in found.tracks for piece in moves(track)):
        return None  # within its tolerance it is level: other idioms say that better
    return Tube(found.tracks, found.step, found.interval)


IDIOMS = (Idiom("shape", "shape", _read, _say, _marks, _sample, 4.0, rank=20),)
