"""Stores and reads the organiser's acts that change what counts: void sessions, disqualified bots.

They are in the table `action`. It works inside the caller's transaction and decides nothing: that is
`arena.conduct.disqualify`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from sqlalchemy import Connection, func, select

from arena.conduct.disqualify import Ruling, Sitting, disqualified
from arena.errors import StoreError, UsageError
from arena.match.faults import HandOver
from arena.match.stand_in import STAND_IN, STAND_IN_NAME
from arena.store import models
from arena.store.models import table_of
from arena.store.rows import entry_cells, line_cells
from arena.store.views import Action, Entry, MatchState, Role, SessionKey

__all__ = [
    "DISQUALIFY",
    "REINSTATE",
    "VOID",
    "read_rulings",
    "read_sittings",
    "reinstate",
    "store_rulings",
    "void_act",
    "voids_from",
]

DISQUALIFY = "disqualify"
"""The name of the act that takes a bot out."""
REINSTATE = "reinstate"
"""The name of the act that lets a bot play again."""
VOID = "void"
"""The name of the act that takes a session out of the score."""

_SESSION = table_of(models.Session)
_MATCH = table_of(models.Match)
_SEAT = table_of(models.Seat)
_BOT = table_of(models.Bot)
_ENTRY = table_of(models.Entry)
_ACTION = table_of(models.Action)


def rulings_from(actions: Iterable[Action], season: int) -> tuple[Ruling, ...]:
    """Return the rulings of a season among the acts, in the order in which they were made.

    StoreError for one that cannot be read.
    """
    found = []
    for act in actions:
        if act.what in (DISQUALIFY, REINSTATE):
            of_season, from_cycle = _detail(act)
            if of_season == season:
                found.append(Ruling(act.subject, act.what == DISQUALIFY, from_cycle, act.reason))
    return tuple(found)


def _detail(act: Action) -> tuple[int, int]:
    """Return the season and the first cycle that an act is about."""
    try:
        detail = json.loads(act.detail)
        return int(detail["season"]), int(detail["from_cycle"])
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise StoreError(
            f"The act {act.what} {act.subject} does not say of which cycle: {act.detail!r}"
        ) from error


def read_rulings(connection: Connection, season: int) -> tuple[Ruling, ...]:
    """Read what `Reader.rulings` returns."""
    columns = (
        _ACTION.c.at,
        _ACTION.c.who,
        _ACTION.c.what,
        _ACTION.c.subject,
        _ACTION.c.reason,
        _ACTION.c.detail,
    )
    found = connection.execute(
        select(*columns).where(_ACTION.c.what.in_((DISQUALIFY, REINSTATE))).order_by(_ACTION.c.id)
    )
    return rulings_from((Action(*row) for row in found), season)


def read_sittings(connection: Connection, season: int) -> Iterator[Sitting]:
    """Read what `Reader.sittings` returns. One for each bot of a match, however many seats it held."""
    found = connection.execute(
        select(
            _MATCH.c.id, _SEAT.c.bot, _MATCH.c.cycle, _MATCH.c.index.label("session_index"), _MATCH.c.order,
            _SEAT.c.hand_over, _SEAT.c.pid, _MATCH.c.started_at, _MATCH.c.finished_at,
        )
        .join(_SEAT, _SEAT.c.match == _MATCH.c.id)
        .where(_MATCH.c.season == season, _MATCH.c.state == MatchState.FINISHED.value)
        # A bot that was replaced at any of its seats counts as replaced, so such seats come first.
        .order_by(_MATCH.c.id, _SEAT.c.bot, _SEAT.c.hand_over.is_(None), _SEAT.c.seat)
    )  # fmt: skip
    last = None
    for match, bot, cycle, index, order, lost, pid, started_at, finished_at in found:
        if last == (match, bot):
            continue
        last = match, bot
        yield Sitting(
            bot, cycle, index, order, None if lost is None else HandOver(lost), pid, started_at, finished_at
        )


def store_rulings(
    connection: Connection, season: int, rulings: Sequence[Ruling], act: tuple[int, str]
) -> None:
    """Store that bots are disqualified, by `act` (when, who). The first time, enter the stand-in as well."""
    if not rulings:
        return
    _enter_stand_in(connection, season)
    connection.execute(_ACTION.insert(), [line_cells(_act(season, ruling, act)) for ruling in rulings])


def reinstate(
    connection: Connection, season: int, bot: str, reason: str, act: tuple[int, str, bool]
) -> Ruling:
    """Let a disqualified bot play again, and store the act.

    It plays from the first cycle on of which nothing was begun. `act`: when, who, and whether the league
    is being run. UsageError if the bot is not disqualified.
    """
    at, who, running = act
    ruling = disqualified(read_rulings(connection, season)).get(bot)
    if ruling is None:
        raise UsageError(f"{bot} is not disqualified in season {season}, so there is nothing to undo")
    last = connection.execute(select(func.max(_SESSION.c.cycle)).where(_SESSION.c.season == season)).scalar()
    # A run may have decided already who plays in the next cycle, so then it is one cycle later.
    free = (-1 if last is None else int(last)) + 1 + running
    back = Ruling(bot, False, max(free, ruling.from_cycle), reason)
    connection.execute(_ACTION.insert(), line_cells(_act(season, back, (at, who))))
    return back


def _act(season: int, ruling: Ruling, act: tuple[int, str]) -> Action:
    at, who = act
    detail = json.dumps({"season": season, "from_cycle": ruling.from_cycle})
    return Action(at, who, DISQUALIFY if ruling.out else REINSTATE, ruling.bot, ruling.reason, detail)


def _enter_stand_in(connection: Connection, season: int) -> None:
    of_season = _ENTRY.c.season == season
    known = connection.execute(select(_ENTRY.c.bot).where(of_season, _ENTRY.c.bot == STAND_IN)).first()
    if known is not None:
        return
    if connection.execute(select(_BOT.c.slug).where(_BOT.c.slug == STAND_IN)).first() is None:
        connection.execute(_BOT.insert(), {"slug": STAND_IN})
    count = connection.execute(select(func.count()).select_from(_ENTRY).where(of_season)).scalar()
    entry = Entry(STAND_IN, int(count or 0), STAND_IN_NAME, "", "", (), role=Role.STAND_IN)
    connection.execute(_ENTRY.insert(), entry_cells(season, entry))


def void_act(season: int, session: SessionKey, reason: str, act: tuple[int, str]) -> Action:
    """Return the act by which a session becomes void, for a reason; `act`: when, and by whom."""
    at, who = act
    cycle, index = session
    return Action(at, who, VOID, f"{cycle}.{index}", reason, json.dumps({"season": season}))


def voids_from(actions: Iterable[Action], season: int) -> dict[SessionKey, str]:
    """Return the sessions of a season that acts made void, and why.

    StoreError for an act that cannot be read.
    """
    found: dict[SessionKey, str] = {}
    for act in actions:
        if act.what == VOID:
            of_season, session = _voided(act)
            if of_season == season:
                found[session] = act.reason
    return found


def _voided(act: Action) -> tuple[int, SessionKey]:
    try:
        cycle, index = act.subject.split(".")
        return int(json.loads(act.detail)["season"]), (int(cycle), int(index))
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise StoreError(
            f"The act {VOID} {act.subject!r} does not say which session of which season: {act.detail!r}"
        ) from error
