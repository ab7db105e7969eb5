"""Says the state of the league in words: who leads, and how sure that is.

Ranks are claimed only by the verdicts, which are valid at every look, in the words that the terminal uses
too. Before there are any, it says which intervals overlap, and claims nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from arena.score.counting import cycles_to_first_look
from arena.score.table import Standing
from arena.score.verdicts import Look, NoLook, Pair
from arena.score.words import (
    ABOUT_FORM,
    basis,
    decided,
    first_place,
    form,
    lasting,
    more_sessions,
    still_in,
    within,
)
from arena.store.stored_season import closed_plan, decisions_of
from arena.store.views import ALL_PLAYED
from arena.wording import counted
from reports.facts import LeagueFacts
from reports.text import listed, points

_MOST_NAMED = 3
_PAIRS_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Verdict:
    """The league in a few sentences. `provisional`: its progress, empty when it is over.

    The caution is in three parts, for one may be foreign text: `after`: what was played, without a full stop;
    `ended`: why the league ended before its schedule, as the database has it; `claim`: what the order claims.
    """

    provisional: str
    sentence: str
    after: str
    ended: str
    claim: str


@dataclass(frozen=True, slots=True)
class Undecided:
    """Neighbours that are still open: points between them, points needed, and sessions it takes."""

    better: str
    worse: str
    difference: float
    needed: float
    more: str


@dataclass(frozen=True, slots=True)
class Certainty:
    """How sure the order is. `sentence`: in words; `basis`: what it is based on, empty without verdicts.

    `undecided`: the first of the open pairs, best first; `hidden`: how many more there are. `margin`:
    within how many points two bots count as level, in words, empty if they never do. `form`: whose form
    varies from cycle to cycle, and whether it lasts; empty if nobody's is seen to.
    """

    sentence: str
    basis: str
    undecided: tuple[Undecided, ...]
    hidden: int
    margin: str
    form: str


def verdict(facts: LeagueFacts) -> Verdict:
    """Return the sentences at the top of the leaderboard."""
    ranked = [row for row in facts.standings.rows if row.rank is not None]
    provisional = "" if facts.over else _provisional(facts)
    if not ranked:
        nothing = "No session is complete yet, so there is nothing to compare."
        return Verdict(
            provisional, f"{_field(facts)} {nothing}".lstrip(), *_after(facts), claim=_claim(facts)
        )
    leaders = [row for row in ranked if row.rank == 1]
    sure = (
        _overlaps(facts, ranked, leaders)
        if isinstance(facts.look, NoLook)
        else on_first_place(facts, facts.look)
    )
    parts = [_lead(facts, leaders), sure]
    # Who leads comes first, unless that hardly means anything any more.
    rows = facts.standings.rows
    first = 2 * sum(row.bot in facts.out for row in rows) >= len(rows)
    parts = [_field(facts), *parts] if first else [*parts, _field(facts)]
    sentence = " ".join(part for part in parts if part)
    return Verdict(provisional, sentence, *_after(facts), claim=_claim(facts))


def _field(facts: LeagueFacts) -> str:
    """Return who is still in, empty if all are. In an open season bots come and leave anyway."""
    if facts.season.open:
        return ""
    return still_in((row.bot for row in facts.standings.rows), facts.out, _all_names(facts))


def certainty(facts: LeagueFacts) -> Certainty:
    """Return how sure the order is, and what it takes to decide open pairs."""
    seen, varies = facts.look, form(facts.standings.fit.varying, _all_names(facts))
    varies = " ".join(
        filter(None, [f"{varies} {ABOUT_FORM}" if varies else "", lasting(facts.standings.fit)])
    )
    if isinstance(seen, NoLook):
        return Certainty(f"No rank is sure: {seen.reason}.{_early_end(facts)}", "", (), 0, "", varies)
    still = seen.open_neighbours
    return Certainty(
        sentence=decided(seen, facts.margin, bool(_field(facts))),
        basis=basis(seen),
        undecided=tuple(_undecided(facts, seen, pair) for pair in still[:_PAIRS_SHOWN]),
        hidden=max(0, len(still) - _PAIRS_SHOWN),
        margin=within(facts.margin) if facts.margin else "",
        form=varies,
    )


def _early_end(facts: LeagueFacts) -> str:
    """Return from when on a season that ends when it is settled can do so, in a sentence; else nothing."""
    season = facts.season
    if facts.over or season.open or not facts.stops_when_settled or not season.phases:
        return ""
    field = closed_plan(season, ()).field
    first = cycles_to_first_look(field.sessions_of_each, season.line_ups == "gauntlet")
    decisions = decisions_of(season, season.phases[-1])
    if first >= decisions.planned:
        return f" {counted(decisions.planned, 'cycle')} are too few for the season to end early."
    ends = decisions.effect(decisions.end_after(first - 1))
    return f" The season ends when all are, at the earliest after {ends:,} of {decisions.planned:,} cycles."


def _undecided(facts: LeagueFacts, seen: Look, pair: Pair) -> Undecided:
    names = _all_names(facts)
    return Undecided(
        names[pair.better], names[pair.worse], pair.difference, (pair.high - pair.low) / 2.0,
        more_sessions(pair.more_sessions),
    )  # fmt: skip


def on_first_place(facts: LeagueFacts, seen: Look) -> str:
    """Return what the verdicts say of the first place, and which of the leaders they do not compare yet."""
    said = first_place(seen, _all_names(facts), facts.margin, bool(_field(facts)))
    leaders = [row for row in facts.standings.rows if row.rank == 1]
    new = [row for row in leaders if row.bot in facts.newcomers and row.bot not in seen.ranks]
    if not new:
        return said
    return (
        f"{_names(facts, new)} is a newcomer and not compared yet. Of the others: {said}"
        if len(new) == 1
        else f"{_names(facts, new)} are newcomers and not compared yet. Of the others: {said}"
    )


def _all_names(facts: LeagueFacts) -> dict[str, str]:
    return {entry.bot: entry.name for entry in facts.season.entries}


def _provisional(facts: LeagueFacts) -> str:
    phrase = facts.standings.provisional or "provisional"
    return f"{phrase[:1].upper()}{phrase[1:]}."


def _lead(facts: LeagueFacts, leaders: list[Standing]) -> str:
    first = leaders[0]
    assert first.score is not None, "a ranked bot has a score"
    margin = f" ± {points(first.half_width)}" if first.half_width is not None and len(leaders) == 1 else ""
    score, below = (
        f"{points(first.score)}{margin} {facts.season.counted_by}",
        facts.standings.par - first.score,
    )
    if round(below, 2) > 0:
        score = f"{score}, {points(below)} below par"
    names = _names(facts, leaders)
    if facts.over:
        return (
            f"{names} won with the fewest points: {score}."
            if len(leaders) == 1
            else f"{names} share first place with the fewest points: {score}."
        )
    return (
        f"{names} has the fewest points so far: {score}."
        if len(leaders) == 1
        else f"{names} share the fewest points so far: {score}."
    )


def _overlaps(facts: LeagueFacts, ranked: list[Standing], leaders: list[Standing]) -> str:
    """Return what the intervals say of the leader and those behind it."""
    if not facts.standings.comparable:
        return "The bots have not met often enough to be compared: these are plain means."
    behind = [row for row in ranked if row not in leaders]
    if len(leaders) > 1 or not behind:
        return ""
    # Only says which intervals overlap: before there are verdicts nobody may be called better.
    close = [row for row in behind if _overlap(leaders[0], row)]
    if not close and _field(facts):
        return "Its interval overlaps with no other of those who are still in."
    if not close:
        return "Its interval overlaps with no other."
    if len(close) == len(behind) and len(close) > 1:
        return "Its interval overlaps with every other: nobody is surely ahead."
    return (
        f"Its interval overlaps with that of {_names(facts, close)}: the order among them is open."
        if len(close) == 1
        else f"Its interval overlaps with those of {_names(facts, close)}: the order among them is open."
    )


def _overlap(a: Standing, b: Standing) -> bool:
    (a_low, a_high), (b_low, b_high) = _ends(a), _ends(b)
    return a_low <= b_high and b_low <= a_high


def _ends(row: Standing) -> tuple[float, float]:
    assert row.score is not None, "a ranked bot has a score"
    assert row.half_width is not None, "intervals exist for all or for none"
    return row.score - row.half_width, row.score + row.half_width


def _claim(facts: LeagueFacts) -> str:
    """Return what the order claims."""
    if isinstance(facts.look, Look):
        return decided(facts.look, facts.margin, bool(_field(facts)))
    if facts.over:
        return "Ranks are the order of the scores, not a claim that neighbours differ."
    return "Ranks are only the order of the scores so far."


def _after(facts: LeagueFacts) -> tuple[str, str]:
    """Return what was played, and why it is less than the whole schedule: empty if it is not."""
    if not facts.over:
        return "The order below can still change", ""
    complete = facts.progress.sessions_complete
    played = counted(complete, "complete session")
    phases = facts.season.phases  # none in a season that another one replaced before it could begin
    cut_short = bool(facts.standings.provisional) or _too_few(facts)
    ended = phases[-1].end_reason if cut_short and phases else ""
    if not ended or ended == ALL_PLAYED:  # all were played, and only then too few were left
        return f"After {played}", ""
    if facts.ended:
        said = f"After {played}; the season ended before the whole schedule was played"
    else:
        said = f"After {played}; the league ended before the whole schedule was played"
    return said, ended


def _too_few(facts: LeagueFacts) -> bool:
    """Return whether the season could not go on, because too few bots are left."""
    season = facts.season
    if season.open or not (season.plans_anew or season.is_duel):
        return False
    rows = (*facts.standings.rows, *facts.standings.house)
    left = sum(row.bot not in facts.out for row in rows)
    return left < len(rows) and (season.is_duel or left < season.seats)


def _names(facts: LeagueFacts, rows: list[Standing]) -> str:
    names = [facts.entry(row.bot).name for row in rows]
    more = len(names) - _MOST_NAMED
    if more > 1:
        names = [*names[:_MOST_NAMED], counted(more, "other")]
    return listed(names)
