"""The frames in which lines of referees travel between a run and the hosts of its cluster. Decides nothing.

    coordinator -> bridge         Connect as the first line; then the frames for hosts, and `leave`
    bridge -> host                order, lease ..., piece ...
    coordinator -> host           open, line, close: of a referee, by its number
    host -> bridge                facts, need, alive; busy, unready or ended as the last one
    host -> coordinator           facts, ready, line, closed, say
    bridge -> coordinator         gone: of a host; say, alive, lost: with host 0

A frame is a line: the number of the host, the kind, the number of the referee, and the rest, which is a line
of `arena.referee.jobs` or JSON. Between bridge and host the number of the host is 0.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final, TypeAlias

from arena.linux.machine import Host
from arena.referee.jobs import MessageLines, Setup

ALIVE_SECONDS = 4.0
"""How often a host says that it is alive, and the bridge that the run goes on."""
LEASE_SECONDS = 20.0
"""A host that hears nothing of the run for so long ends all that it plays, and a host that is not heard of
for so long is given up."""


@dataclass(frozen=True, slots=True)
class Order:
    """What a host is to make ready for one run.

    `setup`: as for a referee, but that the name of the folder of a command is the digest of the bot's copy,
    wherever it lies; sandbox, core and control group are the host's to choose. `sandbox`: the mode, "auto",
    "require" or "off"; `far`: whether a host without a sandbox is left out even so. `processes`, `read_only`:
    as in the league file. `allow_broken`: whether bots may fail to start.
    """

    setup: Setup
    sandbox: str
    far: bool
    processes: int
    read_only: tuple[str, ...] = ()
    allow_broken: bool = False


@dataclass(frozen=True, slots=True)
class Connect:
    """The cluster to use, and what each host is to make ready.

    `tls`: the folder of the certificate, "" for none. `league`: a name that no other league has, the same in
    each of its runs. `bundles`: the folders of the bots' copies by their digests. `patience`: the seconds for
    which a cluster without a scheduler, or without a host that can play, is waited for. `was_there`: whether
    hosts have played in this run before; else what is missing now can be mended at once.
    """

    address: str
    tls: str
    league: str
    order: Order
    bundles: dict[str, str]
    patience: float
    was_there: bool = False


ClusterMessage: TypeAlias = Connect | Order | Host

CLUSTER_LINES: Final[MessageLines[ClusterMessage]] = MessageLines("run and hosts", Connect, Order, Host)


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame. `host`: 0 for the bridge, or where there is one host. `number`: of the referee."""

    host: int
    kind: str
    number: int = 0
    body: bytes = b""

    @property
    def text(self) -> str:
        """Return the text in a frame that `say_frame` has made."""
        return str(json.loads(self.body))


def say_frame(kind: str, text: str, host: int = 0, number: int = 0) -> Frame:
    """Return a frame with a text, which may have several lines."""
    return Frame(host, kind, number, json.dumps(text).encode())


def write_frame(frame: Frame) -> bytes:
    """Return the line of a frame, with its newline."""
    return b"%d %b %d %b\n" % (frame.host, frame.kind.encode(), frame.number, frame.body.rstrip(b"\n"))


def read_frame(line: bytes) -> Frame:
    """Return the frame of a line. Raises ValueError when it is none."""
    parts = line.rstrip(b"\n").split(b" ", 3)
    if len(parts) != 4:
        raise ValueError(f"no frame: {line[:60]!r}")
    return Frame(int(parts[0]), parts[1].decode("ascii"), int(parts[2]), parts[3])
