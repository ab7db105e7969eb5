"""Fits the score of a league: field-adjusted points, charges and their intervals, from session results.

It must not rank, name winners or know which bots are house bots: that is `table`. Lower is better.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from math import sqrt

from arena.standings.boundary import NO_DOUBT, Doubt
from arena.standings.connection import LineUp, connected, connected_without_any
from arena.standings.design import DesignEffect, DesignEffectSums, Scored
from arena.standings.form import Form
from arena.standings.interval import Width
from arena.standings.jackknife import Jackknife, Observation, about, session_information
from arena.standings.linalg import Matrix, Vector, times_vector
from arena.standings.results import ROUND_POINTS, SessionResult, SessionResultError

MAX_UNEVENNESS = 1000
"""The largest ratio of rounds between two sessions for which there is a covariance.

Up to this ratio its relative error is below 1e-9. The rounding error grows with the square of the ratio:
1e-6 at 100,000. In a season the ratio is 1.
"""

MOST_IN_LISTS = 64
"""The bots up to which the algebra is done in lists of rows. It takes ten seconds for 300 bots; arrays take
less than one, but they take a tenth of a second to load."""


@dataclass(frozen=True, slots=True)
class Fit:
    """The scores of the bots of a field in points a round, and how sure they are.

    `bots` is sorted by id, in whatever order they were given; rows of `covariance` follow it. `fap`
    (field-adjusted points), `charge` (fault points a round of the bot's sessions) and `scores` (their sum)
    hold every bot that has a session. `sessions` and `rounds` hold all bots. While the field is not
    `comparable`, `fap` is the plain mean of card points. `covariance` (of the scores) is None without
    `intervals`. `design` is for the ± only; None means a ratio of 1. `form`: how the scores moved from cycle
    to cycle, for the ± and for verdicts; None in a gauntlet.
    """

    bots: tuple[str, ...]
    seats: int
    session_count: int
    sessions: Mapping[str, int]
    rounds: Mapping[str, int]
    fap: Mapping[str, float]
    charge: Mapping[str, float]
    scores: Mapping[str, float]
    comparable: bool
    covariance: Matrix | None
    design: DesignEffect | None = None
    form: Form | None = None
    _numbers: Mapping[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Number the bots."""
        object.__setattr__(self, "_numbers", {bot: number for number, bot in enumerate(self.bots)})

    @property
    def intervals(self) -> bool:
        """Return whether there are standard errors: the field is comparable, even without any one session.

        There are none if the rounds of two sessions differ more than a thousandfold, which no season does.
        """
        return self.covariance is not None

    @property
    def par(self) -> float:
        """Return the score of an average bot without faults, 250/k."""
        return ROUND_POINTS / self.seats

    def standard_error(self, bot: str) -> float | None:
        """Return the standard error of a bot's score in points; None without intervals, or KeyError.

        It is that of the jackknife over sessions.
        """
        i = self._number(bot)
        return None if self.covariance is None else sqrt(max(0.0, self.covariance[i][i]))

    def pair_se(self, a: str, b: str) -> float | None:
        """Return the standard error of score(a) - score(b) in points, by the same; None without intervals."""
        i, j = self._number(a), self._number(b)
        return None if self.covariance is None else sqrt(_of_difference(self.covariance, i, j))

    def verdict_se(self, a: str, b: str) -> float | None:
        """Return the standard error of score(a) - score(b) that verdicts use; None without intervals.

        Where form varies from cycle to cycle it is larger than `pair_se`. Where bots suit one another very
        differently it is smaller, because a balanced schedule repeats that.
        """
        i, j = self._number(a), self._number(b)
        if self.covariance is None:
            return None
        variance = _of_difference(self.covariance, i, j)
        if self.form is None:
            return sqrt(variance)
        own = _of_difference(self.form.covariance, i, j)
        return sqrt(self.form.mixed(max(self._least_ratio, self.form.ratio) * variance, own))

    @property
    def doubt(self) -> Doubt:
        """Return how uncertain `verdict_se` is."""
        if self.form is None:
            return NO_DOUBT
        return Doubt(self.form.ratio / self._least_ratio, self.form.freedom)

    @property
    def _least_ratio(self) -> float:
        """Return the least share of the jackknife's variance that verdicts use."""
        return 1.0 if self.design is None else self.design.at_most

    def half_width(self, bot: str) -> float | None:
        """Return the ± of a bot's score, a 95 % interval that is valid for one look at the end; see
        `interval`. None without intervals.
        """
        i = self._number(bot)
        if self.covariance is None:
            return None
        own = 0.0 if self.form is None else self.form.covariance[i][i]
        return self._width.of(self.covariance[i][i], own)

    def pair_half_width(self, a: str, b: str) -> float | None:
        """Return the ± of score(a) - score(b), of the same kind; None without intervals."""
        i, j = self._number(a), self._number(b)
        if self.covariance is None:
            return None
        own = 0.0 if self.form is None else _of_difference(self.form.covariance, i, j)
        return self._width.of(_of_difference(self.covariance, i, j), own)

    @property
    def varying(self) -> Mapping[str, float]:
        """Return the bots whose form varies from cycle to cycle, and by how many points a round.

        That is a standard deviation between cycles, beyond what the luck of the cards explains; the bot
        that varies most comes first. Empty if nothing is seen.
        """
        if self.form is None or self.covariance is None:
            return {}
        return {self.bots[i]: deviation for i, deviation in self.form.alarms(self.covariance)}

    @property
    def _width(self) -> Width:
        return Width(self.session_count, len(self.bots), self.design, self.form)

    def _number(self, bot: str) -> int:
        try:
            return self._numbers[bot]
        except KeyError:
            raise KeyError(f"no bot {bot!r} in this fit, only {', '.join(self.bots)}") from None


def fit(
    sessions: Iterable[SessionResult],
    bots: Collection[str],
    seats: int,
    *,
    departed: Collection[str] = (),
) -> Fit:
    """Fit the scores of `bots` (all entrants, house bots and stand-in too) to complete sessions.

    Minimises sum_c g_c sum_{i in c} (Y_ci - 250/k - (s_i - mean of the line-up's s))^2. The present field is
    the n bots that are not `departed`, or all bots if fewer than two are left. FAP_i = 250/k + f (s_i - mean
    s of the present field) with f = (k-1)n / (k(n-1)). So the present field averages par, and in a complete
    league FAP is the plain mean. The score adds the charge. A bot that holds several seats, as the stand-in
    of several bots, is in c once for each seat, with their mean as its Y_ci: how the seats differ says
    nothing about any s. Covariance: jackknife over sessions, exact, without refits.

    The order of sessions and bots does not matter, to the last bit. Any shape of field gives a Fit.
    SessionResultError if sessions do not belong together: a line-up without `seats` bots, a bot not in
    `bots`, a session twice.
    """
    # Sums of floats depend on their order, so the order is always that of the schedule.
    ordered = sorted(sessions, key=lambda session: session.key)
    names = tuple(sorted(set(bots)))
    _check(ordered, names, seats)
    totals = _Totals.of(ordered, names)
    played = [i for i, weight in enumerate(totals.rounds) if weight]
    comparable = len(ordered) >= 2 and connected(totals.line_ups, len(names))
    covariance: Matrix | None = None
    design: DesignEffect | None = None
    form: Form | None = None
    if comparable:
        fap, covariance, design, form = _adjusted(ordered, totals, seats, _present(names, departed))
    else:
        fap = [points / max(1, weight) for points, weight in zip(totals.cards, totals.rounds, strict=True)]
    charge = [points / max(1, weight) for points, weight in zip(totals.faults, totals.rounds, strict=True)]
    return Fit(
        bots=names,
        seats=seats,
        session_count=len(ordered),
        sessions=dict(zip(names, totals.sessions, strict=True)),
        rounds=dict(zip(names, totals.rounds, strict=True)),
        fap={names[i]: fap[i] for i in played},
        charge={names[i]: charge[i] for i in played},
        scores={names[i]: fap[i] + charge[i] for i in played},
        comparable=comparable,
        covariance=covariance,
        design=design,
        form=form,
    )


@dataclass(frozen=True, slots=True)
class _Totals:
    """Sums over the sessions, by bot number or by line-up; `each`: the line-up of every session, in order."""

    numbers: Mapping[str, int]
    sessions: list[int]
    rounds: list[int]
    cards: list[int]
    faults: list[int]
    each: list[LineUp]
    line_ups: Counter[LineUp]
    line_up_rounds: Counter[LineUp]

    @classmethod
    def of(cls, ordered: list[SessionResult], names: tuple[str, ...]) -> _Totals:
        """Return the sums over `ordered`, bots numbered as in `names`."""
        empty = [0] * len(names)
        numbers = {name: i for i, name in enumerate(names)}
        totals = cls(numbers, empty[:], empty[:], empty[:], empty[:], [], Counter(), Counter())
        for session in ordered:
            line_up = totals.line_up(session)
            totals.each.append(line_up)
            totals.line_ups[line_up] += 1
            totals.line_up_rounds[line_up] += session.rounds
            for i in line_up:
                totals.rounds[i] += session.rounds
            for i in set(line_up):
                totals.sessions[i] += 1
            for bot, points in session.card_points.items():
                totals.cards[numbers[bot]] += points
            for bot, points in session.fault_points.items():
                totals.faults[numbers[bot]] += points
        return totals

    def line_up(self, session: SessionResult) -> LineUp:
        """Return the session's bots as ascending numbers, one for each seat."""
        if not session.seat_rounds:
            return tuple(sorted(map(self.numbers.__getitem__, session.card_points)))
        return tuple(
            sorted(self.numbers[bot] for bot in session.card_points for _ in range(session.seats(bot)))
        )


def _check(ordered: list[SessionResult], names: tuple[str, ...], seats: int) -> None:
    """Refuse sessions that cannot be fitted together."""
    if seats < 2:
        raise SessionResultError(f"scores compare the bots of a table: seats = {seats}, expected 2 or more")
    known = set(names)
    last: tuple[int, int] | None = None
    for session in ordered:
        if session.key == last:
            raise SessionResultError(f"{session.name} is given twice")
        last = session.key
        taken = sum(map(session.seats, session.card_points))
        if taken != seats:
            raise SessionResultError(f"{session.name}: {taken} bots in its line-up, expected {seats}")
        if not known.issuperset(session.card_points):
            strangers = sorted(set(session.card_points) - known)
            raise SessionResultError(f"{session.name}: {', '.join(strangers)} not among the bots of the fit")


def _present(names: tuple[str, ...], departed: Collection[str]) -> list[int]:
    """Return the numbers of the bots that are not departed; of all if that leaves nobody to compare."""
    present = [i for i, name in enumerate(names) if name not in departed]
    return present if len(present) > 1 else list(range(len(names)))


def _adjusted(
    ordered: list[SessionResult], totals: _Totals, seats: int, present: list[int]
) -> tuple[Vector, Matrix | None, DesignEffect | None, Form | None]:
    """Return the FAP of every bot of a connected field, the covariance of the scores, and what corrects it.

    All but the first are None where there are no intervals.
    """
    size, par = len(totals.rounds), ROUND_POINTS / seats
    if size > MOST_IN_LISTS:
        return _adjusted_large(ordered, totals, seats, present)
    information = session_information(totals.line_up_rounds, size)
    # P_c (Y_c - 250/k) = Y_c - 250/k, for a session sums to 250 a round: the totals are enough.
    # Whole numbers up to the division, so nothing is rounded before it.
    excess = [
        (seats * points - ROUND_POINTS * weight) / seats
        for points, weight in zip(totals.cards, totals.rounds, strict=True)
    ]
    strengths = times_vector(information, excess)
    spread = _spread(seats, len(present))
    # The strengths of the whole field sum to 0. They are left as they are where nobody departed.
    reference = sum(strengths[i] for i in present) / len(present) if len(present) < size else 0.0
    fap = [par + spread * (strength - reference) for strength in strengths]
    if not _has_intervals(ordered, totals):
        return fap, None, None, None
    jackknife = Jackknife(information, strengths, totals.rounds, totals.faults)
    charges = [points / weight for points, weight in zip(totals.faults, totals.rounds, strict=True)]
    # Matches on the same boards are no independent evidence, so the jackknife deletes whole sessions. The
    # design effect corrects it for what the schedule repeats, the form for what lasts for a cycle.
    sums = DesignEffectSums(strengths, charges)
    names = tuple(totals.numbers)
    for session, line_up in zip(ordered, totals.each, strict=True):
        observation = _observation(session, line_up, names)
        jackknife.add(observation)
        sums.add(session.cycle, observation)
    covariance = jackknife.covariance(spread, present)
    known = Scored(about(information, present), spread, totals.rounds, covariance, present)
    return fap, covariance, *sums.corrections(known)


def _adjusted_large(
    ordered: list[SessionResult], totals: _Totals, seats: int, present: list[int]
) -> tuple[Vector, Matrix | None, DesignEffect | None, Form | None]:
    """Return the same for a field that is too large for lists of rows."""
    # Only here, because numpy takes longer to load than most commands run.
    from arena.standings.field_sums import FieldSums, Played
    from arena.standings.large_field import corrections

    size, names = len(totals.rounds), tuple(totals.numbers)
    spread = _spread(seats, len(present))
    reference = present if len(present) < size else ()
    sums = FieldSums(Played.of(ordered, totals.each, names), size, 0, spread, reference)
    fap = [ROUND_POINTS / seats + spread * strength for strength in sums.strengths.tolist()]
    if not _has_intervals(ordered, totals):
        return fap, None, None, None
    covariance: Matrix = sums.covariance().tolist()
    return fap, covariance, *corrections(sums, covariance, present)


def _spread(seats: int, present: int) -> float:
    """Return the factor f of `fit`: with it FAP is the plain mean in a complete league."""
    return (seats - 1) * present / (seats * (present - 1))


def _has_intervals(ordered: list[SessionResult], totals: _Totals) -> bool:
    """Return whether the jackknife can delete each session once: the field stays connected without it."""
    shortest, longest = min(s.rounds for s in ordered), max(s.rounds for s in ordered)
    if longest > MAX_UNEVENNESS * shortest:
        return False
    return connected_without_any(totals.line_ups, len(totals.rounds))


def _of_difference(covariance: Matrix, i: int, j: int) -> float:
    """Return the variance of the difference of two numbers with this covariance."""
    # Rounding can make a variance of 0 slightly negative.
    return max(0.0, covariance[i][i] + covariance[j][j] - 2.0 * covariance[i][j])


def _mean_card_points(session: SessionResult, bot: str) -> float:
    """Return the mean card points of a round and seat of the bot."""
    return session.card_points[bot] / (session.rounds * session.seats(bot))


def _observation(session: SessionResult, line_up: LineUp, names: tuple[str, ...]) -> Observation:
    """Return the session in the terms of the algebra."""
    par = ROUND_POINTS / len(line_up)
    return Observation(
        members=line_up,
        rounds=session.rounds,
        deviations=[_mean_card_points(session, names[i]) - par for i in line_up],
        faults=[session.fault_points.get(names[i], 0) for i in line_up],
    )
