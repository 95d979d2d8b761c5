"""The version of a package, for reports and files."""

from __future__ import annotations

from importlib import metadata


def version_of(package: str) -> str:
    """The installed version of a package.

    Examples
    --------
    >>> version_of("no such package")
    '(not installed)'
    """
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "(not installed)"
