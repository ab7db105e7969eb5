"""Reasons, their codes, and the moves they are given for."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from arena.papayoo import Illegal, IllegalMove, Round, cards_of, mask_of
from tests.papayoo.setups import board_with, cards, choose_passes, mask, play_on, position_with, vectors

PASSES = vectors("illegal", "passes")
PLAYS = vectors("illegal", "plays")


def lowest(hand: list[int], count: int) -> list[int]:
    return hand[:count]


def named(case: dict[str, Any]) -> str:
    return str(case["name"])


def round_to_pass_in(case: dict[str, Any]) -> Round:
    round_ = Round.deal(board_with(mask(case["hand"]), case["players"]), dealer=0)
    if case["when"] == "chosen":
        round_.choose_pass(0, mask_of(lowest(cards_of(round_.hands[0]), round_.pass_count)))
    elif case["when"] == "playing":
        choose_passes(round_, lowest)
    return round_


def round_to_play_in(case: dict[str, Any]) -> Round:
    hand = mask(case["hand"])
    if case["when"] == "passing":
        return Round.deal(board_with(hand, case["players"]), dealer=0)
    if case["when"] == "playing":
        return Round.position(position_with(hand, cards(case["trick"]), case["players"]))
    round_ = Round.position(position_with(mask("S1 P2"), [], case["players"]))
    play_on(round_, Random(0))
    return round_


def reason_of(case: dict[str, Any]) -> Illegal | None:
    return None if case["reason"] is None else Illegal(case["reason"])


@pytest.mark.parametrize("case", PASSES, ids=named)
def test_passes(case: dict[str, Any]) -> None:
    round_ = round_to_pass_in(case)
    chosen = mask(case["cards"])
    reason = reason_of(case)
    assert round_.why_illegal_pass(0, chosen) is reason
    if reason is None:
        round_.choose_pass(0, chosen)
        assert round_.passed[0] == chosen
    else:
        before = list(round_.hands), list(round_.passed)
        with pytest.raises(IllegalMove) as raised:
            round_.choose_pass(0, chosen)
        assert raised.value.reason is reason
        assert (round_.hands, round_.passed) == before


@pytest.mark.parametrize("case", PLAYS, ids=named)
def test_plays(case: dict[str, Any]) -> None:
    round_ = round_to_play_in(case)
    [card] = cards(case["card"])
    reason = reason_of(case)
    assert round_.why_illegal_play(card) is reason
    if reason is None:
        round_.play(card)
        assert round_.trick[-1] == card
    else:
        before = list(round_.hands), list(round_.trick), round_.turn
        with pytest.raises(IllegalMove, match=reason.sentence) as raised:
            round_.play(card)
        assert raised.value.reason is reason
        assert (round_.hands, round_.trick, round_.turn) == before


def test_every_reason_has_a_vector() -> None:
    assert {reason_of(case) for case in PASSES + PLAYS} == {None, *Illegal}
