"""What the commands share in their help and options: examples, LEAGUE, --json, hints. Imports click only."""

from __future__ import annotations

from pathlib import Path

import click

__all__ = ["HintingGroup", "as_json", "examples", "league_argument"]


def examples(*lines: str) -> str:
    """The epilog of a command: examples under its help, one a line."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


league_argument = click.argument("league", type=click.Path(path_type=Path))
"""LEAGUE, the league file or its database; whether it exists is found out where it is read."""

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")


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
