"""What is ahead of an open season, as things stand: who comes, leaves and waits, who is to catch up.

It reads folders and is told what is stored. It starts and stores nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.bot.snapshot import folder_digest
from arena.conduct.exclusion import Ruling
from arena.errors import BotFolderError
from arena.league.entries import sections
from arena.league.reader import LoadedLeague
from arena.season.open_field import Candidate, NextField, Waiting, next_field
from arena.store.acts import FailedStart
from arena.store.planned import playing
from arena.store.views import SeasonView

__all__ = ["Ahead", "ahead", "candidates_of"]


@dataclass(frozen=True, slots=True)
class Ahead:
    """The field of the next phase if nobody changes anything.

    `refused`: the bots whose folders cannot be taken as they are; they wait as well. `come`, `gone`: the
    entries that play in it and not in the newest phase, and the other way round.
    """

    field: NextField
    waiting: tuple[Waiting, ...]
    refused: tuple[Waiting, ...]
    come: tuple[str, ...]
    gone: tuple[str, ...]


def ahead(
    loaded: LoadedLeague,
    season: SeasonView,
    rulings: Sequence[Ruling],
    failures: Mapping[str, Sequence[FailedStart]],
    now: int,
) -> Ahead:
    """Return what is ahead of a season; `failures` as `failed_starts` returns them, `now` in milliseconds."""
    candidates, refused = candidates_of(loaded)
    when = (now, loaded.league.schedule.version_hours)
    found = next_field(season, candidates, rulings, failures, when, {one.bot for one in refused})
    come, gone = found.changes(playing(season))
    return Ahead(found, (*refused, *found.waiting), tuple(refused), come, gone)


def candidates_of(loaded: LoadedLeague) -> tuple[list[Candidate], list[Waiting]]:
    """Return the bots that are there now, with the digests of their folders, and those that cannot play."""
    found, refused = sections(loaded.league, loaded.root)
    waiting = [Waiting(one.bot, one.reason) for one in refused]
    candidates = []
    for bot in found:
        try:
            candidates.append(Candidate(bot, folder_digest(loaded.root / bot.folder)))
        except BotFolderError as error:
            waiting.append(Waiting(bot.id, str(error)))
    return candidates, waiting
