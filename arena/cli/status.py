"""`arena status`: how far a league is, whether it is being run, and where its pages are."""

from __future__ import annotations

import json
from pathlib import Path

import click

from arena.cli.helping import as_json, examples, league_argument

__all__ = ["status"]


@click.command(epilog=examples("arena status league.toml", "arena status spring.db --json"))
@league_argument
@as_json
def status(league: Path, as_json: bool) -> None:
    """Show how far a league is.

    Its newest season and stretch with the commitment to its deals, what has been played, faults by
    bot and kind, the last lines of the log, whether it is being run now, and where its pages are.
    """
    from arena.cli.league_files import opened
    from arena.cli.overview import overview, overview_json, overview_text

    with opened(league) as found:
        seen = overview(found)
    click.echo(
        json.dumps(overview_json(seen), indent=2, ensure_ascii=False) if as_json else overview_text(seen)
    )
