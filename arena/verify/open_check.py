"""Checks of an open season: its entries, who plays in its phases and may, who owes sessions, when it ends.

What counted when a phase began follows from the sessions before it and from the acts that had been made by
then: a session that became void later counted. Reads no database and plays nothing. Every check is lazy and
yields what is wrong in words.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from arena.conduct.exclusion import disqualified, whole_bots_out
from arena.league.house import is_house
from arena.league.versions import folder_digest_of, started_by
from arena.schedule import OpenPlan
from arena.score.entry_ids import bot_of, shown_name
from arena.score.results import SessionResult
from arena.season.open_field import Candidate
from arena.season.phases import owed
from arena.store.acts import closing, voids_from
from arena.store.history import Action
from arena.store.stored_season import StoredSeason
from arena.store.views import Entry, PhaseView, Role, SeasonView
from arena.verify.match_check import unlike


def check_fields(stored: StoredSeason, plan: OpenPlan) -> Iterator[str]:
    """Yield what is wrong with the entries of an open season, and with who plays in its phases.

    Line-ups are not checked here: `plan` follows from the phases, and the sessions from the plan.
    """
    season = stored.view
    if season.field_size != season.seats:
        yield f"the least field is of {season.field_size}, a table has {season.seats} seats"
    yield from _entries(season)
    for phase in season.phases:
        if (first := plan.first_match(phase.first_cycle)) != phase.first_match:
            yield f"phase {phase.number} begins with match {phase.first_match}, by its plan with {first}"
        yield from _field(season, phase)
        yield from _began(stored, phase)


def _began(stored: StoredSeason, phase: PhaseView) -> Iterator[str]:
    """Check a phase by what was known when it began: nobody plays who was out, and none follows a close."""
    if phase.acts > len(stored.acts):
        yield f"phase {phase.number} followed from {phase.acts} acts, there are {len(stored.acts)}"
    decisions = [one for one in stored.decisions if one.cycles <= phase.first_cycle]
    then = replace(stored, acts=stored.acts[: phase.acts], decisions=decisions)
    if (act := closing(then.acts, then.view.number)) is not None:
        yield f"phase {phase.number} began after the season had been closed: {act.reason}"
    # Out by the limits, by the organiser, or with three versions.
    out = {**disqualified(then.rulings), **whole_bots_out(then.rulings)}
    for entry in phase.entries:
        ruling = out.get(entry) or out.get(bot_of(entry))
        if ruling is not None:
            yield f"{entry} plays in phase {phase.number}, and was {ruling.word} before: {ruling.reason}"


def _field(season: SeasonView, phase: PhaseView) -> Iterator[str]:
    """Check who plays in a phase: one version of each bot, house bots only as needed."""
    where = f"phase {phase.number}"
    bots = [bot_of(entry) for entry in phase.entries]
    for bot in sorted({bot for bot in bots if bots.count(bot) > 1}):
        yield f"two versions of {bot} play in {where}"
    others = sum(not is_house(bot) for bot in bots)
    if len(bots) != max(season.seats, others):
        yield f"{others} bots and {len(bots) - others} house bots play in {where}, at {season.seats} seats"


def _entries(season: SeasonView) -> Iterator[str]:
    """Check that entries are numbered as they came, and that each says what its version is made of."""
    known: defaultdict[str, list[Entry]] = defaultdict(list)
    for number, entry in enumerate(season.entries):
        versions = known[bot_of(entry.bot)]
        if entry.number != number:
            yield f"{entry.bot} is entry {entry.number}, and the {number + 1}th that came"
        yield from _version(entry, versions)
        versions.append(entry)


def _version(entry: Entry, earlier: Sequence[Entry]) -> Iterator[str]:
    """Make an entry again from its version; `earlier`: those of the same bot."""
    bot, number = bot_of(entry.bot), len(earlier) + 1
    known = {"id": bot, "name": entry.name.removesuffix(shown_name("", number)), "folder": entry.folder}
    try:
        section = started_by(known, entry.version)
        digest = folder_digest_of(entry.version)
    except ValueError as error:
        yield f"the version of {entry.bot} cannot be read: {str(error).splitlines()[0]}"
        return
    if is_house(bot):
        section = section.model_copy(update={"role": Role.HOUSE.value})
    again = Candidate(section, digest).entry(number, entry.number, entry.entered_at)
    for text in unlike(entry, again, ("bot", "name", "digest", "command", "role", "version"), "it must be"):
        yield f"of the {number}th version of {bot} {text}"
    if any(one.version == entry.version for one in earlier):
        yield f"{entry.bot} is an earlier version of {bot} once more"


def check_owed(
    season: SeasonView, plan: OpenPlan, acts: Sequence[Action], results: Sequence[SessionResult]
) -> Iterator[str]:
    """Count again who was behind when each phase began, by the sessions that counted then.

    `plan`: of the whole season. `results`: of all sessions that were played to their end, void ones too, by
    their places.
    """
    before = OpenPlan(season.seats, season.digest, ())
    for phase in season.phases:
        # Planned on and not anew: a long season has hundreds of phases.
        before = before.going_on(plan.phases[: phase.number])
        void = voids_from(acts[: phase.acts], season.number)
        counting = [one for one in results if one.cycle < phase.first_cycle and one.key not in void]
        earlier = replace(season, phases=season.phases[: phase.number])
        field = [entry for entry in season.entries if entry.bot in phase.entries]
        due = owed(earlier, before, field, phase.balanced_cycles, counting)
        if due != phase.owed:
            yield (
                f"of phase {phase.number} is stored that {_owing(phase.owed)}; by what "
                f"counted when it began, {_owing(due)}"
            )


def _owing(due: Sequence[tuple[str, int]]) -> str:
    if not due:
        return "nobody owes a session"
    return ", ".join(f"{entry} owes {sessions}" for entry, sessions in due)
