"""Settings for the paper's network, searched in its two stages: Sobol points, then a Gaussian process."""

from __future__ import annotations

import json
import statistics
import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, get_args

import optuna
import pandas as pd
from optuna.distributions import (
    BaseDistribution,
    CategoricalDistribution,
    FloatDistribution,
    IntDistribution,
)
from optuna.storages.journal import JournalFileBackend
from optuna.trial import FrozenTrial, Trial, TrialState

from stelle_nb.data import Missing, Unequal, load_dataset
from stelle_nb.errors import BenchError
from stelle_nb.experiments.grid import run_jobs
from stelle_nb.experiments.jobs import Job
from stelle_nb.experiments.ledger import Ledger
from stelle_nb.experiments.scheduler import connected
from stelle_nb.experiments.trial import WORK, development_split, trial_settings
from stelle_nb.model.paper.paper_config import PaperConfig
from stelle_nb.progress import Progress, as_progress

Objective = Literal["accuracy", "separability"]
OBJECTIVES: tuple[Objective, ...] = get_args(Objective)
N_SOBOL = 8
SPACE: dict[str, BaseDistribution] = {  # of the appendix
    "n_layers": IntDistribution(0, 3),
    "learning_rate": FloatDistribution(1e-5, 1e-1, log=True),
    "temperature": FloatDistribution(0.5, 2.0),  # the paper's initial concept relevance scale
    "hidden_dim": CategoricalDistribution((256, 512, 1024)),
}
ENDED = (TrialState.COMPLETE, TrialState.PRUNED, TrialState.FAIL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """What to search on, how long and for what.

    Parameters
    ----------
    data, dataset
        A folder and the name of a data set in it.
    objectives
        ``("accuracy",)``, or accuracy and local separability for a Pareto front.
    n_splits
        Development splits that a setting is judged on; with one objective, what is worse than the median
        so far is pruned after any of them.
    batch
        Settings asked for at once. It changes what is tried; where the trials run does not.
    n_concepts, max_epochs
        Of the paper's variant; None for its own.
    """

    data: str
    dataset: str
    objectives: tuple[Objective, ...] = ("accuracy",)
    n_trials: int = 32
    n_splits: int = 3
    batch: int = 1
    seed: int = 0
    n_concepts: int | None = None
    max_epochs: int | None = None
    unequal: Unequal = "refuse"
    missing: Missing = "refuse"

    def __post_init__(self) -> None:
        for name in ("n_trials", "n_splits", "batch"):
            if getattr(self, name) < 1:
                raise BenchError(f"{name} must be at least 1, got {getattr(self, name)}.")
        if self.objectives not in (OBJECTIVES[:1], OBJECTIVES):
            raise BenchError(f"objectives must be {OBJECTIVES[:1]} or {OBJECTIVES}, got {self.objectives}.")

    @property
    def is_single(self) -> bool:
        """Whether there is one objective."""
        return len(self.objectives) == 1


@dataclass(frozen=True, slots=True, eq=False)
class Tuned:
    """Every trial as a row of ``trials``; ``best`` holds the best setting, or all of the Pareto front."""

    search: Search
    trials: pd.DataFrame
    best: tuple[PaperConfig, ...]


class SobolSampler(optuna.samplers.QMCSampler):
    """Optuna's Sobol points from the first trial on: it draws the first at random to learn the space."""

    def infer_relative_search_space(
        self, study: optuna.Study, trial: FrozenTrial
    ) -> dict[str, BaseDistribution]:
        """The search space."""
        return SPACE


def tune(
    search: Search, out: Path, *, scheduler: Any = None, progress: Progress | bool | None = None
) -> Tuned:
    """Search, or continue a search that was interrupted.

    Parameters
    ----------
    out
        The trials are kept in ``out`` with the ending ``.journal``, their single fits in ``.sqlite``.
    scheduler
        See :func:`stelle_nb.experiments.scheduler.connected`.
    """
    dataset = load_dataset(
        search.dataset,
        path=search.data,
        unequal=search.unequal,
        missing=search.missing,
        may_download=False,
    )
    development_split(dataset.y_train, 0)
    settings = trial_settings(dataset, with_separability=not search.is_single)
    report = as_progress(progress, "trials")
    with Ledger(out.with_suffix(".sqlite")) as ledger, connected(scheduler) as client:
        study = _open(search, settings, out.with_suffix(".journal"))
        while (n_ended := len(study.get_trials(states=ENDED))) < search.n_trials:
            report(n_ended, search.n_trials)
            _run_batch(study, _next(study, search, n_ended), search, settings, ledger, client)
        report(search.n_trials, search.n_trials)
    return Tuned(search, to_frame(study), tuple(_config(search, t.params) for t in _best(study)))


def to_frame(study: optuna.Study) -> pd.DataFrame:
    """A row for each trial: stage, state, settings, objectives, and whether it is (one of) the best."""
    best = {trial.number for trial in _best(study)}
    rows = [
        {
            "trial": trial.number,
            "stage": "Sobol" if trial.number < N_SOBOL else "Gaussian process",
            "state": trial.state.name.lower(),
            **trial.params,
            **dict(zip(study.metric_names or (), trial.values or (), strict=False)),
            "is_best": trial.number in best,
        }
        for trial in study.get_trials(deepcopy=False)
    ]
    columns = ["trial", "stage", "state", *SPACE, *(study.metric_names or ()), "is_best"]
    return pd.DataFrame(rows, columns=columns)


def _open(search: Search, settings: str, path: Path) -> optuna.Study:
    name = f"{search.dataset} {'+'.join(search.objectives)} {settings} {_fixed(search)}"
    optuna.logging.set_verbosity(optuna.logging.WARNING)  # progress is reported by `tune`
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
        try:
            backend = JournalFileBackend(str(path))
            study = optuna.create_study(
                storage=optuna.storages.JournalStorage(backend),
                study_name=name,
                directions=["maximize"] * len(search.objectives),
                pruner=optuna.pruners.MedianPruner(n_startup_trials=N_SOBOL),
                load_if_exists=True,
            )
            study.set_metric_names(list(search.objectives))
        except (OSError, ValueError, KeyError) as error:
            raise BenchError(f"{path} cannot be used ({error}). Choose another --out.") from error
    return study


def _fixed(search: Search) -> str:
    """What a search must share with an earlier one to continue it."""
    own = asdict(search)
    return json.dumps({name: own[name] for name in ("n_splits", "batch", "seed", "n_concepts", "max_epochs")})


def _next(study: optuna.Study, search: Search, n_ended: int) -> list[Trial]:
    """Trials that an interruption left unfinished, or new ones.

    Every batch has a new sampler with its own seed: what it proposes depends on the trials so far, not on
    interruptions.
    """
    waiting = study.get_trials(deepcopy=False, states=(TrialState.RUNNING,))
    if waiting:
        return [Trial(study, trial._trial_id) for trial in waiting]
    is_first = n_ended < N_SOBOL
    n = min(search.batch, (N_SOBOL if is_first and search.n_trials > N_SOBOL else search.n_trials) - n_ended)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
        study.sampler = (
            SobolSampler(qmc_type="sobol", scramble=True, seed=search.seed)
            if is_first
            else optuna.samplers.GPSampler(seed=1000 * search.seed + n_ended, n_startup_trials=0)
        )
        return [study.ask(SPACE) for _ in range(n)]


def _run_batch(
    study: optuna.Study,
    trials: Sequence[Trial],
    search: Search,
    settings: str,
    ledger: Ledger,
    client: Any,
) -> None:
    """Judge trials split by split; those that fail or are pruned drop out."""
    values: dict[int, list[dict[str, float]]] = {trial.number: [] for trial in trials}
    left = list(trials)
    for split in range(search.n_splits):
        jobs = {trial.number: _job(search, settings, trial.params, split) for trial in left}
        run_jobs(jobs.values(), ledger, client=client)
        for trial in list(left):
            entry = ledger.entries[jobs[trial.number].hash]
            if entry.status == "failed":
                trial.set_user_attr("error", entry.error)
                study.tell(trial, state=TrialState.FAIL)
                left.remove(trial)
                continue
            values[trial.number].append(json.loads(entry.result))
            if search.is_single and _is_hopeless(trial, values[trial.number], split):
                study.tell(trial, state=TrialState.PRUNED)
                left.remove(trial)
    for trial in left:
        found = values[trial.number]
        study.tell(trial, [statistics.mean(each[name] for each in found) for name in search.objectives])


def _is_hopeless(trial: Trial, found: Sequence[dict[str, float]], split: int) -> bool:
    known = trial.study.get_trials(deepcopy=False)[trial.number].intermediate_values
    if split not in known:  # it is known if the trial was interrupted
        trial.report(statistics.mean(each["accuracy"] for each in found), split)
    return trial.should_prune()


def _job(search: Search, settings: str, params: dict[str, Any], split: int) -> Job:
    content = {
        "dataset": search.dataset,
        "settings": settings,
        "config": asdict(_config(search, params)),
        "split": split,
        "seed": search.seed,
        "n_concepts": search.n_concepts,
        "with_separability": not search.is_single,
    }
    place = {"data": search.data, "unequal": search.unequal, "missing": search.missing}
    return Job.of("tuning", WORK, content, place=place)


def _config(search: Search, params: dict[str, Any]) -> PaperConfig:
    more: dict[str, Any] = {} if search.max_epochs is None else {"max_epochs": search.max_epochs}
    return PaperConfig(**params, **more)


def _best(study: optuna.Study) -> list[FrozenTrial]:
    if not study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,)):
        return []
    return [study.best_trial] if len(study.directions) == 1 else study.best_trials
