"""`arena status`: how far a league is, whether it is being run, and where its pages are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.options import as_json, examples, league_argument

if TYPE_CHECKING:
    from arena.cli.league_files import OpenLeague

__all__ = ["status"]


@click.command(epilog=examples("arena status league.toml", "arena status league.toml --balance"))
@league_argument
@click.option("--balance", is_flag=True, help="Show how even the matches were that count.")
@as_json
def status(league: Path, balance: bool, as_json: bool) -> None:
    """Show how far a league is.

    First what needs attention: bots that are disqualified, do not start, or were ended for a limit
    between matches, aborted matches, sessions that are void or left out, little space on the disk,
    matches without a sandbox. Then its newest season and stretch with the commitment to its deals, what
    has been played, faults by bot and kind, the last lines of the log, whether it is being run now, and
    where its pages are.
    """
    from arena.cli.league_files import opened
    from arena.cli.organiser.overview import overview, overview_json, overview_text

    with opened(league) as found:
        if balance:
            document, text = _balance(found)
        else:
            seen = overview(found)
            document, text = overview_json(seen), overview_text(seen)
    click.echo(json.dumps(document, indent=2, ensure_ascii=False) if as_json else text)


def _balance(found: OpenLeague) -> tuple[dict[str, object], str]:
    """The certificate of what was played, for programs and for people."""
    from arena.cli.layout import prose
    from arena.cli.organiser.forecast import balance_json, balance_table
    from arena.store.scoring import played_balance

    matches = found.reader.matches(found.season.number)
    balance = played_balance(found.season, matches)
    counted = sum(match.counts for match in matches)
    of_whom = ", of candidates with opponents" if found.season.line_ups == "gauntlet" else ""
    head = f"The balance of the {counted:,} matches that count, in season {found.season.number}{of_whom}:"
    document = {"season": found.season.number, "matches": counted, **balance_json(balance)}
    return document, "\n".join([prose(head), *balance_table(balance)])
