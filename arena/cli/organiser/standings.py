"""`arena standings`: shows the leaderboard of a season, as text or as JSON. `board` has what it shows."""

from __future__ import annotations

import click

from arena.cli.options import LeagueName, as_json, examples, league_argument, season_option, show


@click.command(
    epilog=examples(
        "arena standings league.toml",
        "arena standings league.db --json > standings.json",
        "arena standings league.toml --season 1",
    )
)
@league_argument
@season_option
@as_json
def standings(league: LeagueName, number: int | None, as_json: bool) -> None:
    """Show the leaderboard of a season, by default the newest, and how sure it is.

    Points are for one round, and fewer are better. Only complete sessions count: a session is the same
    deals, played in several seat orders, so that each bot holds each hand equally often. The ranks that are
    still possible, and the letters shared by bots that cannot be told apart, come from complete cycles
    alone and hold however often you look. Read all else once, when the league is over.

    docs/export.md has recipes for the score cycle by cycle, without a bot, or at some seats.
    """
    from arena.cli.league_files import opened
    from arena.cli.organiser.board import Board
    from arena.store.scoring import scored

    with opened(league, number) as found:
        season, score = found.season, scored(found.database, found.season)
        board = Board(season, score, ended=found.ended)
    show(board.document, board.text, as_json)
