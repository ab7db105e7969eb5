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
from arena.match.rebuild import rebuild
from arena.match.record import MatchRecord, RoundRecord, Terms
from arena.match.stand_in import Chooser, from_deals, from_records
from arena.papayoo import IllegalMove, Round, dealer_of, hand_size, names_of

__all__ = ["Expected", "Found", "check_match"]

_BROKEN = (ValueError, LookupError, IllegalMove, RuntimeError, AssertionError)
"""The errors that a record which contradicts itself can raise when it is played again."""

_ROUNDING_US = 1
"""Both times of a decision are rounded to microseconds."""
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
        yield from _round(record, number)
    yield from _played_again(record, expected.deals)


def _setup(record: MatchRecord, expected: Expected) -> Iterator[Found]:
    bots = tuple(seat.bot for seat in record.seats)
    if bots != expected.bots:
        yield Found(f"the seats are taken by {' '.join(bots)}, the schedule says {' '.join(expected.bots)}")
    if len(record.rounds) != expected.rounds:
        yield Found(f"{len(record.rounds)} rounds are stored, a match of this season has {expected.rounds}")
    setup = record.setup
    if expected.terms is not None and setup.terms != expected.terms:
        yield Found(f"it was played under {_terms(setup.terms)}; the season says {_terms(expected.terms)}")
    yield from _no_clock(setup.no_clock, setup.players)


def _no_clock(seats: tuple[int, ...] | None, players: int) -> Iterator[Found]:
    """Check which seats are said to have had no clock. That none of them was late, `rebuild` checks.

    A league has none: its database has no place for them.
    """
    if seats is not None and (not seats or list(seats) != sorted(set(seats) & set(range(players)))):
        yield Found(f"the seats {_numbers(seats) or 'none'} are said to have had no clock")


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


def _round(record: MatchRecord, number: int) -> Iterator[Found]:
    """Check one round by the rules alone: every pass, every play, the points."""
    stored, players = record.rounds[number], record.setup.players
    plays = hand_size(players) * players
    if len(stored.passes) != players or len(stored.plays) != plays:
        found = f"{len(stored.passes)} passes and {len(stored.plays)} plays"
        yield Found(f"{found} are stored, expected {players} and {plays}", number)
        return
    if len(stored.took_us) != players + plays:
        yield Found(f"{len(stored.took_us)} times for {players + plays} decisions are stored", number)
    yield from _extended(record, number)
    round_ = Round.deal(record.setup.boards[number], dealer_of(number, players))
    for seat, cards in enumerate(stored.passes):
        illegal = round_.why_illegal_pass(seat, cards)
        if illegal is not None:
            yield Found(f"seat {seat} passed {_cards(cards)}: {illegal.sentence}", number)
            return
        round_.choose_pass(seat, cards)
    for card in stored.plays:
        illegal = round_.why_illegal_play(card)
        if illegal is not None:
            text = f"seat {round_.turn} played {_cards(1 << card)}: {illegal.sentence}"
            yield Found(text, number, round_.trick_number)
            return
        round_.play(card)
    if tuple(round_.points) != stored.points:
        text = f"the points by seat are {_numbers(stored.points)}, the plays give {_numbers(round_.points)}"
        yield Found(text, number)


def _extended(record: MatchRecord, number: int) -> Iterator[Found]:
    """Check that a deadline moved only when it had come, once, and not by more than the time for a move.

    The time charged leaves out what the deadline moved by, so the two together are the whole time at least.
    """
    stored, move_us = record.rounds[number], record.setup.terms.move_ms * 1000
    decisions = [decision for decision, _ in stored.extended]
    if decisions != sorted(set(decisions)) or not set(decisions) <= set(range(len(stored.took_us))):
        yield Found(f"more time is said to be given to the decisions {_numbers(decisions)}", number)
        return
    for decision, by_us in stored.extended:
        took_us, trick = stored.took_us[decision], _trick(decision, record.setup.players)
        if not 0 < by_us <= move_us:
            text = f"decision {decision} got {by_us} us more, at most {move_us} us can be given"
            yield Found(text, number, trick)
        elif took_us + by_us + _ROUNDING_US < move_us:
            text = f"decision {decision} got {by_us} us more and took {took_us} us, before its time was over"
            yield Found(text, number, trick)


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


