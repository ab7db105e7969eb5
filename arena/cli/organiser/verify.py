"""`arena verify`: checks everything in a database that can be computed again."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.exits import NO
from arena.cli.options import LeagueName, as_json, examples, league_argument, show


@click.command(
    epilog=examples("arena verify league.toml", "arena verify league.db --json", "arena verify spring.tar.gz")
)
@league_argument
@click.option(
    "--pages",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    metavar="DIR",
    help="Folder of the pages to compare.  [default: as in the league file]",
)
@as_json
@click.pass_context
def verify(ctx: click.Context, league: LeagueName, pages: Path | None, as_json: bool) -> None:
    """Check a whole database, all its seasons, and its pages. Changes nothing.

    The schedule is planned again, every stored match is played again, and the standings are computed
    from that. Once a phase has ended and its secret is shown, the commitment is checked, and every
    deal, die, suit, bot's seed and choice of the stand-in is derived from the secret. Before that,
    the output says what cannot be checked yet. Then the pages of all seasons, if there are any, are made
    again in memory and compared byte for byte. Pages that say that they were made before the
    newest match cannot be compared: `arena report` writes them again.

    Exits with 1 at the first difference, and says where it is; also if the pages are too old to be
    compared, unless the league is being played.
    """
    from arena.cli.organiser.checking import check_json, check_path, check_text

    checks = check_path(league, pages)
    show(lambda: check_json(checks), lambda: check_text(checks), as_json)
    if not checks.agrees:
        ctx.exit(NO)
