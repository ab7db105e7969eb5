"""`arena run --dry-run` of an open league: its next stretch, as text and as JSON. Must not count anything."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from arena.cli.layout import columns, plain, prose
from arena.cli.organiser.forecast import cluster_text, size_text, span
from arena.season.open_forecast import OpenForecast
from arena.wording import counted

__all__ = ["open_forecast_json", "open_forecast_text"]


def open_forecast_text(seen: OpenForecast, on: str | None = None) -> str:
    """Return the text, without a newline at its end. `on`: the address of the cluster to play on, if any."""
    rows = [(name, text) for name, text in _rows(seen, on) if text]
    return "\n".join(columns([(name, _fitted(text)) for name, text in rows]))


def _rows(seen: OpenForecast, on: str | None) -> Iterator[tuple[str, str]]:
    league = seen.loaded.league.league
    yield "league", plain(f"{seen.loaded.name} ({seen.loaded.id}), open")
    yield "stage", plain(seen.stage.text)
    yield "season", "begins the first season" if seen.season is None else f"continues season {seen.season}"
    yield "closed", plain(f"{seen.closed}; no further stretch is played") if seen.closed else ""
    yield "table", f"{league.seats} seats, {league.rounds} rounds a match"
    if seen.goes_on is not None:
        yield "goes on", f"stretch {seen.goes_on}: {size_text(seen.left)}"
    yield "next field", _field(seen)
    yield "comes", ", ".join(seen.ahead.come)
    yield "leaves", ", ".join(seen.ahead.gone)
    yield "waits", "\n".join(plain(f"{one.bot}: {one.reason}") for one in seen.ahead.waiting)
    yield "missing", "\n".join(plain(f"{entry}: {why}") for entry, why in seen.unready.items())
    yield "catch-up", ", ".join(f"{bot} {counted(n, 'session')}" for bot, n in seen.catch_up.items())
    yield "stretch", f"{counted(seen.size.cycles, 'cycle')} = {size_text(seen.size)}" if seen.field else ""
    yield "verdicts", _first_look(seen)
    yield "cluster", "" if on is None else cluster_text(on)
    yield "time", _time(seen)


def _field(seen: OpenForecast) -> str:
    if seen.field:
        return f"if nobody changes: {', '.join(seen.field)}"
    return "" if seen.closed else "too few ranked bots: an open league waits until there are 2"


def _first_look(seen: OpenForecast) -> str:
    if seen.first_look is None:
        return ""
    if not seen.first_look:
        return "possible now"
    return f"possible after {counted(seen.first_look, 'more cycle')}, if nobody changes"


def _time(seen: OpenForecast) -> str:
    if not seen.most_seconds:
        return "nothing to play"
    most = f"at most {span(seen.most_seconds)}, if every answer takes all the time it may"
    if seen.seconds is None:
        return f"not known before a match was played; {most}"
    referees = counted(seen.jobs, "referee")
    return f"about {span(seen.seconds)} with {referees}, judged by the matches of this league so far\n{most}"


def _fitted(text: str) -> str:
    return "\n".join(prose(line, 12) for line in text.splitlines())


def open_forecast_json(seen: OpenForecast, on: str | None = None) -> dict[str, object]:
    """Return all of it as plain data; times are seconds."""
    return {
        "league": seen.loaded.id,
        "stage": seen.stage.text or None,
        "name": seen.loaded.name,
        "open": True,
        "season": seen.season,
        "closed": seen.closed or None,
        "goes_on": seen.goes_on,
        "left": asdict(seen.left),
        "field": list(seen.field),
        "comes": list(seen.ahead.come),
        "leaves": list(seen.ahead.gone),
        "waits": {one.bot: one.reason for one in seen.ahead.waiting},
        "not_ready": dict(seen.unready),
        "catch_up": seen.catch_up,
        "stretch": asdict(seen.size),
        "cycles_to_verdicts": seen.first_look,
        "cluster": on,
        "time": {"seconds": seen.seconds, "most_seconds": seen.most_seconds, "jobs": seen.jobs},
    }
