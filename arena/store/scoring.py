"""Scores a stored season, and counts how evenly it was played.

Only here do stored data become arguments of `arena.score` and of the balance certificate, so the
terminal, the pages and `verify` get the same numbers. It has no SQL and computes no score itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from arena.conduct.balance import Balance, certificate
from arena.conduct.exclusion import Ruling, disqualified
from arena.schedule.catch_up import quota
from arena.score.columns import Line, groups_for_people
from arena.score.counting import eligible, sessions_of_each
from arena.score.entry_ids import bot_of
from arena.score.results import SessionResult
from arena.score.scoring import Scoring
from arena.score.table import Plan, Standings
from arena.score.verdicts import Look, NoLook
from arena.store import read
from arena.store.acts import Decision, claims_from, rulings_from, voids_from
from arena.store.database import Database
from arena.store.history import NOTED_KEYS, Action
from arena.store.stored_season import matches_before, playing, seated, with_house
from arena.store.views import (
    MatchView,
    Progress,
    Role,
    SeasonView,
    SessionKey,
    SessionState,
    is_over,
    section_of,
)

_NEVER = (SessionState.VOIDED, SessionState.LEFT_OUT)


@dataclass(frozen=True, slots=True)
class Scored:
    """The score of a season as it is now.

    `results`: its complete sessions. `out`: the bots that are excluded, each with its ruling.
    """

    scoring: Scoring
    results: tuple[SessionResult, ...]
    standings: Standings
    look: Look | NoLook
    out: Mapping[str, Ruling] = field(default_factory=dict)

    @property
    def departed(self) -> frozenset[str]:
        """Return the bots that left the field; empty where a stand-in has the seats of bots that are out."""
        return self.scoring.departed

    def ruling_on(self, entry: str) -> Ruling | None:
        """Return what took a bot out; in an open season a version, by itself or with its bot as a whole."""
        return self.out.get(entry) or self.out.get(bot_of(entry))

    def lines(self, season: SeasonView) -> tuple[Line, ...]:
        """Return the lines of the leaderboard: those who entered, house bots, and who has left."""
        board, groups = self.standings, groups_for_people(self.look)
        entries = {entry.bot: entry for entry in season.entries}
        made = []
        for standing in (*board.rows, *board.house, *board.retired):
            entry, ruling = entries[standing.bot], self.ruling_on(standing.bot)
            present = ruling is None and standing not in board.retired
            who, why = (ruling.by, ruling.reason) if ruling else (None, None)
            group = groups.get(entry.bot, "")
            made.append(Line(standing, entry.name, entry.role.value, present, who, why, self.look, group))
        return tuple(made)


def scored(database: Database, season: SeasonView) -> Scored:
    """Score a season from all that counts now. StoreError if the database cannot be read."""
    number, out = season.number, disqualified(read.rulings(database, season.number))
    scoring = scoring_of(
        season,
        read.progress(database, number),
        read.session_states(database, number),
        noted_margin(read.actions(database), number),
        out,
    )
    void = voids_from(read.actions(database), number)
    claimed = claims_from(read.decisions(database, number), {f"{cycle}.{index}" for cycle, index in void})
    scoring = replace(scoring, claimed=frozenset(claimed))
    results = tuple(read.session_results(database, number))
    standings = scoring.standings(results)
    return Scored(scoring, results, standings, scoring.look(results, standings.fit), out)


def scoring_of(
    season: SeasonView,
    progress: Progress,
    states: Mapping[SessionKey, SessionState],
    margin: float = 0.0,
    out: Collection[str] = (),
) -> Scoring:
    """Return how a season is scored, from what the store tells.

    `margin`: in points a round. `out`: the bots that are excluded.
    """
    cycles = len(progress.cycles)
    never = frozenset(key for key, state in states.items() if state in _NEVER)
    sizes = {one.cycle: one.sessions for one in progress.cycles if one.sessions != season.sessions_per_cycle}
    present = _present(season, out) if season.open else None
    ever = seated(season) if season.open else frozenset(entry.bot for entry in season.entries)
    return Scoring(
        bots=tuple(entry.bot for entry in season.entries if entry.bot in ever),
        seats=season.seats,
        house=_with_role(season, Role.HOUSE),
        stand_ins=_with_role(season, Role.STAND_IN),
        disqualified=frozenset(entry for entry in ever if entry in out or bot_of(entry) in out),
        departed=frozenset(out) if season.plans_anew else frozenset(),
        plan=Plan(season.sessions_per_cycle, cycles, never, sizes) if cycles else None,
        margin=margin,
        gauntlet=season.line_ups == "gauntlet",
        present=present,
    )


def _present(season: SeasonView, out: Collection[str]) -> frozenset[str]:
    """Return who is in the field of an open season, without those who have just been ruled out."""
    field = [entry for entry in playing(season) if entry not in out and bot_of(entry) not in out]
    return with_house(season, field)


def noted_keys(actions: Iterable[Action]) -> Mapping[str, Any]:
    """Return the free keys by section that the last run noted from its league file; empty if none did."""
    return section_of(_noted(actions), "free")


def noted_id(actions: Iterable[Action]) -> str:
    """Return the id of the league, which names its files, as the last run noted it; empty if none did."""
    return str(_noted(actions).get("id", ""))


def _noted(actions: Iterable[Action]) -> Mapping[str, Any]:
    noted = [act.detail for act in actions if act.what == NOTED_KEYS]
    return json.loads(noted[-1]) if noted else {}


def noted_stop(actions: Iterable[Action], season: int) -> str:
    """Return what ends a season, as its last run noted it from its league file: "cycles" or "settled"."""
    own = noted_keys(act for act in actions if act.subject == str(season))
    return str(section_of(own, "schedule").get("stop", "cycles"))


def noted_margin(actions: Iterable[Action], season: int) -> float:
    """Return the margin that the last run of a season noted from its league file, in points.

    0 if none was noted. Then no two bots are ever called level, which claims nothing wrong.
    """
    try:
        # What later seasons noted does not change the claims of one that has ended.
        own = noted_keys(act for act in actions if act.subject == str(season))
        return float(section_of(own, "schedule")["margin"])
    except (ValueError, LookupError, TypeError):
        return 0.0


def _with_role(season: SeasonView, role: Role) -> frozenset[str]:
    return frozenset(entry.bot for entry in season.entries if entry.role is role)


def played_balance(
    season: SeasonView, matches: Iterable[MatchView], departed: Collection[str] = ()
) -> Balance:
    """Return the certificate of those `matches` of the season that count, by bot id.

    `departed`: the bots that left the field, which are not counted. In an open season only those are counted
    who are in the newest phase. A stand-in counts where it had a
    disqualified bot's seats, once for each match, however many seats. In a gauntlet only the candidates are
    counted, each with its opponents.
    """
    rows = [(tuple(seat.bot for seat in match.seats), match.rounds) for match in matches if match.counts]
    bots = [entry.bot for entry in season.entries if entry.role is not Role.STAND_IN]
    candidates = [entry.bot for entry in season.entries if entry.role is Role.ENTRANT]
    if season.open:
        departed = {*departed, *set(bots).difference(playing(season))}
    return certificate(rows, bots, candidates if season.line_ups == "gauntlet" else (), departed)


def newcomers(season: SeasonView, score: Scored) -> dict[str, tuple[int, int]]:
    """Return by entry how many sessions of a newcomer count, and how many are needed: "3 of 23 sessions".

    They are the present ranked entries that have fewer than the quota of the catch-up (`arena.schedule`), and
    those that have no score yet. Empty in a closed season. Nobody needs fewer than one.
    """
    present, waiting = score.scoring.present, score.standings.fit.counted.waiting
    if present is None:
        return {}
    ranked = {entry.bot for entry in season.entries if entry.role is Role.ENTRANT}
    played = sessions_of_each(eligible(score.results, present))
    sessions = {entry: played[entry] for entry in present if entry in ranked}
    needed = quota(sessions.values())
    return {
        entry: (counted, max(1, needed, counted))
        for entry, counted in sorted(sessions.items())
        if counted < needed or entry in waiting
    }


@dataclass(frozen=True, slots=True)
class Played:
    """What was played of a season.

    `results`: of all sessions that were played to their end, void ones too, in the order of the schedule.
    """

    results: Sequence[SessionResult]
    states: Mapping[SessionKey, SessionState]
    progress: Progress


def played_of(database: Database, season: int) -> Played:
    """Return what was played of a season, from the database."""
    results = read.session_results(database, season, void=True)
    return Played(results, read.session_states(database, season), read.progress(database, season))


def scoring_then(
    season: SeasonView, acts: Sequence[Action], decisions: Sequence[Decision], played: Played, cycles: int
) -> tuple[Scoring, list[SessionResult]]:
    """Return how a season was scored when `acts` had been made and `cycles` cycles were over, and from what.

    Acts that came later do not matter: what they made void counted then, and whom they took out was there.
    Nor do `decisions` after later cycles.
    """
    void = voids_from(acts, season.number)
    rulings = rulings_from(acts, [one for one in decisions if one.cycles <= cycles], season.number)
    states = {
        key: SessionState.COMPLETE if state is SessionState.VOIDED and key not in void else state
        for key, state in played.states.items()
        if key[0] < cycles
    }
    over = tuple(one for one in played.progress.cycles if one.cycle < cycles)
    begun = tuple(one for one in season.phases if one.first_cycle < cycles)
    scoring = scoring_of(
        replace(season, phases=begun),
        replace(played.progress, cycles=over),
        states,
        noted_margin(acts, season.number),
        disqualified(rulings),
    )
    texts = {f"{cycle}.{index}" for cycle, index in void}
    claimed = claims_from([one for one in decisions if one.cycles < cycles], texts)
    return replace(scoring, claimed=frozenset(claimed)), [
        one for one in played.results if one.cycle < cycles and one.key not in void
    ]


def cards_shown(
    database: Database, season: SeasonView, ended: bool, at_end: bool = False
) -> Callable[[MatchView], bool]:
    """Return a function that says whether a match may be seen with its cards.

    `ended`: another season has begun, so nothing more is dealt in this one. `at_end`: only when the whole
    league is over, in an open one the phase of the match, as with `reveal = "finished"`.
    """
    if ended:
        return lambda match: True
    if at_end and not is_over(season, read.progress(database, season.number)):
        over = matches_before(season) if season.open else 0
        return lambda match: match.cards_may_show and match.number <= over
    return lambda match: match.cards_may_show
