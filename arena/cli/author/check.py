"""`arena check`: checks whether a bot keeps to the protocol."""

from __future__ import annotations

from pathlib import Path
from typing import Unpack

import click

from arena.cli.exits import NO
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


class _Wishes(BotWishes):
    """See the help of each option."""

    strict: bool
    as_json: bool


@click.command(
    epilog=examples("arena check mybot", "arena check 'ruby mybot/bot.rb' --json", "arena check league.toml")
)
@click.argument("bot", required=False, shell_complete=complete_bot)
@bot_options
@click.option("--strict", is_flag=True, help="Let warnings fail the check as well.")
@as_json
@click.pass_context
def check(ctx: click.Context, bot: str | None, **wishes: Unpack[_Wishes]) -> None:
    """Check that a bot keeps to the protocol, step by step; without BOT, show what this machine has.

    Starts the bot, plays matches at tables of 3 to 8, sends it keys and messages that it does not know, cuts
    lines into pieces, measures its time and memory, watches that it says nothing unasked, compares its
    answers to the same messages, and ends it. A failed step shows the question, the exact bytes, what was
    expected and the end of standard error. A warning is about something that is allowed, but worth knowing.
    Every step ends within a bounded time, even if the bot hangs. The last line is the badge.

    BOT is a sample (duck), a folder, a program file, or a command in quotes. It runs as in a league: in the
    sandbox where that works, and with its limits.

    Given a league file instead, build and start every bot of it as its next run would, and play nothing.

    Given nothing, show what a league can use on this machine and what is missing: Python, the arena's extras,
    cores, disk space, what can isolate and limit bots, and the programs that each language of `arena new`
    needs.

    Exit codes: 0 every step passed, every bot is ready, or leagues can be run here; 1 a step failed, a bot is
    not ready, or no league can be run here; 2 there is no such bot, or it cannot be built.
    """
    if bot is None:
        _check_machine(ctx, wishes)
        return
    if _is_league(bot):
        _check_league(ctx, Path(bot), wishes)
        return
    _check_bot(ctx, bot, wishes)


def _check_machine(ctx: click.Context, wishes: _Wishes) -> None:
    from arena.cli.author.machine import Verdict, examine, examined_json, examined_text

    found = examine()
    show(lambda: examined_json(found), lambda: examined_text(found), wishes["as_json"])
    if any(one.verdict is Verdict.PREVENTS for one in found):
        ctx.exit(NO)


def _check_bot(ctx: click.Context, bot: str, wishes: _Wishes) -> None:
    from arena.cli.author.check_text import badge, checked_json, outcome_text
    from arena.workbench.check import Outcome, Verdict, check_bot

    told: list[Outcome] = []

    def tell(outcome: Outcome) -> None:
        if not wishes["as_json"]:
            click.echo(outcome_text(outcome, told))
        told.append(outcome)

    with bots_ready([bot], wishes) as (ready,):
        checked = check_bot(ready, tell)
    untried = "" if checked.ready else "The other steps need a bot that starts.\n"
    show(lambda: checked_json(checked), lambda: f"\n{untried}{badge(checked)}", wishes["as_json"])
    if checked.count(Verdict.FAILED) or (wishes["strict"] and checked.count(Verdict.WARNED)):
        ctx.exit(NO)


def _is_league(given: str) -> bool:
    """Return whether a league file is meant, and not a bot: a folder, or a command that ends with a file."""
    from arena.league.bot_file import BOT_FILE

    path = Path(given)
    if path.suffix != ".toml" or path.name == BOT_FILE:
        return False
    try:
        return path.is_file() or not (path.is_dir() or len(given.split()) > 1)
    except OSError:  # too long for a path
        return False


def _check_league(ctx: click.Context, path: Path, wishes: _Wishes) -> None:
    from arena.cli.author.check_text import called_json, called_text
    from arena.league import read_league
    from arena.workbench.bots import bots_workshop
    from arena.workbench.league_bots import call_league

    given = [name for name in ("start_seconds", "memory_mib", "strict") if was_given(ctx, name)]
    if given:
        option = given[0].replace("_", "-")
        raise click.UsageError(f"--{option} is for a single bot; a league file has its own limits.")
    loaded = read_league(path, to_play=True)
    mode = wishes["sandbox"] if was_given(ctx, "sandbox") else None
    with bots_workshop() as folder:
        called = call_league(loaded, mode, folder, say)
    show(lambda: called_json(called), lambda: called_text(called), wishes["as_json"])
    if any(one.ready is None for one in called):
        ctx.exit(NO)
