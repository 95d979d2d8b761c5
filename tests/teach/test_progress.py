"""Progress is kept, counted, written and read back; what is no progress is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stelle_nb.errors import StelleError
from stelle_nb.teach import Progress, judge, make_item, solution


@pytest.fixture
def progress() -> Progress:
    kept = Progress()
    item = make_item("to_formula", formula="G[2,6] (x0 >= 1)")
    for answer in ("F[2,6] x0 >= 1", "nonsense", "G[2,5] x0 >= 1", "G[2,6] x0 >= 1"):
        kept.record(item, answer, judge(item, answer))
    other = make_item("choose", 2, 5)
    kept.record(other, solution(other), judge(other, solution(other)))
    return kept


def test_answers_are_counted_and_nonsense_is_not(progress: Progress) -> None:
    table = progress.table().set_index("exercise")
    columns = ["level", "begun", "solved", "at once", "answers"]
    assert table.loc["From English to a formula", columns].tolist() == [1, 1, 1, 0, 3]
    assert table.loc["Choose the formula that holds", columns].tolist() == [2, 1, 1, 1, 1]
    assert repr(progress) == "Progress(2 of 2 exercises solved, 4 answers)"
    assert set(progress.misconceptions()["misconception"]) == {"interval off by one", "F for G, or G for F"}


def test_an_empty_record_has_tables_too() -> None:
    assert len(Progress().table()) == len(Progress().misconceptions()) == 0
    assert "0 of 0" in Progress()._repr_html_()


def test_a_file_brings_it_back(progress: Progress, tmp_path: Path) -> None:
    path = progress.save(tmp_path / "progress.json")
    assert Progress.load(path).attempts == progress.attempts
    assert [file.name for file in tmp_path.iterdir()] == ["progress.json"]


def test_it_is_resumed_where_there_is_a_file_and_begun_where_there_is_none(
    progress: Progress, tmp_path: Path
) -> None:
    assert Progress.resume(tmp_path / "progress.json").attempts == ()
    progress.save(tmp_path / "progress.json")
    assert Progress.resume(tmp_path / "progress.json").attempts == progress.attempts
    (tmp_path / "progress.json").write_text("{", encoding="utf-8")
    with pytest.raises(StelleError, match="Not saved progress"):
        Progress.resume(tmp_path / "progress.json")


def test_a_page_shows_answers_as_text(progress: Progress) -> None:
    item = make_item("predict")
    progress.record(item, "<script>", judge(item, "7"))
    assert "<script>" not in progress._repr_html_()


GOOD = json.loads(Progress().to_json())
ATTEMPT = {"kind": "choose", "level": 1, "seed": 0, "answer": "0", "is_right": True, "misconception": None}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "null",
        "{",
        json.dumps({**GOOD, "version": 99}),
        json.dumps({**GOOD, "format": "something"}),
        json.dumps({**GOOD, "attempts": [{**ATTEMPT, "kind": "guess"}]}),
        json.dumps({**GOOD, "attempts": [{**ATTEMPT, "level": 9}]}),
        json.dumps({**GOOD, "attempts": [{**ATTEMPT, "kind": []}]}),
        json.dumps({**GOOD, "attempts": [{**ATTEMPT, "misconception": "none"}]}),
        json.dumps({**GOOD, "attempts": [{**ATTEMPT, "is_right": "yes"}]}),
        json.dumps({**GOOD, "attempts": [{**ATTEMPT, "more": 1}]}),
        json.dumps({**GOOD, "attempts": 7}),
        "[" * 100_000,
    ],
)
def test_what_is_no_progress_is_refused(text: str) -> None:
    with pytest.raises(StelleError, match="Not saved progress"):
        Progress.from_json(text)
