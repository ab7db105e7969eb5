"""What an organiser should look at first in a league that was left alone, from its database and disk.

Reads only, and words everything once, for the text and the JSON of `arena status`.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from arena.cli.layout import plain
from arena.cli.league_files import OpenLeague
from arena.conduct.disqualify import disqualified
from arena.match.faults import FaultKind
from arena.season.bot_remarks import SUBJECT, overruns_of
from arena.store.views import Progress, SessionState

__all__ = ["LOW_BYTES", "Notice", "notices"]

LOW_BYTES = 1 << 30
"""Free space below which a long league may not fit."""

Faults = Mapping[str, Mapping[FaultKind, int]]
"""How many, by bot id and kind."""

_SESSIONS_SHOWN = 3
_WORDS = {SessionState.VOIDED: "void", SessionState.LEFT_OUT: "left out"}
_UNPROTECTED = "off"


@dataclass(frozen=True, slots=True)
class Notice:
    """One thing to look at. `kind`: "disqualified", "start_failed", "overrun", "aborted", "left_out",
    "voided", "disk" or "sandbox"; `subject`: the bot, session or file it is about, else empty."""

    kind: str
    subject: str
    text: str


def notices(league: OpenLeague, progress: Progress, faults: Faults) -> list[Notice]:
    """Everything that needs attention, what bots did first. StoreError when the database cannot be read."""
    return [
        *_bots(league, faults),
        *_matches(progress),
        *_sessions(league),
        *_disk(league.files.database),
        *_sandbox(league),
    ]


def _bots(league: OpenLeague, faults: Faults) -> Iterator[Notice]:
    for bot, ruling in disqualified(league.reader.rulings(league.season.number)).items():
        since = f"from session {ruling.from_cycle}.0 on the stand-in has its seats"
        yield Notice("disqualified", bot, f"{bot} is disqualified: {plain(ruling.reason)}; {since}")
    for bot, kinds in faults.items():
        failed = kinds.get(FaultKind.START_FAILED, 0)
        if failed:
            yield Notice("start_failed", bot, f"{bot} did not start for {_matches_text(failed)}")
    logs = [line for line in league.reader.logs() if line.at >= league.season.opened_at]
    for bot, text in overruns_of(logs).items():
        yield Notice(SUBJECT, bot, plain(text))


def _matches(progress: Progress) -> Iterator[Notice]:
    if progress.matches_aborted:
        aborted = "attempt" if progress.matches_aborted == 1 else "attempts"
        text = f"{progress.matches_aborted:,} {aborted} at matches aborted for a reason of the arena's own"
        yield Notice("aborted", "", text)


def _sessions(league: OpenLeague) -> Iterator[Notice]:
    sessions = league.reader.sessions(league.season.number)
    for state, word in _WORDS.items():
        found = [session for session in sessions if session.state is state]
        for session in found[:_SESSIONS_SHOWN]:
            name = f"{session.cycle}.{session.index}"
            yield Notice(state.value, name, f"session {name} is {word}: {plain(session.reason)}")
        more = len(found) - _SESSIONS_SHOWN
        if more > 0:
            sessions_are = "session is" if more == 1 else "sessions are"
            yield Notice(state.value, "", f"{more:,} more {sessions_are} {word}")


def _disk(database: Path) -> Iterator[Notice]:
    free = shutil.disk_usage(database.parent).free
    if free < LOW_BYTES:
        yield Notice("disk", str(database.parent), f"only {free >> 20:,} MiB are free where the database is")


def _sandbox(league: OpenLeague) -> Iterator[Notice]:
    levels = league.reader.sandbox_levels(league.season.number)
    without = levels.get(_UNPROTECTED, 0)
    if without:
        text = f"{_matches_text(without)} of {sum(levels.values()):,} played without a sandbox"
        yield Notice("sandbox", "", text)


def _matches_text(number: int) -> str:
    return "1 match" if number == 1 else f"{number:,} matches"
