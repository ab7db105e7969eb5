"""The setup of a match: made from what a referee was sent and the deals of its session. Plays nothing."""

from __future__ import annotations

from functools import lru_cache

from arena.deals import Deals
from arena.match.record import MOST_TABLES, MatchSetup
from arena.papayoo import Board
from arena.referee.jobs import MatchJob, Setup

__all__ = ["match_setup"]


def match_setup(setup: Setup, deals: Deals, job: MatchJob) -> MatchSetup:
    """Return the setup of a match, with the deals of its session."""
    players = len(job.seats)
    key = job.key
    boards = _session_boards(deals, setup.rounds, players)
    seeds = tuple(deals.bot_seed(key, seat) for seat in range(players))
    return MatchSetup(boards, deals.suits(key), seeds, setup.terms)


@lru_cache(maxsize=MOST_TABLES)
def _session_boards(deals: Deals, rounds: int, players: int) -> tuple[Board, ...]:
    """Return the boards of a session.

    They are dealt once for all its matches, because dealing one takes 0.06 ms, as long as four decisions.
    """
    return tuple(deals.board(number, players) for number in range(rounds))
