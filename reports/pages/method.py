"""Builds the page about the method: the rules as played, the schedule and its balance, how to check."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from arena.conduct.balance import Evenness, evenness
from arena.conduct.evidence import ENOUGH
from arena.conduct.limits import EvidenceLimits
from arena.papayoo import hand_size
from arena.standings import NoLook, ScoreRule
from arena.standings.words import basis, points
from arena.store.planned import playing
from arena.store.scoring import played_balance
from arena.store.stage import words_of
from arena.store.views import Role, SeasonView
from arena.translating import N_, _, decimals, ngettext, pgettext
from reports.conduct import evidence_limits
from reports.facts import LeagueFacts
from reports.pages.words import sessions_a_cycle
from reports.text import listed

__all__ = ["method_page"]

_SHOWN = {
    "games": N_("Matches of a bot"),
    "meetings": N_("Matches of two bots together"),
    "seats": N_("Matches of a bot at a seat"),
    "dealing": N_("Rounds dealt by a bot"),
    "left": N_("Passes of a bot to another one"),
    "right": N_("Passes of a bot from another one"),
}

_LINE_UPS = {
    "all": N_("every line-up once a cycle, each in the order that evens out who passes to whom"),
    "balanced": N_(
        "one for each bot in a cycle: the bots stand on a circle, and one line-up is turned round it (a "
        "cyclic difference design), so every bot plays equally often and pairs meet as evenly as possible"
    ),
    "gauntlet": N_(
        "the candidates take turns: each plays every match of a session in the same seat, beside the same "
        "opponents, on the same boards"
    ),
    "duel": N_("two bots share all seats, in a pattern (alternating, or in pairs) and in its complement"),
}
"""How bots are brought together, by the kind of league."""


@dataclass(frozen=True, slots=True)
class Check:
    """A command, and what it does."""

    command: str
    purpose: str


@dataclass(frozen=True, slots=True)
class MethodPage:
    """Everything on the page. `rules` and `schedule`: terms with a sentence each, in order.

    `ended`: whether and why the season has ended, in words of ours; `ended_for`: what the database says of
    that, or of the pause, in English.
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
    ended: str
    ended_for: str
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
    ended, ended_for = _ended(facts)
    return MethodPage(
        seats=season.seats,
        par=facts.standings.par,
        kind=_kind(season),
        by_form=season.score_rule is not ScoreRule.SCORE_1 and season.line_ups != "gauntlet",
        rules=tuple(_rules(facts)),
        schedule=tuple(_schedule(facts)),
        ended=ended,
        ended_for=ended_for,
        balance=tuple(replace(line, name=_(_SHOWN[line.name])) for line in lines),
        counted=sum(match.counts for match in facts.matches),
        margin=points(facts.margin),
        verdicts=(
            _("none yet: %(reason)s", reason=seen.reason)
            if isinstance(seen, NoLook)
            else _("based on %(basis)s", basis=basis(seen))
        ),
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
    table = ngettext(
        "%(seats)s seats, %(num)s card in a hand",
        "%(seats)s seats, %(num)s cards in a hand",
        hand_size(season.seats),
        seats=season.seats,
    )
    yield pgettext("of the card game", "Table"), table
    yield _("Match"), _match(season)
    if "move_seconds" in time:
        yield _("Clock"), _clock(decimals(f"{time['move_seconds']}"), time.get("bank_seconds"))
    told = bool(season.section("league").get("show_names"))
    yield (
        _("Names"),
        _("bots are told the names of the others")
        if told
        else _("bots are not told the names of the others"),
    )
    faults = ngettext(
        "%(num)s point each; after %(most)s in a match the stand-in plays on",
        "%(num)s points each; after %(most)s in a match the stand-in plays on",
        facts.penalties.fault_points,
        most=facts.penalties.max_faults,
    )
    yield _("Faults"), faults
    if (limits := evidence_limits(facts)) is not None:
        yield _("Excluded"), _disqualified(limits)


def _match(season: SeasonView) -> str:
    if season.rounds % season.seats == 0:
        return ngettext(
            "%(num)s round; each seat deals equally often, seat 0 first",
            "%(num)s rounds; each seat deals equally often, seat 0 first",
            season.rounds,
        )
    return ngettext(
        "%(num)s round; seats deal in turn, seat 0 first; over the matches of a session every bot deals "
        "equally often",
        "%(num)s rounds; seats deal in turn, seat 0 first; over the matches of a session every bot deals "
        "equally often",
        season.rounds,
    )


def _clock(seconds: str, bank: object) -> str:
    if not bank:
        return _("%(seconds)s s for each pass and each play", seconds=seconds)
    return _(
        "%(seconds)s s for each pass and each play, and %(bank)s s extra in a match",
        seconds=seconds,
        bank=decimals(f"{bank}"),
    )


def _disqualified(limits: EvidenceLimits) -> str:
    return ngettext(
        "after %(num)s match or more, with evidence of %(enough)s that a bot is replaced in more than "
        "%(share)s %% of its matches; chance gives a bot within that share so much evidence in at most 1 of "
        "100 seasons",
        "after %(num)s matches or more, with evidence of %(enough)s that a bot is replaced in more than "
        "%(share)s %% of its matches; chance gives a bot within that share so much evidence in at most 1 of "
        "100 seasons",
        limits.after,
        enough=ENOUGH,
        share=decimals(f"{100 * limits.share:g}"),
    )


def _schedule(facts: LeagueFacts) -> Iterator[tuple[str, str]]:
    season = facts.season
    if told := words_of(season):
        yield _("Stage"), " ".join(told)
    yield _("Field"), _("; ").join(_field(facts))
    yield _("Line-ups"), _(_LINE_UPS[_kind(season)])
    session = ngettext(
        "%(num)s match on the same boards", "%(num)s matches on the same boards", season.matches_per_session
    )
    yield _("Session"), session
    yield _("Deals"), _("%(derivation)s, from the secret of the stretch", derivation=season.derivation)
    yield _("Score rule"), str(season.score_rule)
    cycles = ngettext(
        "%(sessions)s; %(num)s cycle planned",
        "%(sessions)s; %(num)s cycles planned",
        len(facts.progress.cycles),
        sessions=sessions_a_cycle(facts),
    )
    yield _("Cycle"), cycles


def _field(facts: LeagueFacts) -> Iterator[str]:
    """Yield how many bots there are, which are not ranked, and who left the field and from when on."""
    seated = [entry for entry in facts.season.entries if entry.role is not Role.STAND_IN]
    yield _size(facts.season, len(seated))
    if house := [entry.name for entry in seated if entry.role is Role.HOUSE]:
        yield _("not ranked: %(names)s", names=listed(house))
    for bot, ruling in facts.out.items() if facts.season.plans_anew else ():
        yield _(
            "without %(name)s from session %(session)s on (%(word)s)",
            name=facts.name_of(bot),
            session=f"{ruling.from_cycle}.0",
            word=_(ruling.word),
        )


def _size(season: SeasonView, entries: int) -> str:
    if not season.open:
        return ngettext("%(num)s bot", "%(num)s bots", entries)
    versions = ngettext("%(num)s version", "%(num)s versions", entries)
    return ngettext(
        "%(num)s bot in the newest stretch, of %(versions)s so far",
        "%(num)s bots in the newest stretch, of %(versions)s so far",
        len(playing(season)),
        versions=versions,
    )


def _ended(facts: LeagueFacts) -> tuple[str, str]:
    """Return whether and why the season has ended: in our words, and in those of the database."""
    stretches = facts.season.stretches
    if facts.ended and not stretches:
        return _("a new season was begun"), ""
    if facts.over and stretches:
        reason = stretches[-1].end_reason
        return ("" if reason else _("its cycles were played")), reason
    if not facts.paused:
        return _("not yet"), ""
    return _("not yet") + _("; "), facts.paused


def _checks(facts: LeagueFacts) -> Iterator[Check]:
    database = f"{facts.season.section('league').get('id', 'league')}.db"
    which = f" --season {facts.season.number}" if facts.ended else ""
    again = _(
        "deals every board again from the published secret, plays every stored match again by the rules, "
        "and computes points, charges and standings anew; names the first difference"
    )
    yield Check(f"arena verify {database}", again)
    counted = _("counts the balance above from the stored matches")
    yield Check(f"arena status {database} --balance{which}", counted)
    written = _("writes every round as a table; there are tables of everything else too")
    yield Check(f"arena export {database} --what rounds{which}", written)
    measured = _("measures how often the intervals contain the truth, on simulated leagues where it is known")
    yield Check("arena proof", measured)
