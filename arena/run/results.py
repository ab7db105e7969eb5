"""What came of the matches of one stretch: stored soon, and always before it is reported. Plays nothing.

Only the coordinator has such an object, so only the coordinator writes to the database while a league is
played.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.conduct.disqualify import Ruling
from arena.deals import MatchKey
from arena.match.record import MatchRecord
from arena.referee.jobs import Met
from arena.run.gathering import Gathering
from arena.season.agenda import Agenda
from arena.season.bot_remarks import SUBJECT, Remarks
from arena.season.opening import now_ms
from arena.store import write
from arena.store.database import Database
from arena.store.history import LogLine
from arena.store.playing import Beforehand, Begun
from arena.store.views import MatchState, Reported

__all__ = ["Results", "Watcher"]


class Watcher:
    """The observer of a run. Every method may be overridden; none may block, since the coordinator waits."""

    def finished(self, record: MatchRecord, matches_left: int) -> None:
        """Take note that a match was played and is stored."""

    def left_out(self) -> None:
        """Take note that a session is left out of the league."""

    def say(self, text: str) -> None:
        """Tell the organiser a sentence."""


class Results:
    """The results of one stretch, on their way to the database, the league's log and the watcher.

    Every method that stores raises StoreError when that cannot be done.
    """

    def __init__(self, season: int, database: Database, watcher: Watcher, agenda: Agenda) -> None:
        self._watcher = watcher
        self._season = season
        self._database = database
        self._agenda = agenda
        self._gathering = Gathering()
        self._remarks = Remarks()
        self._met: set[str] = set()

    def say(self, text: str, subject: str = "run") -> None:
        """Tell the organiser a sentence, which stays in the league's log as a warning."""
        write.log(self._database, LogLine(now_ms(), "warning", subject, text))
        self._watcher.say(text)

    # Matches

    def add(self, record: MatchRecord, host: int, text: str) -> None:
        """Add a match that was finished on a host; it is stored with the next `save` or `begin`.

        `text`: its record as JSON.
        """
        self._gathering.add(record, host, text)

    async def is_due(self) -> None:
        """Wait until a finished match has to be stored. For one task only."""
        await self._gathering.is_due()

    def save(self) -> None:
        """Store the finished matches, then report them."""
        records, hosts, texts = self._gathering.take()
        if records:
            write.save_matches(self._database, self._season, records, hosts, texts)
            self._tell(records)

    def begin(self, stretch: int, begun: Sequence[Begun], rulings: tuple[Ruling, ...] | None) -> bool:
        """Store that sessions and their matches are begun, and `save`, in one transaction.

        Return whether they are begun: not if who plays is no longer ruled by `rulings` (None: never mind).
        """
        records, hosts, texts = self._gathering.take()
        first = Beforehand(records, rulings, hosts, texts)
        are_begun = write.begin_sessions(self._database, self._season, stretch, begun, now_ms(), first)
        self._tell(records)
        return are_begun

    def unbegin(self, keys: Sequence[MatchKey]) -> None:
        """Store that begun matches were not played, since no bot has seen anything of them."""
        write.unbegin(self._database, self._season, keys)

    def interrupt_begun(self, why: str) -> None:
        """Store that every match that was begun and not finished is interrupted."""
        write.interrupt_begun(self._database, self._season, why)

    def abort(self, key: MatchKey, reason: str, summary: str) -> None:
        """Store that a match was aborted, and say so. `summary`: the last line of `reason`."""
        # Results that came before the abort are stored before it.
        self.save()
        write.abort(self._database, self._season, key, reason, MatchState.ABORTED)
        where = f"cycle {key.cycle}, session {key.index}, seat order {key.order}"
        self.say(f"a match was aborted; no bot caused it ({where}): {summary}")

    def interrupt(self, key: MatchKey, reason: str) -> None:
        """Store that a match was interrupted: what played it is lost, and nobody in the match caused that."""
        self.save()
        write.abort(self._database, self._season, key, reason, MatchState.INTERRUPTED)

    def leave_out(self, key: MatchKey, summary: str) -> None:
        """Store that the session of a match that was aborted too often is left out, and say so."""
        why = f"seat order {key.order} was aborted too often; the last cause: {summary}"
        write.leave_out(self._database, self._season, (key.cycle, key.index), why)
        self.say(f"cycle {key.cycle}, session {key.index} is left out: {why}")
        self._watcher.left_out()

    # Bots

    def met(self, met: Met) -> None:
        """Store what a bot says of itself, the first time that it is met."""
        if met.bot not in self._met:
            self._met.add(met.bot)
            said = Reported(met.name, met.version, met.language or "", met.author or "")
            write.note_reported(self._database, self._season, met.bot, said)

    def overran(self, bot: str, reason: str) -> None:
        """Say that a bot was ended between two matches, unless it has been said often enough."""
        if said := self._remarks.overran(bot, reason):
            self.say(said, SUBJECT)

    def _tell(self, saved: Sequence[MatchRecord]) -> None:
        # The agenda knows of all of them already; the watcher hears of one after another.
        for left, record in zip(reversed(range(len(saved))), saved, strict=True):
            for remark in self._remarks.on(record):
                self.say(remark)
            self._watcher.finished(record, self._agenda.matches_left + left)
