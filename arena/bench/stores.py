"""Compares what it costs to store results in a file and on a server: the same batches to both, in turn."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from arena.bench.figures import Sample
from arena.bench.played import decisions
from arena.bench.stored import STORE, STORE_CPU, Stored

__all__ = ["StoreCosts", "store_costs"]

_SESSIONS_A_COMMIT = 15
"""Of four matches each: what two referees with quick bots play in 200 ms."""


@dataclass(frozen=True, slots=True)
class StoreCosts:
    """Medians for a match, begun and saved, in microseconds: in all, and of this process's CPU."""

    where: str
    wall_us: float
    cpu_us: float

    @property
    def text(self) -> str:
        """Return it in a line."""
        return (
            f"{self.where:8}  {self.wall_us:6.0f} us a match, {self.cpu_us:.0f} us of the coordinator's CPU"
        )


def store_costs(address: str, seats: int, repeats: int) -> list[StoreCosts]:
    """Measure the store in a file and at the address of an empty database, which is filled.

    UsageError if it is not empty, or cannot be used.
    """
    samples: dict[str, list[Sample]] = {"file": [], "server": []}
    with TemporaryDirectory(prefix="arena-bench-") as folder, ExitStack() as stack:
        places: dict[str, Path | str] = {"file": Path(folder) / "store.db", "server": address}
        probes = {
            name: stack.enter_context(Stored(name, seats, _SESSIONS_A_COMMIT, where))
            for name, where in places.items()
        }
        for _ in range(repeats):
            for name, probe in probes.items():
                samples[name].append(probe.sample())
    return [
        StoreCosts(
            name,
            median(sample[STORE.key] for sample in taken),
            decisions(seats) * median(sample[STORE_CPU.key] for sample in taken),
        )
        for name, taken in samples.items()
    ]
