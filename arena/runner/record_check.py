"""Whether a record of a match that was played elsewhere can be taken: by what was asked, and by the rules.

The limits of its values are those of its JSON (`arena.match.record_json`). Whoever made it, what passes here
can be stored, scored and shown. Whether these were the deals, and these the faults and their cost, is for
`arena verify` to say, because finding that out would take too long here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from arena.match.faults import Fault
from arena.match.record import MatchRecord, MatchSetup, RoundRecord, SeatRecord
from arena.papayoo import PLAIN_SUITS, SUITS, Board, dealer_of, hand_size, places
from arena.papayoo.cards import SUIT_MASKS, SUIT_OF
from arena.papayoo.table import CARD_POINTS, pass_count
from arena.referee.jobs import Setup
from arena.sandbox import Level

_BITS: Final = tuple(1 << card for card in range(len(SUIT_OF)))
"""The set of each card alone. Looking it up is quicker than shifting."""
_PLAIN: Final = sorted(SUITS[suit] for suit in PLAIN_SUITS)
_SANDBOXES: Final = frozenset({"off", *Level})


def validate_record(record: MatchRecord, setup: Setup, bots: Sequence[str]) -> str:
    """Return in words what no referee would have written into this record, or "" if there is nothing.

    `setup`: of the referee. `bots`: the ids by seat of the match that was to be played.
    """
    return next(_found(record, setup, bots), "")


def _found(record: MatchRecord, setup: Setup, bots: Sequence[str]) -> Iterator[str]:
    # In this order: what is found later is looked for only where nothing was found before.
    if tuple(seat.bot for seat in record.seats) != tuple(bots):
        yield "other bots"
    if not _is_asked(record.setup, setup, bots) or len(record.rounds) != setup.rounds:
        yield "another number of rounds or seats, or other limits"
    if not all(map(_is_round, record.rounds, record.setup.boards, range(setup.rounds))):
        yield "cards, points or decisions that a round does not have"
    # The last of them ends a bot's match, and its process may end too.
    most = len(bots) * (setup.terms.max_faults + 1)
    if len(record.faults) > most or not all(_is_fault(fault, record) for fault in record.faults):
        yield "a fault that cannot be"
    are_seats = all(_is_seat(seat, number, record) for number, seat in enumerate(record.seats))
    if not are_seats or not _adds_up(record):
        yield "a seat that cannot be"
    if record.sandbox not in _SANDBOXES:
        yield "a sandbox that there is not"


def _is_asked(found: MatchSetup, setup: Setup, bots: Sequence[str]) -> bool:
    return (
        found.terms == setup.terms
        and found.no_clock is None
        and len(found.boards) == setup.rounds
        and all(board.players == len(bots) for board in found.boards)
        and sorted(found.suits) == _PLAIN
        and len(found.seeds) == len(bots)
    )


def _is_seat(seat: SeatRecord, number: int, record: MatchRecord) -> bool:
    at, terms = seat.hand_over_at, record.setup.terms
    faults = sum(fault.seat == number for fault in record.faults)
    charged = faults if seat.hand_over is None else terms.max_faults
    return (
        (seat.faults, seat.charge) == (faults, charged * terms.fault_points)
        and seat.late <= faults  # only what has timed out can come late
        and (seat.hand_over is None) == (at is None)
        and (at is None or _is_question(*at, record))
    )


def _adds_up(record: MatchRecord) -> bool:
    points = tuple(map(sum, zip(*(played.points for played in record.rounds), strict=True)))
    ranks = places([seat.points + seat.charge for seat in record.seats])
    return points == tuple(seat.points for seat in record.seats) and list(ranks) == [
        seat.place for seat in record.seats
    ]


def _is_round(played: RoundRecord, board: Board, number: int) -> bool:
    players = board.players
    decisions = players + hand_size(players) * players
    return (
        _is_played(played, board, number)
        and len(played.took_us) == decisions
        and _are_decisions(played.stand_in, decisions)
        and _are_decisions([decision for decision, _ in played.extended], decisions)
    )


def _are_decisions(found: Sequence[int], decisions: int) -> bool:
    """Return whether these are different decisions of a round that has so many."""
    return not found or (max(found) < decisions and len(found) == len(set(found)))


def _is_played(played: RoundRecord, board: Board, number: int) -> bool:
    """Return whether the rules allow these passes and plays, and give these points.

    A finished round is looked at as a whole here, which takes half as long as playing it with `Round`; a
    test holds the two to each other. What is not allowed is only found, not named.
    """
    players, dealer = board.players, dealer_of(number, board.players)
    hands = board.hands_by_seat(dealer)
    count = pass_count(players)
    if len(played.passes) != players or len(played.plays) != players * hand_size(players):
        return False
    for hand, cards in zip(hands, played.passes, strict=True):
        if cards & ~hand or cards.bit_count() != count:
            return False
    # Each seat passes to its left, so what it received is what the seat before it passed.
    held = [hands[seat] & ~played.passes[seat] | played.passes[seat - 1] for seat in range(players)]
    worth, points, leader = CARD_POINTS[board.papayoo_suit], [0] * players, dealer
    for start in range(0, len(played.plays), players):
        trick = played.plays[start : start + players]
        seat, best = leader, trick[0]
        suit = SUIT_OF[best]
        led = SUIT_MASKS[suit]
        for card in trick:
            hand = held[seat]
            if not (hand & led or hand) & _BITS[card]:
                return False
            held[seat] = hand ^ _BITS[card]
            if card > best and SUIT_OF[card] == suit:
                best, leader = card, seat
            seat = seat + 1 if seat + 1 < players else 0
        points[leader] += sum([worth[card] for card in trick])
    return tuple(points) == played.points


def _is_fault(fault: Fault, record: MatchRecord) -> bool:
    outside = fault.round is None and fault.question is None
    return fault.seat in range(len(record.seats)) and (
        outside or _is_question(fault.round, fault.question, record)
    )


def _is_question(number: int | None, question: int | None, record: MatchRecord) -> bool:
    """Return whether there is such a question in such a round: 0 is the pass, t + 1 the play to trick t."""
    if number is None or question is None:
        return False
    return number in range(len(record.rounds)) and question in range(hand_size(len(record.seats)) + 1)
