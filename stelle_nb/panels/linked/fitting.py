"""The progress of an explorer's first fit, as the view reports it."""

from __future__ import annotations

from typing import Any

from stelle_nb.arguments import brief_list
from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.errors import PanelError, StelleError
from stelle_nb.panels.parts.dataset_state import DatasetState
from stelle_nb.panels.parts.training_run import RunStatus

READY: dict[str, Any] = {"phase": "ready", "text": "", "share": 1.0, "can_cancel": False}


def status_json(status: RunStatus, *, is_stopping: bool = False) -> dict[str, Any]:
    """The state of a training for the page."""
    share = status.done / status.total if status.total else 0.0
    if status.phase == "running":
        text = "Stopping …" if is_stopping else _progress(status, share)
        return {"phase": "fitting", "text": text, "share": round(share, 3), "can_cancel": not is_stopping}
    if status.phase == "finished":
        return READY
    said = {"cancelled": "Fitting was cancelled: there is no model.", "failed": _failure(status.error)}
    return {"phase": status.phase, "text": said[status.phase], "share": 0.0, "can_cancel": False}


def waiting_json(name: str) -> dict[str, Any]:
    """A note that a model of another data set is being fitted; its progress is unknown."""
    return {"phase": "fitting", "text": f"Fitting a model to {name} …", "share": 0.0, "can_cancel": False}


def refusal(dataset: SeriesDataset, chosen: DatasetState, error: Exception, before: str) -> PanelError:
    """Why the data set ``before`` is still shown, and no model of the chosen data."""
    name = dataset.name
    place = f" ({chosen.source})" if chosen.source not in (name, "") else ""
    channels = "" if chosen.kept is None else f" with {brief_list(dataset.channel_names)} alone"
    kind = "" if isinstance(error, StelleError) else f"{type(error).__name__}: "
    return PanelError(
        f"No model could be fitted to {name}{place}{channels}: {kind}{error}\n"
        f"All tabs still show {before}. Choose another data set in the tab 'Data'."
    )


def _progress(status: RunStatus, share: float) -> str:
    if not status.done:
        return "Fitting a score card …"
    from stelle_nb.model.card.card_model import STAGES

    stage = STAGES[max(start for start in STAGES if start <= status.done)]
    left = "" if status.left is None else f", about {max(1, round(status.left))} s left"
    return f"Fitting a score card: {100 * share:.0f} %{left} ({stage})."


def _failure(error: Exception | None) -> str:
    kind = "" if error is None or isinstance(error, StelleError) else f"{type(error).__name__}: "
    return f"No model could be fitted. {kind}{error}"
