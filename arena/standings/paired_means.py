"""Computes the scores of a gauntlet: plain means, because all candidates met the same opponents on the same
boards.

It must not judge: `verdicts` decides what may be claimed of a difference, `gauntlet_answer` of all of them.

Every candidate plays in every session. Let y_ic be the card and fault points a round of candidate i in
session c, of C sessions with equal rounds. The difference of two candidates is the mean of d_c = y_ic -
y_jc, and its standard error sqrt(sum (d_c - mean)^2 / (C (C - 1))): the test of paired differences
(Student, "The probable error of a mean", 1908). What a board, a seat and an opponent cost both candidates
cancels in each d_c. The delete-one-session jackknife used here gives exactly that. It also gives standard
errors for sessions of unequal rounds, and for opponents that sit in some sessions only.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from arena.standings.fit import Fit
from arena.standings.linalg import Matrix, zeros
from arena.standings.results import SessionResult, SessionResultError


def is_gauntlet(session: SessionResult) -> bool:
    """Return whether some bot sat in only a part of the session's matches, as candidates do."""
    return any(sat < session.rounds for sat in session.seat_rounds.values())


def paired_means(sessions: Iterable[SessionResult], bots: Collection[str], seats: int) -> Fit:
    """Return the mean card and fault points of every bot for each seat and round, with their covariance.

    Covariance: Cov = (C-1)/C sum_c D_c D_c', with D_c the shift of the means by session c. There is none
    while some bot has fewer than two sessions. SessionResultError for a session of bots not in `bots`, or
    one given twice.
    """
    ordered = sorted(sessions, key=lambda session: session.key)
    names = tuple(sorted(set(bots)))
    _check(ordered, names)
    sums = _Sums()
    for session in ordered:
        sums.add(session)
    played = [bot for bot in names if sums.rounds[bot]]
    fap = {bot: sums.cards[bot] / sums.rounds[bot] for bot in played}
    charge = {bot: sums.faults[bot] / sums.rounds[bot] for bot in played}
    met = len(played) == len(names) and len(ordered) >= 2
    return Fit(
        bots=names,
        seats=seats,
        session_count=len(ordered),
        sessions={bot: sums.sessions[bot] for bot in names},
        rounds={bot: sums.rounds[bot] for bot in names},
        fap=fap,
        charge=charge,
        scores={bot: fap[bot] + charge[bot] for bot in played},
        comparable=met,
        covariance=_covariance(ordered, names, sums) if met else None,
    )


@dataclass(slots=True)
class _Sums:
    """Totals over sessions, by bot."""

    cards: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    faults: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    rounds: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    sessions: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))

    def add(self, session: SessionResult) -> None:
        for bot, points in session.card_points.items():
            self.cards[bot] += points
            self.faults[bot] += session.fault_points.get(bot, 0)
            self.rounds[bot] += _sat(session, bot)
            self.sessions[bot] += 1

    def mean(self, bot: str) -> float:
        return (self.cards[bot] + self.faults[bot]) / self.rounds[bot]

    def mean_without(self, bot: str, session: SessionResult) -> float:
        points = session.card_points[bot] + session.fault_points.get(bot, 0)
        return (self.cards[bot] + self.faults[bot] - points) / (self.rounds[bot] - _sat(session, bot))


def _covariance(ordered: Sequence[SessionResult], names: Sequence[str], sums: _Sums) -> Matrix | None:
    # The mean without the only session of a bot would be a mean of nothing.
    if min(sums.sessions[bot] for bot in names) < 2:
        return None
    numbers = {bot: number for number, bot in enumerate(names)}
    factor = (len(ordered) - 1) / len(ordered)
    total = zeros(len(names))
    for session in ordered:
        moved = [
            (numbers[bot], sums.mean(bot) - sums.mean_without(bot, session))
            for bot in sorted(session.card_points)
        ]
        for i, own in moved:
            row = total[i]
            for j, other in moved:
                row[j] += factor * own * other
    return total


def _sat(session: SessionResult, bot: str) -> int:
    """Return the rounds of a session at all seats of the bot."""
    return session.seat_rounds.get(bot, session.rounds)


def _check(ordered: Sequence[SessionResult], names: Collection[str]) -> None:
    for number, session in enumerate(ordered):
        if number and session.key == ordered[number - 1].key:
            raise SessionResultError(f"{session.name} is given twice")
        strangers = sorted(set(session.card_points) - set(names))
        if strangers:
            raise SessionResultError(f"{session.name}: {', '.join(strangers)} not among the bots of the fit")
