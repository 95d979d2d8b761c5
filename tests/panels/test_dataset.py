"""The dataset panel: sets by name and path, balance, repeated channels, the chosen case."""

from __future__ import annotations

import csv
import threading
from collections.abc import Callable
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stelle_nb.data import SeriesDataset, keep_channels, load_dataset, resample
from stelle_nb.errors import StelleError
from stelle_nb.panels import DatasetPanel, DatasetState, Session
from stelle_nb.panels.session import dataset_code
from tests.panels.conftest import run_code

HOSTILE = """it's "so"\\n{0}') or exit('"""


@pytest.fixture(scope="module")
def panel(session: Session) -> DatasetPanel:
    return DatasetPanel(session.dataset)


def highlighted(panel: DatasetPanel) -> set[int]:
    """Which cases stand out in the picture; on every channel one does."""
    rows = [row for row in panel.chart.rows["signals"] if row["kind"] == "highlighted"]
    assert [row["place"] for row in rows] == list(range(panel.dataset.n_channels))
    return {row["case"] for row in rows}


def test_a_given_set_is_shown_with_its_balance(panel: DatasetPanel) -> None:
    assert "16 training and 16 unseen cases" in panel.facts.value
    assert "<td>4</td><td>4</td>" in panel.facts.value
    assert "&lt;img src=x" in panel.facts.value and "<img" not in panel.facts.value
    assert "No channel repeats another" in panel.facts.value
    assert panel.chart.rows["signals"]


def test_a_case_is_chosen_by_list_and_by_click(panel: DatasetPanel) -> None:
    panel.state = DatasetState()
    panel.case.value = 5
    assert panel.state.case == 5
    panel.chart.clicked = {"case": 7, "count": 1}
    assert panel.state.case == panel.case.value == 7 and "training case 7" in panel.facts.value
    assert highlighted(panel) == {7}
    panel.part.value = "test"
    assert highlighted(panel) == {0}
    assert panel.state == DatasetState(part="test", case=0)


def test_another_set_is_loaded_by_name_and_a_wrong_one_is_told(panel: DatasetPanel) -> None:
    panel.state = DatasetState()
    panel.other.value = "no/such/place"
    panel.wait()
    assert "nothing at" in panel.error.value and panel.state == DatasetState()
    panel.known.value = "BasicMotions"
    panel.wait()
    assert panel.error.value == "" and panel.state == DatasetState("BasicMotions")
    assert panel.dataset.n_channels == 6 and "Badminton" in panel.facts.value


def test_the_class_of_the_selected_case_is_always_drawn() -> None:
    X = np.random.default_rng(0).normal(size=(20, 1, 15))
    panel = DatasetPanel(SeriesDataset.from_arrays(X, [f"class {i % 10}" for i in range(20)]))
    assert "The picture shows 8 of 10 classes" in panel.facts.value
    panel.case.value = 9
    assert {"class 9"} < {row["label"] for row in panel.chart.rows["signals"]}


def test_repeated_channels_are_marked() -> None:
    x = np.random.default_rng(0).normal(size=(6, 1, 20))
    ds = SeriesDataset.from_arrays(
        np.concatenate([x, 2 * x], axis=1), ["a", "b"] * 3, channel_names=["<i>one", "two"]
    )
    panel = DatasetPanel(ds)
    assert "&lt;i&gt;one repeats two (1.00)" in panel.facts.value


def test_a_file_is_loaded_and_the_code_shows_the_same(tmp_path: Path, session: Session) -> None:
    ds = session.dataset
    place = tmp_path / "mine.npz"
    np.savez(place, X_train=ds.X_train, y_train=ds.y_train, X_test=ds.X_test, y_test=ds.y_test)
    panel = DatasetPanel(state=DatasetState(str(place), "test", 3))
    again = run_code(panel)["panel"]
    assert again.state == panel.state and again.facts.value == panel.facts.value


def test_a_table_that_needs_arguments_is_refused_with_the_way_to_give_them(
    tmp_path: Path, session: Session
) -> None:
    place = tmp_path / "runs.csv"
    place.write_text("nr,t0,t1,t2,label\n" + "".join(f"{i},1,2,{i % 2},{'ab'[i % 2]}\n" for i in range(4)))
    panel = DatasetPanel(session.dataset)
    panel.other.value = str(place)
    panel.wait()
    said = unescape(panel.error.value)
    assert "ignore=['nr']" in said and f"st.load_dataset(path={str(place)!r}, …)" in said
    assert panel.dataset is session.dataset
    given = load_dataset(path=place, ignore=["nr"])
    assert "set aside: 'nr'" in unescape(DatasetPanel(given).facts.value)


