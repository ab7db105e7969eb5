"""Says in words how a league ran, for the page about its health and for the leaderboard. Writes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from arena.linux.machine import Machine
from arena.store.progress import Progress
from arena.store.times import CoreWaits
from arena.store.views import SeatView
from arena.translating import _, ngettext, pgettext
from reports.facts import LeagueFacts
from reports.pages.hosts import host_sentences
from reports.text import milliseconds, minute, number

__all__ = ["figures", "lateness", "played_on", "sentences"]


def sentences(facts: LeagueFacts, unprotected: int) -> Iterator[str]:
    """Yield what to know first. `unprotected`: the matches that were played without a sandbox."""
    progress = facts.progress
    yield _fault_sentence(facts)
    if (aborted := progress.matches_aborted) > 0:
        yield ngettext(
            "%(num)s attempt aborted by an error of the arena.",
            "%(num)s attempts aborted by an error of the arena.",
            aborted,
        )
    if (left_out := progress.sessions_left_out) > 0:
        yield ngettext(
            "%(num)s session left out after too many aborted attempts.",
            "%(num)s sessions left out after too many aborted attempts.",
            left_out,
        )
    if unprotected:
        yield ngettext(
            "%(num)s match played without a sandbox.",
            "%(num)s matches played without a sandbox.",
            unprotected,
        )
    yield from host_sentences(facts)
    waits = _waits(seat for match in facts.matches for seat in match.seats)
    if waits.too_long:
        yield f"{waits.text[:1].upper()}{waits.text[1:]}."


def _fault_sentence(facts: LeagueFacts) -> str:
    matches = len(facts.matches)
    if not facts.progress.faults:
        return ngettext("No fault in %(num)s match.", "No fault in %(num)s matches.", matches)
    return ngettext(
        "%(faults)s in %(faulty)s of %(num)s match.",
        "%(faults)s in %(faulty)s of %(num)s matches.",
        matches,
        faults=_all_faults(facts.progress.faults),
        faulty=number(sum(match.faults > 0 for match in facts.matches)),
    )


def _all_faults(faults: int) -> str:
    return ngettext("%(num)s fault", "%(num)s faults", faults)


def lateness(deadlines: int, matches: int) -> str:
    """Return how often the referee was late, in two sentences. `deadlines`: how many it moved."""
    moved = ngettext("%(num)s deadline", "%(num)s deadlines", deadlines)
    return ngettext(
        "The referee was late and moved %(deadlines)s in %(num)s match. No bot was charged for it.",
        "The referee was late and moved %(deadlines)s in %(num)s matches. No bot was charged for it.",
        matches,
        deadlines=moved,
    )


def _waits(seats: Iterable[SeatView]) -> CoreWaits:
    waits = [CoreWaits(s.took_total_us + s.extended_us, s.queued_us or 0, s.extended_us) for s in seats]
    return sum(waits, start=CoreWaits())


def figures(facts: LeagueFacts) -> Iterator[tuple[str, str]]:
    """Yield terms with a sentence each: how far the season is, on what it was played, how long that took."""
    progress = facts.progress
    yield _("Matches"), _how_far(progress)
    if (ahead := progress.matches_after_end) > 0:
        said = ngettext(
            "%(num)s match played ahead while the end was decided: they count nowhere",
            "%(num)s matches played ahead while the end was decided: they count nowhere",
            ahead,
        )
        yield _("After the end"), said
    yield from played_on(facts)
    lasted = sorted((match.finished_at or 0) - match.started_at for match in facts.matches)
    if lasted:
        middle, most = lasted[(len(lasted) - 1) // 2], lasted[-(len(lasted) // 20) - 1]
        median, p95, longest = (milliseconds(1000 * time) for time in (middle, most, lasted[-1]))
        yield (
            _("A match took"),
            _(
                "%(median)s (median); 95 %% within %(most)s; the longest %(longest)s",
                median=median,
                most=p95,
                longest=longest,
            ),
        )
    again = ngettext(
        "%(num)s attempt aborted, %(interrupted)s interrupted when a run was stopped or killed",
        "%(num)s attempts aborted, %(interrupted)s interrupted when a run was stopped or killed",
        progress.matches_aborted,
        interrupted=number(progress.matches_interrupted),
    )
    yield _("Played again"), again


def _how_far(progress: Progress) -> str:
    finished, planned = number(progress.matches_finished), number(progress.matches_planned)
    if not progress.matches_begun:
        return _("%(finished)s of %(planned)s finished", finished=finished, planned=planned)
    return _(
        "%(finished)s of %(planned)s finished, %(begun)s begun",
        finished=finished,
        planned=planned,
        begun=number(progress.matches_begun),
    )


def played_on(facts: LeagueFacts) -> Iterator[tuple[str, str]]:
    """Yield when it was played, and the command, versions and hardware of the machine that played last."""
    ends = [match.finished_at for match in facts.matches if match.finished_at is not None]
    if ends:
        begin, end = minute(facts.season.opened_at), minute(max(ends))
        yield (
            pgettext("time", "Played"),
            _("%(begin)s to %(end)s UTC", begin=begin, end=end)
            if facts.over
            else _("%(begin)s to %(end)s UTC, the last match so far", begin=begin, end=end),
        )
    for machine in facts.machines[-1:]:
        yield _("Command"), f"arena run {machine.league_file}"
        yield _("Versions"), f"arena {machine.arena}, Python {machine.python}, SQLite {machine.sqlite}"
        said = _hardware(machine)
        if len(facts.machines) > 1:
            said = _("%(machine)s; earlier matches ran on other machines", machine=said)
        # On a cluster it only led the run; where matches were played, the table of hosts says.
        yield (_("Machine of the run") if len(facts.hosts) > 1 else _("Machine")), said


def _hardware(machine: Machine) -> str:
    """Return what a machine is and has, as a list."""
    parts = [" ".join(part for part in (machine.processor, f"({machine.platform})") if part)]
    parts.append(ngettext("%(num)s core", "%(num)s cores", machine.cores))
    if machine.memory_mib:
        parts.append(_("%(size)s MiB", size=number(machine.memory_mib)))
    return ", ".join(parts)
