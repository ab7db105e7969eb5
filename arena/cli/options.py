"""What commands share in their help and options: examples, LEAGUE, --json, hints, how a bot is started.

Imports click only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

import click

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.workbench.bots import Bot

__all__ = [
    "BotWishes",
    "HintingGroup",
    "as_json",
    "bot_options",
    "bots_ready",
    "examples",
    "league_argument",
    "say",
    "seconds_option",
]

league_argument = click.argument("league", type=click.Path(path_type=Path))
"""LEAGUE, the league file or its database; whether it exists is found out where it is read."""

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")


def examples(*lines: str) -> str:
    """The epilog of a command: examples under its help, one a line."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


class HintingGroup(click.Group):
    """A group that answers a misspelt command with the nearest ones."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does it, but with hints also where click itself is too old to give any."""
        name = args[0]
        known = self.list_commands(ctx)
        if name not in known and not name.startswith("-") and not ctx.resilient_parsing:
            from difflib import get_close_matches

            near = " or ".join(f"'{word}'" for word in get_close_matches(name.lower(), known, n=2))
            ctx.fail(f"No such command '{name}'." + (f" Did you mean {near}?" if near else ""))
        return super().resolve_command(ctx, args)


class BotWishes(TypedDict):
    """What the bots are given; see the help of each option."""

    start_seconds: float
    memory_mib: int
    sandbox: str


def seconds_option(
    name: str, default: float, text: str
) -> Callable[[click.decorators.FC], click.decorators.FC]:
    """An option of seconds, from a millisecond to an hour."""
    return click.option(name, type=click.FloatRange(0, 3600), default=default, show_default=True, help=text)


def bot_options(command: click.decorators.FC) -> click.decorators.FC:
    """The options of `BotWishes`; called as in the league file, with its defaults but for the sandbox."""
    for option in (
        click.option(
            "--sandbox",
            type=click.Choice(["off", "auto", "require"]),
            default="off",
            show_default=True,
            help="How bots are kept from this machine.",
        ),
        click.option(
            "--memory-mib", type=click.IntRange(16), default=512, show_default=True, help="Memory of a bot."
        ),
        seconds_option("--start-seconds", 10.0, "Time to become ready."),
    ):
        command = option(command)
    return command


@contextmanager
def bots_ready(given: Sequence[str], wishes: BotWishes) -> Iterator[tuple[Bot, ...]]:
    """The bots that are meant, built where they have to be; what was built goes away at the end."""
    import tempfile

    from arena.workbench.bots import Conditions, bots_given

    with tempfile.TemporaryDirectory(prefix="arena-bots-") as folder:
        Path(folder).chmod(0o755)  # in a sandbox a bot may be somebody else
        conditions = Conditions(wishes["start_seconds"], wishes["memory_mib"], wishes["sandbox"])
        yield bots_given(given, conditions, Path(folder), say)


def say(text: str) -> None:
    """Something beside the result."""
    click.echo(text, err=True)
