"""A learner's progress: kept in the notebook's kernel, written to a file on request, sent nowhere."""

from __future__ import annotations

import json
import os
import threading
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, final

import pandas as pd

from stelle_nb.arguments import path_of
from stelle_nb.data.html import as_written
from stelle_nb.depict.page import table_html
from stelle_nb.errors import TeachError
from stelle_nb.files import write_text
from stelle_nb.teach.exercises import TITLES
from stelle_nb.teach.item import KINDS, LEVELS, Item, Judgement, Kind, Level
from stelle_nb.teach.misconceptions import MISCONCEPTIONS, Key

FORMAT = "stelle_nb progress"
VERSION = 1
MAX_LETTERS = 300  # of an answer that is kept


@final
@dataclass(frozen=True, slots=True)
class Attempt:
    """One answer to one exercise; kind, level and seed make the exercise again."""

    kind: Kind
    level: Level
    seed: int
    answer: str
    is_right: bool
    misconception: Key | None = None

    def __post_init__(self) -> None:
        is_known = self.kind in KINDS and self.level in LEVELS
        is_named = self.misconception is None or self.misconception in MISCONCEPTIONS
        has_types = type(self.seed) is int and type(self.answer) is str and type(self.is_right) is bool
        if not (is_known and is_named and has_types):
            raise TeachError(f"An attempt must name a known exercise and misconception, got {asdict(self)}.")


@final
class Progress:
    """The answers of one learner, in order.

    Unreadable answers are not kept. ``save`` and ``load`` carry progress from one session to the next.

    Examples
    --------
    >>> from stelle_nb.teach.exercises import judge, make_item, solution
    >>> progress, item = Progress(), make_item("choose")
    >>> progress.record(item, solution(item), judge(item, solution(item)))
    >>> progress
    Progress(1 of 1 exercises solved, 1 answers)
    """

    def __init__(self, attempts: tuple[Attempt, ...] = ()) -> None:
        self._lock = threading.Lock()  # panels record from their callbacks
        self._attempts = list(attempts)

    @property
    def attempts(self) -> tuple[Attempt, ...]:
        """All answers."""
        with self._lock:
            return tuple(self._attempts)

    def record(self, item: Item, answer: Any, judgement: Judgement) -> None:
        """Keep an answer and its feedback."""
        if judgement.is_readable:
            text = str(answer)[:MAX_LETTERS]
            made = (item.kind, item.level, item.seed, text, judgement.is_right, judgement.misconception)
            with self._lock:
                self._attempts.append(Attempt(*made))

    def table(self) -> pd.DataFrame:
        """For each kind and level: exercises begun, solved, solved at the first answer, and answers."""
        tried: dict[tuple[Kind, Level], dict[int, list[bool]]] = {}
        for each in self.attempts:
            tried.setdefault((each.kind, each.level), {}).setdefault(each.seed, []).append(each.is_right)
        rows = [
            {
                "exercise": TITLES[kind],
                "level": level,
                "begun": len(seeds),
                "solved": sum(any(answers) for answers in seeds.values()),
                "at once": sum(answers[0] for answers in seeds.values()),
                "answers": sum(map(len, seeds.values())),
            }
            for (kind, level), seeds in sorted(tried.items(), key=lambda each: _place(*each[0]))
        ]
        return pd.DataFrame(rows, columns=["exercise", "level", "begun", "solved", "at once", "answers"])

    def misconceptions(self) -> pd.DataFrame:
        """How often each misconception occurred, with an explanation; the most frequent first."""
        met = Counter(each.misconception for each in self.attempts if each.misconception is not None)
        rows = [
            {"misconception": named.title, "times": n, "what holds here": named.comment}
            for named, n in ((MISCONCEPTIONS[key], n) for key, n in met.most_common())
        ]
        return pd.DataFrame(rows, columns=["misconception", "times", "what holds here"])

    def to_json(self) -> str:
        """Everything as text."""
        content = {"format": FORMAT, "version": VERSION, "attempts": [asdict(each) for each in self.attempts]}
        return json.dumps(content, ensure_ascii=False, indent=1)

    @classmethod
    def from_json(cls, text: str) -> Progress:
        """Read what :meth:`to_json` wrote; anything else is rejected."""
        try:
            content = json.loads(text)
            if content["format"] != FORMAT or content["version"] != VERSION:
                raise TeachError(
                    f"The version must be {VERSION}, got {content['version']!r} of {content['format']!r}."
                )
            return cls(tuple(Attempt(**row) for row in content["attempts"]))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise TeachError(f"Not saved progress: {error}. Use a file that progress.save() wrote.") from None

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write to a file, atomically."""
        return write_text(path, self.to_json())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Progress:
        """Read a file that :meth:`save` wrote."""
        source = path_of(path, "path", error=TeachError)
        try:
            return cls.from_json(source.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise TeachError(
                f"{str(source)!r} cannot be read: {error}. Use a file that progress.save() wrote."
            ) from error

    @classmethod
    def resume(cls, path: str | os.PathLike[str]) -> Progress:
        """Continue from a file that :meth:`save` wrote; start from scratch if there is none yet.

        Examples
        --------
        >>> Progress.resume("no_unit_was_done_yet.json")
        Progress(0 of 0 exercises solved, 0 answers)
        """
        return cls.load(path) if path_of(path, "path", error=TeachError).exists() else cls()

    def __repr__(self) -> str:
        table = self.table()
        n_begun, n_solved, n = (int(table[name].sum()) for name in ("begun", "solved", "answers"))
        return f"Progress({n_solved} of {n_begun} exercises solved, {n} answers)"

    def _repr_html_(self) -> str:
        parts = [f"<strong>{repr(self).removeprefix('Progress(').removesuffix(')')}</strong>"]
        for table in (self.table(), self.misconceptions()):
            if len(table):
                parts.append(table_html(table))
        return as_written("<br>".join(parts))


def _place(kind: Kind, level: Level) -> tuple[int, int]:
    return KINDS.index(kind), level
