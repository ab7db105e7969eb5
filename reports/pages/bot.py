"""Builds the page of one bot: who it is, where its points come from, its time, its faults.

It reads and writes nothing; `secrecy` decides what is shown.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass

from arena.standings import Look, Pair, Standing, Verdict
from arena.standings.words import rank_text
from arena.store.views import Entry, FaultView, MatchView
from reports.conduct import evidence_texts
from reports.facts import LeagueFacts
from reports.pages.bars import (
    Histogram,
    PhaseRow,
    ShareRow,
    by_dealer,
    by_place,
    by_seat,
    histogram,
    percent,
    phases,
)
from reports.pages.listing import ListedMatch, listed
from reports.pages.match import decision_words, fault_kinds, seat_marks
from reports.pages.words import ROLE_WORDS
from reports.secrecy import Secrecy
from reports.selection import MatchPages
from reports.tally import BotTally
from reports.text import count, minute, ordinal, points

__all__ = ["BotPage", "bot_page"]

_MATCHES_SHOWN = 5
_FAULTS_SHOWN = 200
_MARKS_SHOWN = 20


@dataclass(frozen=True, slots=True)
class OpponentRow:
    """The bot against another one: `difference` of their scores, below 0 if the bot is better.

    `half_width`: of that difference, 95 %, valid for one look at the end; `verdict`: what is sure of the
    pair, in words; they are None or empty without intervals or verdicts. `together`: points a round more
    than the other at the same tables; `ahead`: share of those matches in which it had fewer points.
    """

    name: str
    path: str
    difference: float | None
    half_width: float | None
    verdict: str
    matches: int
    together: float | None
    ahead: str


@dataclass(frozen=True, slots=True)
class FaultLine:
    """One fault. `path`: the link to its trick, None without a page; `where`: "round 1, trick 4".

    `asked`: what it was asked for. While they must not be shown, `reason` and `sent` are empty and `hidden`
    says why. `last_words`: the end of its standard error in that match, empty while it must not be shown.
    """

    date: str
    match: int
    path: str | None
    where: str
    asked: str
    kind: str
    reason: str
    sent: str
    hidden: str
    last_words: str
    wall_us: int


@dataclass(frozen=True, slots=True)
class BotPage:
    """Everything on the page of one bot.

    `reason`: why it is disqualified or withdrawn. `identity`: terms with a text each; `marks`: what else
    others should know, with the matches. `conduct`: how often it was replaced, and the evidence against it.
    `faults`: the newest; `faults_total`: all. `url`: only a harmless address.
    """

    bot: str
    name: str
    note: str
    reason: str
    sentence: str
    identity: tuple[tuple[str, str], ...]
    command: str
    url: str
    matches: int
    rounds: int
    par: float
    histogram: Histogram | None
    seats: tuple[ShareRow, ...]
    dealing: tuple[ShareRow, ...]
    places: tuple[ShareRow, ...]
    papayoo: str
    opponents: tuple[OpponentRow, ...]
    phases: tuple[PhaseRow, ...]
    faults: tuple[FaultLine, ...]
    faults_total: int
    kinds: str
    conduct: str
    best: tuple[ListedMatch, ...]
    worst: tuple[ListedMatch, ...]
    last: tuple[ListedMatch, ...]
    marks: tuple[tuple[ListedMatch, str], ...]


def bot_page(facts: LeagueFacts, bot: str, pages: MatchPages, secrecy: Secrecy) -> BotPage:
    """Build the whole page. `pages`: where matches are shown."""
    entry, row = facts.entry(bot), _standing(facts, bot)
    own = facts.tallies.get(bot) or BotTally(facts.season.seats)
    played = [match for match in facts.matches if any(seat.bot == bot for seat in match.seats)]
    scored = sorted((m for m in played if m.counts), key=lambda match: (_total(match, bot), match.number))
    faults = [fault for fault in facts.faults if fault.bot == bot]
    par = facts.standings.par
    return BotPage(
        bot=bot,
        name=entry.name,
        note=facts.out[bot].word if row is not None and row.disqualified else ROLE_WORDS[entry.role],
        reason=facts.out[bot].reason if row is not None and row.disqualified else "",
        sentence=_sentence(facts, entry, row),
        identity=tuple(_identity(entry)),
        command=shlex.join(entry.command) if secrecy.shows_command(bot) else "",
        # Another scheme, such as javascript:, would run in the reader's browser.
        url=entry.url if entry.url.startswith(("https://", "http://")) else "",
        matches=own.matches,
        rounds=own.rounds,
        par=par,
        histogram=histogram(own),
        seats=by_seat(own, par) if own.rounds else (),
        dealing=by_dealer(own, par) if own.rounds else (),
        places=by_place(own) if own.matches else (),
        papayoo=percent(own.papayoos, own.rounds, 1),
        opponents=tuple(_opponents(facts, bot, own)),
        phases=phases(own, facts.move_us),
        faults=tuple(_fault(facts, fault, pages, secrecy) for fault in faults[: -_FAULTS_SHOWN - 1 : -1]),
        faults_total=len(faults),
        kinds=fault_kinds(facts.fault_counts.get(bot, {})),
        conduct=evidence_texts(facts).get(bot, ""),
        best=tuple(listed(scored[:_MATCHES_SHOWN], pages)),
        worst=tuple(listed(scored[: -_MATCHES_SHOWN - 1 : -1], pages)),
        last=tuple(listed(sorted(played, key=_end)[: -_MATCHES_SHOWN - 1 : -1], pages)),
        marks=tuple(_marks(played, bot, pages))[-_MARKS_SHOWN:],
    )


def _standing(facts: LeagueFacts, bot: str) -> Standing | None:
    rows = (*facts.standings.rows, *facts.standings.house)
    return next((row for row in rows if row.bot == bot), None)


def _total(match: MatchView, bot: str) -> float:
    """Return the points of a seat: a bot of a duel holds several."""
    totals = [seat.total for seat in match.seats if seat.bot == bot]
    return sum(totals) / len(totals)


def _end(match: MatchView) -> tuple[int, int]:
    return match.finished_at or 0, match.number


def _sentence(facts: LeagueFacts, entry: Entry, row: Standing | None) -> str:
    """Return its standing, in one sentence."""
    if row is None or row.score is None:
        return f"{entry.name} has no points yet: none of its sessions is complete."
    margin = f" ± {points(row.half_width)}" if row.half_width is not None else ""
    away = row.score - facts.standings.par
    side = f"{points(abs(away))} {'below' if away < 0 else 'above'} par" if round(away, 2) else "exactly par"
    score = f"{points(row.score)}{margin} points {facts.season.counted_by}, {side}"
    ranked = sum(other.rank is not None for other in facts.standings.rows)
    if row.rank is None:
        return f"{entry.name} has {score}; it is not ranked."
    seen = facts.look
    if isinstance(seen, Look) and entry.bot in seen.ranks:
        ranks = rank_text(seen.ranks[entry.bot], "–")
        place = (
            f"its possible ranks are {ranks} of {ranked}"
            if "–" in ranks
            else f"it is certainly {ordinal(int(ranks))} of {ranked}"
        )
    else:
        place = f"it is {ordinal(row.rank)} of {ranked} by score, which does not claim that neighbours differ"
    return f"{entry.name} has {score}; {place}."


def _identity(entry: Entry) -> Iterator[tuple[str, str]]:
    said = entry.reported
    if author := entry.known_author:
        yield "Author", author
    if language := entry.known_language:
        yield "Language", language
    if said is not None:
        yield "Calls itself", " ".join(part for part in (said.name, said.version) if part) or "nothing"
    yield "Id", entry.bot


def _opponents(facts: LeagueFacts, bot: str, own: BotTally) -> Iterator[OpponentRow]:
    for row in (*facts.standings.rows, *facts.standings.house):
        meeting = own.meetings.get(row.bot)
        if row.bot == bot or (row.score is None and meeting is None):
            continue
        difference, half_width = _difference(facts, bot, row.bot)
        yield OpponentRow(
            name=facts.entry(row.bot).name,
            path=f"{row.bot}.html",
            difference=difference,
            half_width=half_width,
            verdict=_verdict(facts, bot, row.bot),
            matches=meeting.matches if meeting else 0,
            together=meeting.points / meeting.rounds if meeting else None,
            ahead=percent(meeting.ahead, meeting.matches) if meeting else "–",
        )


def _difference(facts: LeagueFacts, bot: str, other: str) -> tuple[float | None, float | None]:
    """Return the difference of their scores, with its interval for one look at the end."""
    fit = facts.standings.fit
    if bot not in fit.scores or other not in fit.scores:
        return None, None
    if not (fit.sessions.get(bot) and fit.sessions.get(other)):
        return None, None
    return fit.scores[bot] - fit.scores[other], fit.pair_half_width(bot, other)


def _verdict(facts: LeagueFacts, bot: str, other: str) -> str:
    if not isinstance(facts.look, Look):
        return ""
    for pair in facts.look.pairs:
        if {pair.better, pair.worse} == {bot, other}:
            return _pair_words(pair, bot)
    return ""


def _pair_words(pair: Pair, bot: str) -> str:
    if pair.verdict is Verdict.AHEAD:
        return "surely ahead" if pair.better == bot else "surely behind"
    return "level" if pair.verdict is Verdict.LEVEL else "open"


def _fault(facts: LeagueFacts, seen: FaultView, pages: MatchPages, secrecy: Secrecy) -> FaultLine:
    hidden, fault = secrecy.evidence_hidden(seen, seen.bot), seen.fault
    anchor = "faults"
    if fault.round is not None and not secrecy.cards_hidden(seen):
        anchor = f"r{fault.round}" + ("" if fault.trick is None else f"t{fault.trick}")
    path = pages.path(seen.match, anchor)
    return FaultLine(
        date=minute(seen.at),
        match=seen.match,
        path=f"../matches/{path}" if path else None,
        where=decision_words(fault.round, fault.question),
        asked=_asked(facts, fault.question),
        kind=fault_kinds({fault.kind: 1}),
        reason="" if hidden else fault.reason,
        sent="" if hidden else fault.sent,
        hidden=hidden,
        last_words=seen.last_words if secrecy.shows_stderr(seen, seen.bot) else "",
        wall_us=fault.wall_us,
    )


def _asked(facts: LeagueFacts, question: int | None) -> str:
    if question is None:
        return "nothing"
    return "a card" if question else count(facts.passed, "card") + " to pass"


def _marks(played: list[MatchView], bot: str, pages: MatchPages) -> Iterator[tuple[ListedMatch, str]]:
    for match in played:
        marks = [mark for seat in match.seats if seat.bot == bot for mark in seat_marks(seat)]
        for row in listed([match], pages) if marks else ():
            yield from ((row, mark) for mark in marks)
