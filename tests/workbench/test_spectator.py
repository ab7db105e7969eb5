"""What is shown of a match, whatever the order in which its lines go out and come in."""

from __future__ import annotations

import random

import pytest

from arena.deals import Deals, MatchKey, seeded_secret
from arena.match.game import Match, addressed
from arena.match.record import MatchSetup, Terms
from arena.match.stand_in import from_deals
from arena.workbench.spectator import Spectator
from protocol.codec import decode, encode
from protocol.messages import answer_line

pytestmark = pytest.mark.slow

PLAYERS, ROUNDS = 3, 3
NAMES = ("Ann", "Bea", "Cem")


def shown(order: random.Random | None) -> str:
    """A match shown, news going out ahead of each seat's next question, and passes asked in some order."""
    deals, key = Deals(seeded_secret("spectator", 0)), MatchKey(0, 0, 0)
    boards = tuple(deals.board(number, PLAYERS) for number in range(ROUNDS))
    seeds = tuple(deals.bot_seed(key, seat) for seat in range(PLAYERS))
    match = Match(MatchSetup(boards, deals.suits(key), seeds, Terms(1000, 0, 40, 3)), from_deals(deals, key))
    spectator, text = Spectator(NAMES), []
    waiting: list[list[bytes]] = [[] for _ in range(PLAYERS)]

    def hear(seat: int, line: bytes, *, from_bot: bool = False) -> None:
        text.extend(spectator.heard(seat, from_bot, line))

    def tell() -> None:
        for seat, message in match.take_news():
            waiting[seat].append(encode(addressed(message, 0)))

    match.begin()
    tell()
    while not match.over:
        seats = match.waiting()
        seat = order.choice(seats) if order else seats[0]
        message = addressed(match.ask(seat).message, 0, "id")
        for line in [*waiting[seat], encode(message)]:
            hear(seat, line)
        waiting[seat].clear()
        known = decode(encode(message))
        count = known.get("count")
        cards = known["hand"][:count] if count else known["legal"][:1]
        hear(seat, answer_line("id", cards if count else cards[0]), from_bot=True)
        assert match.answer(seat, cards, 0) is None
        tell()
    for seat in range(PLAYERS):
        for line in waiting[seat]:
            hear(seat, line)
    return "".join(text)


def test_each_round_has_its_hands_passes_and_tricks() -> None:
    text = shown(None)
    for number, part in enumerate(text.split("\nRound ")[1:]):
        lines = part.splitlines()
        assert lines[0] == f"{number}, {NAMES[number]} deals"
        assert [line.split()[:2] for line in lines[1:7]] == [
            [name, what] for what in ("holds", "passes") for name in NAMES
        ]
        assert lines[7].startswith("  the Papayoo is ")
        assert [line.split()[0] for line in lines[8:]] == [str(trick) for trick in range(20)]
        assert all(" -> " in line for line in lines[8:])


@pytest.mark.parametrize("seed", range(5))
def test_the_order_in_which_bots_pass_does_not_show(seed: int) -> None:
    assert shown(random.Random(seed)) == shown(None)
