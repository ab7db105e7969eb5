"""Says below the leaderboard on the terminal who is out, why, and for whom the stand-in plays.

The words for who is still in are those of the pages. It decides nothing and prints nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from arena.cli.layout import plain
from arena.match.stand_in import STAND_IN
from arena.score.words import still_in
from arena.wording import listed

if TYPE_CHECKING:
    from arena.store.scoring import Scored
    from arena.store.views import SeasonView

__all__ = ["field_text", "out_text"]


def field_text(season: SeasonView, score: Scored, names: Mapping[str, str]) -> Iterator[str]:
    """Yield how many bots are still in; nothing if all are, and in an open league."""
    out = () if season.open else score.out
    if said := still_in((line.bot for line in score.standings.rows), out, names):
        yield plain(said)


def out_text(score: Scored, names: Mapping[str, str]) -> Iterator[str]:
    """Yield why each bot is out, in short, and for whom the stand-in plays."""
    rulings = score.out
    for bot, ruling in rulings.items():
        since = f"from session {ruling.from_cycle}.0 on"
        yield plain(f"{names[bot]} is excluded by the {ruling.by} {since}: {ruling.brief}.")
    if any(ruling.by_limits for ruling in rulings.values()):
        yield "The pages of these bots say by which rule, and what can be done."
    for line in score.standings.house:
        if line.bot == STAND_IN and rulings:
            whom = listed([names[bot] for bot in rulings])
            yield plain(f"{names[line.bot]} plays random cards for {whom}.")
