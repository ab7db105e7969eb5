"""What `arena status` shows of an open league only: its phase, its field, what waits, who is absent.

Reads the database, and with a league file the folders of its entries; must not change anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.cli.layout import plain
from arena.score.entry_ids import bot_of
from arena.store import read

if TYPE_CHECKING:
    from arena.cli.league_files import OpenLeague
    from arena.store.scoring import Scored
    from arena.store.views import SeasonView


@dataclass(frozen=True, slots=True)
class OpenStatus:
    """How the field of an open league stands.

    `plays`: what the newest phase plays now, in words. `present`: its entries. `changes`: what changes with
    the next phase. `waiting`: who does not play, with the reason; `refused`: those of them whose folders
    cannot be taken as they are. `absent`: of the versions that are there and did not start, how often in a
    row, why, and the lines that they left behind, the last time. `newcomers`: the sessions that count, and
    those that are needed. `closed`: why the season was closed, None while it is open. Without a league file
    nobody knows what changes, who waits and which version is there: the newest one is assumed.
    """

    plays: str
    present: tuple[str, ...]
    changes: tuple[str, ...]
    waiting: tuple[tuple[str, str], ...]
    refused: tuple[tuple[str, str], ...]
    absent: dict[str, tuple[int, str, tuple[str, ...]]]
    newcomers: dict[str, tuple[int, int]]
    closed: str | None


def open_status(league: OpenLeague, score: Scored | None) -> OpenStatus | None:
    """Gather it; None for a closed league. Raises StoreError when the database cannot be read.

    `score`: None if the season cannot be scored.
    """
    from arena.season.open_field import ahead, look
    from arena.season.opening import now_ms
    from arena.store.acts import closing
    from arena.store.scoring import newcomers
    from arena.store.stored_season import StoredSeason, playing

    season, loaded = league.season, league.files.loaded
    if not season.open:
        return None
    decisions = read.decisions(league.database, season.number)
    stored = StoredSeason(season, read.actions(league.database), decisions)
    failures, end = stored.failures, closing(stored.acts, season.number)
    newest = {bot_of(entry.bot): entry.bot for entry in season.entries}
    absent = {entry: failed for entry, failed in failures.items() if newest.get(bot_of(entry)) == entry}
    seen = None
    if loaded is not None and end is None and not league.ended:
        seen = ahead(stored, look(loaded, stored.view), (now_ms(), loaded.league.schedule.version_hours))
        # A version whose files are there no longer is not absent: another one of its bot took its place.
        there = {entry.bot for entry in seen.field.entries} | {one.bot for one in seen.waiting}
        absent = {entry: failed for entry, failed in absent.items() if entry in there}
    return OpenStatus(
        plays=_plays(league),
        present=playing(season),
        changes=(
            *(f"{entry} comes" for entry in (seen.come if seen else ())),
            *(f"{entry} leaves" for entry in (seen.gone if seen else ())),
        ),
        waiting=tuple((one.bot, one.reason) for one in (seen.waiting if seen else ())),
        refused=tuple((one.bot, one.reason) for one in (seen.refused if seen else ())),
        absent={
            entry: (len(failed), failed[-1].reason, failed[-1].last_words) for entry, failed in absent.items()
        },
        newcomers=newcomers(season, score) if score else {},
        closed=None if end is None else end.reason,
    )


def _plays(league: OpenLeague) -> str:
    """Return whether the newest phase plays its catch-up block or a balanced cycle, in words."""
    from arena.store.stored_season import open_plan

    season: SeasonView = league.season
    last = season.unfinished
    if league.ended:
        return "nothing any more: another season has begun"
    if last is None:
        return "nothing now: the next run begins a phase"
    plan = open_plan(season)
    over = {one.cycle for one in read.progress(league.database, season.number).cycles if one.is_over}
    cycle = next((n for n in range(last.first_cycle, last.cycles_planned) if n not in over), None)
    if cycle is None:
        return "nothing is left of this phase"
    phase = plan.phase_of(cycle)
    if phase is not None and phase.is_block(cycle):
        return f"a catch-up block, {plan.sessions_in(cycle):,} sessions (cycle {cycle + 1})"
    block = phase is not None and bool(phase.owed)
    number, of = cycle - last.first_cycle + 1 - block, last.cycles_planned - last.first_cycle - block
    return f"balanced cycle {number} of {of} (cycle {cycle + 1} of the season)"


def open_rows(seen: OpenStatus) -> list[tuple[str, str]]:
    """Return the rows for the text: a name and its lines each; none for what there is nothing to say of."""
    few = [", ".join(seen.present[first : first + 6]) for first in range(0, len(seen.present), 6)]
    rows = [
        ("closed", "" if seen.closed is None else f"{plain(seen.closed)}; no further phase is played"),
        ("plays", seen.plays),
        ("present", "\n".join(few)),
        ("next", "\n".join(map(plain, seen.changes))),
        ("waiting", "\n".join(plain(f"{bot}: {why}") for bot, why in seen.waiting)),
        (
            "newcomers",
            "\n".join(f"{entry}: {n} of {of} sessions" for entry, (n, of) in seen.newcomers.items()),
        ),
    ]
    return [(name, text) for name, text in rows if text]


def open_troubles(seen: OpenStatus) -> Iterator[tuple[str, str, str]]:
    """Yield what needs attention: its kind, the bot, and a text of one line or more."""
    for bot, why in seen.refused:
        yield "refused", bot, plain(f"{bot} does not play: {why}")
    for entry, (often, why, last_words) in seen.absent.items():
        times = "" if often == 1 else f" {often} times in a row"
        said = plain(f"{entry} was not ready{times}: {why}")
        yield "start_failed", entry, "\n".join([said, *(f"    {line}" for line in last_words)])
