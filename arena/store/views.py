"""Defines what the store returns and is told: plain frozen data for pages, scores and a resumed run.

It holds no SQL and must not import sqlmodel, so that the code of pages can import these types quickly. The
tables' own rules refuse values that cannot be (`arena.store.models`).
All times are milliseconds since 1970 (UTC) unless a name ends in `_us` (microseconds). Cycle, index,
order, attempt, seat, round, question and phase count from 0; season and match numbers count from 1. What is
limited (`Le`) has no larger value in any arena: who goes through what is planned would never come to an end.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any

from annotated_types import Ge, Le

from arena.match.faults import Fault, HandOver
from arena.schedule.catch_up import MOST_OWED
from arena.schedule.seating import DUELLISTS

ALL_PLAYED = "its cycles were played"
"""The reason for which a phase ends that has nothing left to play."""

SessionKey = tuple[int, int]
"""A session: (cycle, index)."""

MatchSlot = tuple[int, int, int]
"""A match: (cycle, index, order), the same for all its attempts."""


class Role(StrEnum):
    """The role of an entry in its season."""

    ENTRANT = "entrant"
    """Plays and is ranked."""
    HOUSE = "house"
    """Plays and is not ranked."""
    STAND_IN = "stand_in"
    """Takes the seats of disqualified bots; not ranked."""


class SessionState(StrEnum):
    """The state of a session."""

    PLANNED = "planned"
    """At least one of its matches is not finished."""
    COMPLETE = "complete"
    """All its matches are finished, so it counts."""
    VOIDED = "voided"
    """Taken out of the score by the organiser."""
    LEFT_OUT = "left_out"
    """One of its matches was aborted too often; it is never scored."""


class MatchState(StrEnum):
    """The state of one attempt at a match."""

    BEGUN = "begun"
    FINISHED = "finished"
    ABORTED = "aborted"
    """Ended by an error of the arena. It counts towards the tries of its match."""
    INTERRUPTED = "interrupted"
    """The run was stopped or killed during it. It does not count towards the tries."""


@dataclass(frozen=True, slots=True)
class Reported:
    """What a bot's process reported about itself in `ready`; a field is empty if it reported nothing."""

    name: str = ""
    version: str = ""
    language: str = ""
    author: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A bot in a season.

    `number`: its place in the season's file, from 0; `folder`: as written there. `digest`: the digest of
    the bot's files; `command`: the argv it is started with. `author` comes from the league file;
    `reported` comes from the process itself, None before it reported.

    In an open season `bot` is the id of a version ("duck@2"), and numbers follow the order in which entries
    came, at `entered_at`. `version`: what makes it (`arena.league.versions`).
    """

    bot: str
    number: int
    name: str
    digest: str
    folder: str
    command: tuple[str, ...]
    author: str = ""
    role: Role = Role.ENTRANT
    reported: Reported | None = None
    version: str = ""
    entered_at: int = 0

    @property
    def known_author(self) -> str:
        """Return the author of the league file, else the one that the process reported, else ""."""
        return self.author or (self.reported.author if self.reported else "")

    @property
    def known_language(self) -> str:
        """Return the language that the process reported, else ""."""
        return self.reported.language if self.reported else ""


@dataclass(frozen=True, slots=True)
class PhaseFacts:
    """What is fixed when a phase begins: sessions under one secret, from the cycle `first_cycle` on.

    `number`: from 0 in its season. `cycles_planned`: the cycles of the whole league.

    In an open season: `entries`, the ids of all that take seats, house bots too, in the order of their
    numbers; `owed`, the sessions of the catch-up cycle, which is the first one then, by entry; `first_match`,
    the number of its first match; `acts`, how many acts there were when it began, so that what counted then
    follows from them.
    """

    season: int
    number: int
    commitment: str
    committed_at: int
    league_digest: str
    cycles_planned: Annotated[int, Le(100_000)]
    first_cycle: Annotated[int, Le(100_000)] = 0
    public_draw: str | None = None
    predictable: bool = False
    entries: tuple[str, ...] = ()
    owed: tuple[tuple[str, Annotated[int, Ge(1), Le(MOST_OWED)]], ...] = ()
    first_match: Annotated[int, Ge(1)] = 1
    acts: Annotated[int, Ge(0)] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPhase(PhaseFacts):
    """A phase to be opened. Its 32 bytes are stored before its first match, and shown only after its last."""

    secret: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseView(PhaseFacts):
    """A stored phase. `secret`: hexadecimal, None until it has ended.

    `cycles_at_most`: as planned when it was opened; `cycles_planned` is less if it ended early.
    """

    cycles_at_most: Annotated[int, Le(100_000)]
    secret: str | None = None
    ended_at: int | None = None
    end_reason: str = ""

    @property
    def balanced_cycles(self) -> int:
        """Return how many of its planned cycles are no catch-up cycle."""
        return self.cycles_at_most - self.first_cycle - bool(self.owed)


@dataclass(frozen=True, slots=True)
class SeasonFacts:
    """What is fixed when a season begins: its rules and its field, which in an open one is empty then.

    `document`: JSON text of the keys that make the season, as digested; `league_text`: the league file as
    it was; `line_ups`: "all", "balanced" or "gauntlet", "auto" resolved; `rounds`: of a match;
    `field_size`: the entrants that the schedule seats; `opened_by`, `reason`: who opened it and why.
    `entries` have different ids, and the numbers 0, 1, ... in order.
    """

    opened_at: int
    document: str
    digest: str
    league_text: str
    line_ups: str
    seats: Annotated[int, Le(8)]
    rounds: Annotated[int, Le(1_000)]
    field_size: Annotated[int, Le(10_000)]
    sessions_per_cycle: Annotated[int, Le(20_000)]
    matches_per_session: Annotated[int, Le(1_000)]
    opened_by: str
    reason: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class NewSeason(SeasonFacts):
    """A season to be opened. `chain_end`: see `models.SeasonRow`."""

    chain_end: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class SeasonView(SeasonFacts):
    """A stored season. The field of an `open` one changes from phase to phase."""

    number: int
    phases: tuple[PhaseView, ...]

    @property
    def keys(self) -> Mapping[str, Any]:
        """Return the document as data; empty if its text is no document (then the digest differs)."""
        try:
            document = json.loads(self.document)
        except (ValueError, RecursionError):
            return {}
        return document if isinstance(document, dict) else {}

    def section(self, name: str) -> Mapping[str, Any]:
        """Return a section of the document, empty if there is none."""
        return section_of(self.keys, name)

    @property
    def open(self) -> bool:
        """Return whether bots may come, change and leave while the season goes on."""
        return self.section("league").get("open") is True

    @property
    def unfinished(self) -> PhaseView | None:
        """Return the phase that was begun and has not ended; None between phases."""
        last = self.phases[-1] if self.phases else None
        return None if last is None or last.ended_at is not None else last

    @property
    def plans_anew(self) -> bool:
        """Return whether a bot that is out leaves the field, and the schedule is planned anew without it.

        In a gauntlet the stand-in has its seats instead: all candidates must meet the same bots on the same
        boards.
        """
        return self.line_ups != "gauntlet"

    @property
    def is_duel(self) -> bool:
        """Return whether two bots share all seats of a table."""
        return self.field_size == DUELLISTS and self.line_ups != "gauntlet"

    @property
    def counted_by(self) -> str:
        """Return the unit that scores are counted by, in words."""
        return "a seat and round" if self.is_duel else "a round"


@dataclass(frozen=True, slots=True)
class SessionView:
    """A session that was at least begun. `line_up`: bot ids in neighbour order, see the schedule.

    `reason`: why it was voided or left out, else empty.
    """

    cycle: int
    index: int
    phase: int
    line_up: tuple[str, ...]
    state: SessionState
    reason: str
    completed_at: int | None
    matches_finished: int


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat of a finished match: its bot, the bot's points and its conduct.

    `points`: card points; `charge`: fault points; `place`: 1 is best, ties share it. `hand_over_at`:
    (round, question) from which the stand-in decided. `decisions`: the questions that the bot was asked;
    `took_total_us`, `took_max_us`: the time charged for them; `cpu_us`: the processor time of its
    processes, None if unknown. `stderr_bytes`: how much it wrote to standard error; the text is in the
    record. For `off_turn_us`, `queued_us`, `frozen` and `left_core` see `arena.match.record.SeatRecord`.
    `extended_us`: by how much its deadlines moved in all, because it had no core.
    """

    seat: int
    bot: str
    name: str
    points: int
    charge: int
    place: int
    faults: int
    hand_over: HandOver | None
    hand_over_at: tuple[int, int] | None
    late: int
    decisions: int
    took_total_us: int
    took_max_us: int
    cpu_us: int | None
    pid: int
    stderr_bytes: int
    off_turn_us: int | None = None
    queued_us: int | None = None
    frozen: bool = False
    left_core: bool = False
    extended_us: int = 0

    @property
    def total(self) -> int:
        """Return card and fault points together; the fewest win the match."""
        return self.points + self.charge


