"""Variants of a set that the archives keep beside it: gaps filled, or lengths made equal."""

from __future__ import annotations


def original_name(name: str) -> str:
    """The name of the set that a variant was made of; its own if it is not a variant.

    Examples
    --------
    >>> original_name("JapaneseVowels_eq"), original_name("DodgerLoopDay_nmv"), original_name("GunPoint")
    ('JapaneseVowels', 'DodgerLoopDay', 'GunPoint')
    """
    return name.removesuffix("_nmv").removesuffix("_eq")
