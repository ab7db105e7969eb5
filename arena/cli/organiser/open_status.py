"""What `arena status` shows of an open league only: its stretch, its field, what waits, who is absent.

Reads the database, and with a league file the folders of its entries; must not change anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.cli.layout import plain

if TYPE_CHECKING:
    from arena.cli.league_files import OpenLeague
    from arena.store.views import SeasonView

__all__ = ["OpenStatus", "open_rows", "open_status"]


@dataclass(frozen=True, slots=True)
class OpenStatus:
    """How the field of an open league stands.

    `plays`: what the newest stretch plays now, in words. `present`: its entries. `changes`: what changes with
    the next stretch. `waiting`: who does not play, with the reason. `absent`: how often in a row a version
    did not start. `newcomers`: the sessions that count, and those that are needed. `closed`: why the season
    was closed, None while it is open. Without a league file nobody knows what changes and who waits.
    """

    plays: str
    present: tuple[str, ...]
    changes: tuple[str, ...]
    waiting: tuple[tuple[str, str], ...]
    absent: dict[str, int]
    reasons: dict[str, str]
    newcomers: dict[str, tuple[int, int]]
    closed: str | None


def open_status(league: OpenLeague) -> OpenStatus | None:
    """Gather it; None for a closed league. Raises StoreError when the database cannot be read."""
    from arena.season.ahead import ahead, failed_starts
    from arena.season.opening import now_ms
    from arena.store.acts import closing
    from arena.store.newcomers import newcomers
    from arena.store.planned import playing
    from arena.store.scoring import scored

    season, loaded, actions = league.season, league.files.loaded, league.reader.actions()
    if not season.open:
        return None
    failures, end = failed_starts(season, actions), closing(actions, season.number)
    seen = None
    if loaded is not None and end is None and not league.ended:
        seen = ahead(loaded, season, league.reader.rulings(season.number), failures, now_ms())
    return OpenStatus(
        plays=_plays(league),
        present=playing(season),
        changes=() if seen is None else _changes(seen.come, seen.gone),
        waiting=() if seen is None else tuple((one.bot, one.reason) for one in seen.waiting),
        absent={entry: len(reasons) for entry, reasons in failures.items()},
        reasons={entry: reasons[-1] for entry, reasons in failures.items()},
        newcomers=newcomers(season, scored(league.reader, season)),
        closed=None if end is None else end.reason,
    )


def _changes(come: tuple[str, ...], gone: tuple[str, ...]) -> tuple[str, ...]:
    return (*(f"{entry} comes" for entry in come), *(f"{entry} leaves" for entry in gone))


def _plays(league: OpenLeague) -> str:
    """Return whether the newest stretch plays its catch-up block or a balanced cycle, in words."""
    from arena.store.planned import open_plan

    season: SeasonView = league.season
    last = season.stretches[-1] if season.stretches else None
    if league.ended:
        return "nothing any more: another season has begun"
    if last is None or last.ended_at is not None:
        return "nothing now: the next run begins a stretch"
    plan = open_plan(season)
    over = {one.cycle for one in league.reader.progress(season.number).cycles if one.is_over}
    cycle = next((n for n in range(last.first_cycle, last.cycles_planned) if n not in over), None)
    if cycle is None:
        return "nothing is left of this stretch"
    stretch = plan.stretch_of(cycle)
    if stretch is not None and stretch.is_block(cycle):
        return f"a catch-up block, {plan.sessions_in(cycle):,} sessions (cycle {cycle + 1})"
    block = stretch is not None and bool(stretch.owed)
    number, of = cycle - last.first_cycle + 1 - block, last.cycles_planned - last.first_cycle - block
    return f"balanced cycle {number} of {of} (cycle {cycle + 1} of the season)"


def open_rows(seen: OpenStatus) -> list[tuple[str, str]]:
    """Return the rows for the text: a name and its lines each; none for what there is nothing to say of."""
    rows = [
        ("closed", "" if seen.closed is None else f"{plain(seen.closed)}; no further stretch is played"),
        ("plays", seen.plays),
        ("present", "\n".join(_listed(seen.present))),
        ("next", "\n".join(map(plain, seen.changes))),
        ("waiting", "\n".join(plain(f"{bot}: {why}") for bot, why in seen.waiting)),
        ("absent", "\n".join(_absent(entry, seen) for entry in seen.absent)),
        (
            "newcomers",
            "\n".join(f"{entry}: {n} of {of} sessions" for entry, (n, of) in seen.newcomers.items()),
        ),
    ]
    return [(name, text) for name, text in rows if text]


def _absent(entry: str, seen: OpenStatus) -> str:
    return plain(f"{entry}: not ready {_times(seen.absent[entry])}: {seen.reasons[entry]}")


def _times(often: int) -> str:
    return "once" if often == 1 else f"{often} times in a row"


def _listed(entries: tuple[str, ...]) -> list[str]:
    """Return lines of a few ids each."""
    return [", ".join(entries[first : first + 6]) for first in range(0, len(entries), 6)]
