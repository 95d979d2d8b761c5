"""Run notebooks and store their outputs as they are committed: text and pictures, the same on every run.

``make notebooks`` refreshes all of them, the teaching units too; ``python notebooks/refresh.py NAME.ipynb …``
only some.
"""

from __future__ import annotations

import re
import resource
import sys
import time
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

HERE = Path(__file__).resolve().parent
EVERY = [*sorted(HERE.glob("*.ipynb")), *sorted(HERE.glob("teach/*.ipynb"))]
WIDGET = "application/vnd.jupyter.widget-view+json"
CHART = "application/vnd.vegalite.v5+json"
STILL = re.compile(r"stelle-still-[0-9a-f]+")  # of a widget: different each time
KEPT = ("tags", "jupyter")  # the latter folds solutions
LANGUAGE = {"name": "python", "file_extension": ".py", "mimetype": "text/x-python"}


def refresh(path: Path) -> float:
    """Execute a notebook in its folder and write it back; the seconds that its cells took."""
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=600,  # of a cell; machines are busy
        record_timing=False,
        coalesce_streams=True,
        store_widget_state=False,
        resources={"metadata": {"path": str(path.parent)}},
    )
    start = time.perf_counter()
    client.execute()
    seconds = time.perf_counter() - start
    normalise(notebook)
    nbformat.write(notebook, path)
    return seconds


def normalise(notebook: nbformat.NotebookNode) -> None:
    """Keep what every reader can see, and nothing that differs from run to run."""
    notebook.metadata = {"kernelspec": notebook.metadata["kernelspec"], "language_info": LANGUAGE}
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number:02}"
        cell.metadata = {key: value for key, value in cell.metadata.items() if key in KEPT}
        for output in cell.get("outputs", ()):
            lighten(output.get("data", {}))
        if "outputs" in cell:  # of a panel, its picture stays
            cell.outputs = [output for output in cell.outputs if output.get("data") != {}]


def lighten(data: dict[str, Any]) -> None:
    """Keep of charts and widgets what can be seen without a kernel, and each picture once."""
    if "image/png" in data:
        data.pop(CHART, None)  # the picture shows the same in a tenth of the space
    data.pop(WIDGET, None)
    if "text/html" in data:
        data["text/html"] = STILL.sub("stelle-still", data["text/html"])
    if "image/png" in data and data["image/png"].strip() in data.get("text/html", ""):
        del data["image/png"]


if __name__ == "__main__":
    for path in [Path(name) for name in sys.argv[1:]] or EVERY:
        seconds = refresh(path)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e6  # of the largest kernel so far
        print(f"{path.name}: {seconds:.1f} s, at most {peak:.2f} GB", flush=True)
