"""`arena void` and `arena reinstate`: change what counts in a season, for a reason that is stored."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.options import examples, league_argument

if TYPE_CHECKING:
    from arena.cli.league_files import OpenLeague
    from arena.store.writer import Writer

__all__ = ["reinstate", "void"]

_reason = click.option("--reason", required=True, metavar="WHY", help="The reason; it is stored and shown.")


@click.command(
    epilog=examples(
        "arena void league.toml 0.3 --reason 'power cut: a bot missed its clock'",
        "arena void spring.db 2.14 --reason 'the machine was overloaded'",
    )
)
@league_argument
@click.argument("session")
@_reason
def void(league: Path, session: str, reason: str) -> None:
    """Take SESSION out of the score of LEAGUE, for good.

    SESSION is CYCLE.INDEX, both counted from 0, as on the pages and in the log. The whole session becomes
    void, with all its seat orders, because all were played with the same boards. It can still be read, with
    the reason beside it, and is not played again. This works while the league is being run, too.
    """
    from arena.cli.layout import plain
    from arena.cli.league_files import session_from
    from arena.season.opening import now_ms, who
    from arena.store.acts import void_act

    why = _given(reason)
    with _changing(league) as (found, writer):
        cycle, index = session_from(found.season, session)
        name = f"{cycle}.{index}"
        season = found.season.number
        writer.void(season, (cycle, index), void_act(season, (cycle, index), why, (now_ms(), who())))
        click.echo(f"session {name} of season {season} is void: {plain(why)}")
        _say_pages(league)


@click.command(
    epilog=examples(
        "arena reinstate league.toml duck --reason 'the library it needs is installed now'",
        "arena reinstate spring.db duck --reason 'its crashes were ours'",
    )
)
@league_argument
@click.argument("bot")
@_reason
def reinstate(league: Path, bot: str, reason: str) -> None:
    """Let BOT of LEAGUE play again after it was disqualified.

    It plays from the first cycle of which nothing was played yet. It is ranked with all its own sessions,
    and judged by what it plays from then on.
    """
    from arena.cli.layout import plain
    from arena.cli.league_files import bot_from
    from arena.season.opening import now_ms, who

    why = _given(reason)
    with _changing(league) as (found, writer), _keeping_runs_out(found.files.lock) as running:
        season = found.season.number
        chosen = bot_from(found.season, bot)
        ruling = writer.reinstate(season, chosen, why, (now_ms(), who(), running))
        planned = len(found.reader.progress(season).cycles)
        click.echo(f"{chosen} is ranked again, and plays from session {ruling.from_cycle}.0 on: {plain(why)}")
        if ruling.from_cycle >= planned:
            click.echo(
                f"All {planned} cycles are begun: it plays only if you raise [schedule] cycles.", err=True
            )
        _say_pages(league)


def _given(reason: str) -> str:
    if not reason.strip():
        raise click.UsageError("--reason is empty: give a reason; it is stored and shown.")
    return reason.strip()


def _say_pages(league: Path) -> None:
    click.echo(f"To show it on the pages: arena report {league}", err=True)


@contextmanager
def _changing(league: Path) -> Iterator[tuple[OpenLeague, Writer]]:
    """Open the newest season of a league, and a writer for its database."""
    from arena.cli.league_files import opened
    from arena.store.database import Database
    from arena.store.writer import Writer

    with opened(league) as found:
        path = found.files.database
    # The writer is closed last: only then does SQLite move what was written from its log into the database.
    with Database.open(path) as database, opened(league) as found:
        yield found, Writer(database)


@contextmanager
def _keeping_runs_out(path: Path) -> Iterator[bool]:
    """Yield whether the league is being run. If it is not, no run can begin inside the block."""
    from arena.errors import DatabaseBusy
    from arena.store.lock import RunLock

    lock = RunLock(path)
    try:
        lock.acquire()
    except DatabaseBusy:
        yield True
        return
    try:
        yield False
    finally:
        lock.release()
