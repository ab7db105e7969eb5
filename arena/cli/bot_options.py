"""Options that the commands around one bot share: how it is started, what it is given. Imports click only."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

import click

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.workbench.bots import Bot

__all__ = ["BotWishes", "bot_options", "bots_ready", "say", "seconds_option"]


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
