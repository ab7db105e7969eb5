"""Agents in one process get what bots get, and the same answers give the same results as processes give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from arena.deals import MatchKey, PhaseDeals, seeded_secret
from arena.learn.playing import IllegalAnswerError, play, play_match
from arena.match.record import Terms
from arena.papayoo import POINTS_PER_ROUND
from arena.workbench.bots import bots_given, bots_workshop
from arena.workbench.one_match import Rules
from arena.workbench.one_match import play_match as play_processes
from protocol import decode

BOT = Path(__file__).with_name("lowest.py")
KEY = MatchKey(0, 0, 0)
Question = Mapping[str, Any]
BLANK = {"id": "", "table": 0, "move_ms": 0}
"""What depends on who asks."""


def lowest(question: Question) -> str | list[str]:
    """The first cards of the hand are passed, the first legal card is played: as `lowest.py` does."""
    if question["type"] == "pass":
        return list(question["hand"][: question["count"]])
    return str(question["legal"][0])


class Highest:
    """The last ones. It keeps what it was told."""

    def __init__(self) -> None:
        self.news: list[str] = []

    def __call__(self, question: Question) -> Sequence[str]:
        if question["type"] == "pass":
            return list(question["hand"][-question["count"] :])
        return [question["legal"][-1]]

    def told(self, news: Question) -> None:
        self.news.append(news["type"])


def test_the_same_answers_give_what_processes_give() -> None:
    heard: list[dict[str, Any]] = []

    def overheard(seat: int, from_bot: bool, line: bytes) -> None:
        message = decode(line)
        if not from_bot and message["type"] in ("pass", "play"):
            heard.append({**message, **BLANK})

    with bots_workshop() as folder:
        bots = bots_given([f"{{python}} {BOT}"] * 3, folder, lambda text: None)
        rules = Rules(2, Terms(60_000, 0, 40, 3), "same")
        record = play_processes(bots, rules, overheard).record
    asked: list[dict[str, Any]] = []

    def agent(question: Question) -> str | list[str]:
        asked.append({**question, **BLANK})
        return lowest(question)

    deals = PhaseDeals(seeded_secret("same", 0)).session(0, 0)
    result = play_match([agent] * 3, deals, KEY, 2)
    for own, other in zip(result.rounds, record.rounds, strict=True):
        assert (own.passes, own.plays, own.points) == (other.passes, other.plays, other.points)
    assert [(seat.points, seat.place) for seat in result.seats] == [(s.points, s.place) for s in record.seats]
    assert sorted(map(str, asked)) == sorted(map(str, heard))


def test_a_league_of_agents_is_scored_like_a_league() -> None:
    chance = Random(4)

    def any_card(question: Question) -> str | list[str]:
        if question["type"] == "pass":
            return chance.sample(question["hand"], question["count"])
        return str(chance.choice(question["legal"]))

    agents = {"low": lowest, "high": Highest(), "any": any_card, "any too": any_card}
    played = play(agents, seats=3, cycles=2, seed="a")
    rows = {row.bot: row for row in played.standings.rows}
    assert set(rows) == set(agents)
    assert played.standings.par == POINTS_PER_ROUND / 3
    assert {row.sessions for row in rows.values()} == {6}, "3 of 4 line-ups, twice"
    assert all(row.half_width is not None and row.half_width > 0 for row in rows.values())
    for session in played.sessions:
        assert sum(session.card_points.values()) == POINTS_PER_ROUND * session.rounds
    one, same = (play(dict.fromkeys("abc", lowest), seats=3, rounds=1, seed="x").sessions for _ in range(2))
    assert one == same


def test_news_is_told_to_who_wants_it() -> None:
    agent = Highest()
    play_match([lowest, agent, lowest], PhaseDeals(seeded_secret("n", 0)).session(0, 0), KEY, 2)
    assert agent.news == ["start", "round_over", "round_over", "match_over"]


def test_an_illegal_answer_is_an_error() -> None:
    def cheat(question: Question) -> str | list[str]:
        return "S1" if question["type"] == "play" else lowest(question)

    deals = PhaseDeals(seeded_secret("n", 0)).session(0, 0)
    with pytest.raises(IllegalAnswerError, match=r"seat \d, round 0: S1") as refused:
        play_match([cheat] * 3, deals, KEY, 1)
    assert refused.value.question["type"] == "play"
