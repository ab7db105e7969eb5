"""`arena init`: makes the folder of a new contest."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from arena.cli.options import examples


@click.command(
    epilog=examples("arena init spring", "arena init contests/evening --name 'An evening of cards'")
)
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--name", default="", help="Name of the league.  [default: that of the folder]")
def init(folder: Path, name: str) -> None:
    """Make FOLDER with an open league, which can be played at once.

    It holds a league file with comments, a folder for the entries with two sample bots, and a README for
    the authors. Bots that are put into the entries' folder play from the next phase on.

    Exit codes: 0 the folder was made, 2 it cannot be made: it is not empty, or the name is not allowed.
    """
    from arena.league.contest import ENTRIES, make_contest

    make_contest(folder, name)
    league = shlex.quote(str(folder / "league.toml"))
    click.echo(
        f"{folder}/ is an open league of two sample bots. Bots go to {folder / ENTRIES}/; see README.md.\n"
        "\n"
        f"    arena run {league}              play a phase, and write the pages\n"
        f"    arena run {league} --follow     go on, with whoever comes, until you stop it"
    )
