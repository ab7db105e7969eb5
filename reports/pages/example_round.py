"""Plays the round that the page of the rules shows, by the rules, from a fixed deal for each number of seats.

It holds no sentences and reads no league: every table of four sees the same round.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from markupsafe import Markup

from arena.deals import PhaseDeals, seeded_secret
from arena.papayoo import (
    CARD_NAMES,
    CARD_POINTS,
    PAPAYOOS,
    Board,
    Round,
    Trick,
    cards_of,
    mask_of,
    rank_of,
    suit_of,
)
from reports.pages.cards import CardFace, card

_SESSIONS = {3: 18, 4: 104, 5: 3, 6: 443, 7: 192, 8: 344}
"""By the number of seats: the session whose first board shows most in one trick. Any would be as right."""

DEALER = 0


@dataclass(frozen=True, slots=True)
class PlayedCard:
    """A card of a trick. `leads`, `follows`: whether it is the first one, or of the suit of the first one.

    `takes`: whether it takes the trick; `points`: what it counts.
    """

    seat: int
    face: CardFace
    leads: bool
    follows: bool
    takes: bool
    points: int


@dataclass(frozen=True, slots=True)
class ExampleTrick:
    """A trick, `number` from 1, with its cards in the order of play.

    `higher`: a card of another suit with a higher rank than the one that takes the trick, if there is one.
    """

    number: int
    cards: tuple[PlayedCard, ...]
    points: int
    higher: CardFace | None

    @property
    def best(self) -> PlayedCard:
        """Return the card that takes the trick."""
        return next(card for card in self.cards if card.takes)

    @property
    def by_seat(self) -> tuple[PlayedCard, ...]:
        """Return the cards in the order of the seats."""
        return tuple(sorted(self.cards, key=lambda card: card.seat))


@dataclass(frozen=True, slots=True)
class ExampleRound:
    """The round. `dealt`, `passed`, `received`: the cards of the dealer; `points`: by seat.

    `shown`: the trick to explain.
    """

    dealer: int
    dealt: tuple[CardFace, ...]
    passed: tuple[CardFace, ...]
    received: tuple[CardFace, ...]
    papayoo: CardFace
    tricks: tuple[ExampleTrick, ...]
    shown: ExampleTrick
    points: tuple[int, ...]

    @property
    def best(self) -> int:
        """Return the seat with the fewest points."""
        return self.points.index(min(self.points))


@cache
def example_round(seats: int) -> ExampleRound:
    """Return the round for a table of so many seats, 3 to 8. ValueError for any other number."""
    board = _board(seats)
    round_ = _played(board)
    papayoo = PAPAYOOS[board.papayoo_suit]
    tricks = tuple(_trick(trick, number, papayoo) for number, trick in enumerate(round_.tricks, start=1))

    def faces(mask: int) -> tuple[CardFace, ...]:
        return tuple(_face(card, papayoo) for card in cards_of(mask))

    return ExampleRound(
        dealer=DEALER,
        dealt=faces(board.hands_by_seat(DEALER)[DEALER]),
        passed=faces(round_.passed[DEALER]),
        received=faces(round_.received[DEALER]),
        papayoo=_face(papayoo, papayoo),
        tricks=tricks,
        shown=max(tricks, key=_worth_showing),
        points=tuple(round_.points),
    )


def _board(seats: int) -> Board:
    return PhaseDeals(seeded_secret("rules", 0)).session(0, _SESSIONS.get(seats, 0)).board(0, seats)


def _played(board: Board) -> Round:
    """Return the round played out: high cards are passed, and nobody takes a trick who can help it."""
    round_ = Round.deal(board, DEALER)
    for seat in range(board.players):
        highest_first = sorted(cards_of(round_.hands[seat]), key=rank_of, reverse=True)
        round_.choose_pass(seat, mask_of(highest_first[: round_.pass_count]))
    while not round_.over:
        round_.play(_choice(round_))
    return round_


def _choice(round_: Round) -> int:
    """Return a card to play: the highest that does not take the trick, else the lowest.

    Without a card of the led suit that is the card with the most points.
    """
    legal = cards_of(round_.legal())
    if not round_.trick:
        return min(legal, key=rank_of)
    led = suit_of(round_.trick[0])
    best = max(card for card in round_.trick if suit_of(card) == led)
    harmless = [card for card in legal if suit_of(card) != led or card < best]
    assert round_.papayoo_suit is not None, "cards are played after the die was rolled"
    worth = CARD_POINTS[round_.papayoo_suit]
    return max(harmless, key=lambda card: (worth[card], rank_of(card)), default=min(legal))


def _trick(trick: Trick, number: int, papayoo: int) -> ExampleTrick:
    players, led = len(trick.cards), suit_of(trick.cards[0])
    played = tuple(
        PlayedCard(
            seat=(seat := (trick.leader + place) % players),
            face=_face(card, papayoo),
            leads=place == 0,
            follows=suit_of(card) == led,
            takes=seat == trick.taker,
            points=CARD_POINTS[suit_of(papayoo)][card],
        )
        for place, card in enumerate(trick.cards)
    )
    return ExampleTrick(number, played, trick.points, next(_higher(trick, papayoo), None))


def _higher(trick: Trick, papayoo: int) -> Iterator[CardFace]:
    led = suit_of(trick.cards[0])
    taken_by = max(card for card in trick.cards if suit_of(card) == led)
    for other in trick.cards:
        if suit_of(other) != led and rank_of(other) > rank_of(taken_by):
            yield _face(other, papayoo)


def _worth_showing(trick: ExampleTrick) -> tuple[bool, ...]:
    """Return what there is to learn from a trick, the most important first."""
    following = sum(card.follows for card in trick.cards)
    return (
        trick.higher is not None and trick.points > 0,
        not trick.best.leads and following > 1,
        trick.higher is not None and trick.higher.suit == "p",
        1 < following < len(trick.cards),
        trick.cards[0].face.suit != "p",
        any(card.face.papayoo for card in trick.cards),
    )


def _face(card: int, papayoo: int) -> CardFace:
    return CardFace(CARD_NAMES[card], papayoo=card == papayoo)


@cache
def worked_rows(tricks: tuple[ExampleTrick, ...]) -> Markup:
    """Return the rows of the tricks as markup: the same in all languages."""
    return Markup("\n").join(map(_worked_row, tricks))


def _worked_row(trick: ExampleTrick) -> Markup:
    cells = Markup().join(
        (Markup("<td><mark>{}</mark></td>") if one.takes else Markup("<td>{}</td>")).format(card(one.face))
        for one in trick.by_seat
    )
    row = Markup('<tr><th scope="row">{}</th><td>{}</td>{}<td>{}</td></tr>')
    return row.format(trick.number, trick.cards[0].seat, cells, trick.points)
