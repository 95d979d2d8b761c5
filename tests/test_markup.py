"""Templates escape all text; only values that are markup by name pass unescaped."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from jinja2 import UndefinedError

import stelle_nb
from stelle_nb.depict.page import document, facts_html, table_html
from stelle_nb.markup import _environment, render, render_macro

PACKAGE = Path(stelle_nb.__file__).parent
TEMPLATES = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("templates/*.html"))
HOSTILE = "</script><img src=x onerror=alert(1)>&\"'"


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_can_be_read_and_trusts_markup_alone(name: str) -> None:
    _environment().get_template(name)
    text = (PACKAGE / name).read_text(encoding="utf-8")
    trusted = re.findall(r"(\S+) \| safe\b", text)
    assert [
        each for each in trusted if not re.fullmatch(r'[\w.]+_(html|css|js)|"<span>.*</span>"', each)
    ] == []
    assert "autoescape" not in text


def test_there_are_templates_and_they_belong_to_modules() -> None:
    assert len(TEMPLATES) > 8
    assert all(list((PACKAGE / name).parent.parent.glob("*.py")) for name in TEMPLATES)


def test_text_is_escaped_wherever_it_stands() -> None:
    for html in (facts_html({HOSTILE: HOSTILE}), document(HOSTILE, "")):
        assert "<img" not in html and html.count("&lt;img") == html.count("onerror") > 0
    data = {"hint": HOSTILE}
    html = render("depict/templates/figure.html", data=data, legend={"own": HOSTILE}, is_partial=False)
    assert "<img" not in html and html.count("</script>") == 1


def test_a_missing_value_is_an_error() -> None:
    with pytest.raises(UndefinedError, match="title"):
        render("templates/document.html")


def test_macros_can_be_used_alone() -> None:
    assert render_macro("explain/local/printing/templates/reasons.html", "warning", "") == ""


def test_jinja_is_not_imported_with_the_package() -> None:
    code = "import sys, stelle_nb, stelle_nb.markup; print('jinja2' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_numbers_of_tables_are_short() -> None:
    pandas = pytest.importorskip("pandas")
    html = table_html(pandas.DataFrame({"a": [0.123456], "b": [7], "c": ["<"]}))
    assert '<td class="number">0.1235</td><td class="number">7</td><td>&lt;</td>' in html
