"""What the UEA and UCR archives state about the axes of well-known sets."""

from __future__ import annotations

from dataclasses import dataclass

from stelle_nb.data.sources.places import original_name


@dataclass(frozen=True, slots=True)
class KnownAxes:
    """Channel names and sampling step of a set, as far as its description gives them."""

    channel_names: tuple[str, ...] = ()
    step: float | None = None
    unit: str | None = None


def _numbered(stem: str, n: int) -> tuple[str, ...]:
    return tuple(f"{stem} {i}" for i in range(1, n + 1))


def _axes(stem: str) -> tuple[str, ...]:
    return tuple(f"{stem} {axis}" for axis in "xyz")


KNOWN: dict[str, KnownAxes] = {
    "ACSF1": KnownAxes(("power",)),
    "AtrialFibrillation": KnownAxes(_numbered("ECG", 2), 1 / 128, "s"),
    "BasicMotions": KnownAxes(_axes("accelerometer") + _axes("gyroscope"), 0.1, "s"),
    "CharacterTrajectories": KnownAxes(("pen x", "pen y", "pen force")),
    "Epilepsy": KnownAxes(_axes("accelerometer"), 1 / 16, "s"),
    "ERing": KnownAxes(_numbered("electrode", 4)),
    "GunPoint": KnownAxes(("hand x",)),
    "HandMovementDirection": KnownAxes(_numbered("MEG", 10), 1 / 400, "s"),
    "Handwriting": KnownAxes(_axes("accelerometer")),
    "ItalyPowerDemand": KnownAxes(("power demand",), 1.0, "h"),
    "JapaneseVowels": KnownAxes(_numbered("LPC", 12)),
    "Libras": KnownAxes(("hand x", "hand y")),
    "PickupGestureWiimoteZ": KnownAxes(("acceleration z",)),
    "UWaveGestureLibrary": KnownAxes(_axes("accelerometer")),
}


def known_axes(name: str, n_channels: int) -> KnownAxes:
    """What is known of a set; nothing if its number of channels shows that it is another set of that name.

    Examples
    --------
    >>> known_axes("BasicMotions", 6).channel_names[0], known_axes("BasicMotions", 2).step
    ('accelerometer x', None)
    """
    known = KNOWN.get(original_name(name), KnownAxes())
    return known if len(known.channel_names) == n_channels else KnownAxes()
