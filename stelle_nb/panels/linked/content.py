"""What the linked view shows of a case, as frozen values for the page, and data without a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from stelle_nb.data.dataset import SeriesDataset
from stelle_nb.depict.class_names import class_names, natural_order
from stelle_nb.depict.wording import Wording
from stelle_nb.logic.signal import Signal
from stelle_nb.logic.weighted_sum import Quantity
from stelle_nb.panels.linked.regions.case_list import CaseList, list_cases, numbers_of, telling_channel
from stelle_nb.panels.linked.regions.signal_rows import SignalRow, signal_rows
from stelle_nb.panels.parts.chosen_data import Part
from stelle_nb.plots.lines import time_title

if TYPE_CHECKING:
    from stelle_nb.panels.linked.regions.dials import Dial
    from stelle_nb.panels.linked.regions.verdict import ClassBar, Verdict
    from stelle_nb.panels.linked.regions.waterfall import Waterfall

N_FIRST = 3  # signals that are shown at first


def plain(value: Any) -> Any:
    """A record as a dictionary; lists of numbers are not copied, which would take longer than all else.

    Examples
    --------
    >>> plain(Signals([], ["0"], 9, 0.5, "s", "time (s)"))["unit"], plain([1.0, 2.0])
    ('s', [1.0, 2.0])
    """
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, list | tuple) and value and is_dataclass(value[0]):
        return [plain(each) for each in value]
    return value


@dataclass(frozen=True, slots=True)
class Signals:
    """The chart of the case.

    Parameters
    ----------
    rows
        All signals that some row of the sheet is about, those that matter most first.
    first
        Keys of those that are shown while no row is chosen.
    """

    rows: list[SignalRow]
    first: list[str]
    n_samples: int
    step: float | None
    unit: str | None
    axis: str


@dataclass(frozen=True, slots=True)
class CaseContent:
    """All that is shown of one case.

    Parameters
    ----------
    number, part, truth
        The case, and the name of its true class.
    target, rival
        Numbers of the classes that are compared; -1 while there is no model.
    edited, was
        What was changed in the case, and what the model said before; empty if nothing was.
    """

    number: int
    part: Part
    truth: str
    signals: Signals
    target: int = -1
    rival: int = -1
    target_name: str = ""
    rival_name: str = ""
    verdict: Verdict | None = None
    bars: tuple[ClassBar, ...] = ()
    sheet: Waterfall | None = None
    carried: str = ""
    dials: tuple[Dial, ...] = ()
    chosen: int = -1
    edited: str = ""
    was: str = ""

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        found: dict[str, Any] = plain(self)
        return found


class DataReader:
    """What can be shown of a data set before there is a model."""

    def __init__(self, dataset: SeriesDataset, classes: Sequence[Any] | None = None) -> None:
        known = np.unique(dataset.y_train).tolist() if classes is None else list(classes)
        self.dataset, self.classes = dataset, known
        self.names = class_names(known)
        self.wording = Wording.of(dataset)
        self.channel = telling_channel(dataset)

    @property
    def order(self) -> list[int]:
        """Numbers of the classes in the natural order of their names."""
        return natural_order(self.names)

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts that have cases, unseen ones first."""
        return ("test", "train") if self.dataset.n_test else ("train",)

    def n_cases(self, part: Part) -> int:
        """How many cases a part has."""
        return len(self._cases(part)[1])

    def listing(self, part: Part) -> CaseList:
        """The cases of a part."""
        X, y = self._cases(part)
        name = self.wording.channel_titles([self.channel])[0]
        return list_cases(
            X, numbers_of(y, self.classes), self._predicted(part), channel=self.channel, name=name,
            differs=self._differs(part),
        )  # fmt: skip

    def data(self, part: Part, case: int) -> CaseContent:
        """One case without a model."""
        X, y = self._cases(part)
        spread = X.std(axis=(0, 2))
        others = [int(c) for c in np.argsort(-spread, kind="stable") if int(c) != self.channel]
        channels: list[Quantity] = [Signal(c) for c in [self.channel, *others][:N_FIRST]]
        rows = signal_rows(channels, X[case], None, self.wording, {})
        return CaseContent(case, part, self._name_of(y[case]), self._signals(rows, [row.key for row in rows]))

    def _predicted(self, part: Part) -> list[int] | None:
        return None

    def _differs(self, part: Part) -> list[bool] | None:
        return None

    def _cases(self, part: Part) -> tuple[Any, Any]:
        ds = self.dataset
        return (ds.X_test, ds.y_test) if part == "test" else (ds.X_train, ds.y_train)

    def _name_of(self, label: Any) -> str:
        number = numbers_of(np.asarray([label]), self.classes)[0]
        return self.names[number] if number >= 0 else str(label)

    def _signals(self, rows: list[SignalRow], first: list[str]) -> Signals:
        said = self.wording
        return Signals(rows, first, self.dataset.n_timepoints, said.step, said.unit, time_title(said))
