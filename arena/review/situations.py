"""Situations in which a decision may stand: who sits where, how far the round is, what lies and what is held.

A bot's fault may show only in some of them. A situation looks at nothing that the bot chose.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from arena.papayoo import MAX_PLAYERS, PAPAYOOS, PAYOO, PLAIN_SUITS, SUIT_MASKS
from arena.papayoo.cards import SUIT_OF
from arena.review.phases import Phase
from arena.review.sight import Sight

__all__ = ["LETTERS", "SITUATIONS", "Situation", "of_phase"]

_SEVENS: Final = sum(1 << card for card in PAPAYOOS)
_HIGH_PLAIN: Final = sum(0b111 << 10 * suit + 7 for suit in PLAIN_SUITS)
_TOP_PAYOOS: Final = SUIT_MASKS[PAYOO] & ~((1 << 55) - 1)
_MANY: Final = 10
"""Points on the table that are many."""
_ROUNDS: Final = 8
"""So many rounds of a match are told apart."""
_TRICKS: Final = 20

LETTERS: Final = (("S", "spades"), ("H", "hearts"), ("D", "diamonds"), ("C", "clubs"))
"""The plain suits as bots see them."""

_ALL = tuple(Phase)
_PLAYED = (Phase.LEAD, Phase.FOLLOW, Phase.DISCARD)
_ANSWERED = (Phase.FOLLOW, Phase.DISCARD)


@dataclass(frozen=True, slots=True)
class Situation:
    """A situation of decisions of some phases. `words`: when it is, to follow what the bot does."""

    key: str
    words: str
    phases: tuple[Phase, ...]
    holds: Callable[[Sight], bool]


def of_phase(phase: Phase) -> tuple[Situation, ...]:
    """Return the situations in which a decision of a phase may stand."""
    return tuple(situation for situation in SITUATIONS if phase in situation.phases)


def _part(sight: Sight) -> int:
    """Return the third of the round, 0 to 2, in which a trick is."""
    return 3 * (sight.question - 1) // len(sight.course.tricks)


def _holds_papayoo(sight: Sight) -> bool:
    return bool(sight.hand >> sight.papayoo & 1)


def _papayoo_elsewhere(sight: Sight) -> bool:
    return bool(sight.others >> sight.papayoo & 1)


def _above_papayoo(sight: Sight) -> bool:
    above = _HIGH_PLAIN & SUIT_MASKS[SUIT_OF[sight.papayoo]]
    return _papayoo_elsewhere(sight) and bool(sight.hand & above)


def _led(kind: int | None) -> Callable[[Sight], bool]:
    """Return whether Payoo was led; or, for None, a plain suit that is not the Papayoo's."""

    def holds(sight: Sight) -> bool:
        suit = SUIT_OF[sight.table[0]]
        return suit == kind if kind is not None else suit not in {PAYOO, sight.course.papayoo_suit}

    return holds


def _papayoo_suit_led(sight: Sight) -> bool:
    return SUIT_OF[sight.table[0]] == sight.course.papayoo_suit


def _short_suits(sight: Sight) -> int:
    return sum(not sight.hand & SUIT_MASKS[suit] for suit in PLAIN_SUITS)


def _seat(number: int) -> Callable[[Sight], bool]:
    return lambda sight: sight.seat == number


def _place(number: int) -> Callable[[Sight], bool]:
    return lambda sight: sight.course.position(sight.seat) == number


def _round(number: int) -> Callable[[Sight], bool]:
    return lambda sight: sight.course.number == number


def _trick(number: int) -> Callable[[Sight], bool]:
    return lambda sight: sight.question == number


def _third(number: int) -> Callable[[Sight], bool]:
    return lambda sight: _part(sight) == number


def _played_before(number: int) -> Callable[[Sight], bool]:
    return lambda sight: len(sight.table) == number


def _die(letter: str) -> Callable[[Sight], bool]:
    return lambda sight: sight.course.suits[sight.course.papayoo_suit] == letter


def _led_letter(letter: str) -> Callable[[Sight], bool]:
    def holds(sight: Sight) -> bool:
        suit = SUIT_OF[sight.table[0]]
        return suit != PAYOO and sight.course.suits[suit] == letter

    return holds


_SEATS = (
    *((f"seat-{number}", f"in seat {number}", _ALL, _seat(number)) for number in range(MAX_PLAYERS)),
    ("dealer", "as the dealer", _ALL, _place(0)),
    ("left-of-dealer", "to the left of the dealer", _ALL, _place(1)),
    *(
        (
            f"place-{number}",
            f"{number} seats to the left of the dealer",
            _ALL,
            _place(number),
        )
        for number in range(2, MAX_PLAYERS)
    ),
)

