"""Makes the page of one match as one file, to be sent to somebody. It writes nothing."""

from __future__ import annotations

from arena.store import read
from arena.store.database import Database
from reports.frame import Place
from reports.inlining import inlined
from reports.options import ReportOptions
from reports.state import Making
from reports.website import SeasonPages


class _Nowhere:
    """Takes files of a site and keeps none."""

    def put(self, name: str, content: bytes) -> None:
        """Forget it."""

    def keep(self, name: str, beginning: bytes) -> bool:
        """Return that it is not there."""
        return False

    def content(self, name: str) -> bytes | None:
        """Return that it is not there."""
        return None

    def finish(self) -> int:
        """Return that nothing else is there."""
        return 0


def match_file(database: Database, season: int, number: int, options: ReportOptions) -> bytes:
    """Return the page of a match of a season as one HTML file that loads nothing, card table included.

    It shows what its page shows, without links to other pages. The same database gives the same bytes.

    Raises UsageError if the match is not finished or its cards may not be shown, StoreError if the database
    cannot be read or the match breaks the rules.
    """
    database, making = database, Making.now(options)
    newest = [mark.number for mark in read.season_marks(database)][-1]
    place = Place.EARLIER if season != newest else Place.NEWEST if newest > 1 else Place.ALONE
    pages = SeasonPages(database, season, making, place, _Nowhere())
    page = pages.match_alone(number)
    return inlined(pages.render(page).decode(), making.assets.contents).encode()
