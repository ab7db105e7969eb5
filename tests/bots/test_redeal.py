"""Redeal, in Python and in C: its deals fit all that was seen, it is in time, and it is strong."""

from __future__ import annotations

import os
import signal
import subprocess
from collections import Counter
from pathlib import Path
from random import Random
from threading import Event, Thread
from time import monotonic
from typing import Any

import pytest

from arena.papayoo import Position, cards_of, mask_of, parse_card
from arena.strategy import Seen
from tests.bots.playing import Chooser, play_match
from tests.bots.programs import BOTS, BotProcess, compiled_bots, need, program
from tests.bots.redealing import (
    REDEAL,
    Cards,
    Dealing,
    InProcess,
    Moment,
    Watcher,
    deal_in_c,
    deal_in_python,
    modules,
    suit_masks,
)


@pytest.fixture(scope="module")
def c_bots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The C bots, compiled."""
    return compiled_bots(tmp_path_factory)


@pytest.fixture(scope="module")
def dealer_in_c(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The dealer of redeal_deals.c, compiled."""
    need("cc")
    out, source = tmp_path_factory.mktemp("c") / "deals", BOTS / "c/redeal"
    strict = ["cc", "-O2", "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I", str(source)]
    dealer = [str(Path(__file__).with_name("redeal_deals.c")), str(source / "deal.c")]
    subprocess.run([*strict, "-o", str(out), *dealer], check=True)
    return out


@pytest.fixture(params=["python", "c"])
def dealing(request: pytest.FixtureRequest) -> Dealing:
    if request.param == "python":
        return deal_in_python
    return deal_in_c(request.getfixturevalue("dealer_in_c"))


# ---------------------------------------------------------------------------- what is dealt again


def _moments(players: int, rounds: int = 1) -> list[Moment]:
    moments: list[Moment] = []
    table: list[Watcher] = []
    chance = Random(players)
    seats: list[Chooser] = [Watcher(chance, table, moments) for _ in range(players)]
    play_match(seats, rounds, chance)
    return moments


@pytest.mark.parametrize("players", range(3, 9))
def test_what_was_seen_is_true(players: int) -> None:
    checked = 0
    for moment in _moments(players, rounds=2):
        seen = moment.seen
        assert seen.agrees
        for seat, hand in enumerate(moment.hands or []):
            if seat != seen.me:
                checked += 1
                assert seen.held[seat] == hand.bit_count()
                assert seen.known[seat] & ~hand == 0
                assert hand & ~(seen.hidden & seen.possible[seat]) == 0
    assert checked > 100


@pytest.mark.parametrize("players", [3, 5, 8])
def test_every_deal_fits_all_that_was_seen(players: int, dealing: Dealing) -> None:
    moments = _moments(players)
    for moment in Random(0).sample(moments, 12):
        me = moment.seen.me
        hidden = moment.seen.hidden
        for hands in dealing(moment.seen, 5):
            assert hands[me] == 0
            assert sum(hand.bit_count() for hand in hands) == hidden.bit_count()
            assert mask_of(card for hand in hands for card in cards_of(hand)) == hidden
            assert [hand.bit_count() for seat, hand in enumerate(hands) if seat != me] == [
                held for seat, held in enumerate(moment.seen.held) if seat != me
            ]
            assert moment.mine & moment.out & ~hands[(me + 1) % players] == 0
            assert not any(hand & suit_masks(suits) for hand, suits in zip(hands, moment.voids, strict=True))


def _cards(names: str) -> int:
    return mask_of(map(parse_card, names.split()))


def _seen(held: list[int], possible: list[str], hidden: str, known: list[str] | None = None) -> Any:
    """What seat 0 has seen; `possible` in letters of suits, for seats from 1 on."""
    return Seen(
        me=0,
        held=[sum(held), *held],
        known=[0, *map(_cards, known or [""] * len(held))],
        possible=[0, *(suit_masks(set(letters)) for letters in possible)],
        hidden=_cards(hidden),
    )


def test_the_only_deal_there_is_is_found(dealing: Dealing) -> None:
    seen = _seen([2, 2, 2], ["S", "SH", "SHD"], "S1 S2 H1 H2 D1 D2")
    only = [0, _cards("S1 S2"), _cards("H1 H2"), _cards("D1 D2")]
    assert dealing(seen, 50) == [only] * 50
    tangled = _seen([3, 2, 1], ["SHC", "SD", "HD"], "S1 S2 H1 C1 D1 D2", ["C1", "D1", ""])
    assert {tuple(hands) for hands in dealing(tangled, 200)} == {
        (0, _cards("C1 H1 S1"), _cards("D1 S2"), _cards("D2")),
        (0, _cards("C1 H1 S2"), _cards("D1 S1"), _cards("D2")),
        (0, _cards("C1 S1 S2"), _cards("D1 D2"), _cards("H1")),
    }


