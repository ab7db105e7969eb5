"""The one match from which all examples of SPEC.md are cut, played by the rules of `arena.papayoo`.

Four seats and four rounds; the bot that SPEC.md calls "you" sits at seat 3. Round 2 is the worked round of
the page: its hands and what seat 2 passes are given here. The other rounds are dealt. All seats play the same
way: they pass the highest ranks, stay below the card that takes the trick if they can, and throw the dearest
card where they cannot follow.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from arena.deals import Deals, seeded_secret
from arena.match.game import Match, addressed
from arena.match.record import MatchSetup, Terms
from arena.papayoo import Board, mask_of, parse_card
from protocol.codec import decode, encode
from protocol.messages import answer_line

Message = dict[str, Any]

PLAYERS, SEAT, ROUND = 4, 3, 2
IDS = {"pass": "Vd82mLpR5s", "play": "q7Zk1c0XbW"}
"""The ids of the two questions of round 2 that are examples: the pass and the first play."""
DIE = "H"
HANDS = (
    "S4 H6 H8 D1 D2 D8 C1 C7 C10 P1 P3 P6 P7 P16 P18",
    "S5 S6 S8 H5 H9 D5 D6 D9 C8 C9 P4 P10 P11 P14 P19",
    "S1 S2 S7 H2 H3 H10 D3 D4 C2 C5 C6 P5 P8 P12 P13",
    "S3 S9 S10 H1 H4 H7 D7 D10 C3 C4 P2 P9 P15 P17 P20",
)
"""The hands of round 2 by seat."""
SEAT_2_PASSES = ["S1", "H2", "D3", "P5", "P12"]
SEAT_2_LEADS = "S7"


@dataclass(frozen=True)
class Played:
    """What seat 3 was sent and what it answered, in order, and the plays of round 2 as (seat, card)."""

    sent: tuple[Message, ...]
    answers: tuple[Message, ...]
    plays: tuple[tuple[int, str], ...]
    rounds: Any


@cache
def played() -> Played:
    """Play the match out."""
    deals = Deals(seeded_secret("examples", 0))
    boards = [deals.board(number, PLAYERS) for number in range(PLAYERS)]
    by_seat = [mask_of(map(parse_card, hand.split())) for hand in HANDS]
    boards[ROUND] = Board(
        tuple(by_seat[(ROUND + place) % PLAYERS] for place in range(PLAYERS)), "SHDC".index(DIE)
    )
    setup = MatchSetup(tuple(boards), "SHDC", (1, 2, 3, 3405691582), Terms(1000, 0, 40, 3))
    match = Match(setup, _no_stand_in)
    match.begin()
    sent: list[Message] = []
    answers: list[Message] = []
    plays: list[tuple[int, str]] = []
    while True:
        sent += [decode(encode(addressed(news, 0))) for seat, news in match.take_news() if seat == SEAT]
        if match.over:
            return Played(tuple(sent), tuple(answers), tuple(plays), match.result().rounds)
        question = match.ask(match.waiting()[0])
        message = decode(encode(addressed(question.message, 0, _id(question.round, question.number))))
        chosen = _cards(message)
        if question.seat == SEAT:
            sent.append(message)
            said = chosen[0] if message["type"] == "play" else chosen
            answers.append(decode(answer_line(str(message["id"]), said)))
        if (message["type"], question.round) == ("play", ROUND):
            plays.append((question.seat, chosen[0]))
        assert match.answer(question.seat, chosen, 0) is None


def _no_stand_in(*_: object) -> int:
    raise AssertionError("nobody makes a fault")


def _id(number: int, question: int) -> str:
    if number == ROUND and question < 2:
        return IDS["play" if question else "pass"]
    return f"q{number}-{question}"


def _cards(question: Message) -> list[str]:
    if question["type"] == "pass":
        if (question["round"], question["seat"]) == (ROUND, 2):
            return SEAT_2_PASSES
        return in_order(sorted(question["hand"], key=_rank)[-question["count"] :])
    if (question["round"], question["trick_number"], question["seat"]) == (ROUND, 0, ROUND):
        return [SEAT_2_LEADS]
    return [_card(question)]


def _card(question: Message) -> str:
    legal, trick = sorted(question["legal"], key=_rank), question["trick"]
    if not trick:
        return str(legal[0])
    if legal[0][0] != trick[0][0]:
        papayoo = question["papayoo_suit"] + "7"
        payoos = [card for card in legal if card[0] == "P"]
        return papayoo if papayoo in legal else str((payoos or legal)[-1])
    best = max(rank_of(card) for card in trick if card[0] == trick[0][0])
    below = [card for card in legal if rank_of(card) < best]
    if below:
        return str(below[-1])
    return str(legal[-1 if len(trick) == PLAYERS - 1 else 0])


def rank_of(card: str) -> int:
    """Return the rank of a card by its name."""
    return int(card[1:])


def in_order(cards: list[str]) -> list[str]:
    """Return the cards as hands are sorted."""
    return sorted(cards, key=lambda card: ("SHDCP".index(card[0]), rank_of(card)))


def _rank(card: str) -> tuple[int, int]:
    return rank_of(card), "SHDCP".index(card[0])
