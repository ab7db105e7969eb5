"""The catalogue of patterns: things that a bot may do again and again, each seen in a single decision.

A pattern looks at a decision and says: not such a place (None), a place where it could be done (False), or
done (True). It must not look at what the decision led to, nor judge it: whether a pattern costs anything is
measured, and most are right now and then.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from arena.papayoo import PAPAYOOS, PAYOO, PLAIN_SUITS, SUIT_MASKS, cards_of
from arena.papayoo.cards import SUIT_OF
from arena.review.phases import Phase
from arena.review.sight import RANK, Sight
from arena.review.situations import LETTERS

__all__ = ["PATTERNS", "Pattern", "by_phase"]

_PLAIN: Final = sum(SUIT_MASKS[suit] for suit in PLAIN_SUITS)
_PAYOOS: Final = SUIT_MASKS[PAYOO]
_SEVENS: Final = sum(1 << card for card in PAPAYOOS)
_HIGH_PLAIN: Final = sum(0b111 << 10 * suit + 7 for suit in PLAIN_SUITS)
_MIDDLE: Final = sum(0b111 << 10 * suit + 3 for suit in PLAIN_SUITS)
_LOW_PLAIN: Final = sum(0b111 << 10 * suit for suit in PLAIN_SUITS)
_LOW: Final = _LOW_PLAIN | 0b111 << 40
_LOW_FIVE: Final = sum(0b11111 << 10 * suit for suit in PLAIN_SUITS) | 0b11111 << 40
_LOW_PAYOOS: Final = 0b11111 << 40
_HIGH_PAYOOS: Final = _PAYOOS & ~((1 << 50) - 1)
_TOP_PAYOOS: Final = _PAYOOS & ~((1 << 55) - 1)

Done = bool | None
Look = Callable[[Sight], Done]


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern of the decisions of one phase. `words`: what the bot does, after its name.

    `excused`: sound play (`arena.review.survey`) is no fault here. It is one where the pattern is about what
    the policy of sound play does not look at.
    """

    key: str
    words: str
    phase: Phase
    done: Look
    excused: bool = True


def _keeps(cards: int, most: int = 0) -> Look:
    """Return a pattern of passes: who holds more than `most` of some cards passes none of them."""

    def done(sight: Sight) -> Done:
        if (sight.hand & cards).bit_count() <= most:
            return None
        return not sight.chosen & cards

    return done


def _gives(cards: int, other: int = 0) -> Look:
    """Return a pattern: chooses one of `cards`, where it holds some of them, and keeps some of `other`."""

    def done(sight: Sight) -> Done:
        rest = sight.legal & (other or ~cards)
        if not sight.legal & cards or not rest:
            return None
        return bool(sight.chosen & cards and rest & ~sight.chosen)

    return done


def _extreme_passed(*, highest: bool) -> Look:
    """Return a pattern: passes the cards of the highest ranks of all suits, or of the lowest."""

    def done(sight: Sight) -> Done:
        passed = sorted([RANK[card] for card in cards_of(sight.chosen)])
        return passed == sorted(sorted(sight.ranks(), reverse=highest)[: len(passed)])

    return done


def _no_void(sight: Sight) -> Done:
    """It could have passed the whole of a plain suit, and did not."""
    hand, passed = sight.hand, sight.chosen
    count = passed.bit_count()
    short = [SUIT_MASKS[suit] for suit in PLAIN_SUITS if 1 <= (hand & SUIT_MASKS[suit]).bit_count() <= count]
    return all(hand & suit & ~passed for suit in short) if short else None


def _spread(sight: Sight) -> Done:
    """Each card passed is of another suit, though two could have been of one."""
    count = sight.chosen.bit_count()
    held = [(sight.hand & suit).bit_count() for suit in SUIT_MASKS]
    if count < 2 or max(held) < 2 or sum(number > 0 for number in held) < count:
        return None
    return all((sight.chosen & suit).bit_count() <= 1 for suit in SUIT_MASKS)


def _from_longest(sight: Sight) -> Done:
    """All cards passed are of the longest plain suit, though it could have shortened another."""
    held = [(sight.hand & SUIT_MASKS[suit]).bit_count() for suit in PLAIN_SUITS]
    if max(held) < sight.chosen.bit_count() or sum(number > 0 for number in held) < 2:
        return None
    return not sight.chosen & ~SUIT_MASKS[held.index(max(held))]


