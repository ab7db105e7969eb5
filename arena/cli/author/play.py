"""`arena play`: plays one match, without a database, and shows the result.

With --me people sit among the bots (`play_people`). With --league the bots are those of a league.
"""

from __future__ import annotations

import os
import secrets
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from arena.cli.author.play_people import (
    PeopleWishes,
    check_people,
    names_of_people,
    people_options,
    sandbox_explained,
)
from arena.cli.exits import FAULTS
from arena.cli.layout import plain
from arena.cli.options import (
    BotWishes,
    as_json,
    bot_options,
    bots_ready,
    complete_bot,
    examples,
    say,
    show,
    was_given,
)

if TYPE_CHECKING:
    from arena.workbench.bots import Bot
    from arena.workbench.league_bots import LeagueTable
    from arena.workbench.one_match import Overheard, Played, Rules

_MOST_TRACED = 400
"""The bytes of a line that is no message which a trace shows."""


class _Wishes(BotWishes, PeopleWishes):
    """What is played, and what is shown of it; see the help of each option."""

    league: Path | None
    seats: int | None
    rounds: int | None
    seed: str | None
    move_seconds: float | None
    show: bool
    trace: Path | None
    keep: Path | None
    fail_on_fault: bool
    as_json: bool


@click.command(
    epilog=examples(
        "arena play random duck sharp",
        "arena play mybot random duck dump --rounds 8 --seed today",
        "arena play 'ruby mybot/bot.rb' duck low --show --trace lines.txt",
        "arena play --me sharp count duck",
        "arena play --me --league league.toml --seats 4",
    ),
)
@click.argument("bots", nargs=-1, metavar="BOT BOT BOT ...", shell_complete=complete_bot)
@people_options
@click.option(
    "--league",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Play with bots of this league, with its clocks and limits; a BOT is one of them, by id or name.",
)
@click.option(
    "--seats",
    type=click.IntRange(3, 8),
    help="With --league and without BOT: seats, for its best bots.  [default: as the league has it]",
)
@click.option(
    "--rounds",
    type=click.IntRange(1, 1000),
    help="Rounds of the match.  [default: one for each seat, or as the league has it]",
)
@click.option("--seed", metavar="TEXT", help="What all deals follow from.  [default: drawn, and printed]")
@click.option("--show", is_flag=True, help="Show every card that was played.")
@click.option(
    "--trace",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write every line, in both directions, as text.",
)
@click.option(
    "--keep",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Keep the match as a file, for arena replay and arena review.",
)
@click.option(
    "--move-seconds",
    type=click.FloatRange(0, 3600),
    help="Time for one pass or one play.  [default: 1, or as the league has it]",
)
@bot_options
@click.option("--fail-on-fault", is_flag=True, help="Exit with 3 if any bot committed a fault.")
@as_json
@click.pass_context
def play(ctx: click.Context, bots: tuple[str, ...], **wishes: Unpack[_Wishes]) -> None:
    """Play one match between 3 to 8 bots, or with --me between you and bots, and show the result.

    A BOT is a sample (random, low, duck, dump, count, sharp, learned, redeal), a folder such as `arena new`
    makes, a program file, or a command in quotes; NAME=BOT gives it a name. The same bot may sit at several
    seats. Nothing is stored unless you --keep it, and bots run in the sandbox where that works.

    With --me a page opens on which you pass and play your cards. You have no clock. Close the page and open
    it again whenever you like; nobody else on this machine can open it. When the match is over, the page
    shows all cards, and what Redeal would have done. Given twice, --me seats two people, and prints an
    address for each. With --terminal you type your cards instead.

    Exit codes: 0 the match was played, 2 a bot cannot be started or the command cannot be used as it is, 3 a
    bot committed a fault (with --fail-on-fault), 130 you have ended the match.
    """
    check_people(wishes)
    keep = wishes["keep"]
    if keep is not None and (keep.is_dir() or not os.access(keep.parent, os.W_OK)):
        raise click.UsageError(f"--keep: {keep}: no file can be written there.")
    if wishes["me"] and wishes["show"]:
        raise click.UsageError("--show shows the hands of the others: leave it out with --me")
    with sandbox_explained(wishes), _table(ctx, bots, wishes) as (ready, rules):
        names = [*names_of_people(wishes, ready), *(bot.name for bot in ready)]
        with _overhearing(names, wishes["trace"]) as overheard:
            played = _played(ready, rules, names, overheard, wishes)
    if keep is not None:
        _keep(keep, names, played)
    if wishes["fail_on_fault"] and played.record.faults:
        sys.exit(FAULTS)


