"""`arena standings`: the leaderboard on the terminal."""

from __future__ import annotations

import json
from pathlib import Path

import click

from arena.cli.helping import as_json, examples, league_argument

__all__ = ["standings"]


@click.command(
    epilog=examples("arena standings league.toml", "arena standings spring.db --json > standings.json")
)
@league_argument
@as_json
def standings(league: Path, as_json: bool) -> None:
    """Show the leaderboard of the newest season.

    Points are for one round, and fewer are better. Complete sessions count; whether the order is
    already sure is said on the pages (see `arena report`).
    """
    from arena.cli.leaderboard import current_standings, leaderboard_json, leaderboard_text
    from arena.cli.league_files import opened

    with opened(league) as found:
        board = current_standings(found.reader, found.season)
        if as_json:
            click.echo(json.dumps(leaderboard_json(found.season, board), indent=2, ensure_ascii=False))
        else:
            click.echo(leaderboard_text(found.season, board))
