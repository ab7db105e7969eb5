"""Studies and their figures: what is claimed, how sure a figure is, and how leagues are simulated in turn."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from math import exp, fsum, inf, lgamma, log, log1p, sqrt
from multiprocessing import get_context

Claim = tuple[float, float]
"""The least and the most that a figure may be."""
NOTHING = (-inf, inf)

CLAIMS: Mapping[str, Claim] = {
    "wrong order": (0.0, 0.05),
    "falsely level": (0.0, 0.05),
    "wrong tables": (0.0, 0.05),
    "form said to vary": (0.0, 0.05),
    "form said to last": (0.0, 0.05),
    "scores": (0.93, 0.97),
    "differences": (0.93, 0.97),
    "bias": (-0.3, 0.3),
    "best bot cut": (0.0, 0.02),
    "late": (0.0, 0.1),
}
"""What is claimed of figures, by the last part of their keys; see `Study.claim`."""

LEAST_JUDGED = 100
"""The leagues from which on a figure is judged. With fewer it is too rough."""
_CONFIDENCE = 0.95
_CHUNK = 4

Sample = Mapping[str, bool | float]
"""What was seen of a league: whether something happened, or a number, by the keys of figures."""


Figure = Mapping[str, float]
"""A number of a study: its "value"; of a share the "upper" bound that the true share lies below with 95 %; of
a mean its standard "error". Shares are fractions of 1."""


def figure_of(values: Sequence[bool | float]) -> Figure:
    """Return the figure of a share, if something happened or not, or else of a mean over leagues."""
    count = len(values)
    value = fsum(values) / count
    if isinstance(values[0], bool):
        found = {"value": value, "upper": upper_bound(sum(map(bool, values)), count)}
    else:
        squares = fsum((each - value) ** 2 for each in values)
        found = {"value": value, "error": sqrt(squares / (count * max(1, count - 1)))}
    return {name: float(f"{number:.5g}") for name, number in found.items()}


def upper_bound(times: int, count: int) -> float:
    """Return the share with which something that happened so many times would happen so seldom in 5 %.

    This is the upper bound of Clopper and Pearson ("The use of confidence or fiducial limits illustrated in
    the case of the binomial", 1934), one-sided.
    """
    if times >= count:
        return 1.0
    ways = [lgamma(count + 1) - lgamma(k + 1) - lgamma(count - k + 1) for k in range(times + 1)]
    low, high = times / count, 1.0
    while high - low > 1e-9:
        p = (low + high) / 2.0
        at_most = fsum(exp(way + k * log(p) + (count - k) * log1p(-p)) for k, way in enumerate(ways))
        low, high = (p, high) if at_most > 1.0 - _CONFIDENCE else (low, p)
    return high


class Study(ABC):
    """A question put to so many simulated leagues. `name`: unique; its first word is the kind of question.

    `held_out`: whether its leagues took no part in the choice of any number of the score.
    """

    name: str
    title: str
    leagues: int
    held_out: bool

    @abstractmethod
    def sample(self, seed: int, number: int) -> Sample:
        """Simulate a league, which depends on the seed and its number alone, and return what was seen."""

    def claim(self, key: str) -> Claim:
        """Return what is claimed of a figure."""
        return CLAIMS.get(key.rpartition(": ")[2], NOTHING)

    def holds(self, key: str, figure: Figure) -> bool:
        """Return whether a figure is as claimed, without slack, as far as so few leagues can tell."""
        least, most = self.claim(key)
        return self.leagues < LEAST_JUDGED or least <= figure["value"] <= most


def run_studies(
    studies: Iterable[Study], seed: int, jobs: int, league_over: Callable[[int], None]
) -> Iterator[tuple[Study, Mapping[str, Figure]]]:
    """Yield each study with its figures by key. `league_over` is called with 1 after every league.

    The same seed gives the same figures with any number of `jobs` (processes), in one version of numpy. A
    figure is from the leagues that have it.
    """
    with _mapping(jobs) as mapped:
        for study in studies:
            values: dict[str, list[bool | float]] = {}
            for sample in mapped(partial(study.sample, seed), range(study.leagues)):
                for key, value in sample.items():
                    values.setdefault(key, []).append(value)
                league_over(1)
            yield study, {key: figure_of(found) for key, found in values.items()}


@contextmanager
def _mapping(jobs: int) -> Iterator[Callable[..., Iterable[Sample]]]:
    """Provide a `map` that works in so many processes."""
    if jobs <= 1:
        yield map
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield partial(pool.map, chunksize=_CHUNK)
