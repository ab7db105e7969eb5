"""Says in words how a league ran, for the page about its health and for the leaderboard. Writes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from arena.match.times import CoreWaits
from arena.store.views import Progress, SeatView
from arena.wording import counted
from reports.facts import LeagueFacts
from reports.text import milliseconds, minute, number


def sentences(facts: LeagueFacts, unprotected: int) -> Iterator[str]:
    """Yield what to know first. `unprotected`: the matches that were played without a sandbox."""
    progress = facts.progress
    yield _fault_sentence(facts)
    if (aborted := progress.matches_aborted) > 0:
        yield f"{counted(aborted, 'attempt')} aborted by an error of the arena."
    if (left_out := progress.sessions_left_out) > 0:
        yield f"{counted(left_out, 'session')} left out after too many aborted attempts."
    if unprotected:
        yield f"{counted(unprotected, 'match', 'matches')} played without a sandbox."
    waits = _waits(seat for match in facts.matches for seat in match.seats)
    if waits.too_long:
        yield f"{waits.text[:1].upper()}{waits.text[1:]}."


def _fault_sentence(facts: LeagueFacts) -> str:
    matches = len(facts.matches)
    if not facts.progress.faults:
        return f"No fault in {counted(matches, 'match', 'matches')}."
    return (
        f"{_all_faults(facts.progress.faults)} in "
        f"{number(sum(match.faults > 0 for match in facts.matches))} of "
        f"{counted(matches, 'match', 'matches')}."
    )


def _all_faults(faults: int) -> str:
    return counted(faults, "fault")


def lateness(deadlines: int, matches: int) -> str:
    """Return how often the referee was late, in two sentences. `deadlines`: how many it moved."""
    moved = counted(deadlines, "deadline")
    return (
        f"The referee was late and moved {moved} in {counted(matches, 'match', 'matches')}. No bot "
        "was charged for it."
    )


def _waits(seats: Iterable[SeatView]) -> CoreWaits:
    waits = [CoreWaits(s.took_total_us + s.extended_us, s.queued_us or 0, s.extended_us) for s in seats]
    return sum(waits, start=CoreWaits())


def figures(facts: LeagueFacts) -> Iterator[tuple[str, str]]:
    """Yield terms with a sentence each: how far the season is, on what it was played, how long that took."""
    progress = facts.progress
    yield "Matches", _how_far(progress)
    yield from played_on(facts)
    lasted = sorted((match.finished_at or 0) - match.started_at for match in facts.matches)
    if lasted:
        middle, most = lasted[(len(lasted) - 1) // 2], lasted[-(len(lasted) // 20) - 1]
        median, p95, longest = (milliseconds(1000 * time) for time in (middle, most, lasted[-1]))
        yield (
            "A match took",
            f"{median} (median); 95 % within {p95}; the longest {longest}",
        )
    again = (
        f"{counted(progress.matches_aborted, 'attempt')} aborted, "
        f"{number(progress.matches_interrupted)} interrupted when a run was stopped or killed"
    )
    yield "Played again", again


def _how_far(progress: Progress) -> str:
    finished, planned = number(progress.matches_finished), number(progress.matches_planned)
    if not progress.matches_begun:
        return f"{finished} of {planned} finished"
    return f"{finished} of {planned} finished, {number(progress.matches_begun)} begun"


def played_on(facts: LeagueFacts) -> Iterator[tuple[str, str]]:
    """Yield when it was played, and the versions and hardware of the machine that was begun with last."""
    ends = [match.finished_at for match in facts.matches if match.finished_at is not None]
    if ends:
        begin, end = minute(facts.season.opened_at), minute(max(ends))
        yield (
            "Played",
            f"{begin} to {end} UTC" if facts.over else f"{begin} to {end} UTC, the last match so far",
        )
    for host in facts.hosts[-1:]:
        yield "Versions", f"arena {host.arena}, Python {host.python}"
        said = ", ".join(part for part in (host.processor, counted(host.cores, "core")) if part)
        yield "Machine", said if len(facts.hosts) == 1 else f"{said}; earlier matches ran on others"
