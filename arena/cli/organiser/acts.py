"""The acts of an organiser that change what counts or who plays in a season, for a reason that is stored.

They are `arena close`, `arena void`, `arena exclude` and `arena reinstate`. All work while the league is
being played: each is one short transaction, and the run reads it before it plays the next cycle.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from arena.cli.options import LeagueName, bot_argument, examples, league_argument

if TYPE_CHECKING:
    from arena.cli.league_files import OpenLeague
    from arena.conduct.exclusion import Ruling
    from arena.league.reader import LoadedLeague
    from arena.store.database import Database
    from arena.store.views import SeasonView


def _stripped(_context: click.Context, _option: click.Parameter, reason: str) -> str:
    if not reason.strip():
        raise click.UsageError("--reason is empty: give a reason; it is stored and shown.")
    return reason.strip()


_reason = click.option(
    "--reason",
    required=True,
    metavar="WHY",
    callback=_stripped,
    help="The reason; it is stored and shown.",
)


@click.command(
    epilog=examples(
        "arena void league.toml 12 --reason 'power cut: a bot missed its clock'",
        "arena void league.db 40 --reason 'the machine was overloaded'",
    )
)
@league_argument
@click.argument("match", type=click.IntRange(1))
@_reason
def void(league: LeagueName, match: int, reason: str) -> None:
    """Take the session of MATCH, by its number on the pages, out of the score of LEAGUE, for good.

    The whole session becomes void, with all its seat orders, because all were played with the same boards. It
    can still be read, with the reason beside it, and is not played again. This works while the league is
    being run, too.
    """
    from arena.cli.layout import plain
    from arena.errors import UsageError
    from arena.season.opening import now_ms, who
    from arena.store import read, write
    from arena.store.acts import void_act

    with _acting(league) as (found, database):
        season = found.season.number
        begun = read.matches(found.database, season, state=None)
        key = next(((one.cycle, one.index) for one in begun if one.number == match), None)
        if key is None:
            raise UsageError(f"season {season} has no match {match} that was begun")
        write.void(database, season, key, void_act(season, key, reason, (now_ms(), who())))
        click.echo(f"session {key[0]}.{key[1]} of season {season} is void: {plain(reason)}")


@click.command(
    epilog=examples(
        "arena exclude league.toml duck --reason 'its author asked for it'",
        "arena exclude league.db duck --reason 'it is a copy of Low'",
    )
)
@league_argument
@bot_argument
@_reason
def exclude(league: LeagueName, bot: str, reason: str) -> None:
    """Exclude BOT from LEAGUE: the others play on without it.

    That holds from the first cycle of which nothing was begun, also while the league is run.
    The bot keeps the score of its own sessions, and has no rank any more. The arena itself excludes
    a bot that fails too often; see [faults] in the league file.

    In an open league it holds for all versions of the bot, also for those to come, while the arena
    excludes a version. It is possible as soon as the bot's folder is there, before anything is played.
    Removing the folder takes the bot out as well, without a reason.
    """
    from arena.cli.layout import plain
    from arena.season.decide import why_broken_off
    from arena.season.opening import now_ms, who
    from arena.store import read, write

    loaded = _begun(league)
    with _acting(league) as (found, database):
        season = found.season.number
        chosen = _bot_meant(found.season, loaded, bot)
        ruling = write.exclude(database, season, chosen, reason, (now_ms(), who()))
        click.echo(plain(str(ruling)))
        _say_if_late(found, ruling, "it has no rank any more, and keeps the score of its sessions")
        if broken_off := why_broken_off(found.season, read.rulings(found.database, season)):
            click.echo(f"From session {ruling.from_cycle}.0 on no cycle is played: {broken_off}.", err=True)


@click.command(
    epilog=examples(
        "arena reinstate league.toml duck --reason 'its library is installed now'",
        "arena reinstate league.db duck --reason 'its crashes were ours'",
    )
)
@league_argument
@bot_argument
@_reason
def reinstate(league: LeagueName, bot: str, reason: str) -> None:
    """Let BOT of LEAGUE play again after it was excluded.

    It plays from the first cycle of which nothing was begun. It is ranked with all its own
    sessions, and judged by what it plays from then on. This works while the league is being run, too.

    In an open league BOT may also be a version that the arena excluded, such as duck@2. A bot of which
    three versions were excluded plays no more until it is reinstated itself; then it may bring another
    version.
    """
    from arena.cli.layout import plain
    from arena.season.opening import now_ms, who
    from arena.store import write

    loaded = _begun(league)
    with _acting(league) as (found, database):
        chosen = _bot_meant(found.season, loaded, bot, versions=True)
        ruling = write.reinstate(database, found.season.number, chosen, reason, (now_ms(), who()))
        since = f"session {ruling.from_cycle}.0"
        if found.season.open:
            click.echo(
                f"{chosen} may play again, in a phase that begins with {since} or later: {plain(reason)}"
            )
            _say_versions_out(found, chosen)
        else:
            click.echo(f"{chosen} is ranked again, and plays from {since} on: {plain(reason)}")
            _say_if_late(found, ruling, "it plays only if you raise [schedule] cycles")


@click.command(
    epilog=examples(
        "arena close league.toml --reason 'the evening is over'",
        "arena close league.db --reason 'entries were open until May'",
    )
)
@league_argument
@_reason
def close(league: LeagueName, reason: str) -> None:
    """End the open season of LEAGUE: its field is fixed from now on.

    A phase that is being played ends after the cycles under way. No newcomer and no new
    version is taken any more, and `arena run` plays no further phase. That cannot be undone, for what
    is claimed after the end rests on it. In a league with stages arena run goes on with the next one;
    else arena run --new-season begins another season.
    """
    from arena.cli.layout import plain
    from arena.errors import UsageError
    from arena.season.opening import now_ms, who
    from arena.store import read, write
    from arena.store.acts import CLOSE, closing
    from arena.store.history import Action
    from arena.store.stage import stage_of

    with _acting(league) as (found, database):
        season = found.season.number
        if not found.season.open:
            raise UsageError(f"{league}: season {season} is no open one: its field was fixed when it began")
        if (known := closing(read.actions(found.database), season)) is not None:
            raise UsageError(f"{league}: season {season} is closed already: {plain(known.reason)}")
        write.action(database, Action(now_ms(), who(), CLOSE, str(season), reason))
        click.echo(f"season {season} is closed: {plain(reason)}")
        if found.season.unfinished is not None:
            click.echo("Its phase ends after the cycles that are under way.", err=True)
        if (stage := stage_of(found.season)) is not None and stage.number < stage.of:
            click.echo(f"Then arena run plays stage {stage.number + 1} of {stage.of}.", err=True)


def _say_versions_out(found: OpenLeague, bot: str) -> None:
    """Say which versions of a bot stay excluded though the bot as a whole is back."""
    from arena.conduct.exclusion import disqualified
    from arena.score.entry_ids import bot_of
    from arena.store import read

    out = disqualified(read.rulings(found.database, found.season.number))
    left = sorted(entry for entry in out if bot_of(entry) == bot != entry)
    if left:
        are = "stays excluded" if len(left) == 1 else "stay excluded"
        click.echo(f"{', '.join(left)} {are}: bring another version, or reinstate it too.", err=True)


def _say_if_late(found: OpenLeague, ruling: Ruling, what: str) -> None:
    """Say what the ruling still changes, if it holds from after the last planned cycle on.

    That may be so before all cycles are begun: it holds from the end of the last block that is.
    """
    from arena.season.opening import cycles_begun

    if found.season.open:  # another phase may follow
        return
    planned = cycles_begun(found.season)
    if planned and ruling.from_cycle >= planned:
        last = "only cycle" if planned == 1 else f"last of the {planned} cycles"
        click.echo(f"Session {ruling.from_cycle}.0 would come after the {last}: {what}.", err=True)


@contextmanager
def _acting(league: LeagueName) -> Iterator[tuple[OpenLeague, Database]]:
    """Open the newest season and its database for an act, and say afterwards how pages come to show it."""
    from arena.cli.league_files import opened
    from arena.store.database import Database

    with opened(league) as found:
        path = found.files.database
    # This one is closed last: only then does SQLite move what was written from its log into the database.
    with Database.open(path) as database, opened(league) as found:
        yield found, database
    click.echo(f"To show it on the pages: arena report {league}", err=True)


def _begun(league: LeagueName) -> LoadedLeague | None:
    """Return the open league of a league file, whose season begins if there is none yet, so that it can store
    an act; None for a database, or for a closed league.
    """
    from arena.cli.league_files import is_database
    from arena.league import read_league
    from arena.runner.run import begin_season
    from arena.store.database import is_there

    if isinstance(league, str) or is_database(league):
        return None
    loaded = read_league(league)
    if not loaded.league.league.open:
        return None
    if not is_there(loaded.database):
        begin_season(loaded)
    return loaded


def _bot_meant(season: SeasonView, loaded: LoadedLeague | None, given: str, versions: bool = False) -> str:
    """Return the id of the bot that has this id or name; in an open league also that of a version.

    There a bot may be named before it has played: when its folder is there, which `loaded` knows. UsageError,
    with the nearest id, if there is no such bot, for the stand-in, and where a version is named instead of a
    bot.
    """
    from difflib import get_close_matches

    from arena.cli.league_files import bot_from
    from arena.errors import UsageError
    from arena.league.entries import sections
    from arena.league.house import is_house
    from arena.match.stand_in import STAND_IN
    from arena.score.entry_ids import bot_of, shown_name, version_of

    if not season.open:
        chosen = bot_from(season, given)
        if chosen == STAND_IN:
            raise UsageError(f"{given} plays in the seats of bots that are out; name a bot of the league")
        return chosen
    text, known = given.casefold(), dict[str, str]()  # the names of bots by their ids
    for entry in season.entries:
        bot, version = bot_of(entry.bot), version_of(entry.bot)
        if is_house(bot):
            continue
        # The name of a first version is that of its bot, so it names the bot.
        if versions and (text == entry.bot or (text == entry.name.casefold() and version > 1)):
            return entry.bot
        known[bot] = entry.name.removesuffix(shown_name("", version))
    if loaded is not None:
        there, refused = sections(loaded.league, loaded.root)
        known = {one.bot: one.bot for one in refused} | known | {bot.id: bot.name for bot in there}
    by_name = {name.casefold(): bot for bot, name in known.items()} | {bot: bot for bot in known}
    if text in by_name:
        return by_name[text]
    if (bot := bot_of(text)) != text and bot in known:
        raise UsageError(f"{given} is a version; this is done to a bot with all its versions: {bot}")
    near = get_close_matches(text, known, n=1)
    their = f"its bots are {', '.join(sorted(known))}" if known else "it has no bot yet"
    hint = f"did you mean {near[0]}?" if near else their
    raise UsageError(f"{given}: this open league has no such bot; {hint}")
