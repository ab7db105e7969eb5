"""Scores a field that changes: which sessions count for those who are present, and the fit of these.

An entry is one version of a bot. Those who have left (departed) stay in the least squares, because what they
played says how strong the others are. It must not rank or claim anything: that are `table` and `open_look`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt

from arena.standings.boundary import Doubt
from arena.standings.connection import LineUp, firmly_connected
from arena.standings.fit import Fit
from arena.standings.interval import CONFIDENCE
from arena.standings.linalg import Matrix
from arena.standings.open_form import OpenForm, form_of_entries
from arena.standings.quantiles import t_quantile
from arena.standings.results import ROUND_POINTS, SessionResult, SessionResultError

LEAST_SESSIONS = 2
"""Counted sessions below which an entry says nothing: without one of them it could not be compared."""

ENOUGH_SESSIONS = 16
"""Counted sessions that an entry needs for verdicts; see `verdicts.MIN_SESSIONS_A_BOT`."""

LEAST_LEFT = 0.5
"""The least share of a variance that the correction by meetings leaves: effects of pairs are estimates."""


@dataclass(frozen=True, slots=True)
class Counted:
    """Which sessions count, and for whom.

    `sessions`: those that count, in the order of the schedule. `present`, `departed`: the entries in them,
    sorted by id. `waiting`: the entries of the field that have no score yet, sorted. `played`: the complete
    sessions of each entry. `eligible`: those of them with at most one departed entry; for an entry that is
    not waiting they count, but for a few with an entry that is.
    """

    sessions: tuple[SessionResult, ...]
    present: tuple[str, ...]
    departed: tuple[str, ...]
    waiting: tuple[str, ...]
    played: Mapping[str, int]
    eligible: Mapping[str, int]

    @property
    def too_few_opponents(self) -> tuple[str, ...]:
        """Return the entries of the field that have too few sessions because rivals have left."""
        field_ = sorted([*self.present, *self.waiting])
        return tuple(
            entry
            for entry in field_
            if self.eligible.get(entry, 0) < ENOUGH_SESSIONS <= self.played.get(entry, 0)
        )


def eligible(sessions: Iterable[SessionResult], present: Collection[str]) -> list[SessionResult]:
    """Return the sessions with at most one entry that is not `present`, in the order given.

    They count for whoever is not waiting.
    """
    here = set(present)
    return [session for session in sessions if len(session.card_points.keys() - here) <= 1]


def sessions_of_each(sessions: Iterable[SessionResult]) -> Counter[str]:
    """Return in how many of the sessions each entry sat."""
    return Counter(bot for session in sessions for bot in session.card_points)


def counted(sessions: Iterable[SessionResult], field_: Collection[str]) -> Counted:
    """Choose the sessions that count for the entries that are now in the field, house bots included.

    A session with two or more departed entries is left out as long as they are away. Entries with fewer than
    two counted sessions are left out with these: a newcomer waits, who departed is dropped. So are entries
    that only a single session connects with the others. So nobody else loses a score or ± by them.
    """
    ordered = sorted(sessions, key=lambda session: session.key)
    present = set(field_)
    may_count = eligible(ordered, present)
    chosen = _firm(may_count, present)
    seated = {bot for session in chosen for bot in session.card_points}
    scored = tuple(sorted(seated & present))
    return Counted(
        sessions=tuple(chosen),
        present=scored,
        departed=tuple(sorted(seated - present)),
        waiting=tuple(sorted(present.difference(scored))),
        played=sessions_of_each(ordered),
        eligible=sessions_of_each(may_count),
    )


def _firm(sessions: list[SessionResult], present: Collection[str]) -> list[SessionResult]:
    """Return the sessions of the entries that stay connected whichever one of these sessions is deleted."""
    while sessions:
        played = Counter(bot for session in sessions for bot in session.card_points)
        left = [s for s in sessions if all(played[bot] >= LEAST_SESSIONS for bot in s.card_points)]
        if len(left) == len(sessions):
            names = sorted(played)
            groups = firmly_connected(_line_ups(left, names), len(names))
            # Of groups of equal size, that with the first entry by id.
            core = max(groups, key=lambda group: sum(names[i] in present for i in group))
            if len(core) == len(names):
                return left
            inside = {names[i] for i in core}
            left = [session for session in left if inside.issuperset(session.card_points)]
        sessions = left
    return []


def _line_ups(sessions: Iterable[SessionResult], names: Sequence[str]) -> list[LineUp]:
    """Return the line-up of each session as ascending numbers."""
    numbers = {name: number for number, name in enumerate(names)}
    return [tuple(sorted(map(numbers.__getitem__, session.card_points))) for session in sessions]


NOTHING_COUNTED = Counted((), (), (), (), {}, {})


@dataclass(frozen=True, slots=True)
class OpenFit(Fit):
    """The scores of a changing field in points a round, and how sure they are.

    `bots` are the present entries that have a score; `fap`, `charge` and `scores` also hold those that
    departed, measured by the present field, without a ±. `sessions`: the counted sessions of each entry; of
    one that is waiting, those that will count. `covariance` is None only while fewer than two present
    entries can be compared. The design ratio is 1: no schedule of a changing field repeats itself.
    `by_meetings`: what the ± adds to `covariance` for those whom each met more or less often than others,
    see `meetings`; verdicts add it where it is more than nothing.
    """

    counted: Counted = field(default=NOTHING_COUNTED)
    by_entry: OpenForm | None = None
    by_meetings: Matrix = field(default_factory=list)

    def half_width(self, bot: str) -> float | None:
        """Return the ± of an entry's score, a 95 % interval for one look; None if it has none."""
        if self.covariance is None or bot not in self._numbers or self.by_entry is None:
            return None
        i = self._numbers[bot]
        variance, freedom = self.by_entry.for_interval([i], self._corrected(i, i), self.sessions[bot])
        return t_quantile(0.5 + CONFIDENCE / 2.0, freedom) * sqrt(variance)

    def pair_half_width(self, a: str, b: str) -> float | None:
        """Return the ± of score(a) - score(b), of the same kind; None if one of them has none."""
        if self.covariance is None or not {a, b} <= self._numbers.keys() or self.by_entry is None:
            return None
        i, j = self._numbers[a], self._numbers[b]
        least = min(self.sessions[a], self.sessions[b])
        variance, freedom = self.by_entry.for_interval([i, j], self._corrected(i, j), least)
        return t_quantile(0.5 + CONFIDENCE / 2.0, freedom) * sqrt(variance)

    def standard_error(self, bot: str) -> float | None:
        """Return the standard error of an entry's score by the jackknife over sessions; None without one."""
        return Fit.standard_error(self, bot) if bot in self._numbers else None

    def verdict_se(self, a: str, b: str) -> float | None:
        """Return the standard error of score(a) - score(b) that verdicts use; None without intervals."""
        if self.covariance is None or self.by_entry is None:
            return None
        i, j = self._number(a), self._number(b)
        return sqrt(self.by_entry.for_verdict(i, j, self._cautious(i, j)))

    def doubt_of(self, a: str, b: str) -> Doubt:
        """Return how uncertain `verdict_se` is; there must be intervals."""
        assert self.by_entry is not None
        i, j = self._number(a), self._number(b)
        return self.by_entry.doubt(i, j, self._cautious(i, j))

    def clock(self, a: str, b: str) -> float:
        """Return h, the harmonic mean of the counted sessions of two entries: the time of their verdict."""
        return 2.0 / (1.0 / self.sessions[a] + 1.0 / self.sessions[b])

    @property
    def protected(self) -> bool:
        """Return whether ± and verdicts allow for form that varies from cycle to cycle."""
        return self.by_entry is not None and self.by_entry.protected

    @property
    def varying(self) -> Mapping[str, float]:
        """Return the entries whose form varies from cycle to cycle; see `Fit.varying`."""
        if self.covariance is None or self.by_entry is None:
            return {}
        own = [row[i] for i, row in enumerate(self.covariance)]
        return {self.bots[i]: deviation for i, deviation in self.by_entry.alarms(own)}

    def _variance(self, i: int, j: int) -> float:
        assert self.covariance is not None
        return max(0.0, _of_two(self.covariance, i, j))

    def _corrected(self, i: int, j: int) -> float:
        """Return the variance of a score (i = j) or difference, corrected for who met whom."""
        assert self.covariance is not None
        if i == j:
            variance, more = max(0.0, self.covariance[i][i]), self.by_meetings[i][i]
        else:
            variance, more = self._variance(i, j), _of_two(self.by_meetings, i, j)
        return max(LEAST_LEFT * variance, variance + more)

    def _cautious(self, i: int, j: int) -> float:
        """Return the variance of a difference for verdicts, which a correction makes larger only."""
        return max(self._variance(i, j), self._corrected(i, j))