@dataclass(frozen=True, slots=True)
class MatchView:
    """One attempt at a match; `number` is the same for all attempts at it.

    `seats` is empty unless the attempt is finished; `line_up` is that of the session. `reason`: why it
    was aborted or interrupted. `session_state` decides whether its cards may be shown: only when the
    session is no longer planned (see `cards_may_show`). `host`: where it was finished (`read.hosts`),
    None if that is not known.
    """

    number: int
    cycle: int
    index: int
    order: int
    attempt: int
    phase: int
    state: MatchState
    reason: str
    session_state: SessionState
    line_up: tuple[str, ...]
    seats: tuple[SeatView, ...]
    suits: str
    started_at: int
    finished_at: int | None
    rounds: int
    lateness_count: int
    lateness_us: int
    sandbox: str
    host: int | None = None

    @property
    def slot(self) -> MatchSlot:
        """Return (cycle, index, order)."""
        return self.cycle, self.index, self.order

    @property
    def counts(self) -> bool:
        """Return whether it is part of the score."""
        return self.state is MatchState.FINISHED and self.session_state is SessionState.COMPLETE

    @property
    def cards_may_show(self) -> bool:
        """Return whether all matches with the same boards are over: then nobody gains from its cards."""
        return self.state is MatchState.FINISHED and self.session_state is not SessionState.PLANNED

    @property
    def faults(self) -> int:
        """Return the number of faults of all seats."""
        return sum(seat.faults for seat in self.seats)

    def by_place(self) -> list[SeatView]:
        """Return its seats, the best first."""
        return sorted(self.seats, key=lambda seat: (seat.place, seat.seat))


