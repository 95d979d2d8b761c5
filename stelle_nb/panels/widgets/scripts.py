"""Scripts and style of the widgets that are drawn by hand."""

from __future__ import annotations

from importlib import resources

from stelle_nb.plots.theme import FAILS, GREY, HOLDS, SHUNNED, WANTED

_ASSETS = resources.files("stelle_nb.panels.widgets").joinpath("assets")
_COLOURS = {
    "case": "var(--jp-ui-font-color1, #777777)",
    "wanted": WANTED,
    "shunned": SHUNNED,
    "holds": HOLDS,
    "fails": FAILS,
    "grey": GREY,
}


def script(*names: str) -> str:
    """Scripts as one module: a widget has one; code that several widgets share is in separate files.

    Each of them guards the keys of the panel that it is in.
    """
    return "\n".join(_ASSETS.joinpath(f"{name}.js").read_text(encoding="utf-8") for name in ("keys", *names))


def style() -> str:
    """The style sheet of the widgets drawn by hand."""
    colours = " ".join(f"--stelle-{name}: {colour};" for name, colour in _COLOURS.items())
    return f":root {{ {colours} }}\n{_ASSETS.joinpath('editor.css').read_text(encoding='utf-8')}"
