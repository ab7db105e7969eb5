"""What a league file and the bots' folders say that a stored season does not, and what follows from that.

Rules, and bots, may change between two seasons and not in one. It reads copies of bots' folders; it stores
nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from arena.bot.snapshot import changed_files
from arena.league.cycles import cycles_of
from arena.league.house import is_house
from arena.league.reader import LoadedLeague
from arena.league.season import Change, changed_keys
from arena.store import read
from arena.store.database import Database
from arena.store.stage import decision_of, stage_of
from arena.store.views import SeasonView
from arena.wording import counted, listed

__all__ = ["changes_since", "is_over", "may_begin_anew", "refusal", "why_another"]

_MOST_NAMES = 3
"""The most bots, or files, that are named; of more only the number is given."""


def changes_since(
    current: SeasonView, document: dict[str, object], loaded: LoadedLeague
) -> tuple[Change, ...]:
    """Return what keeps a league file from continuing a season.

    `document`: the season that the file describes. `loaded` has its `cycles` as a number, see `with_cycles`.
    """
    changes = changed_keys(current.keys, document)
    if current.open:  # its cycles are those of one phase
        return tuple(changes)
    planned = current.phases[-1].cycles_planned if current.phases else 0
    asked = cycles_of(loaded.league)
    if asked < planned:
        why = f"the number of cycles may only grow, and season {current.number} was committed to {planned}"
        changes.append(Change("schedule.cycles", planned, asked, why))
    return tuple(changes)


def may_begin_anew(current: SeasonView, database: Database) -> bool:
    """Return whether nothing of a season was played: no match of it was finished.

    A stage that follows another never begins anew: it was announced, and its bots play by their copies.
    """
    return decision_of(current) is None and not read.finished(database, current.number)


def is_over(current: SeasonView) -> bool:
    """Return whether all that was planned of a season was played, and no stage follows it."""
    stage = stage_of(current)
    last = stage is None or stage.number == stage.of
    return last and bool(current.phases) and current.unfinished is None


def why_another(current: SeasonView, changes: Iterable[Change], loaded: LoadedLeague) -> str:
    """Return the reason of the season that follows one which is over: who entered, changed and left.

    Empty where more than bots has changed, or the season is not over: then the organiser has to give it.
    """
    keys = [change.key.split(".") for change in changes]
    if not is_over(current) or not all(key[0] == "bots" and key[1:] for key in keys):
        return ""
    before = {entry.bot: entry.name for entry in current.entries}
    now = {bot.id: bot.name for bot in loaded.league.bots}
    # House bots come and go with the others.
    bots = list(dict.fromkeys(key[1] for key in keys if not is_house(key[1])))
    return ", ".join(
        f"{listed(names) if len(names) <= _MOST_NAMES else counted(len(names), 'bot')} {done}"
        for done, names in (
            ("entered", [now[bot] for bot in bots if bot not in before]),
            ("changed", [now[bot] for bot in bots if bot in before and bot in now]),
            ("left", [before[bot] for bot in bots if bot not in now]),
        )
        if names
    )


def refusal(current: SeasonView, changes: Sequence[Change], loaded: LoadedLeague) -> str:
    """Return what to tell where a season cannot go on: what has changed, files too, and the ways out."""
    listing = "\n".join(f"  {change}" for change in _with_files(changes, loaded.arena_folder / "bots"))
    return (
        f"Season {current.number} was begun with other rules or other bots:\n{listing}\n"
        f"Undo these changes, or begin a new season: arena run {loaded.path} --new-season 'why'"
    )


def _with_files(changes: Iterable[Change], copies: Path) -> Iterator[Change]:
    """Yield the changes; where a bot's digest differs, with the files that do, if both copies are there."""
    for change in changes:
        if change.key.startswith("bots.") and change.key.endswith(".digest"):
            files = changed_files(copies / str(change.old), copies / str(change.new))
            more = f" and {len(files) - _MOST_NAMES} more" if len(files) > _MOST_NAMES else ""
            yield replace(change, remark=", ".join(files[:_MOST_NAMES]) + more)
        else:
            yield change