def test_a_case_that_is_not_there_is_refused(panel: DatasetPanel) -> None:
    before = panel.state
    with pytest.raises(StelleError, match="must name a case"):
        panel.change(case=999)
    assert panel.state == before and panel.case.value == before.case


def test_the_set_chosen_last_is_loaded_and_a_failure_shows_the_set_before(session: Session) -> None:
    panel, begun, may_go = DatasetPanel(session.dataset), threading.Event(), threading.Event()
    load = panel._load

    def slow(source: str) -> SeriesDataset:
        if source == "BasicMotions":
            begun.set()
            assert may_go.wait(20)
        return load(source)

    panel._load = slow  # type: ignore[method-assign]
    panel._open("BasicMotions")
    assert begun.wait(20)
    panel._open("GunPoint")
    may_go.set()
    panel.wait()
    assert panel.state.source == panel.dataset.name == "GunPoint"
    facts = panel.facts.value
    panel._open("/no/such/file.csv")
    panel.wait()
    assert panel.facts.value == facts and "no such" not in panel.state.source


def test_fields_of_the_wrong_kind_are_refused(session: Session) -> None:
    panel = DatasetPanel(session.dataset)
    with pytest.raises(StelleError, match="case"):
        panel.change(case="x")
    assert panel.state.case == 0


def test_code_for_another_split_does_not_load_the_published_one() -> None:
    published = load_dataset("BasicMotions")
    assert "load_dataset('BasicMotions')" in dataset_code(published)
    assert "must be defined" in dataset_code(resample(published, 3))


def test_code_for_series_treated_at_loading_treats_them_again(tmp_path: Path) -> None:
    rows = [f"{case},{t},x,{t},{'ab'[case]}" for case, n in enumerate((4, 6)) for t in range(n)]
    path = tmp_path / "set.csv"
    path.write_text("\n".join(["case,time,channel,value,label", *rows]))
    loaded = load_dataset(path=path, unequal="resample")
    code = dataset_code(loaded)
    assert "unequal='resample'" in code and "must be defined" not in code
    space: dict[str, Any] = {}
    exec(code, space)
    assert np.array_equal(space["dataset"].X_train, loaded.X_train)
    assert space["dataset"].treatments == loaded.treatments


def write_wide(path: Path, label: str, *, last: bool = False, header: bool = True) -> Path:
    """Six cases of one channel and a label column of that name, first or last."""
    rng = np.random.default_rng(0)
    lines = [["t0", "t1", "t2", "t3"]] if header else []
    lines += [[f"{value:.3f}" for value in rng.normal(size=4)] for _ in range(6)]
    labels = [label] * header + ["up", "down"] * 3
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(
            [*cells, name] if last else [name, *cells] for cells, name in zip(lines, labels, strict=True)
        )
    return path


def write_long(path: Path) -> Path:
    """Four cases of two channels, of one length and without gaps."""
    rows = [
        f"{case},{t},{channel},{case + t},{'ab'[case % 2]}"
        for case in range(4)
        for channel in ("u", "v")
        for t in range(5)
    ]
    path.write_text("\n".join(["case,time,channel,value,label", *rows]))
    return path


def write_tidy(path: Path) -> Path:
    """Four recordings, told apart by two columns, beside a column of notes."""
    rows = [
        f"{case // 2},{case % 2},{t / 8},fine,{np.sin(case + t):.3f},{'ab'[case % 2]}"
        for case in range(4)
        for t in range(5)
    ]
    path.write_text("\n".join(["who,which,when,note,acc,label", *rows]))
    return path


def write_irregular(path: Path) -> Path:
    rows = [f"{case},{t},{case + t * t},{'ab'[case]}" for case in range(2) for t in (0, 1, 1.4, 3, 4)]
    path.write_text("\n".join(["case,time,acc,label", *rows]))
    return path


def write_npz(path: Path) -> Path:
    np.savez(path, X=np.random.default_rng(0).normal(size=(4, 2, 6)), y=["a", "b"] * 2)
    return path


