"""`arena enter`: puts a bot's folder among the entries of an open league."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.options import examples, league_file_argument

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from arena.league.reader import LoadedLeague

__all__ = ["enter"]


@click.command(
    epilog=examples(
        "arena enter league.toml ~/bots/duck",
        "arena enter league.toml downloads/duck-2 --id duck --replace",
    )
)
@league_file_argument
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--id", "bot", default="", help="Id of the bot.  [default: the name of FOLDER]")
@click.option("--replace", is_flag=True, help="Enter it as a new version of the bot of that id.")
def enter(league: Path, folder: Path, bot: str, replace: bool) -> None:
    """Put the bot in FOLDER among the entries of the open league LEAGUE (a league file).

    The folder is checked and copied, whole or not at all, into the league's folder of entries. The bot
    plays from the next stretch on, with its next version at most once in [schedule] version_hours. What
    lies in FOLDER afterwards does not matter. arena withdraw takes it out again.
    """
    from arena.cli.layout import plain
    from arena.league import read_league
    from arena.season.entering import enter_folder

    loaded = read_league(league)
    with _noting(league, loaded) as note:
        found = enter_folder(loaded, folder, bot, replace)
        click.echo(f"{found.id} is entered as {plain(found.name)}: {found.folder}")
        note(found.id, str(folder))


@contextmanager
def _noting(league: Path, loaded: LoadedLeague) -> Iterator[Callable[[str, str], None]]:
    """Return what stores that a bot was entered from a folder; nothing is stored where nothing was begun.

    UsageError if the season is closed.
    """
    from arena.cli.layout import plain
    from arena.cli.organiser.acts import changing
    from arena.conduct.whole_bots import whole_bots_out
    from arena.errors import UsageError
    from arena.season.opening import now_ms, who
    from arena.store.acts import ENTER, closing
    from arena.store.database import is_there
    from arena.store.history import Action
    from arena.store.stage import stage_of

    if not is_there(loaded.database):
        yield lambda bot, folder: None
        return
    with changing(league) as (found, writer):
        season = found.season.number
        if (act := closing(found.reader.actions(), season)) is not None:
            raise UsageError(f"{league}: season {season} is closed, so no bot is taken: {plain(act.reason)}")
        if not found.season.open:
            stage = stage_of(found.season)
            what = "was begun with a fixed field" if stage is None else f"is {plain(str(stage))}"
            raise UsageError(f"{league}: season {season} {what}, so no bot is taken")

        def note(bot: str, folder: str) -> None:
            acts = found.reader.actions()
            while not writer.action(Action(now_ms(), who(), ENTER, bot, "", folder), len(acts)):
                acts = found.reader.actions()
                if closing(acts, season) is not None:
                    raise UsageError(f"{league}: season {season} has just been closed, so {bot} is not taken")
            if ruling := whole_bots_out(found.reader.rulings(season)).get(bot):
                said = (
                    f"{bot} is {ruling.word} ({plain(ruling.reason)}) and plays only when it is reinstated."
                )
                click.echo(said, err=True)

        yield note
