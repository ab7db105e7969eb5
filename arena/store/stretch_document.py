"""The document of a stretch of an open season: who plays in it and how it is planned, as JSON text and back.

It is stored when the stretch begins and never changed. It has no SQL and plans nothing.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from arena.errors import StoreError
from arena.schedule import canonical_json

__all__ = ["StretchDocument", "stretch_document_from"]


@dataclass(frozen=True, slots=True)
class StretchDocument:
    """Who plays in a stretch, and what is planned.

    `rules`: the digest of the season's document. `entries`: the ids of all that take seats, house bots too,
    in the order of their numbers. `owed`: the sessions of the catch-up block, by entry; empty for no block.
    `first_cycle`: the number of its first cycle, which is the block where there is one. `cycles`: planned,
    the block included. `first_match`: the number of its first match.
    """

    rules: str
    entries: tuple[str, ...]
    owed: tuple[tuple[str, int], ...]
    first_cycle: int
    cycles: int
    first_match: int

    @property
    def text(self) -> str:
        """Return the canonical JSON of the document."""
        return canonical_json(asdict(self))


def stretch_document_from(text: str) -> StretchDocument:
    """Return the document of a text. StoreError, with what is wrong, if it is none."""
    try:
        told = json.loads(text)
        found = StretchDocument(
            rules=str(told["rules"]),
            entries=tuple(str(entry) for entry in told["entries"]),
            owed=tuple((str(entry), int(sessions)) for entry, sessions in told["owed"]),
            first_cycle=int(told["first_cycle"]),
            cycles=int(told["cycles"]),
            first_match=int(told["first_match"]),
        )
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise StoreError(f"The document of a stretch cannot be read ({error}): {text[:200]!r}") from error
    if min(found.first_cycle, found.cycles - 1, found.first_match - 1, len(found.entries) - 1) < 0:
        raise StoreError(f"The document of a stretch has numbers that cannot be right: {text[:200]!r}")
    return found
