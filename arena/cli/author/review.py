"""`arena review`: which decisions of a bot cost points, where its points go, and what was luck."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

import click

from arena.cli.exits import NO, stopping_in_order
from arena.cli.options import LeagueName, LeagueParam, as_json, examples, say, season_option
from arena.errors import UsageError

if TYPE_CHECKING:
    from arena.cli.league_files import OpenLeague
    from arena.workbench.review_keeping import Keeper
    from arena.workbench.review_material import Material
    from arena.workbench.review_run import Limits, Result

_MINUTES = 5.0
_WORLDS = 256
_SEED = "1"


class _Wishes(TypedDict):
    """See the help of each option."""

    match: int | None
    minutes: float | None
    worlds: int
    seed: str
    jobs: int | None
    number: int | None
    out: Path | None
    against: tuple[str, ...]
    sandbox: str


@dataclass(frozen=True, slots=True)
class _Source:
    """What is reviewed, where it is kept, and who must not be disturbed by it.

    `read`: reads the matches, up to thousands: only when it is clear that nobody is disturbed.
    `run_by`: returns who runs the league just now, None if nobody does. `shown_by`: LEAGUE as the commands
    that show a match need it. `title`: what is reviewed, for the head of a page.
    """

    read: Callable[[], Material]
    keeper: Keeper
    run_by: Callable[[], str | None]
    shown_by: str
    title: str


@click.command(
    epilog=examples(
        "arena review league.toml duck",
        "arena review league.db duck --match 14",
        "arena review league.toml duck --minutes 30 --out duck.html",
        "arena review 12.json duck",
        "arena review league.toml duck --against sharp,redeal",
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
    "--seed", default=_SEED, show_default=True, metavar="TEXT", help="What all that is drawn follows from."
)
@click.option(
    "--jobs", type=click.IntRange(1, 4096), metavar="N", help="Processes.  [default: one for each core]"
)
@as_json
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Keep everything in this file (.json) and nothing in the league: a private review. With .html a "
    "page, beside which the file .json is kept.",
)
@click.option(
    "--against",
    multiple=True,
    metavar="BOTS",
    help="Print instead what other bots would have answered, such as sharp,redeal: folders, files, samples.",
)
@click.option(
    "--sandbox",
    type=click.Choice(["off", "auto", "require"]),
    default="off",
    show_default=True,
    help="With --against: isolate these bots from this machine; auto: where it works.",
)
@click.option("--forget", is_flag=True, help="Remove what is stored of the reviews of BOT.")
@season_option
def review(league: LeagueName, bot: str, as_json: bool, forget: bool, **wishes: Unpack[_Wishes]) -> None:
    """Why did BOT lose? Find the decisions that cost points, where its points go, and what was luck.

    LEAGUE is a league file or its database, or the JSON file of one match that its page links to. Each
    decision is tried in many deals of the hidden cards that fit all that the bot could know, beside every
    other choice. A sample of its decisions is reviewed within the time given. It also looks at decisions in
    which the bot does what others do not. docs/review.md explains the results.

    The results are kept in the league's database, for its pages and for later: the same command goes on
    where it was stopped, by the time or by Ctrl-C. Only matches whose cards may be shown are looked at.
    While the league is being run, this works with --jobs only, on cores that the run leaves free.

    With --against other bots are asked the same questions, whole matches one after another, and nothing is
    stored: how often they answer otherwise, and what the difference costs BOT.
    """
    if forget:
        _forget(league, bot, wishes)
        return
    _check_against(wishes)
    with stopping_in_order(_same_command(league, bot, wishes)), _source(league, bot, wishes) as source:
        if wishes["against"]:
            _compare(source, wishes, as_json)
        else:
            _review(source, wishes, as_json)


def _check_against(wishes: _Wishes) -> None:
    """Raise UsageError for options that mean nothing with --against, or without it."""
    if not wishes["against"] and wishes["sandbox"] != "off":
        raise click.UsageError("--sandbox works only with --against BOTS")
    if wishes["against"] and (wishes["out"] is not None or wishes["jobs"] is not None):
        raise click.UsageError("--against prints its result, and asks one bot at a time: no --out, no --jobs")


def _compare(source: _Source, wishes: _Wishes, as_json: bool) -> None:
    from arena.cli.author.review_against import review_against, undisturbed

    undisturbed(source.run_by)
    given = [name for names in wishes["against"] for name in names.split(",") if name]
    if not given:
        raise click.UsageError("--against names no bot: expected some, such as sharp,redeal")
    material = source.read()
    limits = _limits(material, wishes)
    if not review_against(material, given, limits, wishes["sandbox"], source.run_by, as_json=as_json):
        click.get_current_context().exit(NO)


def _review(source: _Source, wishes: _Wishes, as_json: bool) -> None:
    from arena.cli.author.review_progress import ReviewProgress
    from arena.cli.author.review_text import review_text
    from arena.review.documents import document_of_review
    from arena.workbench.review_room import room_for
    from arena.workbench.review_run import reviewed_bot

    with room_for(wishes["jobs"], source.run_by, say) as room:
        material = source.read()
        limits = _limits(material, wishes)
        with ReviewProgress(limits.seconds) as progress:
            found = reviewed_bot(material, source.keeper, limits, room, progress)
    if as_json:
        click.echo(json.dumps(document_of_review(found.review), indent=2, ensure_ascii=False))
    else:
        click.echo(review_text(found.review, material, source.shown_by))
    out = wishes["out"]
    if out is not None and out.suffix == ".html":
        _write_page(out, source.title, material, found)


def _write_page(path: Path, title: str, material: Material, found: Result) -> None:
    from arena.errors import StoreError
    from arena.season.opening import now_ms
    from reports import ReviewSheet, write_review_page

    sheet = ReviewSheet(
        found.review, now_ms(), title, material.names, material.records, material.numbers,
        found.decisions,
    )  # fmt: skip
    try:
        write_review_page(path, sheet)
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror}") from error
    say(f"the page is {path}; what it was made from, and goes on from, is {_kept_in(path)}")


def _limits(material: Material, wishes: _Wishes) -> Limits:
    from arena.workbench.review_run import Limits

    minutes = wishes["minutes"]
    if minutes is None and wishes["match"] is None and len(material.records) > 1:
        minutes = _MINUTES
    return Limits(
        seed=wishes["seed"],
        worlds=wishes["worlds"],
        seconds=None if minutes is None else 60 * minutes,
        whole=wishes["match"] is not None or len(material.records) == 1,
    )


def _forget(league: LeagueName, bot: str, wishes: _Wishes) -> None:
    from arena.cli.league_files import bot_from
    from arena.cli.organiser.acts import changing
    from arena.store import write

    others = [name for name in ("match", "minutes", "jobs", "out") if wishes[name] is not None]
    if _is_match_file(league) or others or wishes["against"]:
        raise click.UsageError(
            "--forget removes all that a league stores of BOT: no other option but --season"
        )
    with changing(league, wishes["number"]) as (found, database):
        chosen = bot_from(found.season, bot)
        removed = write.forget_reviews(database, found.season.number, chosen)
    say(f"what was stored of {removed:,} decisions of {chosen} is removed")


@contextmanager
def _source(league: LeagueName, bot: str, wishes: _Wishes) -> Iterator[_Source]:
    """Open what is to be reviewed, for as long as the review lasts."""
    out = wishes["out"]
    if out is not None and out.suffix not in {".json", ".html"}:
        raise UsageError(f"--out {out}: expected a file whose name ends in .json or .html")
    if out is not None and not os.access(out.parent, os.W_OK):
        raise UsageError(f"--out {out}: the folder {out.parent} is not there, or you may not write to it")
    with ExitStack() as stack:
        if _is_match_file(league):
            yield _of_file(Path(league), bot, wishes)
        elif out is not None or wishes["against"]:
            yield _of_league_privately(stack, league, bot, wishes)
        else:
            yield _of_league(stack, league, bot, wishes)


def _of_league(stack: ExitStack, league: LeagueName, bot: str, wishes: _Wishes) -> _Source:
    from arena.cli.league_files import bot_from
    from arena.cli.organiser.acts import changing
    from arena.store.lock import holder_of
    from arena.workbench.review_keeping import InLeague

    found, database = stack.enter_context(changing(league, wishes["number"]))
    chosen = bot_from(found.season, bot)
    whole = wishes["match"] is None
    keeper = InLeague(database, found.season.number, chosen, whole)
    return _Source(
        lambda: _material(found, chosen, wishes),
        keeper,
        lambda: holder_of(found.files.running),
        str(league),
        found.files.name,
    )


def _of_league_privately(stack: ExitStack, league: LeagueName, bot: str, wishes: _Wishes) -> _Source:
    from arena.cli.league_files import bot_from, opened
    from arena.store.lock import holder_of
    from arena.workbench.review_keeping import InFile, InMemory

    found = stack.enter_context(opened(league, wishes["number"]))
    chosen = bot_from(found.season, bot)
    of = {
        "season": found.season.number,
        "digest": found.season.digest,
        "bot": chosen,
        "match": wishes["match"],
    }
    out = wishes["out"]
    keeper = InMemory() if out is None else InFile(_kept_in(out), of)
    return _Source(
        lambda: _material(found, chosen, wishes),
        keeper,
        lambda: holder_of(found.files.running),
        str(league),
        found.files.name,
    )


def _of_file(path: Path, bot: str, wishes: _Wishes) -> _Source:
    from arena.cli.author.replay import match_of_file
    from arena.workbench.review_keeping import InFile, InMemory
    from arena.workbench.review_material import of_record

    if wishes["number"] is not None:
        raise click.UsageError("--season is for a league: the file of a match holds one match")
    match = match_of_file(path, wishes["match"])
    material = of_record(match.number, match.names, match.record, bot)
    key = match.record.key
    of = {
        "session": f"{key.cycle}.{key.index}",
        "seat_order": key.order,
        "finished_at": match.record.finished_at,
    }
    out = wishes["out"]
    keeper = InMemory() if out is None else InFile(_kept_in(out), {**of, "bot": material.bot})
    return _Source(lambda: material, keeper, lambda: None, str(path), f"Match {match.number}")


def _material(found: OpenLeague, bot: str, wishes: _Wishes) -> Material:
    from arena.store.scoring import cards_shown
    from arena.workbench.review_material import of_league, of_match

    at_end = found.files.report.reveal == "finished"
    shows = cards_shown(found.database, found.season, found.ended, at_end)
    if wishes["match"] is not None:
        return of_match(found.database, found.season, shows, bot, wishes["match"])
    return of_league(found.database, found.season, shows, bot, wishes["seed"])


def _kept_in(out: Path) -> Path:
    """Return the file that holds the decisions of a private review."""
    return out.with_suffix(".json")


def _is_match_file(league: LeagueName) -> bool:
    return isinstance(league, Path) and league.suffix == ".json"


def _same_command(league: LeagueName, bot: str, wishes: _Wishes) -> str:
    """Return the command that goes on."""
    words = ["arena", "review", str(league), bot]
    for name, usual in (
        ("match", None),
        ("minutes", None),
        ("worlds", _WORLDS),
        ("seed", _SEED),
        ("jobs", None),
    ):
        value = wishes[name]  # type: ignore[literal-required]
        if value != usual:
            words += [f"--{name}", f"{value:g}" if isinstance(value, float) else str(value)]
    if wishes["number"] is not None:
        words += ["--season", str(wishes["number"])]
    if wishes["out"] is not None:
        words += ["--out", str(wishes["out"])]
    for names in wishes["against"]:
        words += ["--against", names]
    return shlex.join(words)
