"""The setup of a match that a referee is given, from the deals of its stretch. Plays nothing."""

from __future__ import annotations

from functools import lru_cache

from arena.deals import Deals
from arena.match.record import MOST_TABLES, MatchSetup
from arena.papayoo import Board
from arena.referee.jobs import MatchJob, Setup

__all__ = ["match_setup"]


def match_setup(setup: Setup, deals: Deals, job: MatchJob) -> MatchSetup:
    """The setup of a match, from the deals of its stretch."""
    players = len(job.seats)
    key = job.key
    boards = _session_boards(deals, key.cycle, key.index, setup.rounds, players)
    seeds = tuple(deals.bot_seed(key, seat) for seat in range(players))
    names = None if setup.names is None else tuple(setup.names[bot] for bot in job.seats)
    return MatchSetup(boards, deals.suits(key), seeds, setup.terms, names)


@lru_cache(maxsize=MOST_TABLES)
def _session_boards(deals: Deals, cycle: int, index: int, rounds: int, players: int) -> tuple[Board, ...]:
    """The boards of a session, dealt once for all its matches: one takes 0.06 ms, like four decisions."""
    return tuple(deals.board(cycle, index, number, players) for number in range(rounds))
