"""`arena run --dry-run`: what would be played, how even it is and how long it takes, as text of 80 columns.

Must not count or play anything itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from arena.cli.layout import columns, plain, prose, span
from arena.cli.tables import balance_table
from arena.league.house import house_bots
from arena.season.forecast import Forecast, Size
from arena.wording import counted

_KINDS = {
    "all": "every line-up once a cycle",
    "balanced": "as many line-ups a cycle as bots, meetings evened out",
    "gauntlet": "candidates take turns in the same seats, against the same opponents",
    "duel": "a duel: two bots share all seats, in a pattern and its complement",
}


def forecast_text(seen: Forecast, time: str, on: str | None = None) -> str:
    """Return the text, without a newline at its end.

    `time`: how long it takes, in words. `on`: the cluster's address, None for this machine.
    """
    rows = columns([(name, _fitted(text)) for name, text in _rows(seen, time, on) if text])
    cycles, balance = seen.balance
    if not cycles:
        return "\n".join(rows)
    whom = ", of candidates with opponents" if seen.kind == "gauntlet" else ""
    return "\n".join(
        [*rows, "", f"The balance of {_cycles(cycles)} as planned{whom}:", *balance_table(balance)]
    )


def time_of(seen: Forecast, jobs: int | None, tried: float | str) -> str:
    """Return how long what is left takes, in words.

    `jobs`: as on the command line. `tried`: how long a match took that was played for it, or why there was
    none.
    """
    if not seen.left:
        return "nothing is left to play"
    if seen.match_seconds is not None:
        match_seconds, basis = seen.match_seconds, "the matches so far"
    elif isinstance(tried, str):
        return plain(f"not known: {tried}")
    else:
        match_seconds, basis = tried, "sessions that were played for it"
    referees = counted(seen.referees(jobs), "referee")
    return f"about {span(seen.seconds(match_seconds, jobs))} with {referees}, judged by {basis}"


def _rows(seen: Forecast, time: str, on: str | None) -> Iterator[tuple[str, str]]:
    league, ahead = seen.loaded.league, seen.ahead
    yield "league", plain(f"{seen.loaded.name} ({seen.loaded.id})") + (", open" if ahead else "")
    yield "stage", plain(seen.stage.text)
    yield "season", _season(seen)
    yield "bots", _bots(seen)
    if ahead is not None:
        yield "comes", ", ".join(ahead.come)
        yield "leaves", ", ".join(ahead.gone)
        yield "waits", "\n".join(plain(f"{one.bot}: {one.reason}") for one in ahead.waiting)
    yield "table", f"{league.league.seats} seats, {league.league.rounds} rounds a match"
    yield "line-ups", _KINDS[seen.kind]
    yield "a cycle", _size(seen.size_of_cycle)
    yield "phase" if ahead else "in all", f"{_cycles(seen.size.cycles)} = {_size(seen.size)}"
    yield "verdicts", _verdicts(seen)
    yield "left", _size(seen.size_left) if seen.left else "nothing"
    if on is not None:
        yield "cluster", plain(f"{on}, which a dry run does not connect to; each worker is a referee")
    yield "time", time
    yield "stop", _stop(seen)


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
    if seen.ahead is not None:
        if not seen.players:
            return "" if seen.ended else "too few: an open league waits until 2 are there to be ranked"
        return ("" if seen.begun is not None else "if nobody changes: ") + ", ".join(seen.players)
    league = seen.loaded.league
    unranked = sum(bot.role == "house" for bot in league.bots)
    text = f"{len(league.bots)}" + (f", {unranked} of them not ranked" if unranked else "")
    house = ", ".join(bot.name for bot in house_bots(league))
    return text + (f", and {house} to fill the table" if house else "")


def _size(size: Size) -> str:
    return f"{counted(size.sessions, 'session')}, {counted(size.matches, 'match', 'matches')}"


def _verdicts(seen: Forecast) -> str:
    """Return when verdicts become possible, or a warning that the plan cannot reach them."""
    first = seen.verdicts
    if first is None:
        if seen.ahead is not None:
            return ""
        few = (
            "too few bots are left"
            if seen.ended
            else "a single bot is ranked, so there is nothing to compare"
        )
        return f"none: {few}"
    if (seen.goes_on or seen.ahead) and first.cycles <= seen.cycles_over:
        return "possible now"
    if seen.ahead is not None:
        further = counted(first.cycles - seen.cycles_over, "more cycle")
        return f"possible after {further}, if nobody changes"
    who = "candidate" if seen.kind == "gauntlet" else "bot"
    basis = f"{counted(first.sessions, 'session')}, {first.of_each:,} of each {who}"
    if seen.reaches_verdicts:
        return f"possible after cycle {first.cycles:,}: {basis}"
    return (
        f"WARNING: none in {_cycles(seen.cycles.stop)}. They become possible after cycle {first.cycles:,}: "
        f"{basis}. Set cycles = {first.cycles} or more"
    )


def _stop(seen: Forecast) -> str:
    if seen.ended:
        return plain(f"it is over: {seen.ended}")
    if seen.loaded.league.schedule.stop == "settled":
        return f"when settled, at the latest after {_cycles(seen.cycles.stop)}"
    return "" if seen.ahead else f"after {_cycles(seen.cycles.stop)}"


def _fitted(text: str) -> str:
    """Wrap each line of a text to the width that the names before it leave."""
    return "\n".join(prose(line, 10) for line in text.splitlines())


def _cycles(number: int) -> str:
    return counted(number, "cycle")
