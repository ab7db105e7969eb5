"""`arena void` and `arena reinstate`: what an organiser may change of a season, and why."""

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

_reason = click.option("--reason", required=True, metavar="WHY", help="Why; it is stored and shown.")


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

    SESSION is CYCLE.INDEX, both counted from 0, as the pages and the log name it. A session is void whole:
    all its seat orders, for the same boards were played in each. It stays readable, with the reason beside
    it, and is not played again. Also while the league is being run.
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

    It has its seats again from the next cycle on that nothing was played of yet, is ranked with all its
    own sessions, and is judged by what it plays from then on.
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
            click.echo(f"All {planned} cycles are begun: it plays only if [schedule] cycles grows.", err=True)
        _say_pages(league)


def _given(reason: str) -> str:
    if not reason.strip():
        raise click.UsageError("--reason needs a reason, which is stored and shown.")
    return reason.strip()


def _say_pages(league: Path) -> None:
    click.echo(f"The pages show it when they are written again: arena report {league}", err=True)


@contextmanager
def _changing(league: Path) -> Iterator[tuple[OpenLeague, Writer]]:
    """The newest season of a league, and a writer for its database."""
    from arena.cli.league_files import opened
    from arena.store.database import Database
    from arena.store.writer import Writer

    with opened(league) as found:
        path = found.files.database
    # The writer is closed last: only then SQLite moves what was written from its log into the database file.
    with Database.open(path) as database, opened(league) as found:
        yield found, Writer(database)


@contextmanager
def _keeping_runs_out(path: Path) -> Iterator[bool]:
    """Whether the league is being run; if not, no run begins meanwhile."""
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
