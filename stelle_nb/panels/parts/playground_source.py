"""Where the signal of a playground comes from: nothing, an example, a data set, or an array."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.depict.class_names import class_name
from stelle_nb.depict.regions import Case
from stelle_nb.depict.wording import Wording
from stelle_nb.errors import PanelError
from stelle_nb.logic.parsing.tokens import quoted
from stelle_nb.panels.parts.chosen_data import Part, as_dataset, dataset_code
from stelle_nb.panels.parts.playground_examples import examples
from stelle_nb.panels.session import Session
from stelle_nb.panels.widgets.signal_content import usual_ranges
from stelle_nb.plots.interactive.traces import one_case

BLANK, OWN, CASE = "blank", "own", "case"
N_CHANNELS, N_TIMEPOINTS = 2, 60
MOST_WRITTEN = 2000  # values of an array that are written out as code


@final
@dataclass(frozen=True, slots=True, eq=False)
class StartingSignal:
    """A signal before anything is done to it.

    Parameters
    ----------
    frames
        For each channel, values that its axis spans at least; None to go by the signal alone.
    """

    signal: Case
    wording: Wording
    frames: list[list[float]] | None
    says: str
    formula: str

    @property
    def names(self) -> tuple[str, ...]:
        """What channels are called in formulas."""
        return tuple(self.wording.channel(channel) for channel in range(len(self.signal)))


@final
@dataclass(frozen=True, slots=True, eq=False)
class PlaygroundSource:
    """What a playground was opened with.

    Parameters
    ----------
    dataset
        Whose cases can be chosen; None if there is none.
    own
        A signal ``(channel, time)``; None if none was given.
    """

    dataset: SeriesDataset | None = None
    own: Case | None = None

    @classmethod
    def of(cls, data: Any) -> PlaygroundSource:
        """Take a data set, the name of one, a session, or a signal."""
        if data is None:
            return cls()
        if isinstance(data, Session):
            return cls(data.dataset)
        if isinstance(data, SeriesDataset | str):
            return cls(as_dataset(data))
        signal = one_case(data)
        if not signal.size or not np.isfinite(signal).all():
            raise PanelError(
                f"A signal must hold finite numbers (channel, time), got shape {signal.shape}. "
                "Fill or cut out what is missing."
            )
        return cls(None, signal)

    @property
    def first(self) -> str:
        """What to begin with."""
        if self.own is not None:
            return OWN
        return CASE if self.dataset is not None else next(iter(examples()))

    def options(self) -> list[tuple[str, str]]:
        """What can be chosen, with what it is called."""
        found = [("a blank signal", BLANK)]
        if self.own is not None:
            found.insert(0, ("your signal", OWN))
        if self.dataset is not None:
            found.insert(0, (f"a case of {self.dataset.name}", CASE))
        return [*found, *((f"example · {name}", name) for name in examples())]

    def parts(self) -> tuple[Part, ...]:
        """The parts of the data set that have cases."""
        if self.dataset is None:
            return ()
        return ("test", "train") if self.dataset.n_test else ("train",)

    def cases(self, part: Part) -> list[tuple[str, int]]:
        """What the cases of a part are called."""
        if self.dataset is None or part not in self.parts():
            return []
        labels = self.dataset.y_test if part == "test" else self.dataset.y_train
        return [(f"{i} · {class_name(label)}", i) for i, label in enumerate(labels.tolist())]

    def scene(self, name: str, part: Part, case: int) -> StartingSignal:
        """The signal of that name."""
        if name in examples():
            example = examples()[name]
            return StartingSignal(example.signal, example.wording, None, example.says, example.formula)
        if name == BLANK:
            return self._blank()
        if name == OWN and self.own is not None:
            return _scene(self.own, Wording(), None)
        if name == CASE and self.dataset is not None:
            return _scene(self._case(part, case), self._wording(), self._frames())
        known = [key for _, key in self.options()]
        raise PanelError(f"signal must be one of {known}, got {name!r}.")

    def to_code(self) -> tuple[str, str]:
        """Python that makes what the playground was opened with, and its name."""
        if self.dataset is not None:
            return dataset_code(self.dataset), "dataset"
        head = "import stelle_nb as st\n"
        if self.own is None:
            return head, ""
        if self.own.size > MOST_WRITTEN:
            return f"{head}\n# The signal was in memory: signal, (channel, time), must be defined.", "signal"
        return f"{head}\nsignal = {self.own.tolist()!r}", "signal"

    def _blank(self) -> StartingSignal:
        if self.own is not None:
            return _scene(np.zeros_like(self.own), Wording(), [[-1.0, 1.0]] * len(self.own))
        if self.dataset is not None:
            return _scene(np.zeros_like(self._case("train", 0)), self._wording(), self._frames())
        return _scene(np.zeros((N_CHANNELS, N_TIMEPOINTS)), Wording(), [[-1.0, 1.0]] * N_CHANNELS)

    def _wording(self) -> Wording:
        ds = self.dataset
        return Wording() if ds is None else Wording.of(ds)

    def _frames(self) -> list[list[float]]:
        return [] if self.dataset is None else usual_ranges(self.dataset.X_train)

    def _case(self, part: Part, case: int) -> Case:
        if part not in self.parts() or not 0 <= case < len(self.cases(part)):
            raise PanelError(
                f"part and case must name a case of the data set, got {part!r} and {case!r}. "
                f"There are {', '.join(f'{len(self.cases(p))} in {p!r}' for p in self.parts())}."
            )
        assert self.dataset is not None
        X = self.dataset.X_test if part == "test" else self.dataset.X_train
        return np.array(X[case], dtype=np.float64)


def _scene(signal: Case, wording: Wording, frames: list[list[float]] | None) -> StartingSignal:
    """A scene with a formula to begin with: the first channel passes a height in its window."""
    n = signal.shape[1]
    middle = 0.5 if not signal[0].any() else round(float(signal[0].mean() + signal[0].std()), 2)
    name = quoted(wording.channel(0))
    return StartingSignal(signal, wording, frames, "", f"F[0,{n // 2}] ({name} >= {middle!r})")