_TIMES = (
    *(
        (f"round-{number}", f"in round {number} of a match", _ALL, _round(number))
        for number in range(_ROUNDS)
    ),
    ("later-rounds", "after the first round of a match", _ALL, lambda sight: sight.course.number > 0),
    ("early", "in the first third of the round", _PLAYED, _third(0)),
    ("midway", "in the middle third of the round", _PLAYED, _third(1)),
    ("late", "in the last third of the round", _PLAYED, _third(2)),
    ("not-late", "in the first two thirds of the round", _PLAYED, lambda sight: _part(sight) < 2),
    *(
        (f"trick-{number}", f"in trick {number - 1}", _PLAYED, _trick(number))
        for number in range(1, _TRICKS + 1)
    ),
)  # fmt: skip

_TABLES = (
    ("last", "as the last to play", _ANSWERED, lambda sight: sight.last),
    ("second", "as the second to play", _ANSWERED, _played_before(1)),
    ("not-last", "while others are still to play", _ANSWERED, lambda sight: not sight.last),
    ("no-points", "while no points lie on the table", _ANSWERED, lambda sight: not sight.pot),
    ("points", "while points lie on the table", _ANSWERED, lambda sight: sight.pot > 0),
    ("many-points", f"while {_MANY} points or more lie on the table", _ANSWERED,
        lambda sight: sight.pot >= _MANY
    ),
    ("papayoo-lies", "while the Papayoo lies on the table", _ANSWERED, lambda s: s.papayoo in s.table),
    ("payoo-led", "when Payoo is led", _ANSWERED, _led(PAYOO)),
    ("papayoo-suit-led", "when the Papayoo's suit is led", _ANSWERED, _papayoo_suit_led),
    ("plain-led", "when another plain suit is led", _ANSWERED, _led(None)),
    ("may-duck", "when it could stay under", (Phase.FOLLOW,), lambda sight: sight.under > 0),
    ("must-take", "when all its cards are higher", (Phase.FOLLOW,), lambda sight: not sight.under),
    ("voids", "after another has shown to have none of a suit", _PLAYED, lambda sight: sight.voids > 0),
    ("no-voids", "before anybody has shown to have none of a suit", _PLAYED, lambda s: not s.voids),
)  # fmt: skip

_HANDS = (
    ("holds-papayoo", "while it holds the Papayoo", _PLAYED, _holds_papayoo),
    ("papayoo-out", "while another holds the Papayoo", _PLAYED, _papayoo_elsewhere),
    ("holds-above",
        "while it holds a card above the Papayoo, which another holds", _PLAYED, _above_papayoo
    ),
    ("papayoo-gone", "after the Papayoo has been played", _PLAYED,
        lambda sight: not (sight.hand | sight.others) >> sight.papayoo & 1
    ),
    ("holds-top", "while holding P16 or above", _ALL, lambda sight: bool(sight.hand & _TOP_PAYOOS)),
    ("holds-no-top", "while holding no Payoo above P15", _ALL, lambda s: not s.hand & _TOP_PAYOOS),
    ("holds-payoos", "while holding four Payoos or more", _ALL,
        lambda sight: (sight.hand & SUIT_MASKS[PAYOO]).bit_count() >= 4
    ),
    ("holds-sevens", "while holding two 7s or more", _ALL, lambda s: (s.hand & _SEVENS).bit_count() > 1),
    ("holds-high", "while holding two of 8, 9 and 10 or more", _ALL,
        lambda sight: (sight.hand & _HIGH_PLAIN).bit_count() > 1
    ),
    ("void", "without one of the plain suits", _ALL, lambda sight: _short_suits(sight) > 0),
    ("no-void", "while holding all plain suits", _ALL, lambda sight: not _short_suits(sight)),
    ("has-taken", "after taking points in the round", _PLAYED, lambda sight: sight.taken > 0),
    ("has-not-taken", "before taking points in the round", _PLAYED, lambda sight: not sight.taken),
    *(
        (f"die-{letter}", f"when the die shows {name}", _PLAYED, _die(letter))
        for letter, name in LETTERS
    ),
    *(
        (f"led-{letter}", f"when {name} are led", _ANSWERED, _led_letter(letter))
        for letter, name in LETTERS
    ),
)  # fmt: skip

SITUATIONS: Final = tuple(Situation(*each) for group in (_SEATS, _TIMES, _TABLES, _HANDS) for each in group)
"""All situations."""