def _of_two(rows: Matrix, i: int, j: int) -> float:
    return rows[i][i] + rows[j][j] - 2.0 * rows[i][j]


def open_fit(sessions: Iterable[SessionResult], field_: Collection[str], seats: int) -> OpenFit:
    """Fit the scores of the entries that are now in the field, house bots included.

    The least squares of `fit` over the `counted` sessions: with R the n present entries, FAP_i = 250/k +
    (k-1) n / (k (n-1)) (s_i - mean of s over R), so the present field averages par. Covariance: the jackknife
    over these sessions. A score has (its counted sessions) - 1 degrees of freedom, a difference those of the
    entry with fewer. The order of sessions and entries does not matter, to the last bit. SessionResultError
    if sessions do not belong together.
    """
    played = list(sessions)
    _check(played, seats)
    chosen = counted(played, field_)
    if len(chosen.present) < 2:
        return _plain(played, field_, seats, chosen)
    # Only here, because numpy takes longer to load than most commands run.
    from arena.standings.field_sums import FieldSums, Played

    names = [*chosen.present, *chosen.departed]
    n = len(chosen.present)
    spread = (seats - 1) * n / (seats * (n - 1))
    line_ups = _line_ups(chosen.sessions, names)
    sums = FieldSums(Played.of(chosen.sessions, line_ups, names), n, len(chosen.departed), spread)
    strengths, charge = sums.strengths.tolist(), sums.charges.tolist()
    fap = {name: ROUND_POINTS / seats + spread * s for name, s in zip(names, strengths, strict=True)}
    covariance = sums.covariance().tolist()
    return OpenFit(
        bots=chosen.present,
        seats=seats,
        session_count=len(chosen.sessions),
        sessions=_sessions(chosen, field_),
        rounds=dict.fromkeys(sorted(field_), 0) | dict(zip(names, map(int, sums.rounds), strict=True)),
        fap=fap,
        charge=dict(zip(names, charge, strict=True)),
        scores={name: fap[name] + own for name, own in zip(names, charge, strict=True)},
        comparable=True,
        covariance=covariance,
        counted=chosen,
        by_entry=form_of_entries(sums.moved_by_cycles().tolist(), sums.sessions_by_cycle(), covariance),
        by_meetings=sums.by_meetings().tolist(),
    )


