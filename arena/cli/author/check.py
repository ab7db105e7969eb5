"""`arena check`: checks whether a bot keeps to the protocol."""

from __future__ import annotations

import json
from typing import Unpack

import click

from arena.cli.exits import NO
from arena.cli.options import BotWishes, as_json, bot_options, bots_ready, complete_bot, examples

__all__ = ["check"]


class _Wishes(BotWishes):
    """See the help of each option."""

    strict: bool
    as_json: bool


@click.command(
    epilog=examples("arena check mybot", "arena check 'ruby mybot/bot.rb' --json", "arena check duck")
)
@click.argument("bot", shell_complete=complete_bot)
@bot_options
@click.option("--strict", is_flag=True, help="Let warnings fail the check as well.")
@as_json
@click.pass_context
def check(ctx: click.Context, bot: str, **wishes: Unpack[_Wishes]) -> None:
    """Check that a bot keeps to the protocol, step by step.

    Starts the bot, plays matches at tables of 3 to 8, sends it keys and messages that it does not know, cuts
    lines into pieces, measures its time and memory, watches that it says nothing unasked, compares its
    answers to the same messages, and ends it. A failed step shows the question, the exact bytes, what was
    expected and the end of standard error. A warning is about something that is allowed, but worth knowing.
    Every step ends within a bounded time, even if the bot hangs. The last line is the badge.

    BOT is a sample (duck), a folder, a program file, or a command in quotes. It runs with your rights unless
    --sandbox is given.

    Exit codes: 0 every step passed, 1 a step failed, 2 there is no such bot, or it cannot be built.
    """
    from arena.cli.author.check_text import badge, checked_json, outcome_text
    from arena.workbench.check.parts import Outcome, check_bot
    from arena.workbench.check.script import Verdict

    told: list[Outcome] = []

    def tell(outcome: Outcome) -> None:
        if not wishes["as_json"]:
            click.echo(outcome_text(outcome, told))
        told.append(outcome)

    with bots_ready([bot], wishes) as (ready,):
        checked = check_bot(ready, tell)
    if wishes["as_json"]:
        click.echo(json.dumps(checked_json(checked), indent=2, ensure_ascii=False))
    else:
        click.echo(f"\n{badge(checked)}")
    if checked.count(Verdict.FAILED) or (wishes["strict"] and checked.count(Verdict.WARNED)):
        ctx.exit(NO)
