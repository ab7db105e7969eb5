"""Writes the pages of a league while it is played, and at its end. `reports` decides what is on them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import trio

from arena.errors import ArenaError, UsageError
from arena.league.model import ReportSection
from arena.league.reader import LoadedLeague
from arena.store.database import Database
from reports import Publish, Replays, ReportOptions, Reveal, write_site

__all__ = ["REFRESH_SECONDS", "keep_writing", "refresh_pages", "report_options"]

REFRESH_SECONDS = 30
"""The seconds between two updates of the pages while a league is played."""
_PAUSE_AFTER = 9
"""The pause after writing the pages, as a multiple of the time that writing took. Even in a large league the
pages then take a tenth of a core at most."""


def report_options(section: ReportSection, author: str = "") -> ReportOptions:
    """Return what the section [report] of a league file asks for; `author` as in `ReportOptions`."""
    return ReportOptions(
        frozenset(Publish(word) for word in section.publish),
        Reveal(section.reveal),
        Replays(section.replays),
        author,
        section.url,
    )


def refresh_pages(loaded: LoadedLeague) -> Path:
    """Write the pages of a league that has a season anew, and return the path of the first page.

    Only pages that have changed are written.

    Raises UsageError when the folder cannot be written, StoreError when the database cannot be read.
    """
    options = report_options(loaded.league.report)
    with Database.open(loaded.database, read_only=True) as database:
        try:
            return write_site(database, loaded.report_folder, options, incremental=True).index
        except OSError as error:
            raise UsageError(f"the pages cannot be written to {loaded.report_folder}: {error}") from error


async def keep_writing(write: Callable[[], object], seconds: float, say: Callable[[str], None]) -> None:
    """Call `write` in a thread every `seconds` seconds, for ever.

    Pages that cannot be written do not stop a league, for they can be written later. `say` is told each
    reason once, until the reason changes.
    """
    said, took = "", 0.0
    while True:
        await trio.sleep(max(seconds, _PAUSE_AFTER * took))
        began = trio.current_time()
        try:
            await trio.to_thread.run_sync(write)
        except ArenaError as error:
            if error.message != said:
                said = error.message
                say(said)
        took = trio.current_time() - began
