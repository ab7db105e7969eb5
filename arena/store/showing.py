"""Which matches may be seen with their cards. It knows no page, and nothing of who may see more."""

from __future__ import annotations

from collections.abc import Callable

from arena.store import read
from arena.store.database import Database
from arena.store.planned import matches_before
from arena.store.views import MatchView, SeasonView, is_over

__all__ = ["cards_shown"]


def cards_shown(
    database: Database, season: SeasonView, ended: bool, at_end: bool = False
) -> Callable[[MatchView], bool]:
    """Return a function that says whether a match may be seen with its cards.

    `ended`: another season has begun, so nothing more is dealt in this one. `at_end`: only when the whole
    league is over, in an open one the phase of the match, as with `reveal = "finished"`.
    """
    if ended:
        return lambda match: True
    if at_end and not is_over(season, read.progress(database, season.number)):
        over = matches_before(season) if season.open else 0
        return lambda match: match.cards_may_show and match.number <= over
    return lambda match: match.cards_may_show
