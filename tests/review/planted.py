"""Bots with planted faults, in this process, and leagues in which one of them plays among sound bots.

A fault is a change of a sound bot: Sharp, or Redeal. It asserts nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final

from arena.match.record import MatchRecord
from arena.papayoo import (
    CARD_POINTS,
    PAPAYOOS,
    PAYOO,
    SUIT_MASKS,
    Round,
    card_at,
    cards_of,
    mask_of,
    rank_of,
    suit_of,
)
from arena.proof.policies import Policy
from arena.strategy import Policy as Rollout
from arena.strategy import best_of, passed
from tests.review.played import Late, records
from tests.review.sample_bots import sample_bot

Change = Callable[[Round, int, Random], int]
"""Given the round, the card that the sound bot would play and dice: the card that is played."""
Fault = Callable[[Policy], Policy | Late]

SEVENS: Final = mask_of(PAPAYOOS)
HIGH_PAYOOS: Final = mask_of(card for card in range(60) if suit_of(card) == PAYOO and rank_of(card) > 10)


def _play(change: Change) -> Fault:
    return lambda sound: Policy(
        sound.passing, lambda round_, dice: change(round_, sound.playing(round_, dice), dice)
    )


def _pass(passing: Callable[[Policy, int, int, Random], int]) -> Fault:
    return lambda sound: Policy(lambda hand, count, dice: passing(sound, hand, count, dice), sound.playing)


def _without(kept: int) -> Fault:
    """Return a bot that never passes these cards."""

    def passing(sound: Policy, hand: int, count: int, dice: Random) -> int:
        # The pass that the sound bot prefers, with each kept card exchanged for the worst of the others.
        wanted = sound.passing(hand, count, dice) & ~kept
        others = sorted(cards_of(hand & ~kept & ~wanted), key=rank_of, reverse=True)
        return wanted | mask_of(others[: count - wanted.bit_count()])

    return _pass(passing)


def _highest(cards: int) -> int:
    return max(cards_of(cards), key=rank_of)


def _lowest(cards: int) -> int:
    return min(cards_of(cards), key=rank_of)


def _any(cards: int, dice: Random) -> int:
    return card_at(cards, dice.randrange(cards.bit_count()))


def _papayoo(round_: Round) -> int:
    assert round_.papayoo_suit is not None
    return PAPAYOOS[round_.papayoo_suit]


def _follows(round_: Round) -> bool:
    return bool(round_.trick) and bool(round_.legal() & SUIT_MASKS[suit_of(round_.trick[0])])


def _discards(round_: Round) -> bool:
    return bool(round_.trick) and not _follows(round_)


# ------------------------------------------------------------------------- the faults that were announced


def _lead_highest(round_: Round, card: int, dice: Random) -> int:
    return card if round_.trick else _highest(round_.legal())


def _lead_papayoo(round_: Round, card: int, dice: Random) -> int:
    papayoo = _papayoo(round_)
    seldom = not round_.trick and round_.legal() >> papayoo & 1 and dice.random() < 0.05
    return papayoo if seldom else card


class _Blind:
    """A memory that forgets which suits a seat has not."""

    def __init__(self, memory: Any) -> None:
        self._memory = memory

    def watch(self, question: Any) -> None:
        self._memory.watch(question)

    def unseen(self, hand: Any) -> Any:
        return self._memory.unseen(hand)

    @property
    def voids(self) -> list[set[str]]:
        return [set() for _ in self._memory.voids]


class _Miscounting(_Blind):
    """A memory that takes every heart that is not in the hand for unseen."""

    @property
    def voids(self) -> list[set[str]]:
        found: list[set[str]] = self._memory.voids
        return found

    def unseen(self, hand: Any) -> Any:
        held = {int(card[1:]) for card in hand if card[0] == "H"}
        return self._memory.unseen(hand) | {"H": [rank for rank in range(1, 11) if rank not in held]}


# ------------------------------------------------------------------------- faults of which nobody spoke


def _sometimes_any(share: float) -> Change:
    return lambda round_, card, dice: _any(round_.legal(), dice) if dice.random() < share else card


def _discard_lowest(round_: Round, card: int, dice: Random) -> int:
    return _lowest(round_.legal()) if _discards(round_) else card


def _keep_papayoo(round_: Round, card: int, dice: Random) -> int:
    others = round_.legal() & ~(1 << _papayoo(round_))
    return _highest(others) if _discards(round_) and others else card


def _take_points_when_last(round_: Round, card: int, dice: Random) -> int:
    assert round_.papayoo_suit is not None
    worth = sum(CARD_POINTS[round_.papayoo_suit][other] for other in round_.trick)
    last = len(round_.trick) == round_.players - 1
    return _highest(round_.legal()) if last and worth and _follows(round_) else card


def _bad_round(round_: Round, card: int, dice: Random) -> int:
    """The dealer of the third round of a match is seat 2."""
    return _any(round_.legal(), dice) if round_.dealer == 2 else card


def _bad_seat(round_: Round, card: int, dice: Random) -> int:
    return _any(round_.legal(), dice) if round_.turn == 1 else card


def _follow_highest(round_: Round, card: int, dice: Random) -> int:
    return _highest(round_.legal()) if _follows(round_) else card


def _follow_lowest(round_: Round, card: int, dice: Random) -> int:
    return _lowest(round_.legal()) if _follows(round_) else card


def _early_payoos(round_: Round, card: int, dice: Random) -> int:
    high = round_.legal() & HIGH_PAYOOS
    return _highest(high) if not round_.trick and round_.trick_number < 6 and high else card


def _new_suits(round_: Round, card: int, dice: Random) -> int:
    led = sum({SUIT_MASKS[suit_of(t.cards[0])] for t in round_.tricks if t.leader == round_.turn})
    new = round_.legal() & ~led
    return _lowest(new) if not round_.trick and new and led >> card & 1 else card


def _cling_to_payoos(round_: Round, card: int, dice: Random) -> int:
    plain = round_.legal() & ~SUIT_MASKS[PAYOO]
    return _highest(plain) if _discards(round_) and plain and card != _papayoo(round_) else card


def _last_takes_low(round_: Round, card: int, dice: Random) -> int:
    best = best_of(round_.trick)
    taking = len(round_.trick) == 3 and _follows(round_) and not round_.legal() & ((1 << best) - 1)
    return _lowest(round_.legal()) if taking else card


def _tired(round_: Round, card: int, dice: Random) -> int:
    """Plays any card in the last tricks of a round."""
    return _any(round_.legal(), dice) if round_.trick_number >= 9 else card


def _panics(round_: Round, card: int, dice: Random) -> int:
    """Plays any card while it holds the Papayoo."""
    return _any(round_.legal(), dice) if round_.hands[round_.turn] >> _papayoo(round_) & 1 else card


def _longest(round_: Round, card: int, dice: Random) -> int:
    """Leads from its longest suit."""
    hand = round_.legal()
    return card if round_.trick else _lowest(max((hand & mask for mask in SUIT_MASKS), key=int.bit_count))


def _lowest_passed(sound: Policy, hand: int, count: int, dice: Random) -> int:
    return mask_of(sorted(cards_of(hand), key=rank_of)[:count])


def _any_passed(sound: Policy, hand: int, count: int, dice: Random) -> int:
    if dice.random() < 0.3:
        return mask_of(dice.sample([*cards_of(hand)], count))
    return sound.passing(hand, count, dice)


ANNOUNCED: Final[Mapping[str, Fault]] = {
    "leads-highest": _play(_lead_highest),
    "keeps-sevens": _without(SEVENS),
    "blind-to-voids": lambda sound: sample_bot("sharp", _Blind),
    "late": lambda sound: Late(sound, 0.01),
    "leads-papayoo": _play(_lead_papayoo),
}
"""The faults that the finder was told of."""

UNTOLD: Final[Mapping[str, Fault]] = {
    "any-3-percent": _play(_sometimes_any(0.03)),
    "discards-lowest": _play(_discard_lowest),
    "keeps-papayoo": _play(_keep_papayoo),
    "takes-points-last": _play(_take_points_when_last),
    "passes-lowest": _pass(_lowest_passed),
    "bad-round": _play(_bad_round),
    "bad-seat": _play(_bad_seat),
    "follows-highest": _play(_follow_highest),
    "follows-lowest": _play(_follow_lowest),
    "early-payoos": _play(_early_payoos),
    "new-suits": _play(_new_suits),
    "miscounts-hearts": lambda sound: sample_bot("sharp", _Miscounting),
    "clings-to-payoos": _play(_cling_to_payoos),
    "last-takes-low": _play(_last_takes_low),
    "tired": _play(_tired),
    "panics": _play(_panics),
    "leads-longest": _play(_longest),
    "keeps-payoos": _without(HIGH_PAYOOS),
    "passes-any-30-percent": _pass(_any_passed),
}
"""Faults that nobody told the finder of."""

FAULTS: Final[Mapping[str, Fault]] = {**ANNOUNCED, **UNTOLD}

BY_NAME: Final[Mapping[str, str]] = {
    "leads-highest": "lead-highest lead-top lead-high",
    "keeps-sevens": "pass-keeps-sevens",
    "blind-to-voids": "lead-void",
    "late": "timeout",
    "leads-papayoo": "lead-papayoo",
    "any-3-percent": "now-and-then",
    "discards-lowest": "discard-lowest discard-low discard-keeps-papayoo discard-keeps-payoos",
    "keeps-papayoo": "discard-keeps-papayoo",
    "takes-points-last": "follow-over-points follow-over-last",
    "passes-lowest": "pass-lowest pass-low",
    "bad-round": "*round-2*",
    "bad-seat": "*seat-1*",
    "follows-highest": "follow-highest follow-over follow-over-points follow-over-last",
    "follows-lowest": "follow-lowest follow-low follow-not-highest follow-takes-low",
    "early-payoos": "lead-high-payoo lead-payoo lead-highest",
    "new-suits": "lead*",
    "miscounts-hearts": "*-H",
    "clings-to-payoos": "discard-keeps-payoos",
    "last-takes-low": "follow-takes-low",
    "tired": "*-late *-trick-1?",
    "panics": "*holds-papayoo *papayoo*",
    "leads-longest": "lead-longest",
    "keeps-payoos": "pass-no-payoo pass-keeps-payoos pass-plain",
    "passes-any-30-percent": "pass*",
}
"""What the keys of a finding look like that names the fault."""

_ROLLOUTS: Final = [Rollout(4, suit) for suit in range(4)]


def _quick(round_: Round, dice: Random) -> int:
    assert round_.papayoo_suit is not None
    out = sum(round_.hands)
    chooser = _ROLLOUTS[round_.papayoo_suit]
    return chooser.choose(round_.legal(), out & ~round_.hands[round_.turn], round_.trick)


QUICK: Final = Policy(lambda hand, count, dice: passed(hand, count), _quick)
"""The policy of rollouts."""

CLEAN: Final[Mapping[str, Callable[[], Policy]]] = {
    "sharp": lambda: sample_bot("sharp"),
    "quick": lambda: QUICK,
    "redeal": lambda: sample_bot("redeal"),
}
"""Bots without a planted fault."""

FIELDS: Final[Mapping[str, Callable[[], Mapping[str, Policy]]]] = {
    "sound": lambda: {"sharp": sample_bot("sharp"), "quick": QUICK, "sharp2": sample_bot("sharp")},
    "sample": lambda: {name: sample_bot(name) for name in ("sharp", "count", "dump")},
    "weak": lambda: {name: sample_bot(name) for name in ("dump", "duck", "low")},
}
"""Who else is in the league."""


def planted(name: str, base: str = "sharp") -> Policy | Late:
    """Return the bot of this name: one with a fault, on top of a sound one, or a clean one."""
    return FAULTS[name](CLEAN[base]()) if name in FAULTS else CLEAN[name]()


def planted_league(
    bot: Policy | Late, matches: int, seed: int = 1, field: str = "sound"
) -> list[MatchRecord]:
    """Return a league of four bots in which every match has them all; the planted one is called "bot"."""
    return records({"bot": bot, **FIELDS[field]()}, matches // 4, seed)
