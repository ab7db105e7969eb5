"""Stores and reads the machines that a league is played on. It works inside the caller's transaction."""

from __future__ import annotations

from dataclasses import asdict

from sqlalchemy import Connection, func, select

from arena.store import models
from arena.store.hosts import Host, HostView
from arena.store.models import table_of
from arena.store.rows import Cells, shaped
from arena.store.session import reads

__all__ = ["read_hosts", "store_host"]

_HOST = table_of(models.Host)
_MATCH = table_of(models.Match)

_MOST_CHARACTERS = 200
_MOST_CORES = 1_000_000
_MOST_US = 10**12
"""What a host says of itself is not believed beyond these."""


def store_host(connection: Connection, host: Host, at: int) -> int:
    """Store a host that was seen at `at`, and return its id.

    A host of which the same is stored already keeps its row. Its pace is a measurement, so it may differ.
    """
    cells = _cells(host)
    same = [_HOST.c[name] == value for name, value in cells.items() if name != "pace_us"]
    known = connection.execute(select(func.min(_HOST.c.id)).where(*same)).scalar()
    if known is not None:
        return int(known)
    last = connection.execute(select(func.max(_HOST.c.id))).scalar()
    number = int(last or 0) + 1
    connection.execute(_HOST.insert(), {"id": number, **cells, "first_seen_at": at})
    return number


@reads
def read_hosts(connection: Connection, season: int) -> list[HostView]:
    """Return the hosts on which matches of a season were finished, by id; `MatchView.host` names one."""
    here = select(_MATCH.c.host).where(_MATCH.c.season == season)
    found = connection.execute(select(_HOST).where(_HOST.c.id.in_(here)).order_by(_HOST.c.id))
    return [shaped(HostView, row) for row in found.mappings()]


def _cells(host: Host) -> Cells:
    """Return what is stored of a host. It may have said anything of itself."""
    cells = asdict(host)
    cells |= {name: _plain(value) for name, value in cells.items() if isinstance(value, str)}
    cores, pace = min(max(host.cores, 0), _MOST_CORES), min(max(host.pace_us, 0), _MOST_US)
    return {**cells, "cores": cores, "pace_us": pace, "compiled": bool(host.compiled)}


def _plain(text: str) -> str:
    """Return a text that can be stored and printed anywhere."""
    return "".join(letter if letter.isprintable() else "?" for letter in text[:_MOST_CHARACTERS])
