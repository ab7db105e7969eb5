"""How many sessions it takes to see collusion, and how often innocents are named.

    python -m arena.proof.collusion --leagues 20

Leagues of real rounds are played by simple bots: a way to pass, to lead and to throw cards away, ties broken
by the letters that suits have in the match. In a clean field all differ in at least one of the three. Planted
are a copy of a bot under another name, or a bot that throws its points at everybody but its friend, whom it
is told of. A league is looked at whenever it has half as many sessions more.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count, product
from multiprocessing import Pool
from random import Random
from statistics import median

from arena.deals import Deals, MatchKey, PhaseDeals
from arena.integrity import Look
from arena.match.record import MatchRecord, MatchSetup, RoundRecord, SeatRecord, Terms
from arena.papayoo import CARD_POINTS, PAYOO, SUIT_MASKS, Round, cards_of, dealer_of, mask_of
from arena.papayoo.cards import SUIT_OF
from arena.schedule import Field, Plan

Bots = tuple[str, str]

PLANTED = ("bot0", "bot1")
CASES = ("clean", "twins", "favours")
SEATS = 4
MOST_SESSIONS = {6: 300, 12: 675, 24: 1520}
"""The longest league by the bots of the field."""

STYLES = list(product(("high", "short", "first", "payoo"), ("low", "short"), ("points", "high", "low")))
"""Ways to pass, to lead and to throw cards away."""


@dataclass(frozen=True, slots=True)
class Bot:
    """A simple bot. With tricks that its `friend` holds it gives as few points as it can."""

    name: str
    passing: str
    leading: str
    throwing: str
    friend: str = ""


def draw_field(bots: int, case: str, dice: Random) -> list[Bot]:
    """Return a field of bots that all differ, but for what is planted in the first two."""
    styles = dice.sample(STYLES, bots)
    if case == "favours":
        giver = dice.choice([style for style in STYLES if style[2] == "points"])
        styles = [giver, *dice.sample([style for style in STYLES if style != giver], bots - 1)]
    field = [Bot(f"bot{number}", *style) for number, style in enumerate(styles)]
    if case == "twins":
        field[1] = replace(field[0], name="bot1")
    if case == "favours":
        field[0] = replace(field[0], friend="bot1")
    return field


def choose_pass(bot: Bot, hand: int, count: int, letters: str) -> int:
    """Return the cards that a bot passes: high ones, short suits, the first of the hand or Payoo."""
    length = [(hand & mask).bit_count() for mask in SUIT_MASKS]
    ways: Mapping[str, Callable[[int], tuple[int, ...]]] = {
        "high": lambda card: (-_rank(card), _letter(card, letters)),
        "short": lambda card: (length[SUIT_OF[card]], _letter(card, letters), -_rank(card)),
        "first": lambda card: (_letter(card, letters), _rank(card)),
        "payoo": lambda card: (SUIT_OF[card] != PAYOO, -_rank(card), _letter(card, letters)),
    }
    return mask_of(sorted(cards_of(hand), key=ways[bot.passing])[:count])


def choose_card(bot: Bot, table: Round, names: Sequence[str], letters: str) -> int:
    """Return the card that a bot plays: the highest below the winning card, or a lead, or one to throw."""
    legal = cards_of(table.legal())
    if len(legal) == 1:
        return legal[0]
    if not table.trick:
        hand = table.hands[table.turn] if bot.leading == "short" else 0
        length = [(hand & mask).bit_count() for mask in SUIT_MASKS]
        return min(legal, key=lambda card: (length[SUIT_OF[card]], _rank(card), _letter(card, letters)))
    led = SUIT_OF[table.trick[0]]
    best = max(card for card in table.trick if SUIT_OF[card] == led)
    spare = names[(table.leader + table.trick.index(best)) % table.players] == bot.friend
    if SUIT_OF[legal[0]] == led:
        below = [card for card in legal if card < best] or legal[:1]
        return below[0] if spare else below[-1]
    worth = CARD_POINTS[table.papayoo_suit or 0]
    if spare:
        return min(legal, key=lambda card: (worth[card], -_rank(card)))
    ways: Mapping[str, Callable[[int], tuple[int, ...]]] = {
        "points": lambda card: (-worth[card], -_rank(card)),
        "high": lambda card: (-_rank(card), _letter(card, letters)),
        "low": lambda card: (_rank(card), _letter(card, letters)),
    }
    return min(legal, key=ways[bot.throwing])


def _rank(card: int) -> int:
    return card - 10 * SUIT_OF[card] + 1


def _letter(card: int, letters: str) -> int:
    return "SHDCP".index(f"{letters}P"[SUIT_OF[card]])


def play_match(deals: Deals, key: MatchKey, bots: Sequence[Bot]) -> MatchRecord:
    """Play a match of a round for each seat."""
    seats, letters, names = len(bots), deals.suits(key), [bot.name for bot in bots]
    boards = tuple(deals.board(number, seats) for number in range(seats))
    rounds = []
    for number, board in enumerate(boards):
        table = Round.deal(board, dealer_of(number, seats))
        for seat, bot in enumerate(bots):
            table.choose_pass(seat, choose_pass(bot, table.hands[seat], table.pass_count, letters))
        while not table.over:
            table.play(choose_card(bots[table.turn], table, names, letters))
        plays = tuple(card for trick in table.tricks for card in trick.cards)
        rounds.append(RoundRecord(tuple(table.passed), plays, tuple(table.points), (), ()))
    points = [sum(played.points[seat] for played in rounds) for seat in range(seats)]
    sat = tuple(SeatRecord(name, own, 0, 1, 0) for name, own in zip(names, points, strict=True))
    setup = MatchSetup(boards, letters, (0,) * seats, Terms(1000, 0, 40, 3))
    return MatchRecord(key, setup, sat, tuple(rounds), (), 0, 0)


def play_league(field: Sequence[Bot], seats: int, dice: Random) -> Iterator[list[MatchRecord]]:
    """Yield the matches of each session of a league without end."""
    plan = Plan(Field(len(field), seats, f"{dice.getrandbits(256):064x}"))
    secret = PhaseDeals(dice.randbytes(32))
    for session in chain.from_iterable(map(plan.cycle, count())):
        deals, place = secret.session(session.cycle, session.index), (session.cycle, session.index)
        yield [
            play_match(deals, MatchKey(*place, order), [field[bot] for bot in row])
            for order, row in enumerate(session.rows)
        ]


@dataclass(frozen=True, slots=True)
class Seen:
    """A league: after how many sessions the planted pair was named, and whether others were, at the end."""

    sessions: int | None
    twins: bool
    favours: bool


def look_at_league(job: tuple[int, str, int]) -> Seen:
    """Play a league, given by bots, case and seed, until the planted pair is named or it is too long."""
    bots, case, seed = job
    dice = Random(f"{bots} {case} {seed}")  # noqa: S311  (dice of a simulation)
    field, look, due = draw_field(bots, case, dice), Look(), bots
    for sessions, records in enumerate(play_league(field, SEATS, dice), 1):
        look.add(records)
        if sessions < min(due, MOST_SESSIONS[bots]):
            continue
        due += due // 2
        found = look.judge({})
        twins = {one.bots for one in found.twins if one.named}
        favours = {(one.giver, one.taker) for one in found.favours if one.named}
        names = {"clean": set[Bots](), "twins": twins, "favours": favours}[case]
        planted = PLANTED in names
        if planted or sessions >= MOST_SESSIONS[bots]:
            names.discard(PLANTED)
            return Seen(sessions if planted else None, bool(twins), bool(favours))
    raise AssertionError("a league has no end")


def main() -> None:
    """Play the leagues of every field and case, and print what was seen."""
    parser = argparse.ArgumentParser(prog="python -m arena.proof.collusion", description=__doc__)
    parser.add_argument("--leagues", type=int, default=20, help="leagues of 6 bots; fewer of larger fields")
    parser.add_argument("--bots", type=int, nargs="*", default=list(MOST_SESSIONS), choices=MOST_SESSIONS)
    parser.add_argument("--cases", nargs="*", default=list(CASES), choices=CASES)
    parser.add_argument("--first", type=int, default=0, help="number of the first league of each kind")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    with Pool(options.jobs) as pool:
        for bots, case in product(options.bots, options.cases):
            leagues = max(1, options.leagues * 6 // bots)
            seen = pool.map(
                look_at_league,
                [(bots, case, options.first + number) for number in range(leagues)],
                chunksize=1,
            )
            found = sorted(one.sessions for one in seen if one.sessions is not None)
            together = SEATS * (SEATS - 1) / (bots * (bots - 1))
            spread = f", sessions {found[0]} to {found[-1]}, median {median(found):.0f}" if found else ""
            print(
                f"{bots} bots, {case}: {len(seen)} leagues of up to {MOST_SESSIONS[bots]} sessions "
                f"({together:.1%} of them with both); seen in {len(found)}{spread}; innocents named as twins "
                f"in {sum(one.twins for one in seen)}, for favours in {sum(one.favours for one in seen)}",
                flush=True,
            )


if __name__ == "__main__":
    main()
