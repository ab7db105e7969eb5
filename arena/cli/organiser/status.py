"""`arena status`: shows how far a league has got and what needs attention, as text and as JSON.

Reads the database, the lock and the disk; must not change anything. In the text a cycle under way is counted
from 1, as in the standings; all else is counted as in the database.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.layout import columns, plain, time_text, wrapped
from arena.cli.options import LeagueName, as_json, examples, league_argument, season_option, show
from arena.cli.organiser.open_status import OpenStatus, open_rows, open_status, open_troubles
from arena.conduct.exclusion import disqualified
from arena.errors import StoreError
from arena.match.faults import FaultKind
from arena.runner.cluster import ClusterState, read_state
from arena.store import read
from arena.store.history import LogLine
from arena.store.lock import holder_of
from arena.store.stage import stage_of
from arena.store.views import CycleProgress, Progress, Role, SeasonView, SessionState
from arena.wording import counted

if TYPE_CHECKING:
    from arena.cli.league_files import LeagueFiles, OpenLeague
    from arena.store.scoring import Scored

LOG_LINES = 5
"""How many of the last lines of the log are shown."""

_SESSIONS_SHOWN = 3
_WHY = 66  # columns of a terminal beside the longest name of a row
_WORDS = {SessionState.VOIDED: "void", SessionState.LEFT_OUT: "left out"}
_UNPROTECTED = "off"
_OF_PHASE = (
    "number", "commitment", "secret", "public_draw", "predictable", "committed_at", "ended_at", "end_reason",
)  # fmt: skip
"""What the JSON says of the last phase."""


@click.command(epilog=examples("arena status league.toml", "arena status league.toml --balance"))
@league_argument
@season_option
@click.option("--balance", is_flag=True, help="Show the balance certificate of the matches that count.")
@click.option("--integrity", "collusion", is_flag=True, help="Look for twins and favours instead.")
@as_json
def status(league: LeagueName, number: int | None, balance: bool, collusion: bool, as_json: bool) -> None:
    """Show how far a league has got.

    First what needs attention: bots that are excluded, cannot be taken as they are, or did not start; aborted
    matches; sessions that are void or left out; matches without a sandbox; a machine that was too busy. Then
    the season and its last phase with the commitment to its deals, what has been played, faults by bot and
    kind, the last lines of the log, whether the league is being run now, and where its pages are.

    A session is the same deals, played in several seat orders: each bot holds each hand equally often. A
    cycle is the whole schedule once. A phase is cycles that were planned together; all their deals follow
    from one secret.

    With --integrity, what may be collusion: bots that choose the same from the same cards, and bots that
    spare one other. It is for the organiser alone, and takes nobody out.
    """
    from arena.cli.league_files import opened

    with opened(league, number) as found:
        if balance:
            document, text = _balance(found)
        elif collusion:
            from arena.cli.organiser.integrity import integrity

            document, text = integrity(found)
        else:
            seen = _overview(found)
            document, text = _document(seen), _text(seen)
    show(lambda: document, lambda: text, as_json)


def _balance(found: OpenLeague) -> tuple[dict[str, object], str]:
    """Return the certificate of what was played, as data and as text."""
    from arena.cli.layout import prose
    from arena.cli.tables import balance_json, balance_table
    from arena.store.scoring import played_balance

    matches = read.matches(found.database, found.season.number)
    out = disqualified(read.rulings(found.database, found.season.number)) if found.season.plans_anew else ()
    balance = played_balance(found.season, matches, out)
    count = sum(match.counts for match in matches)
    of_whom = ", of candidates with opponents" if found.season.line_ups == "gauntlet" else ""
    of_whom = ", of the bots that are in the field" if out or found.season.open else of_whom
    head = f"The balance of the {count:,} matches that count, in season {found.season.number}{of_whom}:"
    document = {"season": found.season.number, "matches": count, **balance_json(balance)}
    return document, "\n".join([prose(head), *balance_table(balance)])


@dataclass(frozen=True, slots=True)
class Notice:
    """One thing that needs attention. `subject`: the bot or session it is about, else empty.

    `kind`: "excluded", "refused", "start_failed", "aborted", "left_out", "voided", "sandbox" or
    "cores".
    """

    kind: str
    subject: str
    text: str


@dataclass(frozen=True, slots=True)
class Overview:
    """What `arena status` shows. `faults`: by bot id and kind; `logs`: the last ones, oldest first.

    `open`: how the field of an open league changes; None for a closed one. `cluster`: the one that it is
    being played on, None for this machine alone. `counted`: the complete sessions that count; None if they
    cannot be scored. `holder`: the number of the process that runs the league, "" if that is unknown, None if
    the league is not being run. `pages`: the first page, None if there is none yet.
    """

    files: LeagueFiles
    season: SeasonView
    progress: Progress
    faults: dict[str, dict[FaultKind, int]]
    logs: list[LogLine]
    notices: list[Notice]
    holder: str | None
    pages: Path | None
    open: OpenStatus | None
    cluster: ClusterState | None
    out: frozenset[str]
    counted: int | None


def _overview(league: OpenLeague) -> Overview:
    """Gather what is shown. Raises StoreError when the database cannot be read."""
    number = league.season.number
    logs = read.logs_of(league.database, league.season) if league.ended else read.logs(league.database)
    holder, loaded = holder_of(league.files.running), league.files.loaded
    score = _score(league)
    open_ = open_status(league, score)
    return Overview(
        files=league.files,
        season=league.season,
        progress=read.progress(league.database, number),
        faults=read.fault_counts(league.database, number),
        logs=logs[-LOG_LINES:],
        notices=list(_notices(league, open_)),
        holder=None if holder is None else plain(holder),
        pages=league.index if league.index.exists() else None,
        open=open_,
        cluster=None if holder is None or loaded is None else read_state(loaded.arena_folder),
        out=frozenset(disqualified(read.rulings(league.database, number))),
        counted=score.standings.fit.session_count if score else None,
    )


def _score(league: OpenLeague) -> Scored | None:
    """Score the season; None for results that no league can have: progress can be shown all the same."""
    from arena.store.scoring import scored

    try:
        return scored(league.database, league.season)
    except StoreError:
        return None


def _text(seen: Overview) -> str:
    """Return the text, without a newline at its end."""
    season, progress = seen.season, seen.progress
    reason = f": {plain(season.reason)}" if season.reason else ""
    place = seen.files.loaded.path if seen.files.loaded else seen.files.database
    rows = [
        (
            "league",
            plain(f"{seen.files.name} ({seen.files.id}), {_bots_text(seen)}, {season.seats} seats"),
        ),
        ("database", str(seen.files.database)),
        *([("stage", plain(str(stage).removeprefix("stage ")))] if (stage := stage_of(season)) else []),
        ("season", f"{season.number}, opened {time_text(season.opened_at)}{reason}"),
        ("running", _running(seen.holder, seen.cluster)),
        ("phase", _phase_text(season)),
        *(open_rows(seen.open) if seen.open else []),
        ("cycles", _cycles_text(progress.cycles)),
        ("sessions", _sessions_text(progress, seen.counted)),
        ("matches", _matches_text(progress)),
        ("rounds", f"{progress.rounds_finished:,}"),
        ("faults", _faults_text(seen)),
        ("pages", str(seen.pages or f"none yet: arena report {place}")),
    ]
    logs = [f"  {time_text(line.at)}  {plain(line.level)}: {plain(line.headline)}" for line in seen.logs]
    attention = [f"  {line}" for notice in seen.notices for line in notice.text.splitlines()]
    first = ["needs attention", *attention, ""] if attention else []
    return "\n".join(first + columns(rows) + (["log", *logs] if logs else []))


def _bots_text(seen: Overview) -> str:
    if seen.open is not None:
        return f"open, {len(seen.open.present)} bots"
    bots, field = f"{seen.season.field_size} bots", seen.season.entries
    out = sum(entry.role is Role.ENTRANT and entry.bot in seen.out for entry in field)
    return f"{bots}, {seen.season.field_size - out} still in" if out else bots


def _running(holder: str | None, cluster: ClusterState | None) -> str:
    if holder is None:
        return "no"
    where = f" on {plain(cluster.address)}: {cluster}" if cluster is not None else ""
    return f"yes, process {holder}{where}" if holder else f"yes{where}"


def _phase_text(season: SeasonView) -> str:
    if not season.phases:
        return "none yet"
    last = season.phases[-1]
    state = "open" if last.ended_at is None else f"ended {time_text(last.ended_at)}: {plain(last.end_reason)}"
    lines = [f"{last.number}, {state}", f"commitment {last.commitment}"]
    if last.secret is not None:
        lines.append(f"secret     {last.secret}")
    if last.predictable:
        lines.append("deals predictable: the league file gives a seed")
    return "\n".join(lines)


def _cycles_text(cycles: tuple[CycleProgress, ...]) -> str:
    under_way = [cycle for cycle in cycles if cycle.over and not cycle.is_over]
    parts = [f"cycle {cycle.cycle + 1} at {100 * cycle.over // cycle.sessions} %" for cycle in under_way]
    return "; ".join([f"{sum(cycle.is_over for cycle in cycles):,} of {len(cycles):,} over", *parts])


def _sessions_text(progress: Progress, counted: int | None) -> str:
    """Return how many sessions are complete; where not all of these count, how many do, and why."""
    from arena.score.words import not_counted

    complete = progress.sessions_complete
    text = f"{complete:,} of {progress.sessions_planned:,} complete"
    text += f", {progress.sessions_voided:,} void, {progress.sessions_left_out:,} left out"
    why = not_counted(complete if counted is None else counted, complete)
    return "\n".join([text, wrapped(why, _WHY)]).rstrip()


def _matches_text(progress: Progress) -> str:
    return (
        f"{progress.matches_finished:,} of {progress.matches_planned:,} finished, "
        f"{progress.matches_begun:,} begun, {progress.matches_aborted:,} aborted, "
        f"{progress.matches_interrupted:,} interrupted"
    )


def _faults_text(seen: Overview) -> str:
    """Return the number of all faults, then a line for each bot that has any."""
    lines = [f"{seen.progress.faults:,}"]
    for entry in seen.season.entries:
        kinds = seen.faults.get(entry.bot, {})
        if kinds:
            each = ", ".join(f"{count:,} {kind.value}" for kind, count in kinds.items())
            lines.append(f"{plain(entry.name)}: {each}")
    return "\n".join(lines)


def _document(seen: Overview) -> dict[str, object]:
    """Return all of it as plain data; times are milliseconds since 1970 (UTC)."""
    season, phases = seen.season, seen.season.phases
    process = (seen.holder or "").partition(" ")[0]  # on a server its host follows
    return {
        "needs_attention": [asdict(notice) for notice in seen.notices],
        "league": seen.files.id,
        "name": seen.files.name,
        "database": str(seen.files.database),
        "season": {
            "number": season.number,
            "digest": season.digest,
            "opened_at": season.opened_at,
            "reason": season.reason,
            "stage": None if (stage := stage_of(season)) is None else asdict(stage),
            "bots": [
                {"bot": entry.bot, "name": entry.name, "role": entry.role.value} for entry in season.entries
            ],
        },
        "phase": {name: getattr(phases[-1], name) for name in _OF_PHASE} if phases else None,
        **({} if seen.open is None else {"open": asdict(seen.open)}),
        "progress": asdict(seen.progress),
        "sessions_counted": seen.counted,
        "faults": {bot: {kind.value: n for kind, n in kinds.items()} for bot, kinds in seen.faults.items()},
        "log": [asdict(line) for line in seen.logs],
        "running": seen.holder is not None,
        "process": int(process) if process.isdecimal() else None,
        "cluster": None if seen.cluster is None else asdict(seen.cluster),
        "pages": str(seen.pages) if seen.pages else None,
    }


def _notices(league: OpenLeague, open_: OpenStatus | None) -> Iterator[Notice]:
    """Yield all that needs attention, bots first. Raises StoreError when the database cannot be read."""
    database, number = league.database, league.season.number
    progress = read.progress(database, number)
    for bot, ruling in disqualified(read.rulings(database, number)).items():
        # The bot's page has the evidence, which is long.
        yield Notice(ruling.word, bot, plain(str(replace(ruling, reason=ruling.brief))))
    for bot, kinds in read.fault_counts(database, number).items():
        if failed := kinds.get(FaultKind.START_FAILED, 0):
            yield Notice(
                "start_failed", bot, f"{bot} did not start for {counted(failed, 'match', 'matches')}"
            )
    for trouble in open_troubles(open_) if open_ else ():
        yield Notice(*trouble)
    if progress.matches_aborted:
        attempts = counted(progress.matches_aborted, "aborted attempt")
        text = f"{attempts} at matches; no bot caused them"
        yield Notice("aborted", "", text)
    yield from _lost_sessions(league)
    levels = read.sandbox_levels(database, number)
    if without := levels.get(_UNPROTECTED, 0):
        some = counted(without, "match", "matches")
        text = f"{some} of {sum(levels.values()):,} played without a sandbox"
        yield Notice("sandbox", "", text)
    waits = read.core_waits(database, number)
    if waits.too_long:
        yield Notice("cores", "", waits.text)


def _lost_sessions(league: OpenLeague) -> Iterator[Notice]:
    sessions = read.sessions(league.database, league.season.number)
    for state, word in _WORDS.items():
        found = [session for session in sessions if session.state is state]
        for session in found[:_SESSIONS_SHOWN]:
            name = f"{session.cycle}.{session.index}"
            yield Notice(state.value, name, f"session {name} is {word}: {plain(session.reason)}")
        more = len(found) - _SESSIONS_SHOWN
        if more > 0:
            are = "is" if more == 1 else "are"
            yield Notice(state.value, "", f"{counted(more, 'more session')} {are} {word}")
