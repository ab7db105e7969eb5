"""`arena standings`: the leaderboard on the terminal. Works nothing out itself."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import click

from arena.cli.options import as_json, examples, league_argument

__all__ = ["standings"]


@click.command(
    epilog=examples(
        "arena standings league.toml",
        "arena standings spring.db --json > standings.json",
        "arena standings spring.db --elo",
    )
)
@league_argument
@click.option("--elo", is_flag=True, help="Show Elo ratings (Bradley-Terry) beside the score.")
@as_json
def standings(league: Path, elo: bool, as_json: bool) -> None:
    """Show the leaderboard of the newest season, and how sure it is.

    Points are for one round, and fewer are better. Complete sessions count. The ranks that a bot
    may still have, and the letters that bots share which cannot be told apart, come from complete
    cycles alone and stay true however often they are looked at; everything else is for looking once.
    """
    from arena.cli.league_files import opened
    from arena.cli.organiser.leaderboard import Board
    from arena.store.scoring import rated, scored

    with opened(league) as found:
        season, score = found.season, scored(found.reader, found.season)
        board = Board(season, score)
        if elo:
            ratings = rated(found.reader, season.number, score.standings.fit.bots)
            board = replace(board, ratings=ratings)
    click.echo(json.dumps(board.document(), indent=2, ensure_ascii=False) if as_json else board.text())
