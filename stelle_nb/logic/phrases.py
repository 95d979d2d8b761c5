"""The smallest pieces of English: what a signal is called, does and follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from stelle_nb.logic.clock import Clock
from stelle_nb.logic.notation import channel_name, rounded
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.syntax import Atom, Relation, Track, Tube

NEGLIGIBLE = 1e-3  # of the width of a shape

Mood = Literal["is", "stays", "gets"]
"""How a comparison is said: at one time, throughout a window, or at some time of it."""

_PREDICATES: dict[tuple[Mood, Relation], str] = {
    ("is", ">="): "is at least {}",
    ("is", ">"): "is above {}",
    ("is", "<="): "is at most {}",
    ("is", "<"): "is below {}",
    ("stays", ">="): "stays at or above {}",
    ("stays", ">"): "stays above {}",
    ("stays", "<="): "stays at or below {}",
    ("stays", "<"): "stays below {}",
    ("gets", ">="): "rises to {} or more",
    ("gets", ">"): "rises above {}",
    ("gets", "<="): "falls to {} or less",
    ("gets", "<"): "falls below {}",
}


@dataclass(frozen=True, slots=True)
class Band:
    """A signal between two bounds: what two atoms say together."""

    signal: Signal
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Phrases:
    """Says comparisons and shapes by the names of channels, a clock and a number of digits."""

    names: tuple[str, ...] | None
    clock: Clock
    digits: int | None

    def state(self, part: Atom | Band, mood: Mood) -> str:
        """``gyro x stays above 2.16``."""
        subject = self.subject(part.signal)
        if isinstance(part, Band):
            return f"{subject} {mood} between {self._number(part.low)} and {self._number(part.high)}"
        return f"{subject} {_PREDICATES[mood, part.relation].format(self._number(part.threshold))}"

    def subject(self, signal: Signal) -> str:
        """``gyro x``, ``the change of gyro x over 0.5 s``."""
        name = channel_name(signal.channel, self.names)
        change = f"the change of {name} over {self.clock.length(signal.lag)}" if signal.lag else name
        if signal.absolute:
            change = f"the size of {change}"
        if signal.window == 1:
            return change
        last = f"over the last {self.clock.length(signal.window)}"
        return f"the average {last} of {change}" if signal.lag else f"the average of {name} {last}"

    def course(self, tube: Tube, form: str) -> str:
        """``gyro x begins to follow the shape …``; ``form`` holds the first subject and verb."""
        first, *others = tube.tracks
        verb, shape = self._shape(first, tube.step)
        said = [form.format(subject=self.subject(first.signal), verb=verb) + f" {shape}"]
        for track in others:
            verb, shape = self._shape(track, tube.step)
            said.append(f"{self.subject(track.signal)} {verb}s {shape}")
        return " while ".join(said)

    def _shape(self, track: Track, step: int) -> tuple[str, str]:
        """The verb and what follows it."""
        tolerance = f"within {self._number(track.delta)}"
        every = f"(one point every {self.clock.unit_length(step)})"
        if track.is_relative:
            changes = ", ".join(map(self._signed, self._said(track)))
            if len(track.points) == 1:
                return "change", f"by {changes} over the next {self.clock.length(step)} ({tolerance})"
            return "begin", f"to follow the changes {changes} from its value at that time {every} {tolerance}"
        points = ", ".join(map(self._number, self._said(track)))
        if len(track.points) == 1:
            return "come", f"{tolerance} of {points}"
        return "begin", f"to follow the shape {points} {every} {tolerance}"

    def _said(self, track: Track) -> list[float]:
        """The points of a shape; what is nothing beside its width is zero, unless all digits are kept."""
        least = 0.0 if self.digits is None else NEGLIGIBLE * track.delta
        return [point if abs(point) >= least else 0.0 for point in track.points]

    def _number(self, value: float) -> str:
        return rounded(value, self.digits)

    def _signed(self, value: float) -> str:
        text = self._number(value)
        return text if text.startswith("-") or text in ("0", "0.0") else f"+{text}"


def listed(texts: Sequence[str], word: str) -> str:
    """The texts joined by a word; by semicolons where commas inside them would mislead."""
    if len(texts) == 1:
        return texts[0]
    if any("," in text or ";" in text for text in texts):
        comma = last = ";"
    else:
        is_plain = len(texts) == 2 and not any(text.startswith(("either ", "both ")) for text in texts)
        comma, last = ",", "" if is_plain else ","
    return f"{f'{comma} '.join(texts[:-1])}{last} {word} {texts[-1]}"
