"""HTML from templates, in which Jinja2 escapes all text.

Templates lie in folders ``templates`` beside the modules that fill them. A value that is markup already is
called ``…_html`` (or ``…_css``, ``…_js``) and is the only kind that a template may pass through ``safe``.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment


def render(template: str, **values: Any) -> str:
    """A template of this package with its values filled in.

    Parameters
    ----------
    template
        Its path inside the package.
    values
        What it needs; a name that is missing is an error.
    """
    return _environment().get_template(template).render(values)


def render_macro(template: str, macro: str, *values: Any) -> str:
    """One macro of a template.

    Examples
    --------
    >>> render_macro("depict/templates/tables.html", "facts", {"a < b": "$1"})
    '<table><tr><th>a &lt; b</th><td>$1</td></tr></table>'
    """
    return str(getattr(_environment().get_template(template).module, macro)(*values))


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined  # a tenth of a second that few need

    environment = Environment(
        loader=PackageLoader("stelle_nb", ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "allow_nan": False}
    return environment
