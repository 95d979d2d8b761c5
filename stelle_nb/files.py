"""Atomic writes of files and folders."""

from __future__ import annotations

import ctypes
import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from stelle_nb.arguments import path_of
from stelle_nb.errors import FileError

RETRIES = 10  # a reader may put the old folder back before the new one is in its place
_HERE, _EXCHANGE = -100, 2  # AT_FDCWD and RENAME_EXCHANGE of Linux


def beside(target: Path) -> Path:
    """An unused hidden name in the same folder."""
    if target.name in ("", ".."):
        raise FileError(f"{str(target)!r} does not name a file or folder. Add the name to the path.")
    return target.with_name(f".{target.name}.{uuid.uuid4().hex}")


@contextmanager
def writing(target: Path) -> Iterator[None]:
    """Turn any system error while writing into one message with a way out."""
    try:
        yield
    except FileError:
        raise
    except OSError as error:
        raise FileError(
            f"{str(target)!r} cannot be written: {error.strerror or error}. "
            "Choose an existing, writable folder with free space."
        ) from error


@contextmanager
def draft_of(target: Path) -> Iterator[Path]:
    """A temporary path that replaces the target at the end; if anything fails, the target is unchanged.

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
    """Replace the file's content with the text, atomically."""
    target = path_of(path, "path", error=FileError)
    with draft_of(target) as draft:
        draft.write_text(text, encoding="utf-8")
    return target


def put_folder(new: Path, target: Path) -> None:
    """Move a folder to its final path, replacing a folder that is already there.

    The two are exchanged in one step where the system supports it. Elsewhere the old folder first moves to
    its hidden name; if the process is killed then, :func:`find_folder` puts it back.
    """
    if target.exists() and exchange(new, target):
        shutil.rmtree(new, ignore_errors=True)
        return
    previous = _previous(target)
    try:
        for attempt in range(1, RETRIES + 1):
            if target.exists():
                shutil.rmtree(previous, ignore_errors=True)
                target.rename(previous)
            try:
                new.rename(target)
                break
            except OSError:
                if attempt == RETRIES or not target.exists():
                    raise
    finally:
        find_folder(target)  # the old one, if the new one did not get there
    shutil.rmtree(previous, ignore_errors=True)


def find_folder(target: Path) -> Path:
    """Where a folder is that :func:`put_folder` wrote; one left under its hidden name is put back first."""
    previous = _previous(target) if target.name else target
    if os.path.exists(target) or not os.path.exists(previous):  # unlike Path.exists, it accepts any name
        return target
    try:
        previous.rename(target)
    except OSError:  # the folder may not be changed, or the writer has just put the new one in its place
        return target if target.exists() else previous
    return target


def exchange(one: Path, other: Path) -> bool:
    """Exchange two files or folders atomically; False, and nothing done, where the system cannot."""
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError, TypeError):  # not Linux, or an old C library
        return False
    rename.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint]
    return bool(rename(_HERE, os.fsencode(one), _HERE, os.fsencode(other), _EXCHANGE) == 0)


def _previous(target: Path) -> Path:
    """Where the old folder is while the new one takes its place in two steps."""
    return target.with_name(f".{target.name}.previous")
