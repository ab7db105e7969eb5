"""Finds the few places of a match that are worth looking at, and says of each what happened there.

By rules over the record, like the story that they go with. It needs the cards: without them there are none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

from arena.papayoo import POINTS_PER_ROUND
from arena.translating import _
from reports.pages.rounds import CardFace, TrickRow
from reports.pages.story_facts import MatchFacts, PaidTrick
from reports.pages.story_rules import HAND_OVERS, MUCH
from reports.pages.story_words import Filling, Sentence, one_of_suit, phrase, sentence, several_of_suit

__all__ = ["KeyMoment", "key_moments"]

MOST: Final = 6
"""Moments of a match at most."""

_ALWAYS: Final = 3
_WORTH_TELLING: Final = 60
_DEAR: Final = 15  # points from which on a card that comes back is worth telling


@dataclass(frozen=True, slots=True)
class KeyMoment:
    """A place to look at. `anchor`: on the page of its match, "r1t5c2"; `where`: "Round 1, trick 5".

    `seat`: whose card it is; None where it is no single card.
    """

    anchor: str
    where: str
    sentence: Sentence
    seat: int | None = None


class _Found(NamedTuple):
    """A candidate. `order`: its place in the match; `trick`: None for what is not one trick.

    A match has some forty, of which few are shown: hence a tuple.
    """

    weight: int
    order: tuple[int, int]
    trick: PaidTrick | None = None
    seat: int = 0


def key_moments(facts: MatchFacts) -> tuple[KeyMoment, ...]:
    """Return at most six moments, in order."""
    if not facts.rounds:
        return ()
    found = sorted(_found(facts), key=lambda one: (-one.weight, one.order))
    chosen = [one for place, one in enumerate(found) if place < _ALWAYS or one.weight >= _WORTH_TELLING][
        :MOST
    ]
    return tuple(_told(facts, one) for one in sorted(chosen, key=lambda one: one.order))


def _found(facts: MatchFacts) -> Iterator[_Found]:
    for seat, finish in enumerate(facts.seats):
        if finish.hand_over is not None:
            round_, question = finish.hand_over_at or (0, 0)
            yield _Found(200, (round_, question - 1), None, seat)
    for number, points in enumerate(facts.points):
        most = max(points)
        if most >= MUCH and len(facts.points) > 1:
            yield _Found(35 + (most - MUCH) // 2, (number, -2), None, points.index(most))
    for trick in facts.paid:
        yield _Found(_weight(facts, trick), trick.order, trick)


def _weight(facts: MatchFacts, trick: PaidTrick) -> int:
    """Return how remarkable a trick is: by its points, and what else happened in it."""
    weight = 100 * trick.row.points // facts.dearest_trick + 10 * (trick.papayoo is not None)
    if trick.row.points >= _DEAR and _came_back(facts, trick):
        weight += 30 if trick.papayoo is not None else 15
    if trick is facts.decided:
        weight += 60 if trick.round == len(facts.points) - 1 else 30
    return weight


def _told(facts: MatchFacts, found: _Found) -> KeyMoment:
    if found.trick is not None:
        return _trick(facts, found.trick)
    who, (round_, place) = facts.who(found.seat), found.order
    reason = facts.seats[found.seat].hand_over
    if place == -2 or reason is None:
        points = facts.points[round_][found.seat]
        key = "round everything" if points == POINTS_PER_ROUND else "round share"
        words = phrase(key, who=who, points=points)
        return KeyMoment(f"r{round_}", _("Round %(round)s", round=round_), sentence(words, "."))
    words = sentence(phrase("took over", who=who, why=partial(_, HAND_OVERS[reason])), ".")
    if place < 0:
        return KeyMoment(f"r{round_}p", _("Round %(round)s, pass", round=round_), words)
    return KeyMoment(f"r{round_}t{place}", _where(round_, place), words)


def _where(round_: int, trick: int) -> str:
    return _("Round %(round)s, trick %(trick)s", round=round_, trick=trick)


def _trick(facts: MatchFacts, trick: PaidTrick) -> KeyMoment:
    row, players = trick.row, facts.players
    giver = trick.dearest
    face = row.cards[giver]
    blanks: dict[str, Filling] = {
        "taker": facts.who(row.taker, row.cards[row.taker]),
        "giver": facts.who(giver, face),
        "points": row.points,
        "card": face,
    }
    key, more = _papayoo(facts, trick) if face.papayoo else (_plain(facts, trick), {})
    words = phrase(key, **blanks | more)
    after = phrase("from here", who=facts.who(facts.winners[0])) if trick is facts.decided else ()
    anchor = f"r{trick.round}t{row.number}c{(giver - row.leader) % players}"
    return KeyMoment(anchor, _where(trick.round, row.number), sentence(words, after, "."), giver)


def _plain(facts: MatchFacts, trick: PaidTrick) -> str:
    if _came_back(facts, trick):
        return "back"
    return "big own" if trick.dearest == trick.row.taker else "big"


def _papayoo(facts: MatchFacts, trick: PaidTrick) -> tuple[str, dict[str, Filling]]:
    """Return how the Papayoo got to its taker, and what else the words need."""
    row, giver = trick.row, trick.dearest
    led = row.cards[row.leader].name[0]
    if giver == row.taker:
        return ("own led" if row.leader == giver else "own"), {}
    if _came_back(facts, trick):
        return "papayoo back", {}
    if row.cards[giver].name[0] != led:
        return "thrown", {"suit": partial(several_of_suit, led)}
    card = row.cards[row.taker]
    if row.leader == row.taker:
        return "caught by lead", {"card": card}
    held = [other for other in _later(facts, trick, row.taker) if other.name[0] == led]
    lower = any(int(other.rank) < int(card.rank) for other in held)
    key = "caught" if lower else "caught by lowest" if held else "caught by only"
    return key, {"card": card, "suit": partial(one_of_suit, led)}


def _later(facts: MatchFacts, trick: PaidTrick, seat: int) -> list[CardFace]:
    """Return the cards that a seat held and did not play to a trick: it played them later."""
    rows: tuple[TrickRow, ...] = facts.rounds[trick.round].tricks[trick.row.number + 1 :]
    return [row.cards[seat] for row in rows]


def _came_back(facts: MatchFacts, trick: PaidTrick) -> bool:
    """Return whether the taker had passed the dearest card to the one who played it."""
    row, giver = trick.row, trick.dearest
    if (row.taker + 1) % facts.players != giver:
        return False
    hand = facts.rounds[trick.round].hands[row.taker]
    return not hand.passed_by_stand_in and row.cards[giver].name in [face.name for face in hand.passed]