def section_of(document: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Return a section of a document, empty if there is none."""
    section = document.get(name)
    return section if isinstance(section, dict) else {}


@dataclass(frozen=True, slots=True)
class FaultView:
    """One fault with its place. `number`: its place among the faults of the match, from 0.

    `match`: the match's number; `at`: when the match was finished; `bot`, `name`: whose fault it is.
    `last_words`: the end of what the bot wrote to standard error in that match.
    """

    match: int
    session_state: SessionState
    at: int
    number: int
    bot: str
    name: str
    fault: Fault
    last_words: str = ""


@dataclass(frozen=True, slots=True)
class CycleProgress:
    """The progress of a cycle. Sessions that are `over` are complete, voided or left out."""

    cycle: int
    sessions: int
    complete: int
    over: int

    @property
    def is_over(self) -> bool:
        """Return whether nothing of it remains to be played."""
        return self.over >= self.sessions


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a season.

    `cycles`: every cycle that the newest phase plans or that holds sessions, ascending. A match that
    was aborted and finished later counts in both numbers. `started_at`: when the first match started;
    `finished_at`: when the last one finished; None before. `faults`: in finished matches.
    """

    season: int
    cycles: tuple[CycleProgress, ...]
    sessions_planned: int
    sessions_complete: int
    sessions_voided: int
    sessions_left_out: int
    matches_planned: int
    matches_begun: int
    matches_finished: int
    matches_aborted: int
    matches_interrupted: int
    rounds_finished: int
    faults: int
    started_at: int | None
    finished_at: int | None


def is_over(season: SeasonView, progress: Progress) -> bool:
    """Return whether nothing remains to be played in a season, or the organiser's limit was reached."""
    if not season.phases:
        return False
    # A phase that has ended was the last one unless another is open. A complete plan is over anyway.
    return season.unfinished is None or all(cycle.is_over for cycle in progress.cycles)
