"""`arena verify`: check everything in a database that can be worked out again."""

from __future__ import annotations

import json
from pathlib import Path

import click

from arena.cli.exits import NO
from arena.cli.helping import as_json, examples, league_argument

__all__ = ["verify"]


@click.command(epilog=examples("arena verify league.toml", "arena verify spring.db --json"))
@league_argument
@as_json
@click.pass_context
def verify(ctx: click.Context, league: Path, as_json: bool) -> None:
    """Check a whole database, every season of it, changing nothing.

    The schedule is planned again, every stored match is played again, and the standings are worked
    out from that. Once a stretch has ended and its secret is shown, the commitment is checked and
    every deal, die, suit, bot's seed and choice of the stand-in is derived from it; before, the
    output says what could not be checked yet.

    Exits with 1 at the first difference, and says where it is.
    """
    from arena.cli.checking import check, check_json, check_text
    from arena.cli.league_files import opened

    with opened(league) as found:
        result = check(found)
    click.echo(
        json.dumps(check_json(result), indent=2, ensure_ascii=False) if as_json else check_text(result)
    )
    if result.difference is not None:
        ctx.exit(NO)
