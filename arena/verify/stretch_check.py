"""Checks of a season's stretches: beginnings, secrets, and in an open season who plays in them and why.

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
from arena.store.stretch_document import StretchDocument, stretch_document_from
from arena.store.views import Entry, Role, SeasonView, StretchView, section_of

__all__ = ["check_chain", "check_documents", "check_stretch"]

Document = Mapping[str, object]


def check_stretch(stretch: StretchView, earlier: Sequence[StretchView], document: Document) -> Iterator[str]:
    """Yield what is wrong with a stretch: its beginning, its public draw, its secret, if that is shown.

    `earlier`: the stretches before it.
    """
    schedule = section_of(document, "schedule")
    number, seed = stretch.number, schedule.get("seed")
    begins = earlier[-1].cycles_planned if earlier else 0
    if stretch.first_cycle != begins:
        yield f"stretch {number} begins with session {stretch.first_cycle}.0, it must with {begins}.0"
    if earlier and earlier[-1].ended_at is None:
        yield f"stretch {number} was begun before stretch {number - 1} had ended"
    if schedule and stretch.predictable != (seed is not None):
        said = "predictable" if stretch.predictable else "secret"
        yield f"stretch {number} is said to be {said}, its document says otherwise"
    if schedule and stretch.public_draw != schedule.get("public_draw"):
        drawn = f"{stretch.public_draw!r}, its document says {schedule.get('public_draw')!r}"
        yield f"the public draw of stretch {number} is {drawn}"
    if stretch.secret is not None:
        yield from _secret(stretch, stretch.secret, seed)


def _secret(stretch: StretchView, shown: str, seed: object) -> Iterator[str]:
    number = stretch.number
    try:
        secret = bytes.fromhex(shown)
        committed = commitment(secret)
    except ValueError as error:
        yield f"the secret or public draw of stretch {number} is invalid: {error}"
        return
    if committed != stretch.commitment:
        yield f"stretch {number} was committed to {stretch.commitment}, its secret gives {committed}"
    if isinstance(seed, str) and secret != seeded_secret(seed, number, stretch.season):
        yield f"the secret of stretch {number} does not follow from the seed {seed!r}"


def check_chain(season: SeasonView, end: bytes) -> Iterator[str]:
    """Yield what is wrong with the chain of secrets of an open season with a public draw.

    `end`: its end as it is stored, which nobody else may see; empty in other seasons.
    """
    schedule = season.section("schedule")
    if not (season.open and schedule.get("public_draw") and schedule.get("seed") is None):
        if end:
            yield "the end of a chain of secrets is stored, and no stretch follows from one"
        return
    before: str | None = None
    for stretch in season.stretches:
        # What a stretch was committed to is the SHA-256 of its secret, so this needs no later secret.
        if before is not None and before != stretch.commitment:
            yield (
                f"stretch {stretch.number} was committed to {stretch.commitment}; by the chain of secrets "
                f"this must be the secret of stretch {stretch.number - 1}, which is {before}"
            )
        before = stretch.secret
    last = season.stretches[-1] if season.stretches else None
    if last is not None and not _fits(end, last):
        yield f"what stretch {last.number} was committed to does not follow from the stored chain of secrets"


def _fits(end: bytes, stretch: StretchView) -> bool:
    if stretch.number >= CHAIN_LENGTH:
        return False
    try:
        return commitment(chained_secret(end, stretch.number)) == stretch.commitment
    except ValueError:
        return False


def check_documents(season: SeasonView, plan: Schedule) -> Iterator[str]:
    """Yield what is wrong with the entries of an open season, and with the documents of its stretches.

    Line-ups are not checked here: `plan` follows from the documents, and the sessions from the plan. Nor is
    what a stretch began from: that is `open_check`.
    """
    if season.field_size != season.seats:
        yield f"the least field is of {season.field_size}, a table has {season.seats} seats"
    yield from _entries(season)
    for stretch in season.stretches:
        document = stretch_document_from(stretch.document)
        if document.text != stretch.document:
            yield f"the document of stretch {stretch.number} is not as an arena writes it"
        yield from _numbers(season, stretch, document, plan)
        yield from _field(season, stretch, document)


def _numbers(
    season: SeasonView, stretch: StretchView, document: StretchDocument, plan: Schedule
) -> Iterator[str]:
    for name, said, found in (
        ("rules", document.rules, season.digest),
        ("first cycle", document.first_cycle, stretch.first_cycle),
        ("first match", document.first_match, plan.first_match(stretch.first_cycle)),
    ):
        if said != found:
            yield f"the document of stretch {stretch.number} says {name} {said}, it is {found}"
    planned = document.first_cycle + document.cycles
    if stretch.cycles_planned > planned or (stretch.ended_at is None and stretch.cycles_planned < planned):
        yield f"stretch {stretch.number} has {stretch.cycles_planned} cycles, its document {planned}"
    if stretch.cycles_at_most != planned:
        yield f"stretch {stretch.number} has {stretch.cycles_at_most} cycles at most, its document {planned}"


def _field(season: SeasonView, stretch: StretchView, document: StretchDocument) -> Iterator[str]:
    """Check who plays in a stretch: one version of each bot, house bots only as needed."""
    where = f"stretch {stretch.number}"
    bots = [bot_of(entry) for entry in document.entries]
    for bot in sorted({bot for bot in bots if bots.count(bot) > 1}):
        yield f"two versions of {bot} play in {where}"
    others = sum(not is_house(bot) for bot in bots)
    if len(bots) != max(season.seats, others):
        yield f"{others} bots and {len(bots) - others} house bots play in {where}, at {season.seats} seats"


def _entries(season: SeasonView) -> Iterator[str]:
    """Check that entries are numbered as they came, and that each says what its version is made of."""
    known: defaultdict[str, list[Entry]] = defaultdict(list)
    before = 0
    for number, entry in enumerate(season.entries):
        versions = known[bot_of(entry.bot)]
        if entry.number != number:
            yield f"{entry.bot} is entry {entry.number}, and the {number + 1}th that came"
        if entry.entered_at < before:
            yield f"{entry.bot} came before the entry that was stored before it"
        before = entry.entered_at
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