def _plain_passed_only(sight: Sight) -> Done:
    """It holds P11 or above and passes plain cards of rank 6 or below among others."""
    low = (_PLAIN & ~_HIGH_PLAIN & ~_SEVENS) & sight.hand
    if not sight.hand & _HIGH_PAYOOS or not low:
        return None
    return bool(sight.chosen & low and sight.hand & _HIGH_PAYOOS & ~sight.chosen)


def _highest(sight: Sight) -> Done:
    ranks = sight.ranks()
    return RANK[sight.card] == max(ranks) if min(ranks) < max(ranks) else None


def _lowest(sight: Sight) -> Done:
    ranks = sight.ranks()
    return RANK[sight.card] == min(ranks) if min(ranks) < max(ranks) else None


def _top_of_suit(sight: Sight) -> Done:
    if all((sight.hand & suit).bit_count() < 2 for suit in SUIT_MASKS):
        return None
    own = sight.hand & SUIT_MASKS[SUIT_OF[sight.card]]
    return own.bit_count() > 1 and own.bit_length() - 1 == sight.card


def _papayoo(sight: Sight) -> Done:
    return sight.card == sight.papayoo if sight.legal >> sight.papayoo & 1 else None


def _papayoo_kept(sight: Sight) -> Done:
    return sight.card != sight.papayoo if sight.legal >> sight.papayoo & 1 else None


def _above_papayoo(sight: Sight) -> int:
    """Return the cards above the Papayoo in its suit."""
    return _HIGH_PLAIN & SUIT_MASKS[SUIT_OF[sight.papayoo]]


def _above_papayoo_led(sight: Sight) -> Done:
    above = _above_papayoo(sight)
    if not sight.others >> sight.papayoo & 1 or not sight.legal & above or not sight.legal & ~above:
        return None
    return bool(above & sight.chosen)


def _papayoo_suit_led(sight: Sight) -> Done:
    """It holds the Papayoo, and leads another card of its suit."""
    of_suit = SUIT_MASKS[SUIT_OF[sight.papayoo]] & ~(1 << sight.papayoo)
    if not sight.hand >> sight.papayoo & 1 or not sight.legal & of_suit or not sight.legal & ~of_suit:
        return None
    return bool(of_suit & sight.chosen)


def _void_suit_led(sight: Sight) -> Done:
    """Another has shown to have none of the suit, and there was a suit of which nobody has."""
    void = 0
    for suit, mask in enumerate(SUIT_MASKS):
        if sight.voids >> suit & 1:
            void |= mask
    if not sight.legal & void or not sight.legal & ~void:
        return None
    return bool(void & sight.chosen)


def _own_suit_led(sight: Sight) -> Done:
    """Nobody else has a card of the suit, so that the lead takes whatever is thrown."""
    alone = sum(suit for suit in SUIT_MASKS if not sight.others & suit)
    if not sight.legal & alone or not sight.legal & ~alone:
        return None
    return bool(alone & sight.chosen)


def _same_suit_led(sight: Sight) -> Done:
    """The trick before was led with the same suit."""
    if sight.question < 2:
        return None
    before = SUIT_MASKS[SUIT_OF[sight.course.tricks[sight.question - 2].cards[0]]]
    if not sight.legal & before or not sight.legal & ~before:
        return None
    return bool(before & sight.chosen)


def _letter_led(letter: str) -> Look:
    """Return a pattern: leads the plain suit that bears this letter in the match."""

    def done(sight: Sight) -> Done:
        of_suit = SUIT_MASKS[sight.course.suits.index(letter)]
        if not sight.legal & of_suit or not sight.legal & ~of_suit:
            return None
        return bool(of_suit & sight.chosen)

    return done


def _by_length(longest: bool) -> Look:
    """Return a pattern: chooses of the suit of which it holds most, or fewest."""

    def done(sight: Sight) -> Done:
        lengths = [number for suit in SUIT_MASKS if (number := (sight.hand & suit).bit_count())]
        own = (sight.hand & SUIT_MASKS[SUIT_OF[sight.card]]).bit_count()
        least, most = min(lengths), max(lengths)
        return own == (most if longest else least) if least < most else None

    return done


def _over(points: bool | None, last: bool | None = None) -> Look:
    """Return a pattern: takes the lead of the trick though it could stay under.

    `points`: whether points lie there; `last`: whether nobody plays after it; None where either will do.
    """

    def done(sight: Sight) -> Done:
        if not sight.under or sight.under == sight.legal:
            return None
        if points not in {None, sight.pot > 0} or last not in {None, sight.last}:
            return None
        return not sight.under & sight.chosen

    return done