class _OtherChoice(Exception):  # noqa: N818  (it names what was found)
    """The stand-in did not choose what the key gives."""

    def __init__(self, found: Found) -> None:
        super().__init__(found.text)
        self.found = found


def _played_again(record: MatchRecord, deals: Deals | None) -> Iterator[Found]:
    """Play the whole match again: charges, hand-overs, places, and the stand-in's choices."""
    chooser = None if deals is None else _checked(record, from_deals(deals, record.key))
    try:
        result = rebuild(record, chooser).result
    except _OtherChoice as other:
        yield other.found
        return
    except _BROKEN as error:
        yield Found(f"it cannot be played again: {error}")
        return
    for number, (stored, again) in enumerate(zip(record.rounds, result.rounds, strict=True)):
        yield from _decisions(stored, again, number)
    yield from _faults(record, result)
    for seat, (kept, got) in enumerate(zip(record.seats, result.seats, strict=True)):
        for name in _SEAT_FIELDS:
            stored_value, value = getattr(kept, name), getattr(got, name)
            if stored_value != value:
                said = f"{name} of seat {seat} is {_value(stored_value)}"
                yield Found(f"{said}, played again it is {_value(value)}")


def _checked(record: MatchRecord, derived: Chooser) -> Chooser:
    """Return the stand-in by the key; it raises _OtherChoice where a stored choice differs."""
    recorded = from_records(record.rounds)

    def choose(round_number: int, seat: int, question: int, legal: int, count: int) -> int:
        chosen = derived(round_number, seat, question, legal, count)
        trick = question - 1 if question else None
        try:
            stored = recorded(round_number, seat, question, legal, count)
        except StopIteration:
            text = f"the bot of seat {seat} is said to have decided, but it was not its turn any more"
            raise _OtherChoice(Found(text, round_number, trick)) from None
        if stored != chosen:
            text = f"the stand-in of seat {seat} chose {_cards(stored)}, the key gives {_cards(chosen)}"
            raise _OtherChoice(Found(text, round_number, trick))
        return chosen

    return choose


def _decisions(stored: RoundRecord, again: RoundRecord, number: int) -> Iterator[Found]:
    """Check who decided, and the time charged for it; cards and points were checked before."""
    if stored.stand_in != again.stand_in:
        place = min(set(stored.stand_in) ^ set(again.stand_in), default=0)
        who = "the stand-in" if place in stored.stand_in else "the bot"
        text = f"decision {place} is said to be of {who}, the faults say otherwise"
        yield Found(text, number, _trick(place, len(stored.passes)))
    for place, (kept, took) in enumerate(zip(stored.took_us, again.took_us, strict=False)):
        if kept != took:
            text = f"decision {place} is charged {kept} us, played again {took} us"
            yield Found(text, number, _trick(place, len(stored.passes)))
    if stored.plays != again.plays or stored.passes != again.passes:
        yield Found("other cards are played when it is played again", number)


def _trick(decision: int, players: int) -> int | None:
    """Return the trick of a decision, or None for a pass."""
    return (decision - players) // players if decision >= players else None


def _faults(record: MatchRecord, result: MatchResult) -> Iterator[Found]:
    """Check that every stored fault belongs to a question that was really asked, once."""
    stored, again = Counter(record.faults), Counter(result.faults)
    for fault in (stored - again) or (again - stored):
        text = f"the fault {fault.kind.value} of seat {fault.seat} belongs to no question of the match"
        yield Found(text, fault.round, fault.trick)


def _value(value: object) -> str:
    return "none" if value is None else str(value)
