"""Builds the page about the method: the rules as played, the schedule and its balance, how to check."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from arena.conduct.balance import Evenness, evenness
from arena.conduct.evidence import ENOUGH
from arena.papayoo import hand_size
from arena.standings import NoLook, ScoreRule
from arena.standings.words import basis, points
from arena.store.planned import playing
from arena.store.scoring import played_balance
from arena.store.stage import words_of
from arena.store.views import Role, SeasonView
from reports.conduct import evidence_limits
from reports.facts import LeagueFacts
from reports.pages.words import sessions_a_cycle
from reports.text import count, listed

__all__ = ["method_page"]

_SHOWN = {
    "games": "Matches of a bot",
    "meetings": "Matches of two bots together",
    "seats": "Matches of a bot at a seat",
    "dealing": "Rounds dealt by a bot",
    "left": "Passes of a bot to another one",
    "right": "Passes of a bot from another one",
}


@dataclass(frozen=True, slots=True)
class Check:
    """A command, and what it does."""

    command: str
    purpose: str


@dataclass(frozen=True, slots=True)
class MethodPage:
    """Everything on the page. `rules` and `schedule`: terms with a sentence each, in order.

    `kind`: "all", "balanced", "gauntlet" or "duel". `balance`: of the `counted` matches that count.
    `by_form`: whether it is looked at how scores move from cycle to cycle. `margin`: in points, as it is
    written; `verdicts`: what they are based on, or why there are none. `departed`: whether bots have left the
    field; `earlier`: how many sessions of earlier stages count. `open`: whether bots may come and leave;
    `by_meetings`: whether the ± allows for who met whom.
    """

    seats: int
    par: float
    kind: str
    by_form: bool
    rules: tuple[tuple[str, str], ...]
    schedule: tuple[tuple[str, str], ...]
    balance: tuple[Evenness, ...]
    counted: int
    margin: str
    verdicts: str
    checks: tuple[Check, ...]
    predictable: bool
    departed: bool
    earlier: int
    open: bool
    by_meetings: bool


def method_page(facts: LeagueFacts) -> MethodPage:
    """Build the whole page, with the balance of the matches that were played and count."""
    season, seen = facts.season, facts.look
    lines = evenness(played_balance(season, facts.matches, facts.gone))
    return MethodPage(
        seats=season.seats,
        par=facts.standings.par,
        kind=_kind(season),
        by_form=season.score_rule is not ScoreRule.SCORE_1 and season.line_ups != "gauntlet",
        rules=tuple(_rules(facts)),
        schedule=tuple(_schedule(facts)),
        balance=tuple(replace(line, name=_SHOWN[line.name]) for line in lines),
        counted=sum(match.counts for match in facts.matches),
        margin=points(facts.margin),
        verdicts=f"none yet: {seen.reason}" if isinstance(seen, NoLook) else f"based on {basis(seen)}",
        checks=tuple(_checks(facts)),
        predictable=any(stretch.predictable for stretch in season.stretches),
        departed=bool(facts.gone) or facts.earlier > 0,
        earlier=facts.earlier,
        open=season.open,
        by_meetings=season.score_rule.by_meetings,
    )


def _kind(season: SeasonView) -> str:
    if season.line_ups == "gauntlet":
        return season.line_ups
    return "duel" if season.is_duel else season.line_ups


def _rules(facts: LeagueFacts) -> Iterator[tuple[str, str]]:
    season, time = facts.season, facts.season.section("time")
    seats = season.seats
    yield "Table", f"{seats} seats, {count(hand_size(seats), 'card')} in a hand"
    yield "Match", f"{count(season.rounds, 'round')}; {_dealing(season)}"
    if "move_seconds" in time:
        bank = f", and {time.get('bank_seconds')} s extra in a match" if time.get("bank_seconds") else ""
        yield "Clock", f"{time['move_seconds']} s for each pass and each play{bank}"
    told = "told" if season.section("league").get("show_names") else "not told"
    yield "Names", f"bots are {told} the names of the others"
    each, most = facts.penalties.fault_points, facts.penalties.max_faults
    yield "Faults", f"{count(each, 'point')} each; after {most} in a match the stand-in plays on"
    if (limits := evidence_limits(facts)) is not None:
        yield (
            "Disqualified",
            f"after {count(limits.after, 'match', 'matches')} or more, with evidence of {ENOUGH} that a "
            f"bot is replaced in more than {100 * limits.share:g} % of its matches; chance gives a bot "
            "within that share so much evidence in at most 1 of 100 seasons",
        )


def _dealing(season: SeasonView) -> str:
    if season.rounds % season.seats == 0:
        return "each seat deals equally often, seat 0 first"
    return "seats deal in turn, seat 0 first; over the matches of a session every bot deals equally often"


def _schedule(facts: LeagueFacts) -> Iterator[tuple[str, str]]:
    season = facts.season
    if told := words_of(season):
        yield "Stage", " ".join(told)
    seated = [entry for entry in season.entries if entry.role is not Role.STAND_IN]
    house = [entry.name for entry in seated if entry.role is Role.HOUSE]
    unranked = f"; not ranked: {listed(house)}" if house else ""
    yield "Field", f"{_field(season, len(seated))}{unranked}{_departures(facts)}"
    yield "Line-ups", _line_ups(season)
    yield "Session", f"{count(season.matches_per_session, 'match', 'matches')} on the same boards"
    yield "Deals", f"{season.derivation}, from the secret of the stretch"
    yield "Score rule", str(season.score_rule)
    cycles = count(len(facts.progress.cycles), "cycle")
    yield "Cycle", f"{sessions_a_cycle(facts)}; {cycles} planned"
    yield "Ended", _ended(facts)


def _field(season: SeasonView, entries: int) -> str:
    if season.open:
        now = count(len(playing(season)), "bot")
        return f"{now} in the newest stretch, of {count(entries, 'version')} so far"
    return count(entries, "bot")


def _departures(facts: LeagueFacts) -> str:
    """Return who left the field and from when on, in words; empty if nobody did."""
    if not facts.season.plans_anew:
        return ""
    return "".join(
        f"; without {facts.name_of(bot)} from session {ruling.from_cycle}.0 on ({ruling.word})"
        for bot, ruling in facts.out.items()
    )


def _line_ups(season: SeasonView) -> str:
    return {
        "all": "every line-up once a cycle, each in the order that evens out who passes to whom",
        "balanced": "one for each bot in a cycle: the bots stand on a circle, and one line-up is turned "
        "round it (a cyclic difference design), so every bot plays equally often and pairs meet as evenly as "
        "possible",
        "gauntlet": "the candidates take turns: each plays every match of a session in the same seat, beside "
        "the same opponents, on the same boards",
        "duel": "two bots share all seats, in a pattern (alternating, or in pairs) and in its complement",
    }[_kind(season)]


def _ended(facts: LeagueFacts) -> str:
    stretches = facts.season.stretches
    if facts.ended and not stretches:
        return "a new season was begun"
    if not facts.over or not stretches:
        return "not yet" + (f"; {facts.paused}" if facts.paused else "")
    return stretches[-1].end_reason or "its cycles were played"


def _checks(facts: LeagueFacts) -> Iterator[Check]:
    database = f"{facts.season.section('league').get('id', 'league')}.db"
    which = f" --season {facts.season.number}" if facts.ended else ""
    yield Check(
        f"arena verify {database}",
        "deals every board again from the published secret, plays every stored match again by the rules, "
        "and computes points, charges and standings anew; names the first difference",
    )
    yield Check(
        f"arena status {database} --balance{which}", "counts the balance above from the stored matches"
    )
    yield Check(
        f"arena export {database} --what rounds{which}",
        "writes every round as a table; there are tables of everything else too",
    )
    yield Check(
        "arena proof",
        "measures how often the intervals contain the truth, on simulated leagues where it is known",
    )
