"""Checks of a season's phases: beginnings, secrets, and in an open season who plays in them and why.

Reads no database and plays nothing. Every check is lazy and yields what is wrong in words.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from arena.deals import CHAIN_LENGTH, chained_secret, commitment, seeded_secret
from arena.league.house import is_house
from arena.league.versions import folder_digest_of, started_by
from arena.schedule import Schedule
from arena.standings.entry_ids import bot_of, entry_id, shown_name
from arena.store.views import Entry, PhaseView, Role, SeasonView, section_of

__all__ = ["check_chain", "check_fields_and_entries", "check_phase"]

Document = Mapping[str, object]


def check_phase(phase: PhaseView, earlier: Sequence[PhaseView], document: Document) -> Iterator[str]:
    """Yield what is wrong with a phase: its beginning, its public draw, its secret, if that is shown.

    `earlier`: the phases before it.
    """
    schedule = section_of(document, "schedule")
    number, seed = phase.number, schedule.get("seed")
    begins = earlier[-1].cycles_planned if earlier else 0
    if phase.first_cycle != begins:
        yield f"phase {number} begins with session {phase.first_cycle}.0, it must with {begins}.0"
    if earlier and earlier[-1].ended_at is None:
        yield f"phase {number} was begun before phase {number - 1} had ended"
    if schedule and phase.predictable != (seed is not None):
        said = "predictable" if phase.predictable else "secret"
        yield f"phase {number} is said to be {said}, its document says otherwise"
    if schedule and phase.public_draw != schedule.get("public_draw"):
        drawn = f"{phase.public_draw!r}, its document says {schedule.get('public_draw')!r}"
        yield f"the public draw of phase {number} is {drawn}"
    if phase.secret is not None:
        yield from _secret(phase, phase.secret, seed)


def _secret(phase: PhaseView, shown: str, seed: object) -> Iterator[str]:
    number = phase.number
    try:
        secret = bytes.fromhex(shown)
        committed = commitment(secret)
    except ValueError as error:
        yield f"the secret or public draw of phase {number} is invalid: {error}"
        return
    if committed != phase.commitment:
        yield f"phase {number} was committed to {phase.commitment}, its secret gives {committed}"
    if isinstance(seed, str) and secret != seeded_secret(seed, number, phase.season):
        yield f"the secret of phase {number} does not follow from the seed {seed!r}"


def check_chain(season: SeasonView, end: bytes) -> Iterator[str]:
    """Yield what is wrong with the chain of secrets of an open season with a public draw.

    `end`: its end as it is stored, which nobody else may see; empty in other seasons.
    """
    schedule = season.section("schedule")
    if not (season.open and schedule.get("public_draw") and schedule.get("seed") is None):
        if end:
            yield "the end of a chain of secrets is stored, and no phase follows from one"
        return
    before: str | None = None
    for phase in season.phases:
        # What a phase was committed to is the SHA-256 of its secret, so this needs no later secret.
        if before is not None and before != phase.commitment:
            yield (
                f"phase {phase.number} was committed to {phase.commitment}; by the chain of secrets "
                f"this must be the secret of phase {phase.number - 1}, which is {before}"
            )
        before = phase.secret
    last = season.phases[-1] if season.phases else None
    if last is not None and not _fits(end, last):
        yield f"what phase {last.number} was committed to does not follow from the stored chain of secrets"


def _fits(end: bytes, phase: PhaseView) -> bool:
    if phase.number >= CHAIN_LENGTH:
        return False
    try:
        return commitment(chained_secret(end, phase.number)) == phase.commitment
    except ValueError:
        return False


def check_fields_and_entries(season: SeasonView, plan: Schedule) -> Iterator[str]:
    """Yield what is wrong with the entries of an open season, and with who plays in its phases.

    Line-ups are not checked here: `plan` follows from the phases, and the sessions from the plan. Nor is what
    a phase began from: that is `open_check`.
    """
    if season.field_size != season.seats:
        yield f"the least field is of {season.field_size}, a table has {season.seats} seats"
    yield from _entries(season)
    for phase in season.phases:
        if (first := plan.first_match(phase.first_cycle)) != phase.first_match:
            yield f"phase {phase.number} begins with match {phase.first_match}, by its plan with {first}"
        yield from _field(season, phase)


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
    """Check an entry by its version; `earlier`: those of the same bot."""
    bot, number = bot_of(entry.bot), len(earlier) + 1
    try:
        told = started_by({"id": bot, "name": bot, "folder": entry.folder}, entry.version)
        digest = folder_digest_of(entry.version)
    except ValueError as error:
        yield f"the version of {entry.bot} cannot be read: {str(error).splitlines()[0]}"
        return
    if entry.bot != entry_id(bot, number):
        yield f"{entry.bot} is the {number}th version of {bot}"
    if digest != entry.digest:
        yield f"the files of {entry.bot} have the digest {entry.digest}, its version says {digest}"
    if told.command != entry.command:
        yield f"the command of {entry.bot} is {list(entry.command)}, its version says {list(told.command)}"
    if any(one.version == entry.version for one in earlier):
        yield f"{entry.bot} is an earlier version of {bot} once more"
    if not entry.name.endswith(shown_name("", number)):
        yield f"{entry.bot} is called {entry.name}, and is version {number}"
    if entry.role is Role.STAND_IN or (is_house(bot) and entry.role is not Role.HOUSE):
        yield f"the role of {entry.bot} is {entry.role.value}"
