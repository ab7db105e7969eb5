"""The catalogue of patterns: things that a bot may do again and again, each seen in a single decision.

A pattern looks at a decision and says: not such a place (None), a place where it could be done (False), or
done (True). It must not look at what the decision led to, nor judge it: whether a pattern costs anything is
measured, and most are right now and then.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from arena.papayoo import CARD_POINTS, PAPAYOOS, PAYOO, PLAIN_SUITS, SUIT_MASKS, cards_of, rank_of, suit_of
from arena.review.course import Course, Play
from arena.review.phases import Phase

__all__ = ["PASSES", "PLAYS", "PassPattern", "PlayPattern"]

_SEVENS: Final = sum(1 << card for card in PAPAYOOS)
_HIGH_PLAIN: Final = sum(0b111 << 10 * suit + 7 for suit in PLAIN_SUITS)
_LOW: Final = sum(0b111 << 10 * suit for suit in PLAIN_SUITS) | 0b111 << 40
_LOW_FIVE: Final = sum(0b11111 << 10 * suit for suit in PLAIN_SUITS) | 0b11111 << 40
_HIGH_PAYOOS: Final = SUIT_MASKS[PAYOO] & ~((1 << 50) - 1)
_TOP_PAYOOS: Final = SUIT_MASKS[PAYOO] & ~((1 << 55) - 1)

Done = bool | None


@dataclass(frozen=True, slots=True)
class PassPattern:
    """A pattern of passes. `words`: what the bot does, after its name. `done`: of a seat in a round."""

    key: str
    words: str
    done: Callable[[Course, int], Done]


@dataclass(frozen=True, slots=True)
class PlayPattern:
    """A pattern of plays of one phase, which had a choice."""

    key: str
    words: str
    phase: Phase
    done: Callable[[Course, Play], Done]


def _pass_of(held: int, kept_all: bool, most: int = 0) -> Callable[[Course, int], Done]:
    """Return a pattern of who holds more than `most` of some cards: done if it keeps all, or passes any."""

    def done(course: Course, seat: int) -> Done:
        if (course.dealt[seat] & held).bit_count() <= most:
            return None
        return (not course.passed[seat] & held) == kept_all

    return done


def _lowest_passed(course: Course, seat: int) -> Done:
    ranks = sorted(map(rank_of, cards_of(course.dealt[seat])))
    passed = sorted(map(rank_of, cards_of(course.passed[seat])))
    return passed == ranks[: len(passed)]


def _no_void(course: Course, seat: int) -> Done:
    """It could have passed the whole of a plain suit, and did not."""
    hand, passed = course.dealt[seat], course.passed[seat]
    count = passed.bit_count()
    short = [SUIT_MASKS[suit] for suit in PLAIN_SUITS if 1 <= (hand & SUIT_MASKS[suit]).bit_count() <= count]
    return all(hand & suit & ~passed for suit in short) if short else None


def _highest_led(course: Course, play: Play) -> Done:
    ranks = [rank_of(card) for card in cards_of(play.legal)]
    return rank_of(play.card) == max(ranks) if min(ranks) < max(ranks) else None


def _lowest_led(course: Course, play: Play) -> Done:
    ranks = [rank_of(card) for card in cards_of(play.legal)]
    return rank_of(play.card) == min(ranks) if min(ranks) < max(ranks) else None


def _top_of_suit_led(course: Course, play: Play) -> Done:
    if all((play.hand & suit).bit_count() < 2 for suit in SUIT_MASKS):
        return None
    own = play.hand & SUIT_MASKS[suit_of(play.card)]
    return own.bit_count() > 1 and own.bit_length() - 1 == play.card


def _papayoo_led(course: Course, play: Play) -> Done:
    papayoo = PAPAYOOS[course.papayoo_suit]
    return play.card == papayoo if play.legal >> papayoo & 1 else None


def _above_papayoo_led(course: Course, play: Play) -> Done:
    papayoo = PAPAYOOS[course.papayoo_suit]
    above = _HIGH_PLAIN & SUIT_MASKS[course.papayoo_suit]
    elsewhere = play.out & ~play.hand
    if not elsewhere >> papayoo & 1 or not play.legal & above or not play.legal & ~above:
        return None
    return bool(above >> play.card & 1)


def _led_from(cards: int, other: int) -> Callable[[Course, Play], Done]:
    """Return a pattern of leads where a seat has some of `cards`, and of the `other` ones too."""

    def done(course: Course, play: Play) -> Done:
        if not play.legal & cards or not play.legal & other:
            return None
        return bool(cards >> play.card & 1)

    return done


def _void_suit_led(course: Course, play: Play) -> Done:
    """Another has shown to have none of the suit, and there was a suit of which nobody has."""
    shown = 0
    for seat, suits in enumerate(play.voids):
        shown |= suits if seat != play.seat else 0
    void = sum(SUIT_MASKS[suit] for suit in range(len(SUIT_MASKS)) if shown >> suit & 1)
    if not play.legal & void or not play.legal & ~void:
        return None
    return bool(void >> play.card & 1)


def _own_suit_led(course: Course, play: Play) -> Done:
    """Nobody else has a card of the suit, so that the lead takes whatever is thrown."""
    others = play.out & ~play.hand
    alone = sum(suit for suit in SUIT_MASKS if not others & suit)
    if not play.legal & alone or not play.legal & ~alone:
        return None
    return bool(alone >> play.card & 1)


def _under(play: Play) -> int:
    """Return the legal cards below the one that is winning the trick."""
    led = SUIT_MASKS[suit_of(play.table[0])]
    best = max(card for card in play.table if led >> card & 1)
    return play.legal & ((1 << best) - 1)


def _points_on(course: Course, play: Play) -> int:
    return sum(CARD_POINTS[course.papayoo_suit][card] for card in play.table)


def _went_over(with_points: bool) -> Callable[[Course, Play], Done]:
    def done(course: Course, play: Play) -> Done:
        under = _under(play)
        if not under or under == play.legal or (_points_on(course, play) > 0) != with_points:
            return None
        return not under >> play.card & 1

    return done


def _low_under(course: Course, play: Play) -> Done:
    under = _under(play)
    if under.bit_count() < 2:
        return None
    return play.card == (under & -under).bit_length() - 1


def _papayoo_kept_under(course: Course, play: Play) -> Done:
    papayoo = PAPAYOOS[course.papayoo_suit]
    return play.card != papayoo if _under(play) >> papayoo & 1 else None


def _papayoo_on_top(course: Course, play: Play) -> Done:
    papayoo = PAPAYOOS[course.papayoo_suit]
    on_top = play.legal & ~_under(play)
    return play.card == papayoo if on_top >> papayoo & 1 else None


def _low_when_taking(course: Course, play: Play) -> Done:
    """Last to play and sure to take, it keeps the higher card."""
    if len(play.table) != course.players - 1 or _under(play):
        return None
    return play.card != play.legal.bit_length() - 1


def _papayoo_kept(course: Course, play: Play) -> Done:
    papayoo = PAPAYOOS[course.papayoo_suit]
    return play.card != papayoo if play.legal >> papayoo & 1 else None


def _lowest_thrown(course: Course, play: Play) -> Done:
    ranks = [rank_of(card) for card in cards_of(play.legal)]
    return rank_of(play.card) == min(ranks) if min(ranks) < max(ranks) else None


def _payoos_kept(course: Course, play: Play) -> Done:
    papayoo = PAPAYOOS[course.papayoo_suit]
    if play.legal >> papayoo & 1 or not play.legal & _HIGH_PAYOOS or not play.legal & ~SUIT_MASKS[PAYOO]:
        return None
    return suit_of(play.card) != PAYOO


PASSES: Final = (
    PassPattern("pass-keeps-sevens", "passes no 7, though it holds some", _pass_of(_SEVENS, True)),
    PassPattern("pass-keeps-payoos",
        "passes none of P16 to P20, though it holds some", _pass_of(_TOP_PAYOOS, True)
    ),
    PassPattern("pass-keeps-high",
        "passes no 8, 9 or 10, though it holds two or more", _pass_of(_HIGH_PLAIN, True, 1)
    ),
    PassPattern("pass-low", "passes cards of rank 1 to 3", _pass_of(_LOW, False)),
    PassPattern("pass-lowest", "passes its lowest cards", _lowest_passed),
    PassPattern("pass-no-void", "passes no plain suit away whole, though it could", _no_void),
)  # fmt: skip
"""The patterns of passes."""

_LEAD, _FOLLOW, _DISCARD = Phase.LEAD, Phase.FOLLOW, Phase.DISCARD

PLAYS: Final = (
    PlayPattern("lead-highest", "leads its highest card", _LEAD, _highest_led),
    PlayPattern("lead-lowest", "leads its lowest card", _LEAD, _lowest_led),
    PlayPattern("lead-top", "leads the highest of several cards of a suit", _LEAD, _top_of_suit_led),
    PlayPattern("lead-papayoo", "leads the Papayoo", _LEAD, _papayoo_led),
    PlayPattern("lead-above-papayoo",
        "leads above the Papayoo while another holds it", _LEAD, _above_papayoo_led
    ),
    PlayPattern("lead-high-payoo",
        "leads P11 or above, though it holds other cards", _LEAD, _led_from(_HIGH_PAYOOS, ~_HIGH_PAYOOS)
    ),
    PlayPattern("lead-high",
        "leads an 8, 9 or 10, though it holds a card of rank 1 to 5", _LEAD, _led_from(_HIGH_PLAIN, _LOW_FIVE)
    ),
    PlayPattern("lead-void",
        "leads a suit that another has shown not to have, though it holds others", _LEAD, _void_suit_led
    ),
    PlayPattern("lead-own",
        "leads a suit that nobody else has, though it holds others", _LEAD, _own_suit_led
    ),
    PlayPattern("follow-over-points",
        "goes over points that lie on the table, though it could stay under", _FOLLOW, _went_over(True)
    ),
    PlayPattern("follow-over",
        "goes over a trick without points, though it could stay under", _FOLLOW, _went_over(False)
    ),
    PlayPattern("follow-low",
        "stays under with its lowest card, though a higher one would do", _FOLLOW, _low_under
    ),
    PlayPattern("follow-keeps-papayoo",
        "keeps the Papayoo when it could play it under a higher card", _FOLLOW, _papayoo_kept_under
    ),
    PlayPattern("follow-papayoo-on-top", "plays the Papayoo on top of a trick", _FOLLOW, _papayoo_on_top),
    PlayPattern("follow-takes-low",
        "takes a trick as the last to play, and keeps a higher card", _FOLLOW, _low_when_taking
    ),
    PlayPattern("discard-keeps-papayoo", "keeps the Papayoo when it could throw it", _DISCARD, _papayoo_kept),
    PlayPattern("discard-lowest", "throws its lowest card", _DISCARD, _lowest_thrown),
    PlayPattern("discard-keeps-payoos",
        "throws a card without points while it holds P11 or above", _DISCARD, _payoos_kept
    ),
)  # fmt: skip
"""The patterns of plays."""
