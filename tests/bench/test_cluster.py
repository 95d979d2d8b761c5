"""The cluster benchmark: equal results, and a line for each number of workers."""

from __future__ import annotations

from typing import Any

import pytest

from stelle_nb.bench import cluster


def test_results_do_not_depend_on_the_workers(client: Any) -> None:
    jobs = cluster.spin_jobs(5, 1000)
    assert cluster.wall_seconds(jobs, client)[1] == cluster.wall_seconds(jobs, None)[1]
    assert len({job.hash for job in jobs}) == 5


def test_the_command_prints_a_line_for_each(capsys: pytest.CaptureFixture[str]) -> None:
    cluster.main(["--jobs", "4", "--seconds", "0.01", "--workers", "1"])
    shown = capsys.readouterr().out
    assert "| in this process |" in shown and "| 1 workers |" in shown and "Results are equal" in shown