def test_all_deals_are_about_equally_likely(dealing: Dealing) -> None:
    seen = _seen([2, 2, 2], ["SHDCP", "SD", "HDC"], "S1 S2 H1 H2 D1 D2")
    counts = Counter(tuple(hands) for hands in dealing(seen, 6000))
    fair = 6000 / len(counts)
    assert len(counts) == 6 + 4 * 3 + 1  # seat 2 has two spades, one of each suit, or two diamonds
    assert 0.75 * fair < min(counts.values())
    assert max(counts.values()) < 1.25 * fair


def test_voids_that_cannot_be_are_forgotten(dealing: Dealing) -> None:
    seen = _seen([2, 2], ["S", "S"], "S1 H1 H2 H3")
    for hands in dealing(seen, 20):
        assert [hand.bit_count() for hand in hands] == [0, 2, 2]
        assert hands[1] | hands[2] == seen.hidden


def test_numbers_that_cannot_be_are_noticed(dealing: Dealing) -> None:
    assert dealing(_seen([2, 2], ["SH", "SH"], "S1 H1 H2"), 1) == []
    assert dealing(_seen([1, 2], ["SH", "SH"], "S1 H1 H2", ["S1 H1", ""]), 1) == []


# ---------------------------------------------------------------------------- the choice


def test_a_sure_loss_is_not_chosen() -> None:
    """Last to play and void in the led suit: the Papayoo can be thrown for nothing; kept, it is ours."""
    hands = (_cards("D7 D1"), _cards("S2"), _cards("S3"), _cards("S4"))
    position = Position(
        papayoo_suit=2,
        dealer=1,
        leader=1,
        hands=hands,
        trick=tuple(map(parse_card, ("H3", "H2", "H1"))),
        points=(210, 0, 0, 0),
    )
    seen = _seen([1, 1, 1], ["SD"] * 3, "S2 S3 S4")
    assert REDEAL.search.search_card(position, seen, hands[0], Random(1), Cards(2000)) == parse_card("D7")


# ---------------------------------------------------------------------------- the clock


def _hold_up(pid: int, enough: Event) -> None:
    """Let a process run for about a tenth of the time."""
    while not enough.wait(0.01):
        os.kill(pid, signal.SIGSTOP)
        enough.wait(0.09)
        os.kill(pid, signal.SIGCONT)


PASS: dict[str, Any] = {
    "type": "pass", "id": "p1", "table": 0, "round": 0, "dealer": 0, "seat": 1,
    "hand": ["S1", "S2", "S9", "H3", "H7", "H10", "D5", "D7", "D10", "C1", "C9", "P1", "P2", "P9", "P20"],
    "count": 5, "scores": [0] * 4, "move_ms": 2000, "bank_ms": 0, "events": [],
}  # fmt: skip


@pytest.mark.parametrize("language", ["python-strong", "c"])
def test_it_answers_in_time_though_it_hardly_gets_the_processor(
    language: str, request: pytest.FixtureRequest
) -> None:
    compiled = request.getfixturevalue("c_bots") if language == "c" else BOTS
    with BotProcess(program(f"{language}/redeal", compiled)) as process:
        process.hello()
        enough = Event()
        holding_up = Thread(target=_hold_up, args=(process.pid, enough))
        holding_up.start()
        began = monotonic()
        try:
            process.ask(PASS)
        finally:
            enough.set()
            holding_up.join()
        assert monotonic() - began < PASS["move_ms"] / 1000


# ---------------------------------------------------------------------------- strength


@pytest.mark.slow
def test_it_beats_sharp(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each at each of three seats on the same boards, without a clock. A fair share is 83 points a round."""
    monkeypatch.setattr(REDEAL.bot, "Effort", lambda move_ms, cards_per_ms: Cards(50 * cards_per_ms))
    seats = [
        InProcess(REDEAL.bot),
        InProcess(modules("python/sharp").bot),
        InProcess(modules("python/sharp").bot),
    ]
    totals = [0, 0, 0]
    for boards in range(2):
        for turn in range(3):
            order = [(turn + place) % 3 for place in range(3)]
            scores = play_match([seats[which] for which in order], 3, Random(boards))
            for which, score in zip(order, scores, strict=True):
                totals[which] += score
    assert totals[0] < min(totals[1:])
    assert totals[0] < 18 * 75
