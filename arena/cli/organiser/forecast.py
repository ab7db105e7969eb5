"""`arena run --dry-run`: shows what would be played, with the balance certificate, as text and as JSON.

The text fits 80 columns. Must not count or play anything itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from arena.bot.roll_call import not_ready
from arena.cli.balance import balance_json, balance_table
from arena.cli.layout import columns, plain, prose
from arena.season.forecast import Basis, Forecast, Size
from arena.wording import counted

__all__ = [
    "cluster_text",
    "forecast_json",
    "forecast_text",
    "size_text",
    "span",
    "unready_here",
    "unready_text",
]

_KINDS = {
    "all": "every line-up once a cycle",
    "balanced": "as many line-ups a cycle as bots, meetings evened out",
    "gauntlet": "candidates take turns in the same seats, against the same opponents",
    "duel": "a duel: two bots share all seats, in a pattern and its complement",
}


def forecast_text(seen: Forecast, on: str | None = None) -> str:
    """Return the text, without a newline at its end. `on`: the address of the cluster to play on, if any."""
    league = seen.loaded.league
    rows = [
        ("league", plain(f"{seen.loaded.name} ({seen.loaded.id})")),
        *([("stage", plain(seen.stage.text))] if seen.stage.told else []),
        ("season", _season(seen)),
        ("bots", _bots(seen)),
        ("table", f"{league.league.seats} seats, {league.league.rounds} rounds a match"),
        ("line-ups", _KINDS[seen.kind]),
        ("a cycle", size_text(seen.a_cycle)),
        ("in all", f"{_cycles(seen.whole.cycles)} = {size_text(seen.whole)}"),
        ("verdicts", _verdicts(seen)),
        ("left", "nothing" if not seen.left.sessions else size_text(seen.left)),
        *([] if on is None else [("cluster", cluster_text(on))]),
        ("time", "\n".join(_time(seen))),
        ("stop", "\n".join(_stop(seen))),
    ]
    return "\n".join(
        [
            *columns([(name, _fitted(text)) for name, text in rows]),
            "",
            f"The balance of {_cycles(seen.balance_cycles)} as planned{_of_whom(seen)}:",
            *balance_table(seen.balance),
        ]
    )


def cluster_text(on: str) -> str:
    """Return where the league is to be played. A dry run does not look who is there."""
    return plain(
        f"{on}, which a dry run does not connect to; each of its workers is a referee, "
        "so the more there are, the less time it takes"
    )


def unready_text(seen: Forecast) -> str:
    """Return which bots could not be started and why, and what to do about it."""
    return (
        f"{_not_ready(seen)}; a run would not begin.\n{_causes(seen)}\n"
        "Repair them, or let the stand-in play for them: --allow-broken"
    )


def unready_here(seen: Forecast) -> str:
    """Return which bots could not be started on this machine, though others are to play them."""
    return (
        f"On this machine {_not_ready(seen)}:\n{_causes(seen)}\n"
        "A program that is missing here may be on the hosts of the cluster, which look for themselves."
    )


def _not_ready(seen: Forecast) -> str:
    return not_ready(len(seen.unready), len(seen.loaded.league.bots) + len(seen.house))


def _causes(seen: Forecast) -> str:
    return "\n".join(f"  {bot}: {plain(why)}" for bot, why in seen.unready.items())


def forecast_json(seen: Forecast, on: str | None = None) -> dict[str, object]:
    """Return all of it as plain data, with the counts behind the balance; times are seconds."""
    league, duration = seen.loaded.league, seen.duration
    return {
        "league": seen.loaded.id,
        "name": seen.loaded.name,
        "stage": seen.stage.text or None,
        "season": seen.season,
        "changes": [str(change) for change in seen.changes],
        "begins": seen.begins or None,
        "seats": league.league.seats,
        "rounds": league.league.rounds,
        "bots": [bot.id for bot in league.bots],
        "not_ready": dict(seen.unready),
        "house_bots_added": list(seen.house),
        "departed": list(seen.departed),
        "line_ups": seen.kind,
        "cycle": asdict(seen.a_cycle),
        "whole": asdict(seen.whole),
        "left": asdict(seen.left),
        "verdicts": seen.verdicts and {**asdict(seen.verdicts), "within_plan": seen.reaches_verdicts},
        "cluster": on,
        "time": {
            "basis": duration.basis.name.lower(),
            "seconds": duration.seconds,
            "most_seconds": duration.most_seconds,
            "jobs": duration.jobs,
        },
        "stop": league.schedule.stop,
        "settled": seen.settled,
        "broken_off": seen.broken_off or None,
        "max_hours": league.schedule.max_hours,
        "balance": {"cycles": seen.balance_cycles, **balance_json(seen.balance)},
    }


def _season(seen: Forecast) -> str:
    if not seen.changes:
        return "begins the first season" if seen.season is None else f"continues season {seen.season}"
    if seen.season is not None:
        shown = "\n".join(f"  {plain(change.text)}" for change in seen.changes)
        return f"begins season {seen.season} anew, for nothing of it was played:\n{shown}"
    if seen.begins:
        return f"begins another season, for the last one is over: {plain(seen.begins)}"
    shown = "\n".join(f"  {plain(str(change))}" for change in seen.changes)
    return f"the stored season cannot continue; --new-season 'why' begins another:\n{shown}"


def _of_whom(seen: Forecast) -> str:
    return ", of candidates with opponents" if seen.kind == "gauntlet" else ""


def _bots(seen: Forecast) -> str:
    bots = seen.loaded.league.bots
    unranked = sum(bot.role == "house" for bot in bots)
    text = f"{len(bots)}" + (f", {unranked} of them not ranked" if unranked else "")
    text += f", and {', '.join(seen.house)} to fill the table" if seen.house else ""
    return plain(f"{text}; without {', '.join(seen.departed)}, who left the field" if seen.departed else text)


def size_text(size: Size) -> str:
    """Return how many sessions, matches, rounds and decisions there are."""
    return (
        f"{counted(size.sessions, 'session')}, {counted(size.matches, 'match', 'matches')}, "
        f"{counted(size.rounds, 'round')}, {size.decisions:,} decisions"
    )


def _verdicts(seen: Forecast) -> str:
    """Return when verdicts become possible, or a warning that the plan cannot reach them."""
    first, planned = seen.verdicts, seen.whole
    if seen.broken_off:
        return "none: too few bots are left"
    if first is None:
        return "none: a single bot is ranked, so there is nothing to compare"
    if seen.reaches_verdicts:
        return f"possible after cycle {first.cycles:,}: {_basis(first.sessions, first.of_each, seen.kind)}"
    of_each = first.of_each // first.cycles * planned.cycles
    return (
        f"WARNING: none in {_cycles(planned.cycles)} ({_basis(planned.sessions, of_each, seen.kind)}). They "
        f"become possible after cycle {first.cycles:,}: {_basis(first.sessions, first.of_each, seen.kind)}. "
        f"Set cycles = {first.cycles} or more"
    )


def _basis(sessions: int, of_each: int, kind: str) -> str:
    who = "candidate" if kind == "gauntlet" else "bot"
    return f"{counted(sessions, 'session')}, {of_each:,} of each {who}"


def _time(seen: Forecast) -> Iterator[str]:
    duration = seen.duration
    if not seen.left.sessions:
        yield "nothing is left to play"
        return
    referees = counted(duration.jobs, "referee")
    if duration.basis is Basis.MEASURED:
        yield f"about {span(duration.seconds)} with {referees}, judged by {duration.basis.value}"
    else:
        yield f"about {span(duration.seconds)} with {referees}, if the bots are as fast"
        yield f"as the sample bot Sharp ({duration.basis.value})"
    yield f"at most {span(duration.most_seconds)}, if every answer takes all the time it may"


def _stop(seen: Forecast) -> Iterator[str]:
    schedule = seen.loaded.league.schedule
    if seen.settled:
        yield "it is settled"
    elif seen.broken_off:
        yield plain(f"it is over: {seen.broken_off}; arena reinstate lets a bot play again")
    elif schedule.stop == "settled":
        yield f"when settled, at the latest after {_cycles(seen.whole.cycles)}"
    else:
        yield f"after {_cycles(seen.whole.cycles)}"
    if schedule.max_hours:
        yield f"a run ends after {schedule.max_hours:g} h, and the next one resumes"


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