def _sessions(chosen: Counted, field_: Collection[str]) -> dict[str, int]:
    """Return the counted sessions of each entry; of one that is waiting, the eligible ones."""
    found = Counter(bot for session in chosen.sessions for bot in session.card_points)
    waiting = {entry: chosen.eligible.get(entry, 0) for entry in sorted(field_)}
    return waiting | {entry: found[entry] for entry in (*chosen.present, *chosen.departed)}


def _plain(played: list[SessionResult], field_: Collection[str], seats: int, chosen: Counted) -> OpenFit:
    """Return plain means of the field, while it cannot be compared."""
    cards, faults, rounds = Counter[str](), Counter[str](), Counter[str]()
    for session in played:
        for bot, points in session.card_points.items():
            cards[bot] += points
            faults[bot] += session.fault_points.get(bot, 0)
            rounds[bot] += session.rounds
    names = [entry for entry in sorted(field_) if rounds[entry]]
    fap = {entry: cards[entry] / rounds[entry] for entry in names}
    charge = {entry: faults[entry] / rounds[entry] for entry in names}
    return OpenFit(
        bots=tuple(sorted(field_)),
        seats=seats,
        session_count=len(played),
        sessions={entry: chosen.played.get(entry, 0) for entry in sorted(field_)},
        rounds={entry: rounds[entry] for entry in sorted(field_)},
        fap=fap,
        charge=charge,
        scores={entry: fap[entry] + charge[entry] for entry in names},
        comparable=False,
        covariance=None,
        counted=chosen,
    )


def _check(played: Iterable[SessionResult], seats: int) -> None:
    """Refuse sessions that cannot be fitted together."""
    keys = set()
    for session in played:
        if session.key in keys:
            raise SessionResultError(f"{session.name} is given twice")
        keys.add(session.key)
        if len(session.card_points) != seats or session.seat_rounds:
            found = len(session.card_points)
            raise SessionResultError(f"{session.name}: {found} entries at one seat each, expected {seats}")
