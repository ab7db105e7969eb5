"""Studies and how they run: league by league, in any number of processes, with the same result.

Knows no single study.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Protocol, Self, TypeVar

from arena.proof.figure import Figure

__all__ = ["Findings", "Leagues", "Study", "run_studies"]

_CHUNK = 8

T = TypeVar("T")


class Leagues:
    """Simulates the leagues of a study; see `run_studies`."""

    def __init__(self, executor: Executor | None, league_over: Callable[[int], None]) -> None:
        self._executor = executor
        self._league_over = league_over

    def samples(self, sample: Callable[[int], T], leagues: int) -> list[T]:
        """Return `sample(0)`, `sample(1)`, ... in order. It must be picklable where there are processes."""
        numbers = range(leagues)
        made: Iterable[T]
        if self._executor is None:
            made = map(sample, numbers)
        else:
            made = self._executor.map(sample, numbers, chunksize=_CHUNK)
        found = []
        for each in made:
            found.append(each)
            self._league_over(1)
        return found


class Study(Protocol):
    """A question put to simulated leagues."""

    @property
    def name(self) -> str:
        """Return the beginning of its figures' keys."""

    @property
    def title(self) -> str:
        """Return the title, which says what is simulated."""

    @property
    def leagues(self) -> int:
        """Return the number of leagues to simulate."""

    def resized(self, leagues: int) -> Self:
        """Return the same study with another number of leagues."""

    def figures(self, seed: int, leagues: Leagues) -> Iterable[Figure]:
        """Simulate the leagues and return the figures. A league depends only on the seed and its number."""


@dataclass(frozen=True, slots=True)
class Findings:
    """A study with its figures."""

    name: str
    title: str
    leagues: int
    figures: tuple[Figure, ...]

    @property
    def holds(self) -> bool:
        """Return whether every figure lies within its bounds."""
        return all(figure.holds for figure in self.figures)


def run_studies(
    studies: Sequence[Study], seed: int, jobs: int, league_over: Callable[[int], None]
) -> Iterator[Findings]:
    """Yield the findings of each study in turn. `league_over` is called with 1 after every league.

    The same seed gives the same figures with any number of `jobs` (processes), in one version of Python and
    its `random`.
    """
    with _executor(jobs) as executor:
        leagues = Leagues(executor, league_over)
        for study in studies:
            yield Findings(study.name, study.title, study.leagues, tuple(study.figures(seed, leagues)))


@contextmanager
def _executor(jobs: int) -> Iterator[Executor | None]:
    """Provide other processes to simulate in, or None to use only this process."""
    if jobs <= 1:
        yield None
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield pool