@contextmanager
def _table(
    ctx: click.Context, given: Sequence[str], wishes: _Wishes
) -> Iterator[tuple[tuple[Bot, ...], Rules]]:
    """Give the bots, built where they need it, and the rules of the match."""
    people = wishes["me"]
    if wishes["league"] is None:
        if wishes["seats"] is not None:
            raise click.UsageError("--seats is for --league: name as many bots as you want")
        _check_count(given, people)
        with bots_ready(given, wishes) as ready:
            yield ready, _rules(wishes, len(ready) + people)
        return
    for name in ("start_seconds", "memory_mib"):
        if was_given(ctx, name):
            option = name.replace("_", "-")
            raise click.UsageError(
                f"--{option} is for bots without a league; the league file has its own limits"
            )
    from arena.workbench.bots import bots_workshop
    from arena.workbench.league_bots import league_bots, table_of

    table = table_of(wishes["league"], given, people, wishes["seats"])
    # Beside pages the sandbox is required (`check_people`), whatever the league file says.
    required = wishes["sandbox"] == "require"
    if required and table.loaded.league.sandbox.mode == "off":
        say(
            f"Bots run in the sandbox although {wishes['league']} says off: beside a page they must not read "
            "its address, and with it your cards. With bots that you trust: --insecure"
        )
    mode = wishes["sandbox"] if required or was_given(ctx, "sandbox") else None
    with bots_workshop() as folder:
        yield league_bots(table, mode, folder, say), _rules(wishes, table.seats, table)


def _check_count(bots: Sequence[str], people: int) -> None:
    if 3 <= len(bots) + people <= 8:
        return
    company = [name for name in ("random", "duck", "low") if name not in bots]
    named = [*bots, *company][: max(4 - people, 1)] if len(bots) + people < 3 else bots[: max(8 - people, 1)]
    example = " ".join([*(["--me"] * people), *named])
    who = "" if not people else "you and " if people == 1 else f"{people} people and "
    count = f"{who}{len(bots)} bot{'s' if len(bots) != 1 else ''}"
    raise click.UsageError(f"{count}: a table has 3 to 8 seats, for example: arena play {example}")


def _played(
    bots: Sequence[Bot],
    rules: Rules,
    names: Sequence[str],
    overheard: Overheard,
    wishes: _Wishes,
) -> Played:
    """Play the match, and print how it went: as soon as it is over, however long its pages stay open."""
    from arena.cli.author.play_text import played_json, played_text, round_pieces
    from arena.workbench.one_match import play_match

    def tell(played: Played) -> None:
        if wishes["show"]:
            for number in range(len(played.record.rounds)):
                pieces = round_pieces(played.record, number, names)
                click.echo("\n".join(pieces) + "\n", err=wishes["as_json"])
        gap = "\n" if wishes["me"] else ""
        show(
            lambda: played_json(played, names, rules.seed),
            lambda: gap + played_text(played, names, rules.seed),
            wishes["as_json"],
        )

    if wishes["me"]:
        from arena.cli.author.play_pages import Seated, with_people

        return with_people(Seated(bots, names, rules), overheard, tell, wishes)
    played = play_match(bots, rules, overheard)
    tell(played)
    return played


def _rules(wishes: _Wishes, seats: int, table: LeagueTable | None = None) -> Rules:
    from arena.deals import check_printable
    from arena.match.record import Terms
    from arena.workbench.one_match import Rules

    seed = wishes["seed"]
    if seed is not None:
        try:
            check_printable(seed)
        except ValueError as error:
            raise click.UsageError(f"--seed: {error}") from None
    terms = Terms(1000, 0, 40, 3) if table is None else table.terms
    if (seconds := wishes["move_seconds"]) is not None:
        terms = replace(terms, move_ms=max(1, round(seconds * 1000)))
    rounds = wishes["rounds"] or (seats if table is None else table.rounds)
    return Rules(rounds, terms, seed or secrets.token_hex(4))  # short enough to be typed again


@contextmanager
def _overhearing(names: Sequence[str], path: Path | None) -> Iterator[Overheard]:
    """Give what is told of every line, which writes the trace: all lines in both directions, with times."""
    from arena.errors import UsageError

    if path is None:
        yield lambda seat, from_bot, line: None
        return
    seats = [f"{plain(name)} (seat {seat})" for seat, name in enumerate(names)]
    width, began = max(map(len, seats)), time.monotonic()
    try:
        file = path.open("w", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"--trace: {path}: cannot be written: {error.strerror}") from None

    def write(seat: int, from_bot: bool, line: bytes) -> None:
        passed, way = time.monotonic() - began, "<-" if from_bot else "->"
        file.write(f"{passed:10.6f} {way} {seats[seat]:{width}}  {_line_text(line)}\n")

    with file:
        yield write
    say(f"every line, in both directions: {path}")


def _line_text(line: bytes) -> str:
    from protocol.codec import decode
    from protocol.refusal import BadMessage, printable, readable

    try:
        return readable(decode(line))
    except BadMessage as refused:
        return f"NOT A MESSAGE: {refused.reason.sentence} The line: {printable(line, _MOST_TRACED)}"


def _keep(path: Path, names: Sequence[str], played: Played) -> None:
    from arena.errors import StoreError
    from arena.verify.match_file import write_match_file
    from arena.workbench.one_match import file_of

    try:
        path.write_bytes(write_match_file(file_of(names, played)))
    except OSError as error:
        raise StoreError(f"--keep: {path}: cannot be written: {error.strerror}") from None
    say(f"kept: arena replay {path}")
