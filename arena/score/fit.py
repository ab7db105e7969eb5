"""The score: field-adjusted points by least squares over complete sessions, and how sure each is.

A closed field is an open one where everybody is present. It must not rank or name winners: that is `table`.
Fewer points are better.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from arena.score.counting import Counted, count_sessions, line_ups_of
from arena.score.entry_ids import bot_of
from arena.score.least_squares import FieldSums, Played
from arena.score.results import ROUND_POINTS, SessionResult, SessionResultError
from arena.score.spread import Doubt, Spread, spread_of


@dataclass(frozen=True)
class Fit:
    """The scores of the entries of a field in points a round, and how sure they are.

    `bots`: those that have a ± where there are intervals, sorted by id: the present ones. `fap`
    (field-adjusted points), `charge` (fault points a round) and `scores` (their sum) also hold those that
    departed, measured by the present field. `sessions`: the counted ones of each, `rounds` in these. While
    the field is not `comparable`, `fap` is the plain mean of card points, and `spread` is None. `shift`: by
    how many points scores are higher than if those who departed were in the mean that they are measured by;
    `stretch`: how many times as far they are apart.
    """

    bots: tuple[str, ...]
    seats: int
    session_count: int
    sessions: Mapping[str, int]
    rounds: Mapping[str, int]
    fap: Mapping[str, float]
    charge: Mapping[str, float]
    scores: Mapping[str, float]
    counted: Counted
    spread: Spread | None = field(default=None, compare=False)
    shift: float = 0.0
    stretch: float = 1.0
    _numbers: Mapping[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Number the bots."""
        object.__setattr__(self, "_numbers", {bot: number for number, bot in enumerate(self.bots)})

    @property
    def comparable(self) -> bool:
        """Return whether scores are comparable: enough sessions connect the bots."""
        return self.spread is not None

    @property
    def par(self) -> float:
        """Return the score of an average bot without faults, 250/k."""
        return ROUND_POINTS / self.seats

    def standard_error(self, *bots: str) -> float | None:
        """Return the standard error of a score, or of a difference of two; None where there is none.

        It is that of the jackknife over sessions.
        """
        found = self._of(bots)
        return None if found is None else self.spread.standard_error(*found)  # type: ignore[union-attr]

    def half_width(self, *bots: str) -> float | None:
        """Return the ± of a score, or of a difference of two; None where there is none. See `spread`."""
        found = self._of(bots)
        return None if found is None else self.spread.half_width(*found)  # type: ignore[union-attr]

    def of_verdict(self, a: str, b: str) -> tuple[float, Doubt]:
        """Return the variance of score(a) - score(b) that verdicts use, and how uncertain it is."""
        found = self._of((a, b))
        if found is None or self.spread is None:
            raise KeyError(f"{a} and {b} are not compared in this fit")
        return self.spread.of_verdict(*found)

    @property
    def varying(self) -> Mapping[str, float]:
        """Return the bots whose form varies from cycle to cycle, and by how many points a round.

        That is a standard deviation between cycles, beyond what the luck of the cards explains; the bot
        that varies most comes first. Empty if nothing is seen.
        """
        if self.spread is None:
            return {}
        alarms = self.spread.form.alarms(self.spread.jackknife.diagonal())
        return {self.bots[i]: deviation for i, deviation in alarms}

    @property
    def protected(self) -> bool:
        """Return whether ± and verdicts allow for form that varies from cycle to cycle."""
        return self.spread is not None and self.spread.form.protected

    @property
    def form_lasts(self) -> bool:
        """Return whether form is seen to last over several cycles."""
        return self.spread is not None and self.spread.form.lasts

    def _of(self, bots: Sequence[str]) -> list[int] | None:
        if self.spread is None or not all(bot in self._numbers for bot in bots):
            return None
        return [self._numbers[bot] for bot in bots]


