"""What several commands share: LEAGUE, --json, examples, and the options of how a bot is started.

Must not import anything but click at its top.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict

import click

if TYPE_CHECKING:
    from collections.abc import Sequence

    from click.shell_completion import CompletionItem

    from arena.workbench.bots import Bot

LeagueName: TypeAlias = Path | str
"""What a user names a league by: the path of its league file or database, or the address of a database."""


class LeagueParam(click.Path):
    """A path, or, unless only a file will do, the address of a database on a server."""

    name = "path"

    def __init__(self, file_only: bool = False) -> None:
        super().__init__(path_type=Path)
        self._file_only = file_only

    def convert(self, value: Any, param: click.Parameter | None, context: click.Context | None) -> LeagueName:
        """Return an address as a text, and all else as a path; it need not exist."""
        if not isinstance(value, str) or "://" not in value:
            return Path(os.fsdecode(super().convert(value, param, context)))
        from arena.league.texts import database_address  # only an address is worth the time it takes

        try:
            address = database_address(value)
        except ValueError as error:
            self.fail(f"a database address: {error}", param, context)
        if address.startswith("sqlite"):
            return Path(address.partition(":///")[2])
        if self._file_only:
            self.fail("this is a database; expected the league file, such as league.toml", param, context)
        return address


league_argument = click.argument("league", type=LeagueParam())
"""LEAGUE, the league file or its database. Whether it exists is checked where it is read."""

league_file_argument = click.argument("league", type=LeagueParam(file_only=True))
"""LEAGUE, where only the league file will do."""


def complete_bot(context: click.Context, option: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return what a BOT may be that begins so, for the shell: a file, a folder, or a sample."""
    from click.shell_completion import CompletionItem

    from arena.league.given_bots import sample_names

    # The item for files comes first: the script for bash forgets what stands before it.
    samples = [name for name in sample_names() if name.startswith(begun.lower())]
    return [CompletionItem(begun, type="file"), *map(CompletionItem, samples)]


bot_argument = click.argument("bot")
"""BOT of LEAGUE, by its id or name."""

season_option = click.option(
    "--season",
    "number",
    type=click.IntRange(1),
    metavar="N",
    help="The season, by its number.  [default: the newest]",
)

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")


def examples(*lines: str) -> str:
    """Return the epilog of a command: its examples, one a line."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


class BotWishes(TypedDict):
    """How bots are started; see the help of each option."""

    start_seconds: float
    memory_mib: int
    sandbox: str


def bot_options(command: click.decorators.FC) -> click.decorators.FC:
    """Add the options of `BotWishes`. Names and defaults are those of the league file."""
    for option in (
        click.option(
            "--sandbox",
            type=click.Choice(["off", "auto", "require"]),
            default="auto",
            show_default=True,
            help="Isolate bots from this machine, as leagues do; auto: where it works.",
        ),
        click.option(
            "--memory-mib", type=click.IntRange(16), default=512, show_default=True, help="Memory for a bot."
        ),
        click.option(
            "--start-seconds",
            type=click.FloatRange(0, 3600),
            default=10.0,
            show_default=True,
            help="Time for a bot to become ready.",
        ),
    ):
        command = option(command)
    return command


@contextmanager
def bots_ready(given: Sequence[str], wishes: BotWishes) -> Iterator[tuple[Bot, ...]]:
    """Find the bots that were named, and build those that need it; what was built is removed at the end."""
    from arena.workbench.bots import bots_given, bots_workshop

    with bots_workshop() as folder:
        yield bots_given(
            given,
            folder,
            say,
            start_seconds=wishes["start_seconds"],
            memory_mib=wishes["memory_mib"],
            sandbox=wishes["sandbox"],
        )


def was_given(ctx: click.Context, name: str) -> bool:
    """Return whether an option was typed."""
    return ctx.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT


def show(document: Callable[[], object], text: Callable[[], str], as_json: bool) -> None:
    """Print the result of a command: its document with --json, else its text."""
    import json

    click.echo(json.dumps(document(), indent=2, ensure_ascii=False) if as_json else text())


def say(text: str) -> None:
    """Print on stderr something that is not the result."""
    click.echo(text, err=True)
