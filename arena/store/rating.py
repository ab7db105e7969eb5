"""The rounds of a stored season as pairwise results: Elo ratings beside the score. They decide nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from itertools import groupby

from arena.standings import Ratings, compare_rounds, ratings
from arena.store.played import PlayedMatch
from arena.store.reader import Reader
from arena.store.views import SessionKey

__all__ = ["rated"]


def rated(reader: Reader, season: int, bots: Collection[str]) -> Ratings:
    """The ratings of `bots` from the sessions that count, house bots and stand-in included.

    A round is won by fewer card and fault points; see `PlayedRound.fault_points` for what belongs to
    which round. StoreError when the database cannot be read.
    """
    counting = (each for each in reader.played(season) if each.match.counts)
    sessions = groupby(counting, _session)
    return ratings((compare_rounds(*key, _points(matches)) for key, matches in sessions), bots)


def _session(played: PlayedMatch) -> SessionKey:
    """Its matches have consecutive numbers."""
    return played.match.cycle, played.match.index


def _points(matches: Iterable[PlayedMatch]) -> Iterator[Counter[str]]:
    """Card and fault points by bot of each round; those of all its seats if a bot holds several."""
    for played in matches:
        for round_ in played.rounds:
            points: Counter[str] = Counter()
            for seat, card, charge in zip(
                played.match.seats, round_.points, round_.fault_points, strict=True
            ):
                points[seat.bot] += card + charge
            yield points
