"""The command `arena` itself: lists the commands and starts the one that was asked for.

A command's module must not be imported before it is asked for.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module
from typing import NamedTuple

import click

from arena import __version__
from arena.cli.exits import PipeBroken
from arena.cli.options import examples


class Listed(NamedTuple):
    """A command: its module and name below `arena.cli`, and its line in `arena --help`."""

    place: str
    summary: str


GROUPS = {
    "Commands for organisers": {
        "init": Listed("organiser.init:init", "Make the folder of a new contest."),
        "run": Listed("organiser.run:run", "Play a league, or resume it."),
        "status": Listed("organiser.status:status", "Show how far a league has got, and what is wrong."),
        "standings": Listed("organiser.standings:standings", "Show the leaderboard, and how sure it is."),
        "report": Listed("organiser.report:report", "Write the pages of a league."),
        "serve": Listed("organiser.serve:serve", "Serve the pages of a league to browsers on this machine."),
        "export": Listed("organiser.export:export", "Write results and plays for spreadsheets and programs."),
        "verify": Listed(
            "organiser.verify:verify", "Check a whole database, and its pages, against the rules."
        ),
        "close": Listed("organiser.acts:close", "End an open season after its cycle, for a reason."),
        "void": Listed("organiser.acts:void", "Take the session of a match out of the score, for good."),
        "exclude": Listed("organiser.acts:exclude", "Take a bot out: the others play on without it."),
        "reinstate": Listed("organiser.acts:reinstate", "Let an excluded bot play again."),
        "worker": Listed("processes:worker", "Have this machine play for leagues on a cluster."),
    },
    "Commands for bot authors": {
        "new": Listed("author.new:new", "Make a folder with a bot to start from."),
        "check": Listed("author.check:check", "Check a bot against the protocol, or what this machine has."),
        "play": Listed("author.play:play", "Play one match between bots, or against them yourself."),
        "replay": Listed("author.replay:replay", "Show a finished match: hands, passes, tricks, faults."),
        "review": Listed("author.review:review", "Why did my bot lose? Find the decisions that cost points."),
        "gauntlet": Listed(
            "author.gauntlet:gauntlet", "Is my new version better? Play until the answer is clear."
        ),
    },
    "": {
        "pages": Listed("processes:pages", ""),
        "referee": Listed("processes:referee", ""),
    },
}
"""The commands by who uses them, in the order of `arena --help`. The group "" is not listed there.

The summaries are here and not in the commands, so that `arena --help` need not import all commands.
"""

COMMANDS = {name: listed for group in GROUPS.values() for name, listed in group.items()}


class LazyGroup(click.Group):
    """A group whose commands are imported one by one. A misspelt one is answered with the nearest ones."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Resolve a command as click does, with hints even where click is too old to give any."""
        name = args[0]
        known = self.list_commands(ctx)
        if name not in known and not name.startswith("-") and not ctx.resilient_parsing:
            from difflib import get_close_matches

            near = " or ".join(f"'{word}'" for word in get_close_matches(name.lower(), known, n=2))
            ctx.fail(f"No such command '{name}'." + (f" Did you mean {near}?" if near else ""))
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of `COMMANDS`."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of that name, or None."""
        listed = COMMANDS.get(cmd_name)
        if listed is None:
            return None
        module, _, name = listed.place.partition(":")
        command = getattr(import_module(f"arena.cli.{module}"), name)
        assert isinstance(command, click.Command), listed
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the lists of commands as click does, but without importing the commands."""
        width = max(map(len, COMMANDS))  # so that the summaries of all lists are aligned
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
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
    epilog=examples("arena run league.toml", "arena standings league.toml"),
)
@click.version_option(__version__, prog_name="arena")
def arena() -> None:
    """Play leagues of Papayoo bots, and show the results.

    LEAGUE is a league file (league.toml) or its database (league.db). Results go to standard output,
    everything else to standard error.

    Exit codes: 0 success, 1 the answer is no, 2 a mistake in the command, the league file or a bot,
    3 faults (with --fail-on-fault), 4 an error of the arena, 5 undecided (gauntlet), 6 sessions left
    out (run), 130 interrupted.

    To complete commands and file names in bash (zsh and fish likewise):

        eval "$(_ARENA_COMPLETE=bash_source arena)"
    """


def run_program(args: Sequence[str] | None = None) -> object:
    """Run `arena` with these arguments, by default the process's own, and return the command's result."""
    color = False if os.environ.get("NO_COLOR") else None  # None: as the terminal allows
    return arena.main(args, complete_var="_ARENA_COMPLETE", standalone_mode=False, color=color)