def fit(sessions: Iterable[SessionResult], bots: Collection[str], seats: int) -> Fit:
    """Fit the scores of the `bots` of the present field, house bots and stand-in too, to complete sessions.

    Minimises sum_c g_c sum_{i in c} (Y_ci - 250/k - (s_i - mean of the line-up's s))^2 over the counted
    sessions, g_c their rounds. FAP_i = 250/k + f (s_i - mean of s over the n bots that scores are measured
    against) with f = (k-1)n / (k(n-1)). So these average par, and in a complete league FAP is the plain mean.
    The score adds the charge. A bot with several seats is in c once for each of them, with their mean.

    The order of sessions and bots does not matter, to the last bit. SessionResultError if sessions do not
    belong together: a line-up without `seats` bots, a session twice.
    """
    played = sorted(sessions, key=lambda session: session.key)
    _check(played, seats)
    counted = count_sessions(played, bots)
    if len(counted.present) < 2:
        return _plain(played, bots, seats, counted)
    full = [bot for bot in counted.departed if bot not in counted.sole]
    sole = [bot for bot in counted.departed if bot in counted.sole]
    names = [*counted.present, *full, *sole]
    reference = [number for number, bot in enumerate(counted.present) if bot in counted.measured]
    before = [*reference, *range(len(counted.present), len(names))]
    factor = _spread_of_scores(len(reference), seats)
    arrays = Played.of(counted.sessions, line_ups_of(counted.sessions, names), names)
    sums = FieldSums(arrays, len(names) - len(sole), len(sole), factor, reference)
    fap = {
        name: ROUND_POINTS / seats + factor * strength
        for name, strength in zip(names, sums.strengths.tolist(), strict=True)
    }
    charge = dict(zip(names, sums.charges.tolist(), strict=True))
    rounds = dict(zip(names, map(int, sums.rounds.tolist()), strict=True))
    return Fit(
        bots=counted.present,
        seats=seats,
        session_count=len(counted.sessions),
        sessions={bot: counted.counted.get(bot, 0) for bot in [*sorted(bots), *counted.departed]},
        rounds={bot: rounds.get(bot, 0) for bot in [*sorted(bots), *counted.departed]},
        fap=fap,
        charge=charge,
        scores={name: fap[name] + charge[name] for name in names},
        counted=counted,
        spread=spread_of(sums, len(counted.present), _later_versions(names, counted.present)),
        # Strengths are above the mean of the reference, so that of the departed, too, is what it takes off.
        shift=factor * float(sums.strengths[before].mean()),
        stretch=factor / _spread_of_scores(len(before), seats),
    )


def _later_versions(names: Sequence[str], present: Sequence[str]) -> dict[int, int]:
    """Return the number of the present version of each departed entry that has one, by its number."""
    here = {bot_of(entry): number for number, entry in enumerate(present)}
    departed = range(len(present), len(names))
    return {number: here[bot] for number in departed if (bot := bot_of(names[number])) in here}


def _spread_of_scores(bots: int, seats: int) -> float:
    """Return f: how far apart the scores of two bots are whose strengths are 1 apart."""
    return (seats - 1) * bots / (seats * (bots - 1)) if bots > 1 else (seats - 1) / seats


def _plain(played: list[SessionResult], bots: Collection[str], seats: int, counted: Counted) -> Fit:
    """Return plain means of all that played, while the field cannot be compared."""
    cards, faults, rounds = Counter[str](), Counter[str](), Counter[str]()
    for session in played:
        for bot, points in session.card_points.items():
            cards[bot] += points
            faults[bot] += session.fault_points.get(bot, 0)
            rounds[bot] += session.rounds * session.seats(bot)
    names = sorted(rounds)
    fap = {bot: cards[bot] / rounds[bot] for bot in names}
    charge = {bot: faults[bot] / rounds[bot] for bot in names}
    every = sorted({*bots, *names})
    return Fit(
        bots=tuple(sorted(bots)),
        seats=seats,
        session_count=len(played),
        sessions={bot: counted.played.get(bot, 0) for bot in every},
        rounds={bot: rounds[bot] for bot in every},
        fap=fap,
        charge=charge,
        scores={bot: fap[bot] + charge[bot] for bot in names},
        counted=counted,
    )


def _check(played: Sequence[SessionResult], seats: int) -> None:
    """Refuse sessions that cannot be fitted together."""
    if seats < 2:
        raise SessionResultError(f"scores compare the bots of a table: seats = {seats}, expected 2 or more")
    for number, session in enumerate(played):
        if number and session.key == played[number - 1].key:
            raise SessionResultError(f"{session.name} is given twice")
        taken = sum(map(session.seats, session.card_points))
        if taken != seats:
            raise SessionResultError(f"{session.name}: {taken} bots in its line-up, expected {seats}")
