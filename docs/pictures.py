"""Redraws the pictures of the pages: ``python docs/pictures.py``."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from PIL import Image

import stelle_nb as st
from stelle_nb.depict.scene import make_scene
from stelle_nb.depict.wording import Wording
from stelle_nb.plots.png import draw_pixels
from stelle_nb.plots.print.print_explanation import draw_row
from stelle_nb.plots.print.print_style import entitle, finish_figure, new_figure

HERE = Path(__file__).resolve().parent / "pictures"
KETTLE = {"channel_names": ["temperature", "heater"], "step": 10, "unit": "s"}
ROOM = {"temperature": (0, 170), "heater": (-0.2, 2.0)}
FIVE_MINUTES = {
    "comparison": "temperature >= 15",
    "eventually": "F[0,24] (temperature >= 95)",
    "always": "G[18,30] (temperature >= 80)",
    "until": "heater >= 0.5 U[0,30] temperature >= 95",
    "tube": "tube[0,20](temperature ~ 25 45 65 85 +- 10; step 5)",
}


def kettle() -> Any:
    """Five minutes of a kettle that boils, ``(channel, time)``: its temperature, and whether it heats."""
    minutes = np.arange(31) / 6
    return np.array([np.minimum(20 + 25 * minutes, 100), minutes < 3.3], dtype=float)


def formula_figure(title: str, formula: st.Formula, case: Any, **names: Any) -> Figure:
    """What a formula asks for, drawn on one case."""
    wording = Wording(tuple(names["channel_names"]), names["step"], names["unit"])
    scene = make_scene(formula, wording, case=case)
    figure, axes = new_figure(len(scene.rows), row_height=1.25, extra=0.75, sharex=True)
    for each, row in zip(axes[:, 0], scene.rows, strict=True):
        draw_row(each, replace(row, frame=ROOM[row.name]), scene)  # words stand above the line, not on it
    axes[-1, 0].set_xlabel(f"time ({names['unit']})", fontsize=8)
    value = float(st.robustness(formula, case[None])[0])
    verdict = "holds" if value >= 0 else "does not hold"
    entitle(figure, title, f"{wording.english(formula)} It {verdict}: robustness {value:.3g}.")
    return finish_figure(figure)


def change_figure(found: Any) -> Figure:
    """A case and what it would have to be for the model to say something else."""
    changed = found.changes[:2]
    figure, axes = new_figure(len(changed), row_height=1.4, extra=0.9, sharex=True)
    times = np.arange(found.case.shape[1]) * found.wording.step
    for each, change in zip(axes[:, 0], changed, strict=True):
        each.plot(times, found.case[change.channel], color="black", linewidth=1.3, label="as it was")
        each.plot(times, found.signal[change.channel], color="#D55E00", linewidth=1.3, label="as it would be")
        each.set_title(found.wording.channel(change.channel), loc="left", fontsize=8)
    axes[-1, 0].set_xlabel(f"time ({found.wording.unit})", fontsize=8)
    axes[0, 0].legend(fontsize=8, frameon=False, ncols=2)
    entitle(figure, f"From {found.prediction} to {found.flips_to}", found.sentence())
    return finish_figure(figure)


def save(name: str, picture: Any, *, scale: float = 1.6) -> None:
    """Write a figure or a chart as a PNG with all its colours."""
    if isinstance(picture, Figure):
        raw = io.BytesIO()
        picture.savefig(raw, format="png", dpi=150)
        drawn = Image.open(raw).convert("RGBA")
    else:
        drawn = Image.fromarray(draw_pixels(picture.to_dict(), scale=scale))
    paper = Image.new("RGBA", drawn.size, "white")
    image = Image.alpha_composite(paper, drawn).convert("RGB")
    image.save(HERE / f"{name}.png", optimize=True)


def main() -> None:
    """All pictures."""
    HERE.mkdir(exist_ok=True)
    for name, text in FIVE_MINUTES.items():
        formula = st.parse(text, channel_names=KETTLE["channel_names"])
        save(name, formula_figure(text, formula, kettle(), **KETTLE))
    nested = st.parse("F[0,18] G[0,6] (temperature >= 80)", channel_names=KETTLE["channel_names"])
    save("traces", st.plot_traces(nested, case=kettle(), **KETTLE))
    until = st.parse(FIVE_MINUTES["until"], channel_names=KETTLE["channel_names"])
    save("tree", st.plot_tree(until, case=kettle(), **KETTLE))
    ds = st.load_dataset("BasicMotions")
    names: dict[str, Any] = {"channel_names": ds.channel_names, "step": ds.step, "unit": ds.unit}
    save("signals", st.plots.figure_signals(ds, channels=[0, 4]))
    clf = st.StelleClassifier(random_state=0, **names).fit(ds.X_train, ds.y_train)
    why = clf.explain_local(ds.X_test[35:36])[0]
    (two,) = clf.explain_local(ds.X_test[35:36], gamma=2)
    save("../img/score_sheet", st.plot_score_sheet(why), scale=2.0)
    save("local", st.plots.figure_local_explanation(two))
    save("strip", st.plots.figure_robustness(why.formula, X=ds.X_test, y=ds.y_test, **names))
    save("change", change_figure(st.counterfactual(clf, ds.X_test[35])))


if __name__ == "__main__":
    main()
