"""Exercises that check themselves: generated from seeds, judged by meaning, with named misconceptions.

>>> from stelle_nb import teach
>>> item = teach.make_item("predict", level=1, seed=0)
>>> teach.judge(item, teach.solution(item)).is_right
True
"""

from stelle_nb.teach.answers import written
from stelle_nb.teach.exercises import TITLES, judge, make_item, solution
from stelle_nb.teach.item import KINDS, LEVELS, Choice, Counterexample, Item, Judgement
from stelle_nb.teach.item_picture import plot_counterexample, plot_item, plot_signal
from stelle_nb.teach.learner_progress import Attempt, Progress
from stelle_nb.teach.misconceptions import MISCONCEPTIONS, Misconception
from stelle_nb.teach.mutants import Mutant, mutants
from stelle_nb.teach.panel import ExercisePanel, ExerciseState, exercise

__all__ = [
    "exercise",
    "make_item",
    "judge",
    "solution",
    "plot_item",
    "plot_counterexample",
    "plot_signal",
    "written",
    "Progress",
    "Attempt",
    "ExercisePanel",
    "ExerciseState",
    "Item",
    "Choice",
    "Judgement",
    "Counterexample",
    "Misconception",
    "Mutant",
    "mutants",
    "KINDS",
    "LEVELS",
    "TITLES",
    "MISCONCEPTIONS",
]
