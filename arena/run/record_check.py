"""Whether a record of a match that was played elsewhere can be taken: by its shape, the rules and the limits.

Whoever made it, what passes here can be stored, scored and shown. Whether these were the deals, and these the
faults and their cost, is for `arena verify` to say, because finding that out would take too long here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from arena.bot.stderr_log import HEAD_BYTES, TAIL_BYTES
from arena.match.faults import Fault
from arena.match.record import MatchRecord, MatchSetup, RoundRecord, SeatRecord
from arena.papayoo import (
    PLAIN_SUITS,
    SUITS,
    Board,
    IllegalMove,
    Round,
    dealer_of,
    hand_size,
    places,
)
from arena.referee.jobs import Setup
from arena.sandbox import Level

__all__ = ["validate_record"]

_MOST: Final = 2**31 - 1
"""A column of a database server holds no more, where it is not for times or bytes."""
_MOST_US: Final = 2**37
"""38 hours in microseconds; a move and the bank have 25 at most. Within 64 bits 2**26 decisions add up."""
_MOST_BYTES: Final = 2**45
_MOST_MS: Final = 253_402_300_799_999
"""The end of the year 9999, after which no date is written."""
_MOST_SEED: Final = 2**32 - 1
_MOST_LOG: Final = HEAD_BYTES + TAIL_BYTES
_MOST_WORDS: Final = 4096
"""The characters of a reason, or of what a bot sent: what is kept of both is far shorter."""
_PLAIN: Final = sorted(SUITS[suit] for suit in PLAIN_SUITS)
_ID_KEY: Final = re.compile("[0-9a-f]{0,64}")
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
        yield "another number of rounds or seats, other names or limits"
    if not all(map(_is_round, record.rounds, record.setup.boards, range(setup.rounds))):
        yield "cards, points or decisions that a round does not have"
    # The last of them ends a bot's match, and its process may end too.
    most = len(bots) * (setup.terms.max_faults + 1)
    if len(record.faults) > most or not all(_is_fault(fault, record) for fault in record.faults):
        yield "a fault that cannot be"
    are_seats = all(_is_seat(seat, number, record) for number, seat in enumerate(record.seats))
    if not are_seats or not _adds_up(record):
        yield "a seat that cannot be"
    times = _within(_MOST_MS, record.started_at, record.finished_at)
    if not times or not _within(_MOST, record.lateness_count) or not _within(_MOST_US, record.lateness_us):
        yield "a time that cannot be"
    if record.sandbox not in _SANDBOXES:
        yield "a sandbox that there is not"


def _is_asked(found: MatchSetup, setup: Setup, bots: Sequence[str]) -> bool:
    names = None if setup.names is None else tuple(setup.names[bot] for bot in bots)
    return (
        (found.terms, found.names) == (setup.terms, names)
        and len(found.boards) == setup.rounds
        and all(board.players == len(bots) for board in found.boards)
        and sorted(found.suits) == _PLAIN
        and len(found.seeds) == len(bots)
        and _within(_MOST_SEED, *found.seeds)
    )


def _is_seat(seat: SeatRecord, number: int, record: MatchRecord) -> bool:
    at, terms = seat.hand_over_at, record.setup.terms
    faults = sum(fault.seat == number for fault in record.faults)
    charged = faults if seat.hand_over is None else terms.max_faults
    used = [amount for amount in (seat.cpu_us, seat.off_turn_us, seat.queued_us) if amount is not None]
    return (
        (seat.faults, seat.charge) == (faults, charged * terms.fault_points)
        and _within(faults, seat.late)  # only what has timed out can come late
        and (seat.hand_over is None) == (at is None)
        and (at is None or _is_question(*at, record))
        and _within(_MOST, seat.table, seat.pid)
        and _within(_MOST_BYTES, seat.stderr_bytes)
        and _within(_MOST_US, *used)
        and max(len(seat.stderr_head), len(seat.stderr_tail)) <= _MOST_LOG
        and _ID_KEY.fullmatch(seat.id_key) is not None
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
    more = [decision for decision, _ in played.extended]
    return (
        _is_played(played, board, number)
        and len(played.took_us) == decisions
        and _all_within(_MOST_US, played.took_us)
        and _all_within(_MOST_US, [amount for _, amount in played.extended])
        and _within(decisions - 1, *played.stand_in, *more)
        and len(played.stand_in) == len(set(played.stand_in))
        and len(more) == len(set(more))
    )


def _is_played(played: RoundRecord, board: Board, number: int) -> bool:
    """Return whether the rules allow these passes and plays, and give these points."""
    if len(played.passes) != board.players:
        return False
    round_ = Round.deal(board, dealer_of(number, board.players))
    try:
        for seat, cards in enumerate(played.passes):
            round_.choose_pass(seat, cards)
        play = round_.play
        for card in played.plays:
            play(card)
    except IllegalMove:
        return False
    return round_.over and tuple(round_.points) == played.points


def _is_fault(fault: Fault, record: MatchRecord) -> bool:
    used = [amount for amount in (fault.cpu_us, fault.queued_us) if amount is not None]
    outside = fault.round is None and fault.question is None
    return (
        _within(len(record.seats) - 1, fault.seat)
        and (outside or _is_question(fault.round, fault.question, record))
        and _within(_MOST_US, fault.wall_us, *used)
        and max(len(fault.reason), len(fault.sent)) <= _MOST_WORDS
    )


def _is_question(number: int | None, question: int | None, record: MatchRecord) -> bool:
    """Return whether there is such a question in such a round: 0 is the pass, t + 1 the play to trick t."""
    if number is None or question is None:
        return False
    return _within(len(record.rounds) - 1, number) and _within(hand_size(len(record.seats)), question)


def _within(most: int, *numbers: int) -> bool:
    """Return whether all of these are numbers from 0 to `most`."""
    return _all_within(most, numbers)


def _all_within(most: int, numbers: Sequence[int]) -> bool:
    return not numbers or (min(numbers) >= 0 and max(numbers) <= most)
