"""Seasons, entries and stretches as rows of the tables, and the views made from those. Executes no SQL."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict

from arena.store import models
from arena.store.inputs import NewSeason, NewStretch
from arena.store.rows import Cells
from arena.store.views import Action, Entry, LogLine, Reported, Role, SeasonView, StretchView

__all__ = ["entry_cells", "line_cells", "season_cells", "season_from", "stretch_cells", "stretch_from"]


def season_cells(number: int, new: NewSeason) -> Cells:
    """The row of `season`; its fields are named like the columns, the entries have rows of their own."""
    cells = asdict(new)
    del cells["entries"]
    return {"number": number, **cells}


def entry_cells(season: int, entry: Entry) -> Cells:
    """The row of `entry`."""
    said = entry.reported
    return {
        "season": season,
        "bot": entry.bot,
        "number": entry.number,
        "name": entry.name,
        "digest": entry.digest,
        "folder": entry.folder,
        "command": json.dumps(entry.command, ensure_ascii=False),
        "author": entry.author,
        "language": entry.language,
        "url": entry.url,
        "role": entry.role.value,
        **reported_cells(said),
    }


def reported_cells(said: Reported | None) -> Cells:
    """The columns of `entry` for what a bot's process said of itself: all NULL before it did."""
    return {
        "reported_name": said.name if said else None,
        "reported_version": said.version if said else None,
        "reported_language": said.language if said else None,
        "reported_author": said.author if said else None,
    }


def stretch_cells(new: NewStretch) -> Cells:
    """The row of `stretch`, open."""
    return {**asdict(new), "secret": new.secret.hex(), "ended_at": None, "end_reason": ""}


def line_cells(line: LogLine | Action) -> Cells:
    """The row of `log` or `action`; their fields are named like the columns."""
    return asdict(line)


def season_from(
    row: models.Season, entries: Iterable[models.Entry], stretches: Iterable[models.Stretch]
) -> SeasonView:
    """The view of a season, with its entries and stretches in ascending order of their numbers."""
    return SeasonView(
        number=row.number,
        opened_at=row.opened_at,
        document=row.document,
        digest=row.digest,
        league_text=row.league_text,
        line_ups=row.line_ups,
        seats=row.seats,
        rounds=row.rounds,
        field_size=row.field_size,
        sessions_per_cycle=row.sessions_per_cycle,
        matches_per_session=row.matches_per_session,
        opened_by=row.opened_by,
        reason=row.reason,
        entries=tuple(entry_from(entry) for entry in entries),
        stretches=tuple(stretch_from(stretch) for stretch in stretches),
    )


def entry_from(row: models.Entry) -> Entry:
    """The view of an entry."""
    return Entry(
        bot=row.bot,
        number=row.number,
        name=row.name,
        digest=row.digest,
        folder=row.folder,
        command=tuple(json.loads(row.command)),
        author=row.author,
        language=row.language,
        url=row.url,
        role=Role(row.role),
        reported=_reported_from(row),
    )


def stretch_from(row: models.Stretch) -> StretchView:
    """The view of a stretch, without its secret while it has not ended."""
    return StretchView(
        season=row.season,
        number=row.number,
        commitment=row.commitment,
        secret=row.secret if row.ended_at is not None else None,
        public_draw=row.public_draw,
        predictable=row.predictable,
        committed_at=row.committed_at,
        ended_at=row.ended_at,
        end_reason=row.end_reason,
        league_digest=row.league_digest,
        cycles_planned=row.cycles_planned,
        first_cycle=row.first_cycle,
        first_index=row.first_index,
    )


def _reported_from(row: models.Entry) -> Reported | None:
    if row.reported_name is None:
        return None
    return Reported(
        row.reported_name,
        row.reported_version or "",
        row.reported_language or "",
        row.reported_author or "",
    )
