"""Checks of one stored match against the rules and, if its key is known, against its deals.

The record is played again; no process is started and no database is read. The checks go from the deal to the
result, and each is lazy, so that the first difference is the earliest cause.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from arena.deals import Deals
from arena.match.game import MatchResult
from arena.match.rebuild import Contradiction, rebuild
from arena.match.record import MatchRecord, Terms
from arena.match.stand_in import Chooser, from_deals, from_records
from arena.papayoo import IllegalMove, hand_size, names_of

_BROKEN = (ValueError, LookupError, IllegalMove, RuntimeError, AssertionError)
"""The errors that a record which contradicts itself can raise when it is played again."""

_ROUNDING_US = 1
"""Both times of a decision are rounded to microseconds."""
_ROUND_FIELDS = ("passes", "plays", "points", "stand_in", "took_us", "extended")
_SEAT_FIELDS = ("points", "charge", "place", "faults", "hand_over", "hand_over_at")
"""The fields that follow from plays and faults. The number of late answers is missing, for only the process
could tell it."""


@dataclass(frozen=True, slots=True)
class Found:
    """A difference in a match. `round` and `trick` count from 0 and are None where they do not apply."""

    text: str
    round: int | None = None
    trick: int | None = None


@dataclass(frozen=True, slots=True)
class Expected:
    """The facts about a match that are known without its record.

    `bots`: the ids by seat. `deals`: None while the secret of its phase is not shown. `terms`: None where
    the season does not say.
    """

    bots: tuple[str, ...]
    rounds: int
    deals: Deals | None
    terms: Terms | None


def check_match(record: MatchRecord, expected: Expected) -> Iterator[Found]:
    """Yield everything that is wrong with a match, beginning with its first cause."""
    yield from _setup(record, expected)
    if expected.deals is not None:
        yield from _deals(record, expected.deals)
    for number in range(len(record.rounds)):
        yield from _sizes(record, number)
        yield from _extended(record, number)
    yield from _played_again(record, expected.deals)


def unlike(stored: object, again: object, names: Iterable[str], since: str) -> Iterator[str]:
    """Yield in words which of the named fields of an object differ from what was derived again.

    Of two tuples of one length only the first difference is told. `since`: what says otherwise.
    """
    for name in names:
        kept, got, where = getattr(stored, name), getattr(again, name), name
        if kept == got:
            continue
        if isinstance(kept, tuple) and isinstance(got, tuple) and len(kept) == len(got):
            place = next(place for place, one in enumerate(kept) if one != got[place])
            kept, got, where = kept[place], got[place], f"{name}[{place}]"
        yield f"{where} is {_value(kept)}, {since} {_value(got)}"


def _value(value: object) -> str:
    if isinstance(value, tuple | list):
        return " ".join(map(str, value)) or "none"
    return "none" if value is None else str(value)


def _setup(record: MatchRecord, expected: Expected) -> Iterator[Found]:
    bots = tuple(seat.bot for seat in record.seats)
    if bots != expected.bots:
        yield Found(f"the seats are taken by {' '.join(bots)}, the schedule says {' '.join(expected.bots)}")
    if len(record.rounds) != expected.rounds:
        yield Found(f"{len(record.rounds)} rounds are stored, a match of this season has {expected.rounds}")
    setup = record.setup
    if expected.terms is not None and setup.terms != expected.terms:
        yield Found(f"it was played under {_terms(setup.terms)}; the season says {_terms(expected.terms)}")
    if setup.no_clock is not None and not set(setup.no_clock) <= set(range(setup.players)):
        yield Found(f"the seats {_value(setup.no_clock)} are said to have had no clock")


def _terms(terms: Terms) -> str:
    return (
        f"{terms.move_ms} ms a decision, a bank of {terms.bank_ms} ms, {terms.fault_points} points a fault, "
        f"{terms.max_faults} faults at most"
    )


def _deals(record: MatchRecord, deals: Deals) -> Iterator[Found]:
    """Derive boards, dice, suits and seeds again, and yield what differs."""
    key, setup = record.key, record.setup
    suits = deals.suits(key)
    if setup.suits != suits:
        yield Found(f"its suits are {setup.suits}, the key gives {suits}")
    for seat, seed in enumerate(setup.seeds):
        derived = deals.bot_seed(key, seat)
        if seed != derived:
            yield Found(f"the seed of seat {seat} is {seed}, the key gives {derived}")
    for number, stored in enumerate(setup.boards):
        board = deals.board(number, setup.players)
        for position, (hand, dealt) in enumerate(zip(stored.hands, board.hands, strict=True)):
            if hand != dealt:
                text = f"the hand {position} from the dealer is {_cards(hand)}, the key gives {_cards(dealt)}"
                yield Found(text, number)
        if stored.papayoo_suit != board.papayoo_suit:
            die, rolled = "SHDC"[stored.papayoo_suit], "SHDC"[board.papayoo_suit]
            yield Found(f"the die shows {die}, the key gives {rolled}", number)


def _cards(cards: int) -> str:
    return " ".join(names_of(cards))


def _sizes(record: MatchRecord, number: int) -> Iterator[Found]:
    stored, players = record.rounds[number], record.setup.players
    plays = hand_size(players) * players
    found = (len(stored.passes), len(stored.plays), len(stored.took_us))
    if found != (players, plays, players + plays):
        text = "{} passes, {} plays and {} times are stored".format(*found)
        yield Found(f"{text}, expected {players}, {plays} and {players + plays}", number)


def _extended(record: MatchRecord, number: int) -> Iterator[Found]:
    """Check that a deadline moved only when it had come, and not by more than the time for a move.

    The time charged leaves out what the deadline moved by, so the two together are the whole time at least.
    """
    stored, move_us = record.rounds[number], record.setup.terms.move_ms * 1000
    for decision, by_us in stored.extended:
        took_us = stored.took_us[decision] if 0 <= decision < len(stored.took_us) else 0
        if not 0 < by_us <= move_us or took_us + by_us + _ROUNDING_US < move_us:
            text = f"decision {decision} got {by_us} us more and took {took_us} us of {move_us} us"
            yield Found(text, number, _trick(decision, record.setup.players))


def _trick(decision: int, players: int) -> int | None:
    """Return the trick of a decision, or None for a pass."""
    return (decision - players) // players if decision >= players else None


def _played_again(record: MatchRecord, deals: Deals | None) -> Iterator[Found]:
    """Play the whole match again: passes, plays, points, charges, hand-overs and the stand-in's choices."""
    chooser = None if deals is None else _checked(record, from_deals(deals, record.key))
    try:
        result = rebuild(record, chooser).result
    except Contradiction as error:
        yield Found(error.text, error.round, error.question - 1 if error.question else None)
        return
    except _BROKEN as error:
        yield Found(f"it cannot be played again: {error}")
        return
    for number, (stored, again) in enumerate(zip(record.rounds, result.rounds, strict=True)):
        for text in unlike(stored, again, _ROUND_FIELDS, "played again it is"):
            yield Found(text, number)
    yield from _faults(record, result)
    for seat, (kept, got) in enumerate(zip(record.seats, result.seats, strict=True)):
        for text in unlike(kept, got, _SEAT_FIELDS, "played again it is"):
            yield Found(f"seat {seat}: {text}")


def _checked(record: MatchRecord, derived: Chooser) -> Chooser:
    """Return the stand-in by the key; it raises Contradiction where a stored choice differs."""
    recorded = from_records(record.rounds)

    def choose(round_number: int, seat: int, question: int, legal: int, count: int) -> int:
        chosen = derived(round_number, seat, question, legal, count)
        stored = recorded(round_number, seat, question, legal, count)
        if stored != chosen:
            text = f"the stand-in of seat {seat} chose {_cards(stored)}, the key gives {_cards(chosen)}"
            raise Contradiction(text, round_number, question)
        return chosen

    return choose


def _faults(record: MatchRecord, result: MatchResult) -> Iterator[Found]:
    """Check that every stored fault belongs to a question that was really asked, once."""
    stored, again = Counter(record.faults), Counter(result.faults)
    for fault in (stored - again) or (again - stored):
        text = f"the fault {fault.kind.value} of seat {fault.seat} belongs to no question of the match"
        yield Found(text, fault.round, fault.trick)
