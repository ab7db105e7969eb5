"""A league on a cluster: what was asked for, and what follows for hosts and bridge. Plays nothing."""

from __future__ import annotations

import ctypes
import ipaddress
import ssl
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

from arena.bot.launch import BotCommand
from arena.cluster.bridge_lines import Connect, Tls
from arena.cluster.orders import Order, SandboxWish
from arena.errors import UsageError
from arena.league.reader import LoadedLeague
from arena.linux.leftovers import mark_of
from arena.referee.jobs import Setup
from arena.runner.child import Wrap
from arena.sandbox import USER, Limits
from arena.sandbox.own_process import bare_environment, confinement

__all__ = ["OnCluster", "check_cluster", "connect_of", "hide_memory", "on_cluster"]

_PR_SET_DUMPABLE = 4
_SCHEMES = ("tls", "tcp")
_NEEDS_TLS = "TLS: without it whoever reaches its ports controls its machines"
_NEEDS_SANDBOX = "a sandbox: without one bots control its machines"


@dataclass(frozen=True, slots=True)
class OnCluster:
    """The cluster that a run is played on.

    `address`: the scheduler's. `insecure`: whether a cluster beyond this machine may do without TLS and
    sandbox. `patience`: the seconds for which a cluster that is gone is waited for.
    """

    address: str
    tls: Tls | None = None
    insecure: bool = False
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
    asked = loaded.league.cluster
    files = None
    # An address that begins with tcp:// does without them.
    if asked.tls is not None and not address.startswith("tcp:"):
        places = (asked.tls.ca, asked.tls.cert, asked.tls.key)
        files = Tls(*(str((loaded.root / place).resolve()) for place in places))
    return OnCluster(address, files, asked.insecure)


def check_cluster(on: OnCluster, mode: str) -> str:
    """Check what was asked for; `mode`: of the sandbox. Return what the organiser is to be warned of, or "".

    Raises UsageError.
    """
    try:
        parts = urlsplit(on.address)
        complete = parts.scheme in _SCHEMES and parts.hostname and parts.port
    except ValueError:
        complete = False
    if not complete:
        raise UsageError(f"--on {on.address}: expected a scheduler's address, such as tls://scheduler:8786")
    if parts.scheme == "tls" and on.tls is None:
        raise UsageError(
            f"--on {on.address}: a certificate is needed: [cluster] tls of the league file names it "
            "(docs/cluster.md makes it in four commands)"
        )
    if on.tls is not None and (wrong := _wrong_with(on.tls)):
        raise UsageError(f"--on {on.address}: {wrong}")
    if on.is_local:
        return ""
    missing = [
        need
        for need, lacks in ((_NEEDS_TLS, parts.scheme != "tls"), (_NEEDS_SANDBOX, mode == "off"))
        if lacks
    ]
    if missing and not on.insecure:
        raise UsageError(
            f"--on {on.address}: a cluster beyond this machine needs {', and '.join(missing)}. "
            "To do without even so: [cluster] insecure = true"
        )
    if not on.insecure:
        return ""
    return (
        "WARNING: [cluster] insecure: whoever reaches the ports of this cluster can take over its machines, "
        "see the deals and write results; bots may run without a sandbox"
    )


def _wrong_with(tls: Tls) -> str:
    """Return why these certificates cannot be used, or "". It connects to nobody."""
    for file in (tls.ca, tls.cert, tls.key):
        try:
            with Path(file).open("rb"):
                pass
        except FileNotFoundError:
            return f"{file}: there is no such file"
        except OSError as error:
            return f"{file}: it cannot be read: {error.strerror}"
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    try:
        context.load_verify_locations(tls.ca)
    except ssl.SSLError:
        return f"{tls.ca}: expected the certificate of an authority, in PEM"
    try:
        context.load_cert_chain(tls.cert, tls.key, password="")  # never asked for on the terminal
    except ssl.SSLError:
        return f"{tls.cert} and {tls.key}: expected a certificate and its key without a passphrase, in PEM"
    return ""


def connect_of(
    on: OnCluster,
    loaded: LoadedLeague,
    commands: Iterable[BotCommand],
    setup: Setup,
    wishes: tuple[str, bool],
) -> Connect:
    """Return what the bridge is told: how to connect, what hosts are to make ready, where bundles lie.

    `setup`: for a referee of this machine. `wishes`: the mode of the sandbox, and whether bots may fail to
    start. On this machine alone, which is for trials, workers claim no cores, and may be more than there are.
    """
    mode, allow_broken = wishes
    commands = tuple(commands)
    asked = loaded.league.sandbox
    limits = Limits(asked.processes)
    wish = SandboxWish(mode, not on.is_local and not on.insecure, limits, USER, asked.read_only)
    # Nothing of this machine: its folders, sandbox, cores and control groups mean nothing elsewhere.
    bare = tuple(
        replace(one, folder=Path(one.folder).name, sandbox=None, cgroup=None, cores=()) for one in commands
    )
    order = Order(
        run=mark_of(loaded.arena_folder),
        setup=replace(setup, commands=bare, core=None),
        sandbox=wish,
        pinned=not on.is_local,
        allow_broken=allow_broken,
    )
    bundles = {Path(one.folder).name: one.folder for one in commands}
    return Connect(on.address, on.tls, order, bundles, on.patience)


def keep_apart(connect: Connect, say: Callable[[str], None]) -> Wrap | None:
    """Return how the bridge is started so that it sees nothing of the league; None, said aloud, if it cannot.

    Whoever controls a cluster can control the bridge. It sees the bundles and the certificates.
    """
    tls = connect.tls
    files = [] if tls is None else [Path(file).resolve() for file in (tls.ca, tls.cert, tls.key)]
    words = confinement([*files, *(Path(folder).resolve() for folder in connect.bundles.values())])
    if not words:
        say(
            "WARNING: the bridge to the cluster runs with your rights, for bubblewrap does not work here: "
            "whoever controls the cluster can read your files, and the secret of the deals (docs/cluster.md)"
        )
        return None

    def wrap(argv: list[str], environment: dict[str, str]) -> tuple[list[str], dict[str, str]]:
        return [*words, *argv], bare_environment(environment, "DASK_", "SSL_")

    return wrap


def hide_memory() -> None:
    """Keep the memory of this process, which holds the secret, from all others of its user."""
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
