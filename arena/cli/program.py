"""The command `arena` itself: which commands there are, and how it is started.

A command's module is imported when it is asked for, never before.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module
from typing import NamedTuple

import click

from arena import __version__
from arena.cli.exits import PipeBroken
from arena.cli.options import HintingGroup, examples

__all__ = ["COMMANDS", "GROUPS", "arena", "run_program"]


class Listed(NamedTuple):
    """A command: its module and name below `arena.cli`, and what it does in a line of `arena --help`."""

    place: str
    summary: str


GROUPS = {
    "Commands for organisers": {
        "run": Listed("organiser.run:run", "Play a league, or what is left of it."),
        "status": Listed("organiser.status:status", "Show how far a league is."),
        "standings": Listed("organiser.standings:standings", "Show the leaderboard, and how sure it is."),
        "report": Listed("organiser.report:report", "Write the pages of a league."),
        "serve": Listed("organiser.serve:serve", "Show the pages of a league at an address of this machine."),
        "export": Listed("organiser.export:export", "Write results and plays for spreadsheets and programs."),
        "verify": Listed(
            "organiser.verify:verify", "Check a whole database, and its pages, against the rules."
        ),
        "archive": Listed("organiser.archive:archive", "Bundle a league into one file."),
        "merge": Listed(
            "organiser.merge:merge", "Join the parts of a league that several machines have played."
        ),
        "void": Listed("organiser.acts:void", "Take a session out of the score, for good."),
        "reinstate": Listed("organiser.acts:reinstate", "Let a bot play again after it was disqualified."),
    },
    "Commands for bot authors": {
        "new": Listed("author.new:new", "Make a folder with a bot to start from."),
        "check": Listed("author.check:check", "Check that a bot keeps to the protocol, step by step."),
        "play": Listed("author.play:play", "Play one match between bots, and show how it came out."),
        "replay": Listed("author.replay:replay", "Show a finished match: hands, passes, tricks, faults."),
        "gauntlet": Listed(
            "author.gauntlet:gauntlet", "Is my new version better? Play until that is settled."
        ),
    },
    "Workshop": {
        "doctor": Listed("workshop.doctor:doctor", "Look at this machine: what a league can use here."),
        "bench": Listed("workshop.bench:bench", "Measure the arena on this machine, or one bot."),
        "proof": Listed("workshop.proof:proof", "Prove the statistics on simulated leagues."),
        "schema": Listed(
            "workshop.schema:schema", "Print what a league file, commands and messages can hold."
        ),
        "decode": Listed(
            "workshop.decode:decode", "Turn lines of the protocol into text, and text into lines."
        ),
    },
    "": {"referee": Listed("workshop.referee:referee", "")},
}
"""The commands by who uses them, in the order of `arena --help`. What the arena starts itself is not listed.

The summaries stand here, and not in the commands, so that the list need not import them all.
"""

COMMANDS = {name: listed for group in GROUPS.values() for name, listed in group.items()}

_RETIRED = {
    "resume": "'arena run' resumes a league that was begun.",
    "version": "'arena --version' shows the version, 'arena doctor' those of Python and SQLite too.",
}
"""What there was once, and what does it now."""


class LazyGroup(HintingGroup):
    """A group whose commands are imported one by one."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in the order of `COMMANDS`."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name; None if there is none."""
        listed = COMMANDS.get(cmd_name)
        if listed is None:
            return None
        module, _, name = listed.place.partition(":")
        command = getattr(import_module(f"arena.cli.{module}"), name)
        assert isinstance(command, click.Command), listed
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As `HintingGroup` does it; who asks for a retired command is told what does it now."""
        if args[0] in _RETIRED and not ctx.resilient_parsing:
            ctx.fail(f"There is no command '{args[0]}' any more: {_RETIRED[args[0]]}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The lists of commands in the help, as click writes them, but without importing them."""
        width = max(map(len, COMMANDS))  # so that all lists have one column of summaries
        for title, group in GROUPS.items():
            if title:
                with formatter.section(title):
                    formatter.write_dl(
                        [(name.ljust(width), listed.summary) for name, listed in group.items()]
                    )

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
