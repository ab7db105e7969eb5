"""`arena verify`: check everything in a database that can be worked out again."""

from __future__ import annotations

import json
from pathlib import Path

import click

from arena.cli.exits import NO
from arena.cli.options import as_json, examples, league_argument

__all__ = ["verify"]


@click.command(
    epilog=examples("arena verify league.toml", "arena verify spring.db --json", "arena verify spring.tar.gz")
)
@league_argument
@click.option(
    "--pages",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    metavar="DIR",
    help="Folder of the pages to compare.  [default: as the league file has it]",
)
@as_json
@click.pass_context
def verify(ctx: click.Context, league: Path, pages: Path | None, as_json: bool) -> None:
    """Check a whole database, every season of it, and its pages, changing nothing.

    The schedule is planned again, every stored match is played again, and the standings are worked
    out from that. Once a stretch has ended and its secret is shown, the commitment is checked and
    every deal, die, suit, bot's seed and choice of the stand-in is derived from it; before, the
    output says what could not be checked yet. Then the pages of the newest season, where there are
    any, are made again in memory and compared byte for byte. Pages that say of themselves that they
    were made before the newest match cannot be compared: `arena report` writes them again.

    An archive of `arena archive` is unpacked into a temporary folder, its sums and the digests of its
    copies of bots are compared first, and nothing of it is started.

    Exits with 1 at the first difference, and says where it is; also when the pages are too old to be
    compared, unless the league is being played just now.
    """
    from arena.cli.organiser.checking import Checks, check_json, check_path, check_text

    checks = check_path(league, pages)
    click.echo(
        json.dumps(check_json(checks), indent=2, ensure_ascii=False) if as_json else check_text(checks)
    )
    if not (isinstance(checks, Checks) and checks.agrees):
        ctx.exit(NO)
