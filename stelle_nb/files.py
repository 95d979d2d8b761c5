"""Files that are there as a whole or not at all."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from stelle_nb.errors import FileError


def beside(target: Path) -> Path:
    """A hidden name in the same folder that nothing has yet."""
    return target.with_name(f".{target.name}.{uuid.uuid4().hex}")


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
    try:
        yield draft
        draft.replace(target)
    except OSError as error:
        raise FileError(
            f"{str(target)!r} cannot be written: {error.strerror or error}. "
            "Choose a folder that is there, may be written to and has room."
        ) from error
    finally:
        draft.unlink(missing_ok=True)


def write_text(path: str | os.PathLike[str], text: str) -> Path:
    """Put the text in place of what was there, all at once."""
    target = Path(path)
    with draft_of(target) as draft:
        draft.write_text(text, encoding="utf-8")
    return target
