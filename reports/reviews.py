"""What the pages need of the reviews of a season, besides the decisions of single matches. It reads little.

Decisions are read only for the pages that show them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from arena.errors import StoreError
from arena.review.documents import review_from
from arena.review.findings import Place
from arena.review.summary import BotReview
from arena.store import read
from arena.store.database import Database
from arena.store.matches import PlayedMatch
from arena.store.views import MatchSlot, StoredReview

__all__ = ["ReadReview", "Reviews"]


@dataclass(frozen=True, slots=True)
class ReadReview:
    """The review of a bot. `at`: when it was made, in milliseconds since 1970 (UTC).

    `review`: None if this arena cannot read it, for another version has stored it or it is damaged.
    """

    at: int
    review: BotReview | None


@dataclass(frozen=True, slots=True)
class Reviews:
    """The reviews of a season.

    `of_bots`: by bot id. `marks`: of each match with reviewed decisions, other ones after other reviews.
    `turns`: which card of its trick a decision was, from 0, for plays that reviews give as examples: their
    places do not tell. It is filled while the matches are read (`note`).
    """

    of_bots: Mapping[str, ReadReview] = field(default_factory=dict)
    marks: Mapping[MatchSlot, tuple[int, int]] = field(default_factory=dict)
    turns: dict[Place, int] = field(default_factory=dict)
    _examples: dict[MatchSlot, list[Place]] = field(default_factory=lambda: defaultdict(list), repr=False)
    _costliest: dict[MatchSlot, list[Place]] = field(default_factory=lambda: defaultdict(list), repr=False)

    @classmethod
    def read(cls, database: Database, season: int) -> Reviews:
        """Return those of a season."""
        of_bots = {one.bot: _read(one) for one in read.review_summaries(database, season)}
        found = cls(of_bots, read.review_marks(database, season))
        for review in (one.review for one in of_bots.values() if one.review is not None):
            for moment in review.costliest:
                found._costliest[_slot(moment.decision.place)].append(moment.decision.place)
            for finding in review.findings:
                for place in finding.examples:
                    found._examples[_slot(place)].append(place)
        return found

    def note(self, played: PlayedMatch) -> None:
        """Note the turns of the examples in a match."""
        for place in self._examples.get(played.match.slot, ()):
            _, round_, question, seat = place
            if question and round_ < len(played.rounds):
                deciders, seats = played.rounds[round_].deciders(), len(played.match.seats)
                trick = deciders[seats * question : seats * (question + 1)]
                if seat in trick:
                    self.turns[place] = trick.index(seat)

    def costliest(self, match: MatchSlot) -> tuple[Place, ...]:
        """Return the decisions of a match that are among the costliest of their bots."""
        return tuple(self._costliest.get(match, ()))

    @property
    def mark(self) -> int:
        """Return what `SeasonMark.reviewed` says of the season."""
        return sum(one.at for one in self.of_bots.values()) + sum(count for count, _ in self.marks.values())

    @property
    def unread(self) -> frozenset[str]:
        """Return the bots with a review that this arena cannot read."""
        return frozenset(bot for bot, one in self.of_bots.items() if one.review is None)

    @property
    def matches(self) -> frozenset[MatchSlot]:
        """Return the matches that reviews lead to for their costliest decisions."""
        return frozenset(self._costliest)


def _read(stored: StoredReview) -> ReadReview:
    try:
        return ReadReview(stored.at, review_from(stored.text, stored.bot))
    except StoreError:
        return ReadReview(stored.at, None)


def _slot(place: Place) -> MatchSlot:
    key = place[0]
    return key.cycle, key.index, key.order
