"""What the tests of Redeal share: its modules, a dealer in Python and one in C, and seats that watch a round.

It asserts nothing; test_redeal.py does.
"""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import ModuleType, SimpleNamespace
from typing import Any

from arena.papayoo import SUITS, mask_of, parse_card
from arena.strategy import Dealer
from papayoo_bot import Memory
from tests.bots.playing import Message
from tests.bots.programs import BOTS

Deals = list[list[int]]
Dealing = Callable[[Any, int], Deals]
"""Deals so many times what is hidden from a seat that has seen this: the hands by seat, as sets of cards."""


@contextmanager
def _found_first(folder: Path) -> Iterator[None]:
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))


def modules(bot: str) -> SimpleNamespace:
    """The modules of a bot in Python, by name; each call loads them anew, so they remember nothing.

    `bot`: its folder below bots/.
    """
    folder = BOTS / bot
    names = [path.stem for path in folder.glob("*.py")]
    with _found_first(folder):
        found: dict[str, ModuleType] = {name: importlib.import_module(name) for name in names}
    for name in names:
        del sys.modules[name]
    return SimpleNamespace(**found)


REDEAL = modules("python-strong/redeal")


class InProcess:
    """The functions of a bot in Python, without a process or a clock."""

    def __init__(self, bot: ModuleType) -> None:
        self._bot = bot

    def tell(self, message: Message) -> None:
        if hasattr(self._bot, "news"):
            self._bot.news(message)

    def choose(self, question: Message) -> list[str]:
        if question["type"] == "pass":
            cards: list[str] = self._bot.choose_pass(question)
            return cards
        return [self._bot.choose_card(question)]


class Cards:
    """An effort for Redeal that is counted in cards alone."""

    def __init__(self, cards: int) -> None:
        self.cards = cards

    def time_is_up(self) -> bool:
        return False


def deal_in_python(seen: Any, count: int) -> Deals:
    """With arena.strategy; no deals if what is seen does not agree."""
    if not seen.agrees:
        return []
    dealer = Dealer(seen, Random(1))
    return [dealer.deal() for _ in range(count)]


def deal_in_c(program: Path) -> Dealing:
    """With deal.c, compiled together with redeal_deals.c."""

    def deal(seen: Any, count: int) -> Deals:
        numbers = [1, count, len(seen.held), seen.me, seen.hidden]
        for of_seat in zip(seen.held, seen.known, seen.possible, strict=True):
            numbers += of_seat
        done = subprocess.run(
            [program], input=" ".join(map(str, numbers)), capture_output=True, text=True, check=True
        )
        if done.stdout == "disagrees\n":
            return []
        return [[int(hand) for hand in line.split()] for line in done.stdout.splitlines()]

    return deal


@dataclass(frozen=True, slots=True)
class Moment:
    """What the bot made of one question to play, and what was true then.

    hands: by seat, what each really held; None before all have played once. out: the cards not played yet.
    voids: by seat, the suits that it could not follow, counted apart from the bot. mine: what I passed on.
    """

    seen: Any
    hands: list[int] | None
    out: int
    voids: list[set[str]]
    mine: int


class Watcher:
    """Plays by lot and has Redeal's eyes; all seats of a table are watchers and share their `moments`."""

    def __init__(self, chance: Random, table: list[Watcher], moments: list[Moment]) -> None:
        self._chance = chance
        self._table = table
        self._moments = moments
        self._memory = Memory()
        self._played: list[list[str]] = [[]]  # tricks of this round, as events told of them
        self._voids: list[set[str]] = []
        self.hand: set[str] = set()
        table.append(self)

    def tell(self, message: Message) -> None:
        """News is of no interest: every round begins anew."""

    def choose(self, question: Message) -> list[str]:
        if question["type"] == "pass":
            self._played, self._voids = [[]], [set() for _ in question["scores"]]
            cards: list[str] = self._chance.sample(question["hand"], question["count"])
            self._memory.watch(question)
            return cards
        self._hear(question)
        REDEAL.bot.memory = self._memory
        self._memory.watch(question)
        self.hand = set(question["hand"])
        self._moments.append(self._moment(question))
        chosen: str = self._chance.choice(question["legal"])
        self.hand.discard(chosen)
        return [chosen]

    def _hear(self, question: Message) -> None:
        for event in question["events"]:
            if event["event"] == "taken":
                self._played.append([])
            elif event["event"] == "played":
                led = (self._played[-1] or [event["card"]])[0][0]
                self._played[-1].append(event["card"])
                if event["card"][0] != led:
                    self._voids[event["seat"]].add(led)

    def _moment(self, question: Message) -> Moment:
        players = len(question["scores"])
        gone = mask_of(parse_card(card) for trick in self._played for card in trick)
        everything = REDEAL.bot.deck(players)
        hands = [mask_of(map(parse_card, seat.hand)) for seat in self._table]
        return Moment(
            seen=REDEAL.bot.seen_of(question),
            hands=hands if question["trick_number"] else None,
            out=everything & ~gone,
            voids=[set(suits) for suits in self._voids],
            mine=mask_of(map(parse_card, question["passed"])),
        )


def suit_masks(letters: set[str]) -> int:
    """All cards of these suits."""
    return sum(REDEAL.bot.SUIT_MASKS[SUITS.index(letter)] for letter in letters)
