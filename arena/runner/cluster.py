"""A league on a cluster: what was asked for, what follows for hosts and bridge, how it is. Plays nothing.

How it is stands in a file beside the run's logs: the run writes it, `arena status` reads it.
"""

from __future__ import annotations

import hashlib
import ipaddress
import json
import os
import ssl
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

from arena.bot.launch import BotCommand
from arena.cluster.frames import Connect, Order
from arena.cluster.worker import CERTIFICATE, KEY
from arena.errors import UsageError
from arena.league.reader import LoadedLeague
from arena.referee.jobs import Setup


@dataclass(frozen=True, slots=True)
class OnCluster:
    """The cluster that a run is played on.

    `address`: the scheduler's. `tls`: the folder of the certificate, or None. `patience`: the seconds for
    which a cluster that is gone is waited for.
    """

    address: str
    tls: Path | None = None
    patience: float = 300.0

    @property
    def is_local(self) -> bool:
        """Return whether the scheduler listens on this machine alone, as far as its address tells."""
        host = urlsplit(self.address).hostname or ""
        try:
            return ipaddress.ip_address(host).is_loopback
        except ValueError:
            return host == "localhost"


def on_cluster(address: str, loaded: LoadedLeague) -> OnCluster:
    """Return the cluster at an address, as the section [cluster] of a league describes it."""
    folder = loaded.league.cluster.tls
    # An address that begins with tcp:// does without it.
    if folder is None or address.startswith("tcp:"):
        return OnCluster(address)
    return OnCluster(address, (loaded.root / folder).resolve())


def check_address(on: OnCluster) -> None:
    """Check an address and the certificate for it, and connect to nobody. Raises UsageError."""
    try:
        parts = urlsplit(on.address)
        complete = parts.scheme in ("tls", "tcp") and parts.hostname and parts.port
    except ValueError:
        complete = False
    if not complete:
        raise UsageError(f"{on.address}: expected a scheduler's address, such as tls://scheduler:8786")
    if parts.scheme == "tls":
        if on.tls is None:
            raise UsageError(
                f"{on.address}: a certificate is needed: python -m arena.cluster certificates makes the "
                "folder (docs/cluster.md)"
            )
        if wrong := _wrong_with(on.tls):
            raise UsageError(f"{on.address}: {wrong}")
    elif not on.is_local:
        raise UsageError(
            f"{on.address}: a cluster beyond this machine needs TLS (tls://): without it whoever reaches its "
            "ports controls its machines"
        )


def check_cluster(on: OnCluster, mode: str) -> None:
    """Check what a run was asked for; `mode`: of the sandbox. Raises UsageError."""
    check_address(on)
    if mode == "off" and not on.is_local:
        raise UsageError(
            f"{on.address}: a cluster beyond this machine needs a sandbox: without one bots "
            "control its machines"
        )


def _wrong_with(tls: Path) -> str:
    """Return why this certificate cannot be used, or ""."""
    for file in (tls / CERTIFICATE, tls / KEY):
        try:
            with file.open("rb"):
                pass
        except OSError as error:
            return f"{file}: {error.strerror} (python -m arena.cluster certificates makes the folder)"
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    try:
        context.load_verify_locations(tls / CERTIFICATE)
        context.load_cert_chain(tls / CERTIFICATE, tls / KEY, password="")  # never asked for on the terminal
    except ssl.SSLError:
        return f"{tls}: expected a certificate and its key without a passphrase, in PEM"
    return ""


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
