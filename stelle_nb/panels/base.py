"""The base class of panels: a state that can be read, set and replayed, and controls that follow it."""

from __future__ import annotations

import base64
import functools
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, get_args

import ipywidgets
from IPython.display import display
from traitlets import TraitError

from stelle_nb.arguments import check_fields
from stelle_nb.data.html import NOT_MATH, as_written
from stelle_nb.depict.figure import asset
from stelle_nb.errors import PanelError, StelleError
from stelle_nb.panels.widgets.export import (
    Export,
    ExportableChart,
    NamedFormula,
    formula_exports,
    picture_exports,
    state_export,
)
from stelle_nb.panels.widgets.export_menu import ExportMenu

if TYPE_CHECKING:
    from stelle_nb.explain.explanation import Explanation

State = TypeVar("State")

# The arrow of ipywidgets' lists is black, which a dark page hides; this grey is seen on light and dark ones.
STYLE = (
    f"<style>{asset('sheet.css')}</style>"
    + """<style>
.stelle-panel { --jp-widgets-dropdown-arrow: url("data:image/svg+xml,%3Csvg viewBox='0 0 18 18'\
 xmlns='http://www.w3.org/2000/svg'%3E%3Cpath fill='%238a8a8a'\
 d='M5.2 6 9 9.8 12.8 6 14 7.2l-5 5-5-5z'/%3E%3C/svg%3E"); }
.stelle-panel { color: var(--jp-ui-font-color1, inherit); max-width: 920px; }
.stelle-panel .widget-html-content { line-height: 1.45; font-size: 13px; }
.stelle-panel .widget-html, .stelle-panel .widget-html-content { min-width: 0; max-width: 100%; }
.stelle-panel h3 { margin: 0; font-size: 16px; }
.stelle-panel p { margin: 4px 0; }
.stelle-panel .stelle-verdict { margin: 6px 0 2px; font-size: 15px; font-weight: 600; }
.stelle-panel .stelle-reasons { margin: 2px 0 4px; padding-left: 24px; list-style: decimal; }
.stelle-panel .stelle-share { white-space: nowrap; font-weight: 600; opacity: 0.75; }
.stelle-panel .stelle-warning { border-left: 4px solid #E69F00; padding: 2px 8px; }
.stelle-panel code, .stelle-formula { font-family: var(--jp-code-font-family, monospace); font-size: 13px;
  overflow-wrap: anywhere; background: none; color: inherit; }
.stelle-panel mark { background: #56B4E955; color: inherit; border-radius: 3px; }
.stelle-panel details { opacity: 0.85; }
.stelle-panel table { border-collapse: collapse; }
.stelle-panel td, .stelle-panel th { padding: 2px 14px 2px 0; text-align: left; font-weight: normal;
  vertical-align: top; }
.stelle-panel th { opacity: 0.75; }
.stelle-panel .wide { overflow-x: auto; }
.stelle-panel .stelle-sheet td { padding-right: 10px; }
.stelle-panel .stelle-card th, .stelle-panel .stelle-card td { padding: 5px 9px; vertical-align: middle; }
.stelle-panel .stelle-card th { opacity: 1; }
.stelle-panel .widget-tab > .lm-TabBar > .lm-TabBar-content { flex-wrap: wrap; }
.stelle-panel .widget-tab > .lm-TabBar .lm-TabBar-tab { flex: 0 0 auto; padding: 0 14px;
  min-width: max-content; }
.stelle-error { border-left: 4px solid #D55E00; padding: 4px 8px; white-space: pre-wrap; }
</style>"""
)

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


def guarded(method: Callable[..., None]) -> Callable[..., None]:
    """Decorate a callback: one runs at a time, errors are shown in the panel, and the panel keeps working.

    Callbacks that a panel causes itself, by setting its controls, are ignored.
    """

    @functools.wraps(method)
    def call(panel: Panel[Any], *args: Any) -> None:
        with panel.lock:
            if panel.is_setting:
                return
            try:
                method(panel, *args)
            except Exception as error:
                panel.report(error)
            else:
                panel.report(None)

    return call


