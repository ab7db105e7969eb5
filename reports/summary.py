"""What the page of all seasons says of each, kept beside the pages of a season that has ended.

So that page is made without reading the earlier seasons again.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from pydantic import TypeAdapter, ValidationError

from arena.score.entry_ids import bot_of
from arena.score.verdicts import NoLook
from arena.store.history import SeasonMark
from arena.store.stored_season import seated
from arena.store.views import Role
from reports.facts import LeagueFacts
from reports.pages.verdict import on_first_place

PATH = "data/season.json"
"""Where the summary is in the folder of a season."""


@dataclass(frozen=True, slots=True)
class SeasonSummary:
    """A season in a few words and numbers.

    `opened_at` (milliseconds since 1970), `digest`, `matches`: as in its mark. `reason`: why it was begun,
    empty for none. `bots`: how many different entrants played in it, whatever their versions. `end`: how it
    ended, empty while it goes on. `champions`: the names of those with the fewest points; `claim`: in words,
    whether that is sure.
    """

    season: int
    title: str
    opened_at: int
    digest: str
    reason: str
    bots: int
    matches: int
    end: str
    champions: tuple[str, ...]
    claim: str

    @classmethod
    def of(cls, facts: LeagueFacts) -> SeasonSummary:
        """Return the summary of a season."""
        season = facts.season
        entrants = [entry.bot for entry in season.entries if entry.role is Role.ENTRANT]
        if season.open:  # a version that did not start is an entry, too
            entrants = sorted(seated(season).intersection(entrants))
        return cls(
            season=season.number,
            title=facts.title,
            opened_at=season.opened_at,
            digest=season.digest,
            reason=season.reason,
            bots=len({bot_of(entry) for entry in entrants}),
            matches=facts.progress.matches_finished,
            end=_end(facts),
            champions=tuple(facts.entry(row.bot).name for row in facts.standings.rows if row.rank == 1),
            claim=_claim(facts),
        )

    def to_json(self) -> bytes:
        """Return the summary as it is written."""
        return (json.dumps(asdict(self), indent=2) + "\n").encode()

    @staticmethod
    def read(content: bytes, mark: SeasonMark) -> SeasonSummary | None:
        """Return the summary that was written, None if it is not that of the season with this mark."""
        try:
            found = _SUMMARIES.validate_json(content)
        except ValidationError:
            return None
        said = SeasonMark(found.season, found.opened_at, found.digest, found.matches)
        return found if said == mark else None


_SUMMARIES = TypeAdapter(SeasonSummary)


def _end(facts: LeagueFacts) -> str:
    """Return how a season ended, in words; empty while it goes on."""
    if facts.closed and facts.over:
        return f"closed: {facts.closed}"
    if not facts.ended and (facts.season.open or not facts.over):
        return ""  # nothing is played between two phases of an open season, but it goes on
    phases = facts.season.phases
    if not phases or facts.season.open:
        return "a new season was begun"
    return phases[-1].end_reason or "its cycles were played"


def _claim(facts: LeagueFacts) -> str:
    if not facts.progress.matches_finished:
        return "No match was finished." if facts.ended else "No match has been finished yet."
    if all(row.rank is None for row in facts.standings.rows):
        return "No session was completed." if facts.ended else "No session is complete yet."
    if isinstance(facts.look, NoLook):
        return f"That is not sure: {facts.look.reason}."
    return on_first_place(facts, facts.look)
