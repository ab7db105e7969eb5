"""Policies: ways to play Papayoo that are simple enough to play thousands of leagues in one process.

They are no example of how to write a bot (see the folder `bots`), for they see the round itself. They only
give the simulated leagues realistic hands, passes and neighbours.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

from arena.papayoo import (
    CARD_POINTS,
    PAYOO,
    SUIT_MASKS,
    Round,
    card_at,
    cards_of,
    mask_of,
    rank_of,
    suit_of,
)

__all__ = ["Policy", "play_round", "policy_of"]


@dataclass(frozen=True, slots=True)
class Policy:
    """A bot inside this process.

    `passing`: returns the cards of a hand to give away, as a mask. `playing`: returns a card for the seat
    whose turn it is.
    """

    passing: Callable[[int, int, Random], int]
    playing: Callable[[Round, Random], int]


def play_round(round_: Round, policies: Sequence[Policy], dice: Random) -> list[int]:
    """Play out a round that was just dealt and return the points by seat; `policies` are by seat."""
    for seat, policy in enumerate(policies):
        mask = policy.passing(round_.hands[seat], round_.pass_count, dice)
        round_.choose_pass(seat, mask)
    while not round_.over:
        round_.play(policies[round_.turn].playing(round_, dice))
    return round_.points


def _pass_any(hand: int, count: int, dice: Random) -> int:
    return mask_of(dice.sample(list(cards_of(hand)), count))


def _pass_high(hand: int, count: int, dice: Random) -> int:
    return mask_of(sorted(cards_of(hand), key=rank_of)[-count:])


def _pass_short(hand: int, count: int, dice: Random) -> int:
    """Give away the shortest plain suits, highest cards first."""
    lengths = [(hand & mask).bit_count() for mask in SUIT_MASKS]
    plain = sorted(
        cards_of(hand & ~SUIT_MASKS[PAYOO]), key=lambda card: (lengths[suit_of(card)], -rank_of(card))
    )
    rest = sorted(cards_of(hand & SUIT_MASKS[PAYOO]), key=rank_of, reverse=True)
    return mask_of((plain + rest)[:count])


def _any_card(round_: Round, dice: Random) -> int:
    legal = round_.legal()
    return card_at(legal, int(dice.random() * legal.bit_count()))


def _lowest(round_: Round, dice: Random) -> int:
    return min(cards_of(round_.legal()), key=rank_of)


def _duck(round_: Round, dice: Random) -> int:
    """Play the highest card below the winning one, else the lowest."""
    under = _under(round_)
    return under if under is not None else _lowest(round_, dice)


def _dump(round_: Round, dice: Random) -> int:
    """Play as `_duck`, but throw away the most points, then the highest card, when unable to follow suit."""
    under = _under(round_)
    if under is not None:
        return under
    legal = list(cards_of(round_.legal()))
    suit = round_.papayoo_suit
    if round_.trick and suit_of(legal[0]) != suit_of(round_.trick[0]) and suit is not None:
        worth = CARD_POINTS[suit]
        return max(legal, key=lambda card: (worth[card], rank_of(card)))
    return min(legal, key=rank_of)


def _under(round_: Round) -> int | None:
    """Return the highest legal card of the led suit below the winning card, or None."""
    if not round_.trick:
        return None
    led = SUIT_MASKS[suit_of(round_.trick[0])]
    best = max(card for card in round_.trick if led >> card & 1)
    below = round_.legal() & led & ((1 << best) - 1)
    return below.bit_length() - 1 if below else None


_POLICIES: Mapping[str, Policy] = {
    "short": Policy(_pass_short, _dump),
    "dump": Policy(_pass_high, _dump),
    "duck": Policy(_pass_high, _duck),
    "low": Policy(_pass_high, _lowest),
    "any": Policy(_pass_any, _any_card),
}
"""The policies by name, from good to bad."""


@cache
def policy_of(bot: str) -> Policy:
    """Return the policy of a bot, by its name.

    A name is that of a policy, then optionally "~5" for 5 % of the cards played at random, then optionally
    "#2" to tell twins apart. Raises ValueError for any other name.
    """
    name, blundering, blunders = bot.partition("#")[0].partition("~")
    if name not in _POLICIES or (blundering and not blunders.isdecimal()):
        raise ValueError(f'no policy for "{bot}": expected one of {", ".join(_POLICIES)}, as dump~5#2')
    policy = _POLICIES[name]
    return _blundering(policy, int(blunders) / 100) if blunders else policy


def _blundering(policy: Policy, share: float) -> Policy:
    def playing(round_: Round, dice: Random) -> int:
        return _any_card(round_, dice) if dice.random() < share else policy.playing(round_, dice)

    return Policy(policy.passing, playing)
