"""The recipe of a concept set: every choice that goes into making one."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

from stelle_nb.arguments import MOST, check_fields, whole
from stelle_nb.errors import ConceptError
from stelle_nb.kernels.base_measure import BaseMeasure

Strategy = Literal["copy", "independent"]
Source = Literal["templates", "grammar"]

PER_CHANNEL = 500
AT_LEAST = 1000
MOST_CONCEPTS = 1_000_000
_WHOLE = {  # least and most of every number that is a count or a seed
    **dict.fromkeys(("n_channels", "n_timepoints", "max_nodes", "max_channels", "n_trajectories"), (1, MOST)),
    "n_concepts": (1, MOST_CONCEPTS),
    "random_state": (0, MOST),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """Everything that determines a concept set, including its seed.

    Parameters
    ----------
    n_channels, n_timepoints
        Shape of the signals that the concepts are for.
    n_concepts
        How many; 500 per channel and at least 1000 if omitted. Rounded up to a multiple of ``n_channels``.
    t
        Cosine of signatures that no two concepts may reach, in (0, 1].
    strategy
        ``"copy"`` makes one generic set and copies it to every channel, ``"independent"`` draws for each
        channel anew.
    max_nodes, max_channels
        Size of a formula, and how many channels it may use (M and N of the paper).
    source
        ``"templates"``: sizes up to ``max_nodes`` are equally likely, then the templates of that size that
        no law makes smaller, then the points of a dense grid of parameters. ``"grammar"``: the random
        grammar Gamma, cut at ``max_nodes``.
    up_to_negation
        Count formulas that behave oppositely as duplicates, too.
    min_share
        Leave out formulas that hold, or fail, on a smaller share of the trajectories: what is
        always true, or never, is uninformative. In [0, 0.5); 0 leaves out none.
    measure, n_trajectories
        Random trajectories that formulas are compared on; they get ``n_timepoints`` samples.
    random_state
        Seed.

    Examples
    --------
    >>> Recipe(n_channels=6).n_concepts
    3000
    >>> Recipe(t=1.5)
    Traceback (most recent call last):
    ...
    stelle_nb.errors.ConceptError: t must lie in (0, 1], got 1.5. The paper uses 0.99.
    """

    n_channels: int = 1
    n_timepoints: int = 100
    n_concepts: int | None = None
    t: float = 0.99
    strategy: Strategy = "copy"
    max_nodes: int = 5
    max_channels: int = 1
    source: Source = "templates"
    up_to_negation: bool = False
    min_share: float = 0.01
    measure: BaseMeasure = field(default_factory=BaseMeasure)
    n_trajectories: int = 1000
    random_state: int = 0

    def __post_init__(self) -> None:
        check_fields(self, error=ConceptError)
        if self.n_concepts is None:
            object.__setattr__(self, "n_concepts", default_number(int(self.n_channels)))
        for name, (least, most) in _WHOLE.items():
            given, way = getattr(self, name), "See help(Recipe)."
            number = whole(given, name, least=least, most=most, error=ConceptError, way=way)
            object.__setattr__(self, name, number)
        if not 0 < self.t <= 1:
            raise ConceptError(f"t must lie in (0, 1], got {self.t!r}. The paper uses 0.99.")
        if not 0 <= self.min_share < 0.5:
            raise ConceptError(
                f"min_share must lie in [0, 0.5), got {self.min_share!r}. Use 0 to leave out none."
            )
        for name, choices in (("strategy", get_args(Strategy)), ("source", get_args(Source))):
            if getattr(self, name) not in choices:
                raise ConceptError(f"{name} must be one of {choices}, got {getattr(self, name)!r}.")
        object.__setattr__(self, "measure", self.measure.with_length(self.n_timepoints))

    @property
    def n_per_channel(self) -> int:
        """Concepts for each channel."""
        assert self.n_concepts is not None
        return -(-self.n_concepts // self.n_channels)

    def to_json(self) -> dict[str, Any]:
        """Every field as JSON can hold it."""
        return asdict(self)


def default_number(n_channels: int) -> int:
    """How many concepts the paper uses: 500 per channel, at least 1000."""
    return max(AT_LEAST, PER_CHANNEL * n_channels)
