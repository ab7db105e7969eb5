"""`arena review`: where the points of a bot go, which of its decisions cost points, and what these share."""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypedDict, Unpack

import click

from arena.cli.exits import INTERRUPTED
from arena.cli.options import LeagueName, LeagueParam, as_json, examples, say, season_option
from arena.errors import DatabaseBusy

if TYPE_CHECKING:
    from arena.cli.league_files import OpenLeague
    from arena.workbench.reviewing import Material

_MINUTES: Final = 2.0
_WORLDS: Final = 256
_LOOK_SECONDS: Final = 2.0
"""How often to look whether a run has begun meanwhile."""


class _Wishes(TypedDict):
    """See the help of each option."""

    match: int | None
    minutes: float | None
    worlds: int
    seed: str
    jobs: int | None
    number: int | None


@click.command(
    epilog=examples(
        "arena review league.toml duck",
        "arena review league.db duck --match 14",
        "arena review 12.json duck",
    )
)
@click.argument("league", type=LeagueParam())
@click.argument("bot")
@click.option(
    "--match", type=click.IntRange(1), metavar="N", help="Review all decisions of this match alone."
)
@click.option(
    "--minutes",
    type=click.FloatRange(0, 60 * 24 * 7, min_open=True),
    metavar="M",
    help=f"Stop after so many minutes.  [default: {_MINUTES:g}; no limit for a single match]",
)
@click.option(
    "--worlds",
    type=click.IntRange(4, 100_000),
    default=_WORLDS,
    show_default=True,
    metavar="W",
    help="Deals of the hidden cards in which each decision is tried.",
)
@click.option(
    "--seed", default="1", show_default=True, metavar="TEXT", help="What all that is drawn follows from."
)
@click.option(
    "--jobs", type=click.IntRange(1, 4096), metavar="N", help="Processes.  [default: one for each core]"
)
@as_json
@season_option
def review(league: LeagueName, bot: str, as_json: bool, **wishes: Unpack[_Wishes]) -> None:
    """Why did BOT lose? Show where its points go, which decisions cost points, and what these share.

    LEAGUE is a league file or its database, or the JSON file of one match that its page links to. Each
    decision is tried in many deals of the hidden cards that fit all that the bot could know, beside every
    other choice. A fair sample of its decisions is tried within the time given; Ctrl-C shows what was found
    so far. docs/review.md explains the results.

    Nothing is stored. Only matches whose cards may be shown are looked at, and not while the league is being
    run.
    """
    from arena.cli.league_files import bot_from, opened
    from arena.store.lock import holder_of

    if isinstance(league, Path) and league.suffix == ".json":
        _review(_of_file(league, bot, wishes), wishes, str(league), lambda: None, as_json=as_json)
        return
    with opened(league, wishes["number"]) as found:
        chosen = bot_from(found.season, bot)
        holder = holder_of(found.files.running)
        if holder is not None:
            runner = f"process {holder}" if holder else "another process"
            raise DatabaseBusy(
                f"This league is being run by {runner}: a review would take time from its bots. Wait for it, "
                "or review a copy (`arena export --what database`) elsewhere"
            )
        material = _of_league(found, chosen, wishes)
        _review(material, wishes, str(league), lambda: holder_of(found.files.running), as_json=as_json)


def _of_file(path: Path, bot: str, wishes: _Wishes) -> Material:
    from arena.cli.author.replay import match_of_file
    from arena.workbench.reviewing import of_file

    if wishes["number"] is not None:
        raise click.UsageError("--season is for a league: the file of a match holds one match")
    return of_file(match_of_file(path, wishes["match"]), bot)


def _of_league(found: OpenLeague, bot: str, wishes: _Wishes) -> Material:
    from arena.store.scoring import cards_shown
    from arena.workbench.reviewing import of_league, of_match

    at_end = found.files.report.reveal == "finished"
    shows = cards_shown(found.database, found.season, found.ended, at_end)
    if wishes["match"] is not None:
        return of_match(found.database, found.season, shows, bot, wishes["match"])
    return of_league(found.database, found.season, shows, bot, wishes["seed"])


def _review(
    material: Material, wishes: _Wishes, source: str, run_by: Callable[[], str | None], *, as_json: bool
) -> None:
    """Review the bot and print what was found. `run_by`: who runs the league just now, None for nobody."""
    from arena.cli.author.review_text import review_json, review_text
    from arena.workbench.reviewing import Crew, review_bot

    minutes = wishes["minutes"]
    if minutes is None and len(material.records) > 1:
        minutes = _MINUTES
    crew = Crew(wishes["jobs"] or len(os.sched_getaffinity(0)), wishes["worlds"], wishes["seed"])
    watch = _Watch(None if minutes is None else 60 * minutes, run_by)
    found, interrupted = review_bot(material, crew, watch.enough, watch.tried)
    watch.clear()
    if interrupted:
        say("stopped: this is what was found until then")
    if as_json:
        click.echo(review_json(found, material))
    else:
        click.echo(review_text(found, material, shlex.quote(source)))
    if interrupted:
        click.get_current_context().exit(INTERRUPTED)


class _Watch:
    """Says when to stop, and shows on a terminal how far the review is."""

    def __init__(self, seconds: float | None, run_by: Callable[[], str | None]) -> None:
        self._seconds = seconds
        self._run_by = run_by
        self._began = self._looked_at = self._shown_at = time.monotonic()
        self._run_began = False

    def enough(self) -> bool:
        """Return whether the time is over or the league is being run."""
        now = time.monotonic()
        if now - self._looked_at >= _LOOK_SECONDS and not self._run_began:
            self._looked_at = now
            self._run_began = self._run_by() is not None
            if self._run_began:
                self.clear()
                say("a run of this league has begun: this is what was found until then")
        return self._run_began or (self._seconds is not None and now - self._began >= self._seconds)

    def tried(self, done: int, choices: int) -> None:
        """Show how many decisions were tried."""
        now = time.monotonic()
        if not done:
            self._began = now
            limit = "" if self._seconds is None else f" within {self._seconds / 60:g} min"
            say(f"trying {choices:,} decisions{limit}; Ctrl-C shows what was found so far")
        elif sys.stderr.isatty() and now - self._shown_at >= 0.2:
            self._shown_at = now
            pace = done / (now - self._began)
            click.echo(f"\r\x1b[K  {done:,} decisions, {pace:.1f} a second", err=True, nl=False)

    def clear(self) -> None:
        """Remove what is shown."""
        if sys.stderr.isatty():
            click.echo("\r\x1b[K", err=True, nl=False)