class Panel(ABC, Generic[State]):
    """A panel of a notebook.

    It is shown when it is the last value of a cell; ``panel.view`` is the widget to put elsewhere. The saved
    notebook also holds a picture and a text of the panel as it was first shown, for readers without a kernel.

    Attributes
    ----------
    view
        The widget that holds all others.
    error
        Where errors of callbacks are shown.
    exports
        The row that saves what is shown.
    """

    title: ClassVar[str]
    help: ClassVar[str]
    # Callbacks may run on another thread than cells, and linked panels call each other in any order. With a
    # lock for each, two threads could wait for each other for good, so all panels share one.
    lock: ClassVar[threading.RLock] = threading.RLock()

    def __init__(self, state: State) -> None:
        self._check_state(state)
        self.is_setting = False
        self._state = state
        self._worker: threading.Thread | None = None
        self.on_state: list[Callable[[State], None]] = []
        self.error = ipywidgets.HTML()
        self.heading = ipywidgets.HTML(
            f"{STYLE}<h3>{escape(self.title)}</h3><details><summary>What is this?</summary>"
            f"{escape(self.help)}</details>"
        )
        self.exports = ExportMenu(self._exports, self._file_stem, self._on_export)
        with self.setting():  # first values of controls are not choices of the user
            parts = self._build()
        self.view = ipywidgets.VBox([self.heading, *parts, self.exports.view, self.error])
        for name in ("stelle-panel", *NOT_MATH):
            self.view.add_class(name)
        self._still_class = f"stelle-still-{self.view.model_id}"
        self.heading.value += hiding(self._still_class)
        with self.lock:  # work that this starts in the background may be done before it ends
            self._follow(state)

    @classmethod
    def _check_state(cls, state: Any) -> None:
        """Reject the state of another panel, or fields of the wrong type."""
        wanted = get_args(cls.__orig_bases__[0])[0]  # type: ignore[attr-defined]
        if isinstance(wanted, type) and type(state) is not wanted:
            raise PanelError(
                f"state must be a {wanted.__name__}, got {state!r}. See help({wanted.__name__})."
            )
        check_fields(state, error=PanelError)

    @property
    def state(self) -> State:
        """What is shown, as a frozen value; if it is set, the controls and the display follow."""
        return self._state

    @state.setter
    def state(self, state: State) -> None:
        if type(state) is not type(self._state):
            raise PanelError(
                f"state must be a {type(self._state).__name__}, got {state!r}. "
                "Use panel.change(...) to set some of its fields."
            )
        check_fields(state, error=PanelError)
        with self.lock:
            before, self._state = self._state, state
            try:
                self._follow(state)
            except Exception:
                self._state = before
                with self.setting():
                    self._set_controls(before)
                raise
        for callback in tuple(self.on_state):
            callback(self._state)

    def change(self, **changes: Any) -> None:
        """Set some fields of the state."""
        self.state = replace(self._state, **changes)  # type: ignore[type-var]

    @abstractmethod
    def to_code(self) -> str:
        """Python that shows this panel in this state in a fresh kernel."""

    @abstractmethod
    def _build(self) -> list[Any]:
        """Make the controls, once."""

    @abstractmethod
    def _set_controls(self, state: State) -> None:
        """Make the controls show the state."""

    @abstractmethod
    def _show(self, state: State) -> None:
        """Compute and show the state."""

    @abstractmethod
    def _still(self) -> tuple[str, ExportableChart | None]:
        """What is shown, as HTML and a picture, for readers without a kernel."""

    def _subject(self) -> Explanation | NamedFormula | None:
        """The explanation or the formula that is shown, if any."""
        return None

    def export(self, name: str, folder: str | Path | None = None) -> Path:
        """Save what is shown as a file, under an unused name.

        Parameters
        ----------
        name
            One of those that the panel lists: ``"PNG picture"``, ``"LaTeX formula"``, ``"Python code"``, …
        folder
            Where to write it; if left out, the current folder, which is the notebook's.
        """
        return self.exports.write(self.exports.find(name), None if folder is None else Path(folder))

    def _exports(self) -> list[Export]:
        """What can be saved now."""
        subject, picture = self._subject(), self._still()[1]
        return [
            *([] if picture is None or not picture.label else picture_exports(picture)),
            *([state_export(self)] if subject is None else formula_exports(subject)),
            Export("Python code", ".py", lambda: f"{self.to_code()}\n"),
        ]

    def _file_stem(self) -> str:
        case = [str(getattr(self._state, name)) for name in ("part", "case") if hasattr(self._state, name)]
        return "-".join([self.title, *case])

    def _on_export(self, _: Any) -> None:
        guarded(type(self)._save)(self)

    def _save(self) -> None:
        chosen = self.exports.chosen
        if not chosen.is_slow:
            self.exports.write(chosen)
        elif self._worker is None:
            self._later(lambda: self.exports.write(chosen))
        else:
            raise PanelError("This panel is busy in the background. Save again when it is done.")

    def _follow(self, state: State) -> None:
        with self.setting():
            try:
                self._set_controls(state)
            except TraitError as error:
                raise PanelError(
                    f"The controls of the panel cannot show {state!r}: {error}. Choose from what they offer."
                ) from error
            self._show(state)
            self.exports.refresh()

    def _later(self, work: Callable[[], Any]) -> None:
        """Do long work on another thread, then show the state that is current by then.

        The kernel and the other panels stay responsive. Work that is under way is not started again.
        """

        def run() -> None:
            problem: Exception | None = None
            try:
                work()
            except Exception as error:
                problem = error
            with self.lock:
                self._worker = None
                if problem is None:
                    guarded(type(self)._show_again)(self)
                else:
                    with self.setting():
                        self._set_controls(self._state)
                    self.report(problem)

        if self._worker is None:
            self._worker = threading.Thread(target=run, name="stelle_nb panel", daemon=True)
            self._worker.start()

    def _show_again(self) -> None:
        self._follow(self._state)

    def wait(self, timeout: float | None = None) -> None:
        """Wait until work in the background is done."""
        while True:
            with self.lock:  # a worker that is done may still be showing what it found
                worker = self._worker
            if worker is None:
                return
            worker.join(timeout)
            if timeout is not None:
                return

    @contextmanager
    def setting(self) -> Iterator[None]:
        """While the panel sets its own controls, their callbacks do nothing."""
        was, self.is_setting = self.is_setting, True
        try:
            yield
        finally:
            self.is_setting = was

    def report(self, error: Exception | None) -> None:
        """Show an error, or remove it."""
        if error is None:
            self.error.value = ""
            return
        kind = "" if isinstance(error, StelleError) else f"{type(error).__name__}: "
        self.error.value = f'<div class="stelle-error" role="alert">{escape(kind + str(error))}</div>'

    def close(self) -> None:
        """Remove the panel from the page, with every widget in it."""
        self.on_state.clear()
        close_all(self.view)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._state!r})"

    def _repr_mimebundle_(self, *_: Any, **__: Any) -> dict[str, Any]:
        bundle: dict[str, Any] = dict(self.view._repr_mimebundle_())
        with self.lock:
            text, chart = self._still()
            png = None if chart is None else chart.png()
            alt = "" if chart is None else chart.label
        body = f"<h3>{escape(self.title)}</h3>{text}"
        if png is not None:
            picture = base64.b64encode(png).decode("ascii")
            body += f'<img alt="{escape(alt)}" style="max-width: 100%" src="data:image/png;base64,{picture}">'
            bundle["image/png"] = picture
        return {**bundle, "text/html": as_written(body), "text/plain": repr(self)}

    def _ipython_display_(self) -> None:
        """Show the panel, after its picture and text, which are in sight until the panel itself is.

        nbconvert prefers a widget to a picture in one output, and shows nothing where its scripts cannot be
        fetched; a picture in an output of its own is there in any case.
        """
        bundle = self._repr_mimebundle_()
        view = {key: bundle.pop(key) for key in tuple(bundle) if key == WIDGET_VIEW}
        bundle["text/html"] = f'<div class="{self._still_class}">{bundle["text/html"]}</div>'
        for each in (bundle, view):
            display(each, raw=True)  # type: ignore[no-untyped-call]

    def _mime_(self) -> tuple[str, str]:
        """What marimo shows, which has no boxes of ipywidgets: the picture and the text."""
        said = "marimo shows this panel as a still picture. The view of st.explore(...) is live there."
        return "text/html", f"<p><em>{said}</em></p>{self._repr_mimebundle_()['text/html']}"


def hiding(name: str) -> str:
    """A style that hides the outputs with this class; it is on the page as long as the panel is."""
    return f"<style>.{name}, .jp-OutputArea-child:has(> * .{name}) {{ display: none }}</style>"


def close_all(widget: ipywidgets.Widget) -> None:
    """Close a widget and everything in it; closing a box alone would leave the rest in the kernel."""
    parts = [
        *getattr(widget, "children", ()),
        getattr(widget, "layout", None),
        getattr(widget, "style", None),
    ]
    for part in parts:
        if isinstance(part, ipywidgets.Widget):
            close_all(part)
    widget.close()
