"""Leagues of callables in one Python process: the deals, seats, rules and score of a league, no processes.

An agent gets the very questions that a bot gets, and the same answers give the same results (a test plays
both beside each other). There is no clock: who thinks long holds up everybody. Stores nothing.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from arena.deals import Deals, MatchKey, PhaseDeals, seeded_secret
from arena.match.game import Match, MatchResult, Question, addressed
from arena.match.record import MatchSetup, Terms
from arena.match.stand_in import from_deals
from arena.schedule import Field, Plan, Session
from arena.score.results import SessionResult
from arena.score.scoring import Scoring
from arena.score.table import Plan as PlannedScore
from arena.score.table import Standings

Agent: TypeAlias = Callable[[Mapping[str, Any]], str | Sequence[str]]
"""A function that is given each question of a bot, a map with "type": "pass" or "play", and returns the names
of the cards to pass, or the name of the card to play. If it has a method `told`, that is given all news
(`start`, `round_over`, `match_over`)."""

_TERMS: Final = Terms(1000, 0, 40, 3)


class IllegalAnswerError(ValueError):
    """An answer of an agent that the rules forbid. `question`: what it was asked."""

    def __init__(self, seat: int, question: Mapping[str, Any], why: str) -> None:
        super().__init__(f"seat {seat}, round {question['round']}: {why}")
        self.question = question


@dataclass(frozen=True, slots=True)
class Played:
    """What was played. `standings`: as on a leaderboard, with ranks and ±; `sessions`: what they are from."""

    standings: Standings
    sessions: tuple[SessionResult, ...]


def play(
    agents: Mapping[str, Agent],
    *,
    seats: int = 4,
    rounds: int | None = None,
    cycles: int = 1,
    seed: str = "0",
) -> Played:
    """Play the cycles of a league between agents, by name, and return its standings.

    Line-ups and seat orders are those of a league of so many bots. `rounds`: of a match, one for each seat by
    default. `seed`: all deals, and the order of the schedule, follow from it. The same agent may have several
    names, then it is called for each of them.

    Raises ScheduleError if there is no schedule for so many agents, IllegalAnswerError.
    """
    names = list(agents)
    digest = hashlib.sha256(f"{seed}|{seats}|{'|'.join(names)}".encode()).hexdigest()
    plan = Plan(Field(len(names), seats, digest))
    deals = PhaseDeals(seeded_secret(seed, 0))
    played = tuple(
        _session(session, deals.session(session.cycle, session.index), agents, rounds or seats)
        for cycle in range(cycles)
        for session in plan.cycle(cycle)
    )
    score = PlannedScore(plan.sessions_per_cycle, cycles)
    return Played(Scoring(tuple(names), seats, plan=score).standings(played), played)


def _session(session: Session, deals: Deals, agents: Mapping[str, Agent], rounds: int) -> SessionResult:
    names = list(agents)
    points: Counter[str] = Counter()
    turns: Counter[str] = Counter()
    for order, row in enumerate(session.rows):
        seated = [names[number] for number in row]
        key = MatchKey(session.cycle, session.index, order)
        result = play_match([agents[name] for name in seated], deals, key, rounds)
        for name, seat in zip(seated, result.seats, strict=True):
            points[name] += seat.points
            turns[name] += rounds
    total = rounds * len(session.rows)
    several = {name: count for name, count in turns.items() if count != total}
    return SessionResult(session.cycle, session.index, total, dict(points), {}, several)


def play_match(agents: Sequence[Agent], deals: Deals, key: MatchKey, rounds: int) -> MatchResult:
    """Play one match, agent i at seat i, with the deals of a session. Raises IllegalAnswerError."""
    players = len(agents)
    boards = tuple(deals.board(number, players) for number in range(rounds))
    seeds = tuple(deals.bot_seed(key, seat) for seat in range(players))
    match = Match(MatchSetup(boards, deals.suits(key), seeds, _TERMS), from_deals(deals, key))
    match.begin()
    while not match.over:
        _tell(match, agents)
        for seat in match.waiting():
            _ask(match, match.ask(seat), agents[seat])
    _tell(match, agents)
    return match.result()


def _ask(match: Match, question: Question, agent: Agent) -> None:
    message = addressed(question.message, 0, f"{question.round}-{question.number}-{question.seat}")
    answer = agent(message)
    cards = [answer] if isinstance(answer, str) else list(answer)
    why = match.answer(question.seat, cards, 0)
    if why is not None:
        raise IllegalAnswerError(question.seat, message, why)


def _tell(match: Match, agents: Sequence[Agent]) -> None:
    for seat, news in match.take_news():
        told = getattr(agents[seat], "told", None)
        if told is not None:
            told(addressed(news, 0))
