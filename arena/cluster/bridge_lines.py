"""What a coordinator and its bridge to a cluster tell each other: frozen data, one line of JSON each.

    coordinator -> bridge    Connect once, then Deal and StopSlot ...; the stream's end means "give up now"
    bridge -> coordinator    Joined, Refused, Heard, Broke, Left, Said ...; Lost when there is no cluster;
                             Alive every few seconds: a bridge that says nothing for a minute is ended

A *slot* is a worker on which the bots are ready. Numbers of slots are never used again. Decides nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from arena.cluster.orders import Facts, Order, Why
from arena.referee.jobs import MessageLines

__all__ = [
    "ALIVE_SECONDS",
    "BRIDGE_LINES",
    "END_SECONDS",
    "Alive",
    "BridgeMessage",
    "Broke",
    "Connect",
    "Deal",
    "Heard",
    "Joined",
    "Left",
    "Lost",
    "Refused",
    "Said",
    "StopSlot",
    "Tls",
    "words",
]

_MOST_WORDS = 4_000
"""The characters that are told of what somebody else has said."""
ALIVE_SECONDS = 5.0
"""How often a bridge says that it is alive."""
END_SECONDS = 1.6
"""The longest time in which a bridge leaves the cluster, once its input has ended. It is shorter than
`arena.runner.child.CLOSE_SECONDS`, after which the coordinator kills it."""


@dataclass(frozen=True, slots=True)
class Tls:
    """The files of a client's certificate: the authority's, its own and its key."""

    ca: str
    cert: str
    key: str


@dataclass(frozen=True, slots=True)
class Connect:
    """The cluster to use, and what each worker is to make ready.

    `address`: the scheduler's, as Dask writes it. `order`: for every host. `bundles`: the folders of the
    bots' copies by their digests. `patience`: the seconds for which a cluster without a scheduler, or
    without a worker that can play, is waited for. `was_there`: whether an earlier bridge of this run has had
    slots there; else what is missing at the beginning is a mistake of somebody who can mend it now.
    """

    address: str
    tls: Tls | None
    order: Order
    bundles: dict[str, str]
    patience: float
    was_there: bool = False


@dataclass(frozen=True, slots=True)
class Deal:
    """A session for a slot: the line of its SessionJob."""

    slot: int
    line: str


@dataclass(frozen=True, slots=True)
class StopSlot:
    """The order to a slot to finish the match that is being played and to begin no other one.

    `leave`: whether the slot is given up for good, so that its worker is not asked again.
    """

    slot: int
    leave: bool = False


@dataclass(frozen=True, slots=True)
class Joined:
    """The news of a slot. `worker`: its address. `said`: what to tell people of it."""

    slot: int
    worker: str
    facts: Facts
    said: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Refused:
    """The news that a worker is left out. `where`: its address, or the name of its host."""

    where: str
    why: Why
    text: str


@dataclass(frozen=True, slots=True)
class Heard:
    """Lines of a slot's referee, in their order. `session_seconds`: how long a session takes there."""

    slot: int
    lines: tuple[str, ...]
    session_seconds: float


@dataclass(frozen=True, slots=True)
class Broke:
    """The news that the referee of a slot has ended. `in_order`: whether it was told to. The slot is no more.
    Unless it was told to, its worker becomes another one."""

    slot: int
    how: str
    in_order: bool


@dataclass(frozen=True, slots=True)
class Left:
    """The news that a slot is no more. What it was playing is lost; that is nobody's fault."""

    slot: int
    why: str


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence for the organiser."""

    text: str


@dataclass(frozen=True, slots=True)
class Lost:
    """The news that there is no cluster to play on. `text`: what is wrong, and what to do."""

    text: str


@dataclass(frozen=True, slots=True)
class Alive:
    """The news that the bridge goes on."""


BridgeMessage: TypeAlias = (
    Connect | Deal | StopSlot | Joined | Refused | Heard | Broke | Left | Said | Lost | Alive
)

BRIDGE_LINES: Final[MessageLines[BridgeMessage]] = MessageLines(
    "coordinator and bridge",
    Connect, Deal, StopSlot, Joined, Refused, Heard, Broke, Left, Said, Lost, Alive,
)  # fmt: skip


def words(said: object) -> str:
    """Return what a worker has said as a text that can be told. It may be anything."""
    return str(said)[:_MOST_WORDS].encode("utf-8", "replace").decode()
