"""Positions made by hand for the tests of patterns and situations. It asserts nothing."""

from __future__ import annotations

from arena.deals import MatchKey
from arena.papayoo import PAPAYOOS, SUIT_MASKS, Trick, deck, mask_of, parse_card, suit_of
from arena.review.course import Course, Play
from arena.review.phases import Phase
from arena.review.sight import Sight, sights_of


def cards(names: str) -> list[int]:
    return [parse_card(name) for name in names.split()]


def a_pass(hand: str, passed: str) -> Sight:
    """Seat 1 of four passes these cards."""
    dealt = (0, mask_of(cards(hand)), 0, 0)
    course = _course(dealt, (0, mask_of(cards(passed)), 0, 0), "S7", (), ())
    return next(sight for sight in sights_of(course) if sight.seat == 1)


def a_play(
    hand: str, card: str, table: str = "", *, papayoo: str = "S7", voids: str = "", before: str = "",
    gone: str = "",
) -> Sight:  # fmt: skip
    """Seat 1 of four plays a card onto a trick.

    `voids`: suits that another has shown not to have. `before`: the trick before, whose first card was led.
    `gone`: cards that were played already; all others are in other hands.
    """
    held, lying = mask_of(cards(hand)), cards(table)
    legal, phase = held, Phase.LEAD
    if lying:
        follow = held & SUIT_MASKS[suit_of(lying[0])]
        legal, phase = (follow, Phase.FOLLOW) if follow else (held, Phase.DISCARD)
    shown = sum(1 << "SHDCP".index(letter) for letter in voids)
    played = mask_of([*lying, *cards(before), *cards(gone)])
    trick = 1 if before else 0
    play = Play(
        1,
        trick,
        phase,
        parse_card(card),
        held,
        legal,
        tuple(lying),
        deck(4) & ~played,
        (0, 0, shown, 0),
        False,
    )
    tricks = (Trick(0, tuple(cards(before)), 0, 0),) if before else ()
    course = _course((0, 0, 0, 0), (0, 0, 0, 0), papayoo, (play,), tricks)
    return next(sight for sight in sights_of(course) if sight.question)


def _course(
    dealt: tuple[int, ...], passed: tuple[int, ...], papayoo: str, plays: tuple[Play, ...],
    tricks: tuple[Trick, ...],
) -> Course:  # fmt: skip
    rest = (Trick(0, (0, 0, 0, 0), 0, 0),) * (15 - len(tricks))
    suit = PAPAYOOS.index(parse_card(papayoo))
    nobody = (0, 0, 0, 0)
    return Course(
        MatchKey(0, 0, 0),
        0,
        ("w", "x", "y", "z"),
        0,
        suit,
        dealt,
        passed,
        nobody,
        plays,
        (*tricks, *rest),
        nobody,
    )
