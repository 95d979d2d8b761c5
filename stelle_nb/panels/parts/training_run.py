"""One training run in the background: its progress, and how it is cancelled."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, final

import torch

from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.errors import Cancelled
from stelle_nb.progress import Progress, seconds_left

if TYPE_CHECKING:  # those who only look at the data need not wait for models
    from stelle_nb.estimator.classifier import StelleClassifier
    from stelle_nb.model.paper.history import EpochProgress, EpochRow

MIN_WAIT = 0.25  # seconds between two reports: a browser need not draw faster
Phase = Literal["running", "finished", "cancelled", "failed"]


@final
@dataclass(frozen=True, slots=True, eq=False)
class RunStatus:
    """How far a training has come.

    Parameters
    ----------
    done, total
        Steps: epochs of the paper's network, else hundredths.
    seconds
        How long it has run.
    left
        Seconds that it needs at most at this rate; None while unknown.
    epochs, best_epoch
        What the paper's network did in each epoch, and the one whose state it would keep.
    error
        Why it failed.
    variant
        Which model is trained.
    """

    phase: Phase = "running"
    done: int = 0
    total: int = 0
    seconds: float = 0.0
    left: float | None = None
    epochs: tuple[EpochRow, ...] = ()
    best_epoch: int | None = None
    error: Exception | None = None
    variant: str = "dense"


@final
@dataclass
class FirstTraining:
    """What is trained for a data set at first: a score card, or one that imitates another classifier.

    Parameters
    ----------
    dataset
        The data set.
    other
        A classifier that was trained elsewhere, or None.
    """

    dataset: SeriesDataset
    other: Any = None
    variant: str = "scorecard"
    progress: Progress | None = None
    on_epoch: Any = None

    def fit(self, X: Any, y: Any) -> StelleClassifier:
        """Fit a card, or imitate the other classifier."""
        from stelle_nb.estimator.classifier import StelleClassifier
        from stelle_nb.estimator.imitation import imitate

        if self.other is not None:
            return imitate(self.other, self.dataset, progress=self.progress)
        card = StelleClassifier.for_dataset(self.dataset, random_state=0, progress=self.progress)
        try:
            return card.fit(X, y)
        finally:
            card.progress = None  # otherwise the model would keep a reference to the panel


@final
class TrainingRun:
    """Fit a classifier in the background.

    Parameters
    ----------
    classifier
        Unfitted, or a first training; its ``progress`` and ``on_epoch`` belong to this run until it ends.
    dataset
        Whose training part it is fitted to.
    on_status
        Called on the thread that works, a few times a second at most.
    on_end
        Called there once, with the fitted classifier or None if there is none.
    """

    def __init__(
        self,
        classifier: StelleClassifier | FirstTraining,
        dataset: SeriesDataset,
        *,
        on_status: Callable[[RunStatus], None],
        on_end: Callable[[RunStatus, StelleClassifier | None], None],
    ) -> None:
        self.status = RunStatus(variant=classifier.variant)
        self._classifier, self._dataset = classifier, dataset
        self._on_status, self._on_end = on_status, on_end
        self._is_cancelled, self._is_shown, self._is_awaited = (threading.Event() for _ in range(3))
        self._rest = 0.0
        self._began = self._counted = self._told = time.monotonic()
        self._thread = threading.Thread(target=self._work, name="stelle_nb training", daemon=True)

    @property
    def is_running(self) -> bool:
        """Whether the thread is at work."""
        return self._thread.is_alive()

    @property
    def is_cancelled(self) -> bool:
        """Whether it was asked to stop."""
        return self._is_cancelled.is_set()

    def start(self, rest: float = 0.0) -> None:
        """Begin.

        Parameters
        ----------
        rest
            Seconds in which others may use the processor first, unless somebody is waiting.
        """
        self._rest = rest
        self._thread.start()

    def prepare(self) -> None:
        """Import what is needed: what the page shows at first is known."""
        self._is_shown.set()

    def hurry(self) -> None:
        """Rest no longer."""
        self._is_shown.set()
        self._is_awaited.set()

    def cancel(self) -> None:
        """Stop at the next step; the paper's network keeps its best state, others leave nothing."""
        self._is_cancelled.set()
        self.hurry()

    def join(self, timeout: float | None = None) -> None:
        """Wait for the end."""
        self.hurry()
        self._thread.join(timeout)

    def _work(self) -> None:
        self._is_shown.wait(self._rest)
        import stelle_nb.estimator.classifier  # noqa: F401

        self._is_awaited.wait(self._rest)
        self._began = self._counted = self._told = time.monotonic()
        classifier = self._classifier
        classifier.progress = self._count
        if classifier.variant == "paper":
            classifier.on_epoch = self._note
        fitted: StelleClassifier | None = None
        phase: Phase = "finished"
        error: Exception | None = None
        try:
            with room_for_others():
                fitted = classifier.fit(self._dataset.X_train, self._dataset.y_train)
            phase = "cancelled" if was_cut_short(fitted) else "finished"
        except Cancelled:
            phase = "cancelled"
        except Exception as problem:  # shown in the panel: on this thread it would go unnoticed
            phase, error = "failed", problem
        finally:
            classifier.progress = classifier.on_epoch = (
                None  # otherwise the model would keep a reference to the panel
            )
        self.status = replace(self.status, phase=phase, seconds=self._seconds(), left=None, error=error)
        self._on_end(self.status, fitted)

    def _count(self, done: int, total: int) -> bool:
        now = time.monotonic()
        if done == 0:
            self._counted = now
        left = seconds_left(done, total, now - self._counted)
        self.status = replace(self.status, done=done, total=total, seconds=self._seconds(), left=left)
        if done == 0 or now - self._told >= MIN_WAIT:
            self._told = now
            self._on_status(self.status)
        return not self.is_cancelled

    def _note(self, epoch: EpochProgress) -> None:
        epochs = (*self.status.epochs, epoch.row)
        self.status = replace(self.status, epochs=epochs, best_epoch=epoch.best_epoch)

    def _seconds(self) -> float:
        return time.monotonic() - self._began


def was_cut_short(classifier: StelleClassifier) -> bool:
    """Whether a fitted classifier has the best state of a cancelled training."""
    from stelle_nb.model.paper.paper_model import PaperConceptModel

    history = classifier.model_.history if isinstance(classifier.model_, PaperConceptModel) else None
    return history is not None and history.ending == "cancelled"


@contextmanager
def room_for_others() -> Iterator[None]:
    """Leave a core for the thread that handles the controls."""
    threads = torch.get_num_threads()
    torch.set_num_threads(max(1, threads - 1))
    try:
        yield
    finally:
        torch.set_num_threads(threads)
