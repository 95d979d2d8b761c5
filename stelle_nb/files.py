"""Files that are there as a whole or not at all."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from stelle_nb.arguments import path_of
from stelle_nb.errors import FileError


def beside(target: Path) -> Path:
    """A hidden name in the same folder that nothing has yet."""
    if target.name in ("", ".."):
        raise FileError(
            f"{str(target)!r} is a folder without a name of its own. Name the file or folder in it."
        )
    return target.with_name(f".{target.name}.{uuid.uuid4().hex}")


@contextmanager
def writing(target: Path) -> Iterator[None]:
    """Say in our words that a file cannot be written, whatever the system's reason."""
    try:
        yield
    except FileError:
        raise
    except OSError as error:
        raise FileError(
            f"{str(target)!r} cannot be written: {error.strerror or error}. "
            "Choose a folder that is there, may be written to and has room."
        ) from error


@contextmanager
def draft_of(target: Path) -> Iterator[Path]:
    """A place for the new content, which takes that of the old at the end; a failure leaves the old.

    Examples
    --------
    >>> with draft_of(Path("nowhere/page.html")) as draft:
    ...     _ = draft.write_text("new")
    Traceback (most recent call last):
    ...
    stelle_nb.errors.FileError: 'nowhere/page.html' cannot be written: No such file or directory. ...
    """
    draft = beside(target)
    with writing(target):
        try:
            yield draft
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)


def write_text(path: str | os.PathLike[str], text: str) -> Path:
    """Put the text in place of what was there, all at once."""
    target = path_of(path, "path", error=FileError)
    with draft_of(target) as draft:
        draft.write_text(text, encoding="utf-8")
    return target
