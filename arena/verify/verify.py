"""The check of a whole database against everything that can be derived again: `arena verify`.

Schedule, deals, stand-in, rules, faults and standings are worked out anew and compared with what is
stored. Changes nothing and trusts no sum that the database adds up. What depends on the secret of a phase
is checked once the phase has ended; until then the result says what was not checked.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from arena.conduct.exclusion import disqualified, out_in, sittings_of
from arena.deals import PhaseDeals, phase_key
from arena.errors import RowsUnreadable, StoreError
from arena.match.record import MatchRecord
from arena.match.stand_in import STAND_IN
from arena.schedule import OpenPlan, Schedule, ScheduleError
from arena.score.results import SessionResult
from arena.score.table import Standings
from arena.season.agenda import OVER
from arena.season.decide import conduct_of
from arena.store import read
from arena.store.acts import voids_from
from arena.store.database import Database
from arena.store.scoring import Played, scoring_of
from arena.store.stage import decision_of
from arena.store.stored_season import StoredSeason, season_plan
from arena.store.views import (
    MatchState,
    MatchView,
    PhaseView,
    SeasonView,
    SessionKey,
    SessionState,
    SessionView,
)
from arena.verify.decision_check import (
    check_decisions,
    check_end,
    check_stage,
    decision_cycles_over,
)
from arena.verify.match_check import Expected, check_match
from arena.verify.open_check import check_fields, check_owed
from arena.verify.season_check import (
    check_chain,
    check_phase,
    check_season,
    check_sizes,
    result_of,
    terms_of,
    why_not_so,
)


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference between what is stored and what must be stored, and its place.

    `season` and `match` are numbers from 1; `cycle`, `index`, `round` and `trick` count from 0. A number
    that does not apply is None. Without a season, the rows of the database itself do not fit together.
    """

    text: str
    season: int | None = None
    cycle: int | None = None
    index: int | None = None
    match: int | None = None
    round: int | None = None
    trick: int | None = None

    @property
    def place(self) -> str:
        """Return the place in words."""
        if self.season is None:
            return "the database"
        places = [f"season {self.season}"]
        if self.match is None and self.cycle is not None:
            places.append(f"session {self.cycle}.{self.index}")
        for name, number in (("match", self.match), ("round", self.round), ("trick", self.trick)):
            if number is not None:
                places.append(f"{name} {number}")
        return ", ".join(places)

    def __str__(self) -> str:
        return f"{self.place}: {self.text}"


