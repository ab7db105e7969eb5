"""What a run asks of a host of a cluster, and what the host answers: frozen data, one line of JSON each.

    run -> host process    Order once, then as to a referee: SessionJob ..., Stop; the end means "give up now"
    host process -> run    Facts, then Ready or Unready, then as a referee: Met, Finished, SessionDone ...

The lines travel through the bridge and the worker, which read none of them. Decides nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from arena.referee.jobs import MessageLines, Setup
from arena.sandbox import Limits

__all__ = [
    "ORDER_LINES",
    "ORDER_VERSION",
    "Facts",
    "HostMessage",
    "Order",
    "Ready",
    "SandboxWish",
    "Unready",
    "Why",
]

ORDER_VERSION = 1
"""The version of Order. Every change of it that an older host would misread raises it."""


@dataclass(frozen=True, slots=True)
class SandboxWish:
    """What the league asks of the sandbox of a host.

    `mode`: "auto", "require" or "off". `needed`: whether a host without one is refused even so, because the
    cluster is not on this machine alone. `user`, `read_only`: as in the league file.
    """

    mode: str
    needed: bool
    limits: Limits
    user: str
    read_only: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Order:
    """What a host is to make ready for one run.

    `run`: the league's mark, "-", and what no other bridge has. `setup`: as for a referee. In it the name of
    the folder of a command is the digest of the bot's bundle, wherever it lies; its sandbox, core and control
    group are the host's to choose. `pinned`: whether the referee gets a core of its own. `allow_broken`:
    whether bots may fail to start.
    """

    run: str
    setup: Setup
    sandbox: SandboxWish
    pinned: bool = True
    allow_broken: bool = False
    version: int = ORDER_VERSION


@dataclass(frozen=True, slots=True)
class Facts:
    """What a host says of itself before it makes anything ready.

    `host`: the same for all workers of one machine and one user, and for no other machine. `name`: the
    machine's own. `compiled`: whether its referee is. `sandbox`: its level, or "off".
    """

    host: str
    name: str
    arena: str
    python: str
    processor: str
    cores: int
    compiled: bool
    sandbox: str


class Why(StrEnum):
    """Why a host is left out."""

    SANDBOX = "no sandbox"
    BOT = "a bot is not ready"
    CORE = "no core is free"
    ROOM = "its disk cannot be written"
    ARENA = "another arena"
    BUSY = "another run plays there"
    PROCESS = "its process ended"
    FAILS = "it fails again and again"


@dataclass(frozen=True, slots=True)
class Ready:
    """The news that sessions can be played. `core`: the referee's own, or None. `said`: for people."""

    core: int | None
    said: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unready:
    """The news that nothing is played here. `text`: for people; several lines where bots failed."""

    why: Why
    text: str


HostMessage: TypeAlias = Order | Facts | Ready | Unready

ORDER_LINES: Final[MessageLines[HostMessage]] = MessageLines("run and host", Order, Facts, Ready, Unready)