def _low_under(sight: Sight) -> Done:
    under = sight.under
    return (under & -under) == sight.chosen if under.bit_count() > 1 else None


def _not_highest_under(sight: Sight) -> Done:
    """It stays under, and keeps a higher card that would stay under too."""
    under = sight.under
    if under.bit_count() < 2:
        return None
    return bool(under & sight.chosen) and under.bit_length() - 1 != sight.card


def _ducks_last(sight: Sight) -> Done:
    """Last to play on no points, it could take with a high card at no cost, and stays under."""
    if not sight.last or sight.pot or not sight.under or sight.under == sight.legal:
        return None
    return bool(sight.under & sight.chosen)


def _papayoo_kept_under(sight: Sight) -> Done:
    return sight.card != sight.papayoo if sight.under >> sight.papayoo & 1 else None


def _papayoo_on_top(sight: Sight) -> Done:
    return sight.card == sight.papayoo if sight.legal & ~sight.under & 1 << sight.papayoo else None


def _over_papayoo(sight: Sight) -> Done:
    """It plays above the Papayoo, which another holds who may still play to this trick."""
    above = _above_papayoo(sight)
    if sight.last or not sight.others >> sight.papayoo & 1 or not sight.legal & above:
        return None
    return bool(above & sight.chosen and not sight.under & sight.chosen) if sight.legal & ~above else None


def _low_when_taking(sight: Sight) -> Done:
    """Last to play and sure to take, it keeps a higher card."""
    return sight.card != sight.legal.bit_length() - 1 if sight.last and not sight.under else None


def _high_when_early(sight: Sight) -> Done:
    """Not the last to play and above all cards on the table, it plays its highest."""
    return sight.card == sight.legal.bit_length() - 1 if not sight.last and not sight.under else None


def _payoos_kept(sight: Sight) -> Done:
    if sight.legal >> sight.papayoo & 1 or not sight.legal & _HIGH_PAYOOS or not sight.legal & _PLAIN:
        return None
    return bool(sight.chosen & _PLAIN)


def _above_kept(sight: Sight) -> Done:
    """It could throw a card above the Papayoo, which another holds, and does not."""
    above = _above_papayoo(sight) & sight.legal
    if not above or not sight.others >> sight.papayoo & 1 or not sight.legal & ~above:
        return None
    return not above & sight.chosen


_PASS, _LEAD, _FOLLOW, _DISCARD = Phase.PASS, Phase.LEAD, Phase.FOLLOW, Phase.DISCARD

_OF_PASSES = (
    ("pass-keeps-sevens", "passes no 7, though it holds some", _keeps(_SEVENS)),
    ("pass-sevens", "passes a 7", _gives(_SEVENS)),
    ("pass-keeps-payoos", "passes none of P16 to P20, though it holds some", _keeps(_TOP_PAYOOS)),
    ("pass-no-payoo", "passes no Payoo, though it holds P11 or above", _keeps(_HIGH_PAYOOS)),
    ("pass-keeps-high", "passes no 8, 9 or 10, though it holds two or more", _keeps(_HIGH_PLAIN, 1)),
    ("pass-low", "passes cards of rank 1 to 3", _gives(_LOW)),
    ("pass-middle",
        "passes cards of rank 4 to 6 and keeps an 8, 9 or 10", _gives(_MIDDLE, _HIGH_PLAIN)
    ),
    ("pass-low-payoos", "passes P1 to P5 and keeps P11 or above", _gives(_LOW_PAYOOS, _HIGH_PAYOOS)),
    ("pass-plain", "passes plain cards below 7 and keeps P11 or above", _plain_passed_only),
    ("pass-lowest", "passes its lowest cards", _extreme_passed(highest=False)),
    ("pass-highest", "passes its highest cards, whatever their suits", _extreme_passed(highest=True)),
    ("pass-no-void", "passes no plain suit away whole, though it could", _no_void),
    ("pass-spread", "passes each card of another suit", _spread),
    ("pass-longest", "passes only cards of its longest plain suit", _from_longest),
)  # fmt: skip