@dataclass(slots=True)
class Checked:
    """The part of a season that was checked, up to its first difference.

    `sessions`, `matches`, `rounds`: how many were checked. `dealt`: the matches whose deals and stand-in were
    derived again. `open_phases`: the phases whose secret is not shown yet. `predictable`: the phases
    whose secret follows from a published seed. `standings`: recomputed from the plays, or None when a
    difference came before. `went_on`: how many bots went on to it, decided again from the stage before; None
    where it follows no stage.
    """

    season: int
    sessions: int = 0
    matches: int = 0
    rounds: int = 0
    dealt: int = 0
    open_phases: list[int] = field(default_factory=list)
    predictable: list[int] = field(default_factory=list)
    standings: Standings | None = None
    went_on: int | None = None


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of `verify`: `difference` is None when everything that could be checked agrees."""

    seasons: tuple[Checked, ...]
    difference: Difference | None


def verify(
    database: Database, seasons: Sequence[SeasonView], match_checked: Callable[[], None] = lambda: None
) -> Verification:
    """Check the seasons up to the first difference; `match_checked` is called after each match.

    Matches that finish during the check are not looked at. Raises StoreError when the database cannot be
    read.
    """
    damage = read.damage(database)
    if damage:
        return Verification((), Difference(damage))
    done: list[Checked] = []
    stored = {season.number: season for season in read.seasons(database)}
    for season in seasons:
        try:
            check = _SeasonCheck(database, season, match_checked)
            check.newest = season is seasons[-1]
            done.append(check.checked)
            difference = next(check.differences(), None)
            if difference is None:
                stage = check_stage(season, stored.get(season.number - 1), database)
                difference = next((Difference(text, season.number) for text in stage), None)
            if difference is None and (decision := decision_of(season)) is not None:
                check.checked.went_on = len(decision.going_on)
        except RowsUnreadable as error:
            difference = Difference(f"its rows cannot be read: {error.why}", season.number)
        if difference is not None:
            return Verification(tuple(done), difference)
    # Last, since a season's own check explains a difference better than the rows do.
    unsound = read.unsound(database)
    return Verification(tuple(done), Difference(unsound) if unsound else None)


class _SeasonCheck:
    """The checks of one season, in the order in which a difference is best explained."""

    def __init__(self, database: Database, season: SeasonView, match_checked: Callable[[], None]) -> None:
        self.checked = Checked(season.number)
        self.newest = True
        self._database = database
        self._match_checked = match_checked
        self._terms = terms_of(season.keys)
        self._deals: dict[int, PhaseDeals] = {}
        self._results: list[SessionResult] = []
        self._void: list[SessionResult] = []
        self._conduct = conduct_of(season)
        # Of one moment, for the league may be played meanwhile.
        with database.reading() as db:
            self._season = read.season(db, season.number)
            self._stored = StoredSeason(self._season, read.actions(db), read.decisions(db, season.number))
            self._sessions = {(view.cycle, view.index): view for view in read.sessions(db, season.number)}
            self._progress = read.progress(db, season.number)
            self._chain_end = read.chain_end(db, season.number)
            attempts = read.matches(db, season.number, state=None)
        self._rulings = self._stored.rulings
        self._voids = voids_from(self._stored.acts, season.number)
        self._attempts: defaultdict[SessionKey, list[MatchView]] = defaultdict(list)
        for match in attempts:
            self._attempts[match.cycle, match.index].append(match)

    def differences(self) -> Iterator[Difference]:
        """Yield every difference. A difference after the first may be its consequence."""
        for text in check_season(self._season):
            yield self._at(text)
        for phase in self._season.phases:
            yield from self._phase(phase)
        for text in check_chain(self._season, self._chain_end):
            yield self._at(text)
        try:
            plan = season_plan(self._season, self._rulings)
        except (ScheduleError, StoreError) as error:
            yield self._at(f"there is no schedule for this season: {error}")
            return
        for text in check_sizes(self._season, plan):
            yield self._at(text)
        if isinstance(plan, OpenPlan):
            for text in check_fields(self._stored, plan):
                yield self._at(text)
        for session in self._sessions.values():
            yield from self._session(session, plan)
            self.checked.sessions += 1
        yield from self._unplayed(plan)
        if isinstance(plan, OpenPlan):
            for text in check_owed(self._season, plan, self._stored.acts, self._played().results):
                yield self._at(text)
        yield from self._decided(plan)
        yield from self._scores()

    def _at(self, text: str, session: SessionKey | None = None) -> Difference:
        cycle, index = session if session is not None else (None, None)
        return Difference(text, self._season.number, cycle, index)

    # What is fixed for the season

    def _phase(self, phase: PhaseView) -> Iterator[Difference]:
        number = phase.number
        if phase.predictable:
            self.checked.predictable.append(number)
        for text in (
            *check_phase(phase, self._season.phases[:number], self._season.keys),
            *check_end(self._stored, phase),
        ):
            yield self._at(text)
        if phase.secret is None:
            self.checked.open_phases.append(number)
            return
        try:
            key = phase_key(bytes.fromhex(phase.secret), phase.public_draw)
            self._deals[number] = PhaseDeals(key)
        except ValueError as error:
            yield self._at(f"the secret or public draw of phase {number} is invalid: {error}")

    def _played(self) -> Played:
        played = sorted([*self._results, *self._void], key=lambda result: result.key)
        states = {key: session.state for key, session in self._sessions.items()}
        return Played(played, states, self._progress)

    def _unplayed(self, plan: Schedule) -> Iterator[Difference]:
        """Yield the first session that is not over in a phase that has ended.

        A phase ends when its cycles are over, or with its season, so only the newest season is checked.
        """
        ended = [one for one in self._season.phases if one.ended_at is not None]
        cycles = ended[-1].cycles_planned if ended and self.newest else 0
        places = ((cycle, index) for cycle in range(cycles) for index in range(plan.sessions_in(cycle)))
        for key in places:
            view = self._sessions.get(key)
            if view is None or view.state not in OVER:
                yield self._at(f"it is not over, and phase {ended[-1].number} has ended", key)
                return

    # What was played

    def _session(self, session: SessionView, plan: Schedule) -> Iterator[Difference]:
        key = (session.cycle, session.index)
        impossible = self._impossible(session, plan)
        if impossible:
            yield self._at(impossible, key)
            return
        planned = plan.cycle(session.cycle)[session.index]
        line_up = self._bots(planned.order)
        if session.line_up != line_up:
            text = f"its line-up is {' '.join(session.line_up)}, the schedule says {' '.join(line_up)}"
            yield self._at(text, key)
        attempts = self._attempts[key]
        finished = [match for match in attempts if match.state is MatchState.FINISHED]
        matches = sorted(finished, key=lambda match: match.order)
        orders = [match.order for match in matches]
        every = list(range(plan.matches_per_session))
        if not set(orders) <= set(every) or (session.state is SessionState.COMPLETE and orders != every):
            yield self._at(f"the seat orders {_listed(orders)} are finished, expected {_listed(every)}", key)
            return
        wrong = why_not_so(session, attempts, self._voids, plan.matches_per_session)
        if wrong:
            yield self._at(wrong, key)
        records = []
        for match in matches:
            number = plan.match_number(*match.slot)
            if match.number != number:
                yield self._in(match, f"its place in the schedule gives it the number {number}")
                return
            record = self._record(match)
            if isinstance(record, Difference):
                yield record
                return
            yield from self._match(match, record, self._seated(planned.rows[match.order], session.cycle))
            for text in read.unlike(self._database, self._season.number, record):
                yield self._in(match, text)
            records.append(record)
            if session.state in (SessionState.COMPLETE, SessionState.VOIDED):
                self._conduct.add(sittings_of(record))
            if record.setup.boards != records[0].setup.boards:
                yield self._in(match, "its boards are not those of the other matches of its session")
        if orders == every and session.state in (SessionState.COMPLETE, SessionState.VOIDED):
            kept = self._results if session.state is SessionState.COMPLETE else self._void
            kept.append(result_of(session, records))

    def _impossible(self, session: SessionView, plan: Schedule) -> str:
        """Return why there can be no session at this place in this phase, or an empty text."""
        if session.index >= plan.sessions_in(session.cycle):
            return "its cycle has no session of that index"
        phase = next((one for one in self._season.phases if one.number == session.phase), None)
        if phase is None:
            return f"it is dealt by phase {session.phase}, which does not exist"
        if session.cycle < phase.first_cycle:
            return f"it is dealt by phase {phase.number}, which begins later"
        if session.cycle >= phase.cycles_planned:
            return f"it is dealt by phase {phase.number}, which ends after {phase.cycles_planned} cycles"
        return ""

    def _bots(self, numbers: Sequence[int]) -> tuple[str, ...]:
        return tuple(self._season.entries[number].bot for number in numbers)

    def _seated(self, numbers: Sequence[int], cycle: int) -> tuple[str, ...]:
        """Return who sits there in that cycle: the stand-in where it has the seats of a bot that is out."""
        out = out_in(self._rulings, cycle)
        return tuple(STAND_IN if bot in out else bot for bot in self._bots(numbers))

    def _record(self, match: MatchView) -> MatchRecord | Difference:
        try:
            return read.record(self._database, self._season.number, match.number)
        except RowsUnreadable as error:
            return self._in(match, f"its rows cannot be read: {error.why}")

    def _match(self, match: MatchView, record: MatchRecord, bots: tuple[str, ...]) -> Iterator[Difference]:
        phase = self._deals.get(match.phase)
        deals = None if phase is None else phase.session(match.cycle, match.index)
        # Where the season does not say under what terms it is played, all matches are under the same.
        self._terms = self._terms or record.setup.terms
        expected = Expected(bots, self._season.rounds, deals, self._terms)
        for found in check_match(record, expected):
            yield self._in(match, found.text, found.round, found.trick)
        self.checked.matches += 1
        self.checked.rounds += len(record.rounds)
        self.checked.dealt += deals is not None
        self._match_checked()

    def _in(
        self, match: MatchView, text: str, round_: int | None = None, trick: int | None = None
    ) -> Difference:
        season = self._season.number
        return Difference(text, season, match.cycle, match.index, match.number, round_, trick)

    def _decided(self, plan: Schedule) -> Iterator[Difference]:
        """Make the decisions of the season again, and yield what differs."""
        over = decision_cycles_over(self._season, plan, self._sessions)
        for text in check_decisions(self._stored, self._conduct, self._played(), over):
            yield self._at(text)

    # What it is worth

    def _scores(self) -> Iterator[Difference]:
        """Compute the standings from the plays, and check the sums that the database makes of its rows."""
        sums = read.session_results(self._database, self._season.number, void=True)
        stored = {result.key: result for result in sums}
        for result in self._results:
            if stored.get(result.key) != result:
                yield self._at("the points that the standings are made from are not those played", result.key)
        states = {key: session.state for key, session in self._sessions.items()}
        out = disqualified(self._rulings)
        scoring = scoring_of(self._season, self._progress, states, out=out)
        self.checked.standings = scoring.standings(self._results)


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers)) or "none"
