"""The document of a phase of an open season: who plays in it and how it is planned, as JSON text and back.

It is stored when the phase begins and never changed. It has no SQL and plans nothing.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated, Final

from annotated_types import Ge, Le, MinLen
from pydantic import TypeAdapter, ValidationError

from arena.errors import StoreError
from arena.schedule import canonical_json
from arena.schedule.catch_up import MOST_OWED

__all__ = ["PhaseDocument", "phase_document_from"]


@dataclass(frozen=True, slots=True)
class PhaseDocument:
    """Who plays in a phase, and what is planned.

    `rules`: the digest of the season's document. `entries`: the ids of all that take seats, house bots too,
    in the order of their numbers. `owed`: the sessions of the catch-up block, by entry; empty for no block.
    `first_cycle`: the number of its first cycle, which is the block where there is one. `cycles`: planned,
    the block included. `first_match`: the number of its first match. `acts`: how many acts the organiser and
    the limits had made by then, so what counted follows from them.
    """

    rules: str
    entries: Annotated[tuple[str, ...], MinLen(1)]
    owed: tuple[tuple[str, Annotated[int, Ge(1), Le(MOST_OWED)]], ...]
    first_cycle: Annotated[int, Ge(0)]
    cycles: Annotated[int, Ge(1)]
    first_match: Annotated[int, Ge(1)]
    acts: Annotated[int, Ge(0)]

    @property
    def text(self) -> str:
        """Return the canonical JSON of the document."""
        return canonical_json(asdict(self))


_ADAPTER: Final = TypeAdapter(PhaseDocument)


def phase_document_from(text: str) -> PhaseDocument:
    """Return the document of a text. StoreError, with what is wrong, if it is none."""
    try:
        return _ADAPTER.validate_json(text, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        what = f"{where}: {first['msg']}" if where else first["msg"]
        raise StoreError(f"The document of a phase cannot be read ({what}): {text[:200]!r}") from error