_OF_LEADS = (
    ("lead-highest", "leads its highest card", _highest),
    ("lead-lowest", "leads its lowest card", _lowest),
    ("lead-top", "leads the highest of several cards of a suit", _top_of_suit),
    ("lead-papayoo", "leads the Papayoo", _papayoo),
    ("lead-above-papayoo", "leads above the Papayoo while another holds it", _above_papayoo_led),
    ("lead-papayoo-suit", "leads the Papayoo's suit while it holds the Papayoo", _papayoo_suit_led),
    ("lead-payoo", "leads a Payoo, though it holds other cards", _gives(_PAYOOS)),
    ("lead-high-payoo", "leads P11 or above, though it holds other cards", _gives(_HIGH_PAYOOS)),
    ("lead-plain", "leads a plain card, though it holds P1 to P5", _gives(_PLAIN, _LOW_PAYOOS)),
    ("lead-high",
        "leads an 8, 9 or 10, though it holds a card of rank 1 to 5", _gives(_HIGH_PLAIN, _LOW_FIVE)
    ),
    ("lead-middle",
        "leads a card of rank 4 to 6, though it holds one of rank 1 to 3", _gives(_MIDDLE, _LOW)
    ),
    ("lead-void",
        "leads a suit that another has shown not to have, though it holds others", _void_suit_led
    ),
    ("lead-own", "leads a suit that nobody else has, though it holds others", _own_suit_led),
    ("lead-same", "leads the suit of the trick before, though it holds others", _same_suit_led),
    ("lead-longest", "leads from its longest suit", _by_length(True)),
    ("lead-shortest", "leads from its shortest suit", _by_length(False)),
    *(
        (f"lead-{letter}", f"leads {name}, though it holds others", _letter_led(letter))
        for letter, name in LETTERS
    ),
)  # fmt: skip

_OF_FOLLOWS = (
    ("follow-over-points",
        "goes over points that lie on the table, though it could stay under", _over(True)
    ),
    ("follow-over", "goes over a trick without points, though it could stay under", _over(False)),
    ("follow-over-last",
        "takes points as the last to play, though it could stay under", _over(True, last=True)
    ),
    ("follow-over-papayoo",
        "plays above the Papayoo while it may still fall in the trick", _over_papayoo
    ),
    ("follow-highest", "follows with its highest card", _highest),
    ("follow-lowest", "follows with its lowest card", _lowest),
    ("follow-low", "stays under with its lowest card, though a higher one would do", _low_under),
    ("follow-not-highest", "stays under and keeps a higher card that would do", _not_highest_under),
    ("follow-ducks",
        "stays under a trick without points as the last to play, and keeps its high card", _ducks_last
    ),
    ("follow-keeps-papayoo",
        "keeps the Papayoo when it could play it under a higher card", _papayoo_kept_under
    ),
    ("follow-papayoo-on-top", "plays the Papayoo on top of a trick", _papayoo_on_top),
    ("follow-takes-low", "takes a trick as the last to play, and keeps a higher card", _low_when_taking),
    ("follow-high-early",
        "goes over with its highest card while others are still to play", _high_when_early
    ),
)  # fmt: skip

_OF_DISCARDS = (
    ("discard-keeps-papayoo", "keeps the Papayoo when it could throw it", _papayoo_kept),
    ("discard-highest", "throws its highest card", _highest),
    ("discard-lowest", "throws its lowest card", _lowest),
    ("discard-keeps-payoos", "throws a card without points while it holds P11 or above", _payoos_kept),
    ("discard-low-payoos", "throws P1 to P5 and keeps P11 or above", _gives(_LOW_PAYOOS, _HIGH_PAYOOS)),
    ("discard-low",
        "throws a plain card of rank 1 to 5 and keeps higher ones",
        _gives(_LOW_FIVE & _PLAIN, _HIGH_PLAIN),
    ),
    ("discard-payoo", "throws a Payoo, though it holds an 8, 9 or 10", _gives(_PAYOOS, _HIGH_PLAIN)),
    ("discard-keeps-above", "keeps cards above the Papayoo when it could throw them", _above_kept),
    ("discard-longest", "throws from its longest suit", _by_length(True)),
    ("discard-shortest", "throws from its shortest suit", _by_length(False)),
)  # fmt: skip

_ABOUT_VOIDS: Final = frozenset({"lead-void"})

PATTERNS: Final = tuple(
    Pattern(key, words, phase, done, excused=key not in _ABOUT_VOIDS)
    for phase, patterns in (
        (_PASS, _OF_PASSES),
        (_LEAD, _OF_LEADS),
        (_FOLLOW, _OF_FOLLOWS),
        (_DISCARD, _OF_DISCARDS),
    )
    for key, words, done in patterns
)
"""The catalogue."""


def by_phase(phase: Phase) -> tuple[Pattern, ...]:
    """Return the patterns of a phase."""
    return tuple(pattern for pattern in PATTERNS if pattern.phase is phase)
