"""Checks what is fixed for a season against its document: field, sizes, stretches and their secrets.

Reads no database and plays nothing. Every check is lazy and gives what is wrong in words.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from arena.deals import commitment, seeded_secret
from arena.match.stand_in import STAND_IN, STAND_IN_NAME
from arena.schedule import Plan, season_digest
from arena.store.views import Entry, Role, SeasonView, StretchView

__all__ = ["check_season", "check_sizes", "check_stretch", "document_of", "section_of"]

Document = Mapping[str, object]


def document_of(season: SeasonView) -> Document:
    """What the season is; empty when its text is no document, so that its digest will differ."""
    try:
        document = json.loads(season.document)
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}


def section_of(document: Document, name: str) -> Document:
    """A section of a season's document; empty when there is none."""
    section = document.get(name)
    return section if isinstance(section, dict) else {}


def check_season(season: SeasonView, document: Document) -> Iterator[str]:
    """The season's digest, sizes and entries."""
    digest = season_digest(document)
    if digest != season.digest:
        yield f"its digest is {season.digest}, its document gives {digest}"
    league, schedule = section_of(document, "league"), section_of(document, "schedule")
    for name, stored, said in (
        ("seats", season.seats, league.get("seats")),
        ("rounds", season.rounds, league.get("rounds")),
        ("line_ups", season.line_ups, schedule.get("line_ups")),
    ):
        if said is not None and said != stored:
            yield f"{name} is {stored}, its document says {said}"
    bots = document.get("bots")
    if isinstance(bots, list):
        yield from _field(season, [bot for bot in bots if isinstance(bot, dict)])


def _field(season: SeasonView, bots: Sequence[Document]) -> Iterator[str]:
    """The entries are the bots of the document, and after them the stand-in where it plays."""
    if season.field_size != len(bots):
        yield f"its field is of {season.field_size}, its document has {len(bots)} bots"
    said = [bot.get("id") for bot in bots]
    entered = [entry.bot for entry in season.entries]
    if entered not in (said, [*said, STAND_IN]):
        yield f"its entries are {' '.join(entered)}, the bots of its document {' '.join(map(str, said))}"
        return
    for entry, bot in zip(season.entries, bots, strict=False):
        for name, stored in _entered(entry).items():
            if bot.get(name, stored) != stored:
                yield f"the {name} of {entry.bot} is {stored}, its document says {bot[name]}"
    for entry in season.entries[len(bots) :]:
        if (entry.name, entry.role, entry.digest) != (STAND_IN_NAME, Role.STAND_IN, ""):
            yield f"the entry of the stand-in is that of {entry.name}, a bot with files of its own"


def _entered(entry: Entry) -> Mapping[str, object]:
    """What a season's document says of a bot too, by the same names."""
    return {
        "name": entry.name,
        "digest": entry.digest,
        "folder": entry.folder,
        "command": list(entry.command),
        "role": entry.role.value,
    }


def check_sizes(season: SeasonView, plan: Plan) -> Iterator[str]:
    """How many sessions and matches there are to be."""
    for name, stored, planned in (
        ("sessions a cycle", season.sessions_per_cycle, plan.sessions_per_cycle),
        ("matches a session", season.matches_per_session, plan.matches_per_session),
    ):
        if stored != planned:
            yield f"{stored} {name} are stored, the schedule has {planned}"


def check_stretch(stretch: StretchView, earlier: Sequence[StretchView], document: Document) -> Iterator[str]:
    """Where a stretch begins, and that its secret is the one committed to; `earlier`: those before it."""
    schedule = section_of(document, "schedule")
    number, seed = stretch.number, schedule.get("seed")
    begins = earlier[-1].cycles_planned if earlier else 0
    if (stretch.first_cycle, stretch.first_index) != (begins, 0):
        first = f"{stretch.first_cycle}.{stretch.first_index}"
        yield f"stretch {number} begins with session {first}, it must with {begins}.0"
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
        yield f"the secret or public draw of stretch {number} is none: {error}"
        return
    if committed != stretch.commitment:
        yield f"stretch {number} was committed to {stretch.commitment}, its secret gives {committed}"
    if isinstance(seed, str) and secret != seeded_secret(seed, number):
        yield f"the secret of stretch {number} does not follow from the seed {seed!r}"
