"""`arena run --dry-run`: what would be played, how even it is and how long it takes, as text and as JSON.

The text fits 80 columns. Must not count or play anything itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass

from arena.cli.balance import balance_json, balance_table
from arena.cli.layout import columns, plain, prose
from arena.league.cycles import FirstVerdicts
from arena.league.house import house_bots
from arena.season.forecast import Forecast, LaterStage, Pace, Size
from arena.wording import counted

__all__ = ["Shown", "forecast_json", "forecast_text", "span"]

_KINDS = {
    "all": "every line-up once a cycle",
    "balanced": "as many line-ups a cycle as bots, meetings evened out",
    "gauntlet": "candidates take turns in the same seats, against the same opponents",
    "duel": "a duel: two bots share all seats, in a pattern and its complement",
}


@dataclass(frozen=True, slots=True)
class Shown:
    """What a dry run shows: the forecast, and what the run is to be played with.

    `jobs`: as on the command line. `on`: the cluster's address, None for this
    machine. `pace`: that of sessions that were played for it, None if none were; then `why_not` says why.
    """

    seen: Forecast
    jobs: int | None = None
    on: str | None = None
    pace: Pace | None = None
    why_not: str = ""


def forecast_text(shown: Shown) -> str:
    """Return the text, without a newline at its end."""
    rows = columns([(name, _fitted(text)) for name, text in _rows(shown) if text])
    cycles, balance = shown.seen.balance
    if not cycles:
        return "\n".join(rows)
    whom = ", of candidates with opponents" if shown.seen.kind == "gauntlet" else ""
    return "\n".join(
        [*rows, "", f"The balance of {_cycles(cycles)} as planned{whom}:", *balance_table(balance)]
    )


def _rows(shown: Shown) -> Iterator[tuple[str, str]]:
    seen = shown.seen
    league, ahead = seen.loaded.league, seen.ahead
    yield "league", plain(f"{seen.loaded.name} ({seen.loaded.id})") + (", open" if ahead else "")
    yield "stage", plain(seen.stage.text)
    yield "season", _season(seen)
    yield "bots", _bots(seen)
    if ahead is not None:
        yield "comes", ", ".join(ahead.come)
        yield "leaves", ", ".join(ahead.gone)
        yield "waits", "\n".join(plain(f"{one.bot}: {one.reason}") for one in ahead.waiting)

        yield "catch-up", ", ".join(f"{bot} {counted(n, 'session')}" for bot, n in seen.catch_up.items())
    yield "table", f"{league.league.seats} seats, {league.league.rounds} rounds a match"
    yield "line-ups", _KINDS[seen.kind]
    yield "a cycle", _size(seen.size_of_cycle)
    yield "phase" if ahead else "in all", f"{_cycles(seen.size.cycles)} = {_size(seen.size)}"
    yield "verdicts", _verdicts(seen)
    yield "left", _size(seen.size_left) if seen.left else "nothing"
    if shown.on is not None:
        yield (
            "cluster",
            plain(
                f"{shown.on}, which a dry run does not connect to; each of its workers is a referee, "
                "so the more there are, the less time it takes"
            ),
        )
    yield "time", _time(shown)
    yield "stop", "\n".join(_stop(seen))
    yield "then", "\n".join(plain(_later(stage)) for stage in seen.later)


def forecast_json(shown: Shown) -> dict[str, object]:
    """Return all of it as plain data, with the counts behind the balance; times are seconds."""
    seen, ahead = shown.seen, shown.seen.ahead
    league, (cycles, balance) = seen.loaded.league, seen.balance
    pace = seen.measured or shown.pace
    return {
        "league": seen.loaded.id,
        "name": seen.loaded.name,
        "open": ahead is not None,
        "stage": seen.stage.text or None,
        "later_stages": [asdict(stage) for stage in seen.later],
        "season": seen.season,
        "continues": seen.goes_on,
        "phase_begun": seen.begun,
        "changes": [str(change) for change in seen.changes],
        "begins": seen.begins or None,
        "seats": league.league.seats,
        "rounds": league.league.rounds,
        "bots": list(seen.players) if ahead else [bot.id for bot in league.bots],
        "house_bots_added": [] if ahead else _house(seen),
        "departed": list(seen.departed),
        "comes": list(ahead.come) if ahead else [],
        "leaves": list(ahead.gone) if ahead else [],
        "waits": {one.bot: one.reason for one in ahead.waiting} if ahead else {},
        "catch_up": dict(seen.catch_up),
        "line_ups": seen.kind,
        "cycle": asdict(seen.size_of_cycle),
        "whole": asdict(seen.size),
        "left": asdict(seen.size_left),
        "verdicts": seen.verdicts and {**asdict(seen.verdicts), "within_plan": seen.reaches_verdicts},
        "cluster": shown.on,
        "time": {
            "basis": "matches" if seen.measured else "sessions" if shown.pace else None,
            "seconds": None if pace is None else seen.seconds(pace, shown.jobs),
            "jobs": seen.referees(shown.jobs),
            "why_not_known": shown.why_not or None,
        },
        "stop": league.schedule.stop,
        "may_end_after_cycle": seen.may_end,
        "ended": seen.ended or None,
        "balance": {"cycles": cycles, **balance_json(balance)},
    }


def _season(seen: Forecast) -> str:
    if not seen.changes:
        phase = "" if seen.begun is None or seen.ahead is None else f", in phase {seen.begun}"
        return f"{'continues' if seen.goes_on else 'begins'} season {seen.season}{phase}"
    if seen.season is not None:
        shown = "\n".join(f"  {plain(change.text)}" for change in seen.changes)
        return f"begins season {seen.season} anew, for nothing of it was played:\n{shown}"
    if seen.begins:
        return f"begins another season, for the last one is over: {plain(seen.begins)}"
    shown = "\n".join(f"  {plain(str(change))}" for change in seen.changes)
    return f"the stored season cannot continue; --new-season 'why' begins another:\n{shown}"


def _bots(seen: Forecast) -> str:
    bots = seen.loaded.league.bots
    if seen.ahead is not None:
        if not seen.players:
            return "" if seen.ended else "too few: an open league waits until 2 are there to be ranked"
        return ("" if seen.begun is not None else "if nobody changes: ") + ", ".join(seen.players)
    unranked = sum(bot.role == "house" for bot in bots)
    text = f"{len(bots)}" + (f", {unranked} of them not ranked" if unranked else "")
    text += f", and {', '.join(_house(seen))} to fill the table" if _house(seen) else ""
    return plain(f"{text}; without {', '.join(seen.departed)}, who left the field" if seen.departed else text)


def _house(seen: Forecast) -> list[str]:
    return [bot.name for bot in house_bots(seen.loaded.league)]


def _size(size: Size) -> str:
    return f"{counted(size.sessions, 'session')}, {counted(size.matches, 'match', 'matches')}"


def _verdicts(seen: Forecast) -> str:
    """Return when verdicts become possible, or a warning that the plan cannot reach them."""
    first = seen.verdicts
    if seen.ahead is not None:
        if first is None:
            return ""
        further = first.cycles - seen.cycles_over
        if further <= 0:
            return "possible now"
        return f"possible after {counted(further, 'more cycle')}, if nobody changes"
    if first is None and seen.ended:
        return "none: too few bots are left"
    if first is None:
        return "none: a single bot is ranked, so there is nothing to compare"
    if seen.goes_on and first.cycles <= seen.cycles_over:
        return "possible now"
    if seen.reaches_verdicts:
        return f"possible after cycle {first.cycles:,}: {_basis(seen, first)}"
    return (
        f"WARNING: none in {_cycles(seen.cycles.stop)}. They become possible after cycle {first.cycles:,}: "
        f"{_basis(seen, first)}. Set cycles = {first.cycles} or more"
    )


def _basis(seen: Forecast, first: FirstVerdicts) -> str:
    who = "candidate" if seen.kind == "gauntlet" else "bot"
    return f"{counted(first.sessions, 'session')}, {first.of_each:,} of each {who}"


def _time(shown: Shown) -> str:
    seen = shown.seen
    if not seen.left:
        return "nothing is left to play"
    if (pace := seen.measured or shown.pace) is None:
        return plain(f"not known: {shown.why_not}")
    basis = "the matches so far" if seen.measured else "sessions that were played for it"
    referees = counted(seen.referees(shown.jobs), "referee")
    return f"about {span(seen.seconds(pace, shown.jobs))} with {referees}, judged by {basis}"


def _stop(seen: Forecast) -> Iterator[str]:
    schedule, end = seen.loaded.league.schedule, seen.cycles.stop
    if seen.ended:
        yield plain(f"it is over: {seen.ended}")
    elif schedule.stop == "settled":
        yield f"when settled{_from(seen.may_end, end)}, at the latest after {_cycles(end)}"
    elif seen.ahead is None:
        yield f"after {_cycles(end)}"


def _from(may_end: int | None, end: int) -> str:
    """Return from when on a league can end because it is settled."""
    if may_end is None:
        return ""
    return (
        f", from cycle {may_end:,} on"
        if may_end < end
        else f", which is not possible before cycle {may_end:,}"
    )


def _later(stage: LaterStage) -> str:
    cycles = f"at most {_cycles(stage.cycles)}" if stage.cycles else "as many cycles as its field needs"
    end = "" if stage.may_end is None else f", or when settled{_from(stage.may_end, stage.cycles)}"
    return f"{stage.name}: {cycles}{end}"


def span(seconds: float) -> str:
    """Format seconds in at most two units: "45 s", "3 min 20 s", "2 h 5 min", "4 d 3 h"."""
    whole = max(1, round(seconds))
    units = ((86400, "d", 3600, "h"), (3600, "h", 60, "min"), (60, "min", 1, "s"))
    for unit, name, smaller, part in units:
        if whole >= unit:
            return f"{whole // unit:,} {name} {whole % unit // smaller} {part}"
    return f"{whole} s"


def _fitted(text: str) -> str:
    """Wrap each line of a text to the width that the names before it leave."""
    return "\n".join(prose(line, 10) for line in text.splitlines())


def _cycles(number: int) -> str:
    return counted(number, "cycle")
