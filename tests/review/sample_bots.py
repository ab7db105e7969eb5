"""The sample bots in Python as policies: the bots' own functions, asked in this process without a clock.

A question is built from the round alone, so nothing of an earlier question matters. Tables of four only. It
asserts nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from types import ModuleType
from typing import Any

from arena.papayoo import CARD_NAMES, PAPAYOOS, SUITS, Round, mask_of, names_of, parse_card
from arena.proof.policies import Policy
from tests.bots.redealing import Cards, modules

SEATS = 4
Question = dict[str, Any]


def sample_bot(name: str, memory: Callable[[Any], Any] | None = None, effort_ms: int = 1000) -> Policy:
    """Return a bot of the folder bots/python as a policy.

    `memory`: makes another memory of the bot's own. `effort_ms`: the time for a question of which Redeal
    takes its share of cards to play; nothing looks at a clock.
    """
    loaded = modules(name)
    bot = loaded.bot
    if name == "redeal":
        bot.Effort = lambda move_ms, cards_per_ms: Cards(effort_ms * cards_per_ms)
    if memory is not None:
        bot.memory = memory(bot.memory)

    def passing(hand: int, count: int, dice: Random) -> int:
        _seed(bot, dice)
        return mask_of(map(parse_card, bot.choose_pass(_pass_question(hand, count))))

    def playing(round_: Round, dice: Random) -> int:
        _seed(bot, dice)
        return parse_card(bot.choose_card(_play_question(round_)))

    return Policy(passing, playing)


def _seed(bot: ModuleType, dice: Random) -> None:
    if hasattr(bot, "dice"):
        vars(bot)["dice"] = dice
    if hasattr(bot, "match"):
        bot.match["seed"] = dice.randrange(1 << 30)


def _pass_question(hand: int, count: int) -> Question:
    """Ask which cards to pass. No sample bot cares who sits where at a pass."""
    return _common(0, 0, hand) | {"type": "pass", "count": count, "events": []}


def _play_question(round_: Round) -> Question:
    seat, suit = round_.turn, round_.papayoo_suit
    assert suit is not None, "a card is played before the die is rolled"
    return _common(seat, round_.dealer, round_.hands[seat]) | {
        "type": "play",
        "trick_number": round_.trick_number,
        "leader": round_.leader,
        "papayoo_suit": SUITS[suit],
        "legal": names_of(round_.legal()),
        "trick": [CARD_NAMES[card] for card in round_.trick],
        "received": names_of(round_.received[seat]),
        "passed": names_of(round_.passed[seat]),
        "points": round_.points,
        "events": [*_events(round_)],
    }


def _common(seat: int, dealer: int, hand: int) -> Question:
    return {
        "id": "", "table": 0, "round": 0, "dealer": dealer, "seat": seat, "hand": names_of(hand),
        "scores": [0] * SEATS, "move_ms": 1000, "bank_ms": 0,
    }  # fmt: skip


def _events(round_: Round) -> list[Question]:
    """Return all that a seat has heard of the play, from the die on."""
    assert round_.papayoo_suit is not None
    heard = [{"event": "die", "seat": round_.dealer, "card": CARD_NAMES[PAPAYOOS[round_.papayoo_suit]]}]
    for trick in round_.tricks:
        heard += [_played((trick.leader + i) % SEATS, card) for i, card in enumerate(trick.cards)]
        heard.append({"event": "taken", "seat": trick.taker, "cards": ()})
    return heard + [_played((round_.leader + i) % SEATS, card) for i, card in enumerate(round_.trick)]


@cache
def _played(seat: int, card: int) -> Question:
    return {"event": "played", "seat": seat, "card": CARD_NAMES[card]}
