"""`arena replay`: shows a match on the terminal, as text or trick by trick; with --bot, asks a bot again."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

import click

from arena.cli.options import LeagueName, LeagueParam, complete_bot, examples, season_option
from arena.errors import StoreError, UsageError

if TYPE_CHECKING:
    from arena.cli.league_files import OpenLeague
    from arena.verify.match_file import MatchFile


class _Wishes(TypedDict):
    """See the help of each option."""

    number: int | None
    as_text: bool
    bot: str | None
    seat: int | None
    break_: str | None
    sandbox: str
    as_json: bool


@click.command(
    epilog=examples(
        "arena replay league.toml 12",
        "arena replay league.db 12:0 --text",
        "arena replay league.toml 12 --bot mybot",
        "arena replay 12.json --bot mybot --seat 2 --break 1:5",
    )
)
@click.argument("source", type=LeagueParam())
@click.argument("match", metavar="[MATCH[:ROUND]]", required=False)
@season_option
@click.option(
    "--text", "as_text", is_flag=True, help="Print all at once, as is always done without a terminal."
)
@click.option(
    "--bot",
    shell_complete=complete_bot,
    help="Ask this bot the questions again: a folder, a file, a sample, a command in quotes.",
)
@click.option("--seat", type=click.IntRange(0, 7), help="With --bot: its seat.  [default: found by its name]")
@click.option(
    "--break", "break_", metavar="ROUND:TRICK", help="With --bot: stop before this, for a debugger."
)
@click.option(
    "--sandbox",
    type=click.Choice(["off", "auto", "require"]),
    default="off",
    show_default=True,
    help="With --bot: isolate it from this machine; auto: where it works.",
)
@click.option("--json", "as_json", is_flag=True, help="With --bot: print JSON instead of text.")
@click.pass_context
def replay(ctx: click.Context, source: LeagueName, match: str | None, **wishes: Unpack[_Wishes]) -> None:
    """Show a finished match of a season, by default the newest: its result, hands, passes, every trick.

    SOURCE is a league file or its database, or the JSON file of one match that its page links to. MATCH is
    its number on the pages; with :ROUND only that round is shown. On a terminal, Enter shows the next trick,
    n the next round, and q quits. Suits are named as the bots of this match saw them; * marks what the
    stand-in chose.

    With --bot a bot is asked again instead. It gets exactly the bytes that one seat got, without a clock,
    whatever it answers now. Each answer that differs from the recorded one is shown with its question.
    --break stops before a question (2:pass is the pass of round 2) until you press Enter, so that you can
    attach a debugger to the bot. Exits with 1 if an answer differs.
    """
    number, wanted = _wanted(match)
    _check_wishes(wishes, wanted)
    of_file = isinstance(source, Path) and source.suffix == ".json"
    if of_file and wishes["number"] is not None:
        raise click.UsageError("--season is for a league: the file of a match holds one match")
    found = match_of_file(Path(source), number) if of_file else _from_league(source, number, wishes["number"])
    if wishes["bot"] is not None:
        from arena.cli.author.replay_bot import replay_match

        sandbox, as_json = wishes["sandbox"], wishes["as_json"]
        stop_at = wishes["break_"]
        ctx.exit(
            replay_match(found, wishes["bot"], wishes["seat"], stop_at, sandbox=sandbox, as_json=as_json)
        )
    count = len(found.record.rounds)
    if wanted is not None and wanted >= count:
        raise UsageError(f"Match {found.number} has rounds 0 to {count - 1}, not {wanted}")
    chosen = range(count) if wanted is None else range(wanted, wanted + 1)
    _show(found, chosen, stepping=not wishes["as_text"])


def _check_wishes(wishes: _Wishes, wanted: int | None) -> None:
    """Raise UsageError for options that mean nothing without --bot, or with it."""
    if wishes["bot"] is None and (wishes["seat"] is not None or wishes["break_"] or wishes["as_json"]):
        raise click.UsageError("--seat, --break and --json work only with --bot BOT")
    if wishes["bot"] is not None and (wanted is not None or wishes["as_text"]):
        raise click.UsageError(
            "with --bot the whole match is asked again; to stop at a round: --break ROUND:pass"
        )


def _show(match: MatchFile, rounds: Sequence[int], *, stepping: bool) -> None:
    from arena.cli.author.play_text import round_pieces

    stepping = stepping and sys.stdin.isatty() and sys.stdout.isatty()
    click.echo(_head(match))
    for number in rounds:
        click.echo()
        try:
            if not _tell(round_pieces(match.record, number, match.names), stepping):
                return
        except ValueError as error:
            raise StoreError(f"Match {match.number} is damaged: {error}") from error


def _wanted(text: str | None) -> tuple[int | None, int | None]:
    if text is None:
        return None, None
    number, colon, round_ = text.partition(":")
    if not (number or colon) or (number and not number.isdecimal()) or (colon and not round_.isdecimal()):
        raise UsageError(
            f"{text!r}: expected the number of a match, such as 12, or with a round, such as 12:0"
        )
    return int(number) if number else None, int(round_) if colon else None


def match_of_file(path: Path, number: int | None) -> MatchFile:
    """Return the match of a file. UsageError if it is none, or if another number was asked for."""
    from arena.verify.match_file import read_match_file

    try:
        match = read_match_file(path.read_bytes())
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise UsageError(f"{path}: {error}") from error
    if number not in {None, match.number}:
        raise UsageError(f"{path} holds match {match.number}, not {number}")
    return match


def _from_league(path: LeagueName, number: int | None, season: int | None) -> MatchFile:
    from arena.cli.league_files import opened
    from arena.store import read
    from arena.verify.match_file import MatchFile

    if number is None:
        raise UsageError(f"Which match of {path}? Give its number, such as 12, or with a round, such as 12:0")
    with opened(path, season) as found:
        _check_finished(found, number)
        view = read.match(found.database, found.season.number, number)
        record = read.record(found.database, found.season.number, number)
    return MatchFile(number, tuple(seat.name for seat in view.seats), record)


def _check_finished(found: OpenLeague, number: int) -> None:
    from arena.store import read

    finished = {match.number: match for match in read.matches(found.database, found.season.number)}
    if not finished:
        raise UsageError(
            f"No match of season {found.season.number} was finished"
            if found.ended
            else "No match has been finished yet"
        )
    if number not in finished:
        raise UsageError(f"There is no finished match {number}: the highest number is {max(finished)}")
    if not (finished[number].cards_may_show or found.ended):
        raise UsageError(
            f"The cards of match {number} are shown once every match of its session is over: "
            "the same deals are still being played"
        )


def _head(match: MatchFile) -> str:
    from arena.cli.layout import plain, table, wrapped
    from reports import result_words

    rows = [
        (str(seat), plain(name), str(record.place), str(record.points), str(record.charge))
        for seat, (name, record) in enumerate(zip(match.names, match.record.seats, strict=True))
    ]
    key = match.record.key
    head = f"Match {match.number}, session {key.cycle}.{key.index}, seat order {key.order}"
    seats = zip(match.names, match.record.seats, strict=True)
    told = wrapped(plain(result_words([(name, seat.points + seat.charge) for name, seat in seats])), 78)
    return "\n".join(
        [head, "", told, "", *table(("seat", "bot", "place", "card", "fault"), rows, frozenset({0, 1}))]
    )


def _tell(pieces: Iterator[str], stepping: bool) -> bool:
    """Print the pieces, and return whether to go on with the next round."""
    for piece in pieces:
        click.echo(piece)
        if stepping:
            key = click.getchar()
            if key in ("q", "\x1b"):
                return False
            if key == "n":
                return True
    return True