LOADED: dict[str, Callable[[Path], SeriesDataset]] = {
    "plain": lambda at: load_dataset(path=write_long(at / "set.csv")),
    "label": lambda at: load_dataset(path=write_wide(at / "set.csv", "kind"), label="kind"),
    "hostile label": lambda at: load_dataset(path=write_wide(at / "set.csv", HOSTILE), label=HOSTILE),
    "label last": lambda at: load_dataset(
        path=write_wide(at / "set.csv", "", last=True, header=False), label="last"
    ),
    "step": lambda at: load_dataset(path=write_long(at / "set.csv"), step=0.25),
    "step of numpy": lambda at: load_dataset(path=write_long(at / "set.csv"), step=np.float64(0.25)),
    "unit": lambda at: load_dataset(path=write_long(at / "set.csv"), unit="ms"),
    "hostile unit": lambda at: load_dataset(path=write_long(at / "set.csv"), unit=HOSTILE),
    "channel names": lambda at: load_dataset(
        path=write_long(at / "set.csv"), channel_names=["north", HOSTILE]
    ),
    "names of numpy": lambda at: load_dataset(
        path=write_long(at / "set.csv"), channel_names=tuple(np.array(["north", "east"]))
    ),
    "needless treatment": lambda at: load_dataset(
        path=write_long(at / "set.csv"), unequal="hold", missing="interpolate"
    ),
    "tidy": lambda at: load_dataset(
        path=write_tidy(at / "set.csv"), case=["who", "which"], time="when", ignore=["note"], decimal="."
    ),
    "irregular": lambda at: load_dataset(path=write_irregular(at / "set.csv"), resample=True),
    "size": lambda at: load_dataset(path=write_long(at / "set.csv"), max_bytes=2**40),
    "name in a folder": lambda at: load_dataset(
        "set", path=write_npz(at / "set.npz").parent, step=2, unit="h"
    ),
    "hostile place": lambda at: load_dataset(path=write_npz(at / "it's {0}.npz"), channel_names=["u", "v"]),
    "bundled": lambda _: load_dataset("GunPoint", step=0.5, unit="s", channel_names=["hand"]),
}


def exec_code(panel: DatasetPanel) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(compile(panel.to_code(), "cell", "exec"), names)
    return names


@pytest.mark.parametrize("how", LOADED)
def test_the_code_loads_a_set_with_the_options_that_it_was_loaded_with(how: str, tmp_path: Path) -> None:
    ds = LOADED[how](tmp_path)
    panel = DatasetPanel(ds, state=DatasetState(case=1))
    names = exec_code(panel)
    again = names["dataset"]
    for part in ("X_train", "X_test", "y_train", "y_test"):
        np.testing.assert_array_equal(getattr(again, part), getattr(ds, part))
    for said in ("channel_names", "step", "unit", "name", "source", "treatments", "origin"):
        assert getattr(again, said) == getattr(ds, said), said
    assert names["panel"].state == panel.state and names["panel"].facts.value == panel.facts.value


def test_the_panel_says_how_a_table_was_read(tmp_path: Path) -> None:
    path = tmp_path / "set.csv"
    rows = [f"{case},{t},{np.sin(case + t):.3f},{'ab'[case % 2]}" for case in range(4) for t in range(5)]
    path.write_text("\n".join(["case,time,<b>acc</b>,label", *rows]))
    facts = DatasetPanel(load_dataset(path=path)).facts.value
    assert "Read as: 4 recordings, 1 channel of 5 samples, label column 'label'" in unescape(facts)
    assert "<b>acc" not in facts
    assert "Read as" not in DatasetPanel(load_dataset(path=write_npz(tmp_path / "set.npz"))).facts.value


def test_the_code_says_only_what_was_given(tmp_path: Path) -> None:
    path = write_long(tmp_path / "set.csv")
    code = dataset_code(load_dataset(path=path, label="label", step=0.5))
    assert code.endswith(f"dataset = st.load_dataset(path={str(path)!r}, step=0.5)")


def test_a_set_found_by_name_in_a_folder_of_the_user_is_loaded_from_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = write_npz(tmp_path / "mine.npz")
    monkeypatch.setenv("STELLE_NB_DATA", str(tmp_path))
    ds = load_dataset("mine", unit="s")
    monkeypatch.delenv("STELLE_NB_DATA")
    assert f"path={str(place)!r}, unit='s'" in dataset_code(ds)
    assert exec_code(DatasetPanel(ds))["dataset"].name == "mine"


def test_sets_that_are_not_as_they_were_loaded_are_asked_for(tmp_path: Path) -> None:
    path = write_long(tmp_path / "set.csv")
    ds = load_dataset(path=path, unit="s")
    assert "must be defined" in dataset_code(replace(ds, X_train=ds.X_train + 1))
    told = SeriesDataset.from_arrays(ds.X_train, ds.y_train, source=str(path))
    assert "must be defined" in dataset_code(told)
    path.unlink()
    assert "must be defined" in dataset_code(ds)


