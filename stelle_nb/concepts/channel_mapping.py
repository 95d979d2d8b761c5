"""Formulas about some channels, rewritten for other channels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from stelle_nb.logic.formula import Formula
from stelle_nb.logic.syntax import Atom, Tube
from stelle_nb.logic.traversal import channels, transform, walk
from stelle_nb.logic.weighted_sum import map_signals, signals_of


def rename_channels(formula: Formula, new: Mapping[int, int]) -> Formula:
    """The formula with every channel replaced by ``new(channel)``.

    Examples
    --------
    >>> from stelle_nb.logic.parsing.parser import parse
    >>> print(rename_channels(parse("x0 >= 1.0 U x1 <= 2.0"), {0: 3, 1: 0}))
    x3 >= 1.0 U x0 <= 2.0
    """

    def renamed(node: Formula) -> Formula:
        match node:
            case Atom(quantity):
                moved_to = map_signals(quantity, lambda signal: replace(signal, channel=new[signal.channel]))
                return replace(node, signal=moved_to)
            case Tube(tracks):
                moved = (replace(t.signal, channel=new[t.signal.channel]) for t in tracks)
                return replace(
                    node, tracks=tuple(replace(t, signal=s) for t, s in zip(tracks, moved, strict=True))
                )
            case _:
                return node

    return formula if all(new[c] == c for c in channels(formula)) else transform(formula, renamed)


def in_order_of_appearance(formula: Formula) -> Formula:
    """The formula with its channels numbered 0, 1, … as they are met from left to right."""
    met: dict[int, int] = {}
    for _, node in walk(formula):
        match node:
            case Atom(quantity):
                for signal in signals_of(quantity):
                    met.setdefault(signal.channel, len(met))
            case Tube(tracks):
                for track in tracks:
                    met.setdefault(track.signal.channel, len(met))
    return rename_channels(formula, met)


def on_channel(
    formulas: Iterable[Formula], channel: int, n_channels: int, rng: np.random.Generator
) -> list[Formula]:
    """The formulas with ``channel`` in the place of ``x0``; further channels are drawn from the others."""
    others = np.delete(np.arange(n_channels), channel)
    moved: list[Formula] = []
    for formula in formulas:
        further = sorted(channels(formula) - {0})
        drawn = rng.permutation(others)[: len(further)].tolist() if further else []
        moved.append(rename_channels(formula, {0: channel, **dict(zip(further, drawn, strict=True))}))
    return moved
