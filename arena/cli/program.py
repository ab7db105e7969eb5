"""The command `arena` itself: which commands there are, and how it is started.

A command's module is imported when it is asked for, never before.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module

import click

from arena import __version__
from arena.cli.exits import PipeBroken
from arena.cli.helping import HintingGroup, examples
from arena.cli.summaries import SUMMARIES

__all__ = ["COMMANDS", "arena", "run_program"]

COMMANDS = {
    "run": "arena.cli.run:run",
    "resume": "arena.cli.run:resume",
    "status": "arena.cli.status:status",
    "standings": "arena.cli.standings:standings",
    "report": "arena.cli.report:report",
    "serve": "arena.cli.serve:serve",
    "replay": "arena.cli.replay:replay",
    "export": "arena.cli.export:export",
    "verify": "arena.cli.verify:verify",
    "archive": "arena.cli.archive:archive",
    "merge": "arena.cli.merge:merge",
    "void": "arena.cli.acts:void",
    "reinstate": "arena.cli.acts:reinstate",
    "gauntlet": "arena.cli.gauntlet:gauntlet",
    "new": "arena.cli.new:new",
    "play": "arena.cli.play:play",
    "check": "arena.cli.check:check",
    "decode": "arena.cli.decode:decode",
    "bench": "arena.cli.bench:bench",
    "proof": "arena.cli.proof:proof",
    "doctor": "arena.cli.doctor:doctor",
    "schema": "arena.cli.schema:schema",
    "version": "arena.cli.version:version",
    "referee": "arena.cli.referee:referee",
}
"""Each command and where it is, in the order of `arena --help`."""


class LazyGroup(HintingGroup):
    """A group whose commands are imported one by one."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in the order of `COMMANDS`."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name; None if there is none."""
        place = COMMANDS.get(cmd_name)
        if place is None:
            return None
        module, _, name = place.partition(":")
        command = getattr(import_module(module), name)
        assert isinstance(command, click.Command), place
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands in the help, as click writes it, but without importing them."""
        rows = []
        for name in self.list_commands(ctx):
            summary = SUMMARIES.get(name)
            if summary is None and (command := self.get_command(ctx, name)) is not None:
                summary = "" if command.hidden else command.get_short_help_str()
            if summary:
                rows.append((name, summary))
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; see `PipeBroken`."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise PipeBroken(str(error)) from error


@click.command(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=examples("arena run league.toml", "arena standings league.toml"),
)
@click.version_option(__version__, prog_name="arena")
def arena() -> None:
    """Play leagues of Papayoo bots, and find out how they went.

    Wherever a command takes LEAGUE, give the league file (league.toml) or its database
    (spring.db). Results go to the standard output, everything else to the standard error.

    Exit codes: 0 fine, 1 the answer is no, 2 something to put right in the command or the league
    file, 3 faults (with --fail-on-fault), 4 an error of the arena, 5 undecided (gauntlet), 130 interrupted.

    For completion of commands and file names in bash (zsh and fish likewise):

        eval "$(_ARENA_COMPLETE=bash_source arena)"
    """


def run_program(args: Sequence[str] | None = None) -> object:
    """Run `arena` with these arguments, by default the process's own; what the command returned."""
    color = False if os.environ.get("NO_COLOR") else None  # None: as the terminal allows
    return arena.main(args, complete_var="_ARENA_COMPLETE", standalone_mode=False, color=color)