def test_text_of_numpy_is_repeated_as_plain_text() -> None:
    word = np.array(["ms"])[0]
    ds = SeriesDataset.from_arrays(
        [[0.0, 1.0], [1.0, 0.0]], ["a", "b"], channel_names=np.array(["u"]), unit=word, name=word
    )
    assert "np." not in dataset_code(ds)


def three_channels(path: Path) -> Path:
    """Of three channels the second repeats the first."""
    X = np.random.default_rng(0).normal(size=(8, 3, 12))
    X[:, 1] = 2 * X[:, 0]
    np.savez(path, X=X, y=["a", "b"] * 4)
    return path


def test_channels_are_left_out_and_all_that_is_shown_follows(tmp_path: Path) -> None:
    panel = DatasetPanel(
        load_dataset(path=three_channels(tmp_path / "set.npz"), channel_names=["u", "v", "w"])
    )
    assert panel.kept.value == (0, 1, 2) and "u repeats v" in panel.facts.value
    assert "3 channels of" in panel.facts.value
    whole = panel.dataset
    panel.case.value = 3
    panel.kept.value = (1, 2)
    assert panel.state == DatasetState(case=3, kept=(1, 2)) and panel.error.value == ""
    assert panel.dataset.channel_names == ("v", "w") and panel.dataset is panel.dataset
    np.testing.assert_array_equal(panel.dataset.X_train, whole.X_train[:, 1:])
    assert "2 of 3 channels of" in panel.facts.value and "No channel repeats" in panel.facts.value
    assert highlighted(panel) == {3} and panel.channels.label == "v to w"
    names = exec_code(panel)
    assert names["panel"].state == panel.state and names["panel"].facts.value == panel.facts.value
    assert names["panel"].dataset.channel_names == ("v", "w") and names["panel"].kept.value == (1, 2)
    panel.kept.value = (0, 1, 2)
    assert panel.state.kept is None and panel.dataset is whole


def test_one_channel_must_stay(tmp_path: Path) -> None:
    panel = DatasetPanel(load_dataset(path=three_channels(tmp_path / "set.npz")))
    panel.kept.value = (2,)
    facts = panel.facts.value
    panel.kept.value = ()
    assert "At least one channel must be kept" in panel.error.value
    assert panel.kept.value == (2,) and panel.state.kept == (2,) and panel.facts.value == facts
    panel.kept.value = (0, 2)
    assert panel.error.value == "" and panel.dataset.n_channels == 2


@pytest.mark.parametrize("kept", [(), (3,), (-1,), ("u",), "u", 1])
def test_channels_that_are_not_there_are_refused(kept: Any, tmp_path: Path) -> None:
    panel = DatasetPanel(load_dataset(path=three_channels(tmp_path / "set.npz")))
    with pytest.raises(StelleError, match=r"channel|kept"):
        panel.change(kept=kept)
    assert panel.state == DatasetState() and panel.kept.value == (0, 1, 2)


def test_another_set_begins_with_all_its_channels(session: Session) -> None:
    panel = DatasetPanel(session.dataset, state=DatasetState(kept=(1,)))
    panel.known.value = "GunPoint"
    panel.wait()
    assert panel.state == DatasetState("GunPoint") and panel.kept.disabled and panel.kept.value == (0,)


def test_many_channels_are_drawn_in_groups_of_those_kept() -> None:
    X = np.random.default_rng(0).normal(size=(4, 15, 10))
    panel = DatasetPanel(SeriesDataset.from_arrays(X, ["a", "b"] * 2), state=DatasetState(first_channel=12))
    panel.kept.value = tuple(range(1, 15, 2))
    assert panel.state.first_channel == 0
    assert [name for name, _ in panel.channels.options] == ["x1 to x11", "x13"]


def test_code_of_a_set_with_some_channels_keeps_them_again(tmp_path: Path) -> None:
    whole = load_dataset(path=three_channels(tmp_path / "set.npz"), unit="s")
    some = keep_channels(keep_channels(whole, [2, 1]), [1])
    code = dataset_code(some)
    assert code.endswith("\ndataset = st.keep_channels(dataset, [2])")
    names: dict[str, Any] = {}
    exec(compile(code, "cell", "exec"), names)
    np.testing.assert_array_equal(names["dataset"].X_train, some.X_train)
    assert names["dataset"].channel_names == some.channel_names == ("x2",)
