"""Where the results of a review are kept, so that it can go on later: in the league, in a file, or nowhere.

It finds nothing out, and changes nothing but reviews.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Protocol, Self

from arena.errors import StoreError, UsageError
from arena.review.documents import (
    decision_from,
    decisions_from,
    document_of_decisions,
    document_of_review,
    text_of_decision,
    text_of_review,
)
from arena.review.findings import Place
from arena.review.reviewed import METHOD, Reviewed
from arena.review.sample import Asked
from arena.review.summary import BotReview
from arena.store import read, write
from arena.store.database import Database
from arena.store.views import StoredChoice, StoredReview

__all__ = ["InFile", "InLeague", "InMemory", "Keeper", "Keeping", "to_store"]

_SECONDS: Final = 3.0
"""How old a result may be before it is kept."""
_KIND: Final = "papayoo review"


class Keeper(Protocol):
    """A place for results."""

    def known(self) -> Iterable[Reviewed]:
        """Return what is kept there already."""

    def keep(self, found: list[Reviewed]) -> None:
        """Keep more. What is known of the same decisions is replaced."""

    def conclude(self, review: BotReview) -> None:
        """Keep the whole review of the bot."""


class InMemory:
    """Keeps nothing when the command has ended."""

    def known(self) -> Iterable[Reviewed]:
        """See `Keeper`."""
        return ()

    def keep(self, found: list[Reviewed]) -> None:
        """See `Keeper`."""

    def conclude(self, review: BotReview) -> None:
        """See `Keeper`."""


class InLeague:
    """Keeps them in a league's database, in short transactions. `whole`: also the review of the bot."""

    def __init__(self, database: Database, season: int, bot: str, whole: bool) -> None:
        self._database = database
        self._season = season
        self._bot = bot
        self._whole = whole

    def known(self) -> Iterable[Reviewed]:
        """See `Keeper`."""
        return [decision_from(one.text) for one in read.reviews(self._database, self._season, self._bot)]

    def keep(self, found: list[Reviewed]) -> None:
        """See `Keeper`."""
        write.save_reviews(self._database, self._season, to_store(found), _now_ms())

    def conclude(self, review: BotReview) -> None:
        """See `Keeper`."""
        if self._whole:
            stored = StoredReview(review.bot, _now_ms(), text_of_review(review))
            write.save_review_summary(self._database, self._season, stored)


def to_store(found: Iterable[Reviewed]) -> list[StoredChoice]:
    """Return what a league stores of decisions."""
    return [
        StoredChoice(one.match, one.seat, one.round, one.question, text_of_decision(one)) for one in found
    ]


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


class InFile:
    """Keeps them in a file of JSON, which nobody else reads. `of`: what the review is of, in any JSON values.

    UsageError for a file that is none, or of something else.
    """

    def __init__(self, path: Path, of: dict[str, Any]) -> None:
        self._path = path
        self._of = of
        self._found: dict[Place, Reviewed] = {}
        self._review: BotReview | None = None
        if path.exists():
            self._found = {one.place: one for one in self._read()}

    def known(self) -> Iterable[Reviewed]:
        """See `Keeper`."""
        return list(self._found.values())

    def keep(self, found: list[Reviewed]) -> None:
        """See `Keeper`. StoreError if the file cannot be written."""
        self._found.update({one.place: one for one in found})
        self._write()

    def conclude(self, review: BotReview) -> None:
        """See `Keeper`. StoreError if the file cannot be written."""
        self._review = review
        self._write()

    def _read(self) -> tuple[Reviewed, ...]:
        try:
            document = json.loads(self._path.read_bytes())
        except OSError as error:
            raise UsageError(f"{self._path} cannot be read: {error.strerror}") from error
        except (ValueError, RecursionError) as error:
            raise UsageError(f"{self._path} is there, and no review: name another file") from error
        if not isinstance(document, dict) or document.get("kind") != _KIND:
            raise UsageError(f"{self._path} is there, and no review: name another file")
        if document.get("of") != self._of:
            of = document.get("of")
            said = ", ".join(f"{key} {each}" for key, each in of.items()) if isinstance(of, dict) else "?"
            raise UsageError(f"{self._path} is a review of something else ({said}): name another file")
        try:
            return decisions_from(document.get("decisions"))
        except (ValueError, LookupError, TypeError) as error:
            raise UsageError(f"{self._path} is a review that cannot be read: {error}") from error

    def _write(self) -> None:
        """Replace the file at once, so that there is always a whole one."""
        document = {
            "kind": _KIND,
            "of": self._of,
            "review": None if self._review is None else document_of_review(self._review),
            "decisions": document_of_decisions(self._found.values()),
        }
        draft = self._path.with_name(f".{self._path.name}.{os.getpid()}")
        try:
            draft.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
            draft.replace(self._path)
        except OSError as error:
            raise StoreError(f"{self._path} cannot be written: {error.strerror}") from error
        finally:
            with suppress(OSError):
                draft.unlink(missing_ok=True)


class Keeping:
    """What is known of a bot's decisions: what was kept before and what is found now, kept every few seconds.

    A context manager: what is new is kept at the end, however it ends.
    """

    def __init__(self, keeper: Keeper, worlds: int) -> None:
        self._keeper = keeper
        self._worlds = worlds
        self._kept_at = time.monotonic()
        self._new: dict[Place, Reviewed] = {}
        self._known = {one.place: one for one in keeper.known() if one.method == METHOD}

    def of(self, places: Iterable[Place]) -> list[Reviewed]:
        """Return what is known of these decisions. What an older method found is not among it."""
        return [self._known[place] for place in places if place in self._known]

    def left(self, wanted: Iterable[Asked]) -> Iterator[Asked]:
        """Yield those decisions that are not reviewed yet in so many worlds.

        One that is reviewed already comes into the fair sample as soon as it is its turn there.
        """
        for asked in wanted:
            found = self._known.get(asked.place)
            if found is None or found.worlds < self._worlds:
                yield asked
            elif asked.in_sample and not found.in_sample:
                self.add(replace(found, in_sample=True))

    def add(self, found: Reviewed) -> None:
        """Take in a result. What is in the fair sample stays in it."""
        before = self._known.get(found.place)
        if before is not None and before.in_sample:
            found = replace(found, in_sample=True)
        self._known[found.place] = self._new[found.place] = found
        if time.monotonic() - self._kept_at >= _SECONDS:
            self.keep()

    def keep(self) -> None:
        """Keep what is new."""
        if self._new:
            self._keeper.keep(list(self._new.values()))
            self._new.clear()
        self._kept_at = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.keep()
