"""How a run's cluster is, in a file beside the run's logs: the run writes it, `arena status` reads it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

__all__ = ["ClusterState", "read_state", "write_state"]

_FILE = "cluster.json"


@dataclass(frozen=True, slots=True)
class ClusterState:
    """The scheduler's address, the workers that play, those lost in this run, and the sessions in hand."""

    address: str
    workers: int
    lost: int
    sessions: int

    def __str__(self) -> str:
        workers = "1 worker" if self.workers == 1 else f"{self.workers:,} workers"
        lost = f", {self.lost:,} lost" if self.lost else ""
        sessions = "1 session" if self.sessions == 1 else f"{self.sessions:,} sessions"
        return f"{workers}{lost}, {sessions} in hand"


def write_state(folder: Path, state: ClusterState | None) -> None:
    """Write the state, or take it away when the run has ended."""
    path = folder / _FILE
    if state is None:
        path.unlink(missing_ok=True)
        return
    # Renamed into place, so that nobody reads half of it.
    draft = path.with_name(f"{_FILE}.draft")
    draft.write_text(json.dumps(asdict(state)), encoding="utf-8")
    draft.replace(path)


def read_state(folder: Path) -> ClusterState | None:
    """Return the state that the run of a league has written last; None if it plays on no cluster."""
    try:
        found = ClusterState(**json.loads((folder / _FILE).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
    whole = all(isinstance(number, int) for number in (found.workers, found.lost, found.sessions))
    return found if whole and isinstance(found.address, str) else None
