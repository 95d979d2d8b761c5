"""Every panel saves what it shows: pictures, formulas, code; nothing is overwritten, nothing half-written."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import Any

import pytest

from stelle_nb.errors import PanelError, StelleError
from stelle_nb.explain.local.local_explanation import LocalExplanation
from stelle_nb.logic.parsing.parser import parse
from stelle_nb.panels import (
    ConceptsPanel,
    DatasetPanel,
    ExplanationPanel,
    GammaPanel,
    GammaState,
    Session,
    SimplifierPanel,
    TrainingPanel,
    explore,
)
from stelle_nb.panels.base import Panel
from stelle_nb.panels.widgets.export import link_html, write_new

STARTS = {"PNG picture": b"\x89PNG", "SVG picture": b"<svg", "PDF picture": b"%PDF"}


def make_panels(session: Session) -> list[Panel[Any]]:
    return [
        GammaPanel(session),
        ExplanationPanel(session),
        ConceptsPanel(session),
        SimplifierPanel("!(x0 <= 1 | !F x1 > 2)", session.dataset),
        DatasetPanel(session.dataset),
        TrainingPanel(session),
    ]


@pytest.fixture(scope="module")
def panels(session: Session) -> list[Panel[Any]]:
    return make_panels(session)


@pytest.mark.parametrize("number", range(6))
def test_all_that_is_listed_is_written(panels: list[Panel[Any]], number: int, tmp_path: Path) -> None:
    panel = panels[number]
    names = [name for name, _ in panel.exports.form.options]
    assert "Python code" in names and "JSON" in names
    if not isinstance(panel, TrainingPanel):  # nothing is drawn before the first epoch
        assert set(STARTS) <= set(names)
    for name in names:
        content = panel.export(name, tmp_path).read_bytes()
        assert content.lstrip().startswith(STARTS.get(name, b""))
        if name == "Python code":
            compile(content, "cell", "exec")
        if name == "JSON":
            json.loads(content)
    assert len(list(tmp_path.iterdir())) == len(names)


def test_a_formula_is_saved_as_it_is_shown(session: Session, tmp_path: Path) -> None:
    panel = GammaPanel(session, state=GammaState(case=2))
    found = panel.explanation
    assert found is not None
    assert panel.export("LaTeX formula", tmp_path).read_text() == f"{found.to_latex()}\n"
    assert panel.export("RTAMT formula", tmp_path).read_text() == f"{found.wording.rtamt(found.formula)}\n"
    again = LocalExplanation.from_json(panel.export("JSON", tmp_path).read_text(encoding="utf-8"))
    assert again.formula == found.formula
    assert "default-src 'none'" in panel.export("HTML page", tmp_path).read_text(encoding="utf-8")
    steps = SimplifierPanel("!(x0 <= 1)")
    saved = json.loads(steps.export("JSON", tmp_path).read_text(encoding="utf-8"))
    assert parse(saved["formula"]) == parse("!(x0 <= 1)")


def test_the_button_writes_beside_the_notebook_and_offers_a_link(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    panel = GammaPanel(session, state=GammaState(case=1))
    panel.exports.form.value = "LaTeX formula"
    panel.exports.go.click()
    panel.exports.go.click()
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "explanation-test-1-2.tex",
        "explanation-test-1.tex",
    ]
    found = re.search(r'download="([^"]+)" href="data:text/plain;base64,([^"]+)"', panel.exports.saved.value)
    assert found and base64.b64decode(found[2]) == (tmp_path / found[1]).read_bytes()
    assert panel.error.value == ""


def test_the_explorer_saves_the_report(session: Session, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    explorer = explore(session)
    explorer.exports.form.value = "HTML report"
    explorer.exports.go.click()
    explorer.wait()
    assert explorer.error.value == ""
    [path] = tmp_path.iterdir()
    assert (
        "What makes drop?" in path.read_text(encoding="utf-8") and path.name in explorer.exports.saved.value
    )
    explorer.close()


def test_what_cannot_be_saved_is_named(session: Session, tmp_path: Path) -> None:
    with pytest.raises(PanelError, match="LaTeX formula"):
        DatasetPanel(session.dataset).export("LaTeX formula", tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_failed_write_leaves_nothing_and_a_name_cannot_leave_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_new(tmp_path, "../<b>x</b>", ".txt", "text")
    assert path == tmp_path / "b-x-b.txt" and path.read_text() == "text"
    assert "<b>" not in link_html(path)

    def fail(*_: Any) -> None:
        raise OSError("full")

    monkeypatch.setattr(Path, "write_bytes", fail)
    with pytest.raises(OSError, match="full"):
        write_new(tmp_path, "other", ".txt", "text")
    assert [found.name for found in tmp_path.iterdir()] == ["b-x-b.txt"]


def test_a_folder_that_is_not_there_is_told(session: Session, tmp_path: Path) -> None:
    with pytest.raises(StelleError, match="cannot be written"):
        GammaPanel(session).export("Python code", tmp_path / "absent")
