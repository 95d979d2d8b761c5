"""The jobs of an experiment: frozen values, named by what decides their result."""

from __future__ import annotations

import hashlib
import importlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from stelle_nb.errors import BenchError


class SettingsChanged(BenchError):
    """Code or data that have changed since a job was planned: no further job can be run."""


@dataclass(frozen=True, slots=True)
class Job:
    """One call of a function, given by its name, so that any process can make it.

    Parameters
    ----------
    kind
        The experiment it belongs to.
    work
        ``"module:function"``; called with the keywords of ``content`` and ``place``, it returns a mapping
        of plain values.
    content
        JSON of everything that decides the result.
    place
        JSON of what does not, such as the folder where the data lie on this machine.

    Examples
    --------
    >>> job = Job.of("sum", "builtins:dict", {"a": 1}, place={"folder": "here"})
    >>> job.hash == Job.of("sum", "builtins:dict", {"a": 1}, place={"folder": "there"}).hash
    True
    >>> perform(*job.call)
    '{"a":1,"folder":"here"}'
    """

    kind: str
    work: str
    content: str
    place: str = "{}"

    @classmethod
    def of(
        cls, kind: str, work: str, content: Mapping[str, Any], *, place: Mapping[str, Any] | None = None
    ) -> Job:
        """A job from plain values."""
        return cls(kind, work, canonical(content), canonical(place or {}))

    @property
    def hash(self) -> str:
        """The name of this job: equal for equal kind and content, wherever and whenever it is made."""
        return content_hash(self.kind, self.content)

    @property
    def call(self) -> tuple[str, str, str]:
        """The arguments of :func:`perform`."""
        return self.work, self.content, self.place


def canonical(values: Mapping[str, Any]) -> str:
    """JSON whose text is the same for the same values."""
    return json.dumps(dict(values), sort_keys=True, separators=(",", ":"), allow_nan=False)


def content_hash(kind: str, content: str) -> str:
    """The name of a job with this kind and content.

    Examples
    --------
    >>> len(content_hash("sum", "{}"))
    32
    """
    return hashlib.sha256(f"{kind}\0{content}".encode()).hexdigest()[:32]


def perform(work: str, content: str, place: str) -> str:
    """Make the call that a job stands for; its result as JSON."""
    module, _, name = work.partition(":")
    function = getattr(importlib.import_module(module), name, None)
    if function is None:
        raise BenchError(f"There is no function {name!r} in {module}.")
    return canonical(function(**json.loads(content), **json.loads(place)))
