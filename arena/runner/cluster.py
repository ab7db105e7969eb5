"""A league on a cluster: what was asked for, what follows for hosts and bridge, how it is. Plays nothing.

How it is stands in a file beside the run's logs: the run writes it, `arena status` reads it.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from arena.bot.launch import BotCommand
from arena.cluster.address import OnCluster, check_address
from arena.cluster.frames import Connect, Order
from arena.errors import UsageError
from arena.league.reader import LoadedLeague
from arena.referee.jobs import Setup


def on_cluster(address: str, loaded: LoadedLeague) -> OnCluster:
    """Return the cluster at an address, as the section [cluster] of a league describes it."""
    folder = loaded.league.cluster.tls
    # An address that begins with tcp:// does without it.
    if folder is None or address.startswith("tcp:"):
        return OnCluster(address)
    return OnCluster(address, (loaded.root / folder).resolve())


def check_cluster(on: OnCluster, mode: str) -> None:
    """Check what a run was asked for; `mode`: of the sandbox. Raises UsageError."""
    check_address(on)
    if mode == "off" and not on.is_local:
        raise UsageError(
            f"{on.address}: a cluster beyond this machine needs a sandbox: without one bots "
            "control its machines"
        )


def connect_of(
    on: OnCluster, loaded: LoadedLeague, commands: Iterable[BotCommand], setup: Setup, mode: str, broken: bool
) -> Connect:
    """Return what the bridge is told: how to connect, what hosts are to make ready, where bundles lie.

    `setup`: for a referee of this machine. `mode`: of the sandbox. `broken`: whether bots may fail to start.
    """
    commands = tuple(commands)
    # Nothing of this machine: its folders, sandbox, cores and control groups mean nothing elsewhere.
    bare = tuple(replace(one, folder=Path(one.folder).name, sandbox=None, cores=()) for one in commands)
    asked = loaded.league.sandbox
    order = Order(
        setup=replace(setup, commands=bare, core=None),
        sandbox=mode,
        far=not on.is_local,
        processes=asked.processes,
        read_only=asked.read_only,
        allow_broken=broken,
    )
    bundles = {Path(one.folder).name: one.folder for one in commands}
    tls = "" if on.tls is None else str(on.tls)
    name = hashlib.sha256(os.fsencode(loaded.arena_folder.resolve())).hexdigest()[:16]
    return Connect(on.address, tls, name, order, bundles, on.patience)


_STATE_FILE = "cluster.json"


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
    """Write the state as far as that is possible, or take it away: no run is on a cluster any more."""
    path = folder / _STATE_FILE
    with suppress(OSError):  # it is only looked at: what matters is in the database
        if state is None:
            path.unlink(missing_ok=True)
            return
        # Renamed into place, so that nobody reads half of it.
        draft = path.with_name(f"{_STATE_FILE}.draft")
        draft.write_text(json.dumps(asdict(state)), encoding="utf-8")
        draft.replace(path)


def read_state(folder: Path) -> ClusterState | None:
    """Return the state that the run of a league has written last; None if it plays on no cluster."""
    try:
        found = ClusterState(**json.loads((folder / _STATE_FILE).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
    whole = all(isinstance(number, int) for number in (found.workers, found.lost, found.sessions))
    return found if whole and isinstance(found.address, str) else None
