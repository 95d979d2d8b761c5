"""A bundle: one JSON document plus tensors, as a folder or a zip file; nothing in it is ever executed.

A path that ends in ``.zip`` is a zip, any other a folder. Either holds ``manifest.json`` and, if there
are tensors, ``tensors.safetensors``. Bundles are written atomically: after a failure or a kill, either
the old one or the new one is there.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor

from stelle_nb.arguments import path_of
from stelle_nb.errors import BundleError
from stelle_nb.files import beside, draft_of, find_folder, put_folder, writing

MANIFEST = "manifest.json"
TENSORS = "tensors.safetensors"
MOST_AXES = 8  # far more than any of ours, and torch cannot compute with more than 64
MAX_BYTES = {MANIFEST: 256 * 2**20, TENSORS: 4 * 2**30}


def write_bundle(
    path: str | os.PathLike[str],
    document: Mapping[str, Any],
    tensors: Mapping[str, Tensor] | None = None,
    *,
    kind: str,
    version: int,
) -> Path:
    """Write a bundle and return its path.

    Parameters
    ----------
    path
        An existing bundle is replaced; an existing folder that is not a bundle is rejected.
    document
        What JSON can hold.
    kind, version
        What the bundle is, checked by :func:`read_bundle`.
    """
    target = path_of(path, "path", error=BundleError)
    manifest = {"kind": kind, "version": version, **document}
    files = {MANIFEST: _encoded(manifest)}
    if tensors:
        files[TENSORS] = save({name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()})
    with writing(target):
        target.parent.mkdir(parents=True, exist_ok=True)
    (_write_zip if target.suffix == ".zip" else _write_folder)(target, files)
    return target


def read_bundle(
    path: str | os.PathLike[str], *, kind: str, version: int
) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """Read the document and the tensors of a bundle; a foreign or corrupt one is rejected.

    Parameters
    ----------
    kind, version
        What the bundle must be; one of a newer version is rejected.
    """
    source = _found(path_of(path, "path", error=BundleError), kind)
    document = _document((_read_folder if source.is_dir() else _read_zip)(source, MANIFEST), source)
    if document.get("kind") != kind:
        raise BundleError(
            f"{str(source)!r} must hold {kind}, but it holds {str(document.get('kind'))[:80]!r}."
        )
    found = document.get("version")
    if isinstance(found, bool) or not isinstance(found, int) or not 1 <= found <= version:
        raise BundleError(
            f"{str(source)!r} must be of version 1 to {version}, got {str(found)[:80]!r}. "
            "Use the release of stelle_nb that wrote it, or a newer one."
        )
    return document, _tensors((_read_folder if source.is_dir() else _read_zip)(source, TENSORS), source)


def _found(given: Path, kind: str) -> Path:
    place = find_folder(given)
    if os.path.exists(place):  # unlike Path.exists, it also accepts names that no system allows
        return place
    raise BundleError(f"There is no {kind} at {str(given)[:200]!r}. Give the path that save() was given.")


def _encoded(manifest: Mapping[str, Any]) -> bytes:
    try:
        return (json.dumps(manifest, indent=1, ensure_ascii=False, allow_nan=False) + "\n").encode()
    except (TypeError, ValueError, RecursionError) as error:  # NaN, or an unpaired surrogate
        raise BundleError(
            f"Only text, finite numbers and lists of them can be saved: {error}. Rename the rest."
        ) from error


def _write_zip(target: Path, files: Mapping[str, bytes]) -> None:
    if target.is_dir():
        raise BundleError(f"{str(target)!r} is a folder. Choose another name for the zip.")
    with draft_of(target) as draft, zipfile.ZipFile(draft, "x") as archive:
        for member, content in files.items():
            entry = zipfile.ZipInfo(member)  # dated 1980: the same content gives the same bytes
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)


def _write_folder(target: Path, files: Mapping[str, bytes]) -> None:
    if target.exists() and (not target.is_dir() or {item.name for item in target.iterdir()} - set(MAX_BYTES)):
        raise BundleError(
            f"{str(target)!r} already exists and is not a bundle. Choose another path, or move it away."
        )
    new = beside(target)
    with writing(target):
        try:
            new.mkdir()
            for member, content in files.items():
                (new / member).write_bytes(content)
            put_folder(new, target)
        finally:
            shutil.rmtree(new, ignore_errors=True)


def _read_folder(source: Path, member: str) -> bytes | None:
    file = source / member
    if not file.is_file():
        return None
    with file.open("rb") as stream:
        return _limited(stream.read, member, source)


def _read_zip(source: Path, member: str) -> bytes | None:
    """One member by its exact name; nothing is unpacked, so paths in the archive have no effect."""
    try:
        with zipfile.ZipFile(source) as archive:
            names = archive.namelist()
            if len(names) != len(set(names)) or set(names) - set(MAX_BYTES):
                raise BundleError(
                    f"{str(source)!r} may hold {MANIFEST} and {TENSORS} alone, got {str(names)[:200]}."
                )
            if member not in names:
                return None
            with archive.open(member) as stream:
                return _limited(stream.read, member, source)
    except BundleError:
        raise
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, RuntimeError, ValueError) as error:
        raise BundleError(f"{str(source)!r} is not a readable zip file: {error}.") from error


def _limited(read: Callable[[int], bytes], member: str, source: Path) -> bytes:
    # The stated size of a zip member may be wrong, so the bytes that arrive are counted.
    buffer, limit = io.BytesIO(), MAX_BYTES[member]
    while block := read(2**20):
        buffer.write(block)
        if buffer.tell() > limit:
            raise BundleError(
                f"{member} in {str(source)!r} is larger than {limit // 2**20} MiB. It is refused."
            )
    return buffer.getvalue()


def _document(content: bytes | None, source: Path) -> dict[str, Any]:
    if content is None:
        raise BundleError(
            f"{str(source)!r} has no {MANIFEST}, so it is not a bundle. Give a path that save() wrote."
        )
    try:
        document = strict_json(content)
    except (ValueError, RecursionError) as error:
        raise BundleError(f"{MANIFEST} in {str(source)!r} is not valid JSON: {error}.") from error
    if not isinstance(document, dict):
        raise BundleError(
            f"{MANIFEST} in {str(source)!r} must hold an object, got {type(document).__name__}."
        )
    return document


def strict_json(content: str | bytes) -> Any:
    """The parsed JSON text; NaN, Infinity and duplicate fields raise ValueError."""
    return json.loads(content, parse_constant=_refuse, object_pairs_hook=_once)


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not a number")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a field occurs twice")
    return fields


def _tensors(content: bytes | None, source: Path) -> dict[str, Tensor]:
    if content is None:
        return {}
    try:
        tensors = dict(load(content))
    except (SafetensorError, ValueError, KeyError, TypeError, RuntimeError, OverflowError) as error:
        raise BundleError(f"{TENSORS} in {str(source)!r} is broken: {error}.") from error
    n_axes = max((tensor.ndim for tensor in tensors.values()), default=0)
    if n_axes > MOST_AXES:
        raise BundleError(f"{TENSORS} in {str(source)!r} is broken: one has {n_axes} axes.")
    return tensors
