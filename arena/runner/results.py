"""What came of the matches of one phase: stored soon, and always before it is reported. Plays nothing.

Finished matches are gathered and stored together: a transaction costs a few milliseconds, because it waits
for the disk, and a quick match takes hardly longer. Only the coordinator has such an object, so only the
coordinator writes to the database while a league is played.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.conduct.exclusion import Ruling
from arena.deals import MatchKey
from arena.match.record import MatchRecord
from arena.referee.jobs import Met
from arena.season.agenda import Agenda
from arena.season.bot_remarks import SUBJECT, Remarks
from arena.season.opening import now_ms
from arena.store import write
from arena.store.database import Database
from arena.store.history import LogLine
from arena.store.playing import Beforehand, Begun, Hosts, Texts
from arena.store.views import MatchState, Reported

__all__ = ["SAVE_SECONDS", "Results", "Watcher"]

SAVE_SECONDS = 0.2
"""The longest time that a finished match waits to be stored. A match that was not stored when the run is
killed is played again, so this is also what `kill -9` can cost."""


class Watcher:
    """The observer of a run. Every method may be overridden; none may block, since the coordinator waits."""

    def finished(self, record: MatchRecord, matches_left: int) -> None:
        """Take note that a match was played and is stored."""

    def left_out(self) -> None:
        """Take note that a session is left out of the league."""

    def say(self, text: str) -> None:
        """Tell the organiser a sentence."""


class Results:
    """The results of one phase, on their way to the database, the league's log and the watcher.

    Every method that stores raises StoreError when that cannot be done.
    """

    def __init__(self, season: int, database: Database, watcher: Watcher, agenda: Agenda) -> None:
        self._watcher = watcher
        self._season = season
        self._database = database
        self._agenda = agenda
        self._finished: list[tuple[MatchRecord, int, str]] = []
        """The matches that are not stored yet; see `add`."""
        self._remarks = Remarks()
        self._met: set[str] = set()

    def say(self, text: str, subject: str = "run") -> None:
        """Tell the organiser a sentence, which stays in the league's log as a warning."""
        write.log(self._database, LogLine(now_ms(), "warning", subject, text))
        self._watcher.say(text)

    # Matches

    def add(self, record: MatchRecord, host: int, text: str) -> None:
        """Add a match that was finished on a host, 0 if that is not known.

        It is stored with the next `save` or `begin`. `text`: its record as JSON, empty if that is not known.
        """
        self._finished.append((record, host, text))

    @property
    def are_waiting(self) -> bool:
        """Return whether finished matches are not stored yet."""
        return bool(self._finished)

    def save(self) -> None:
        """Store the finished matches, then report them."""
        records, hosts, texts = self._take()
        if records:
            write.save_matches(self._database, self._season, records, hosts, texts)
            self._tell(records)

    def begin(self, phase: int, begun: Sequence[Begun], rulings: tuple[Ruling, ...] | None) -> bool:
        """Store that sessions and their matches are begun, and `save`, in one transaction.

        Return whether they are begun: not if who plays is no longer ruled by `rulings` (None: never mind).
        """
        records, hosts, texts = self._take()
        first = Beforehand(records, rulings, hosts, texts)
        are_begun = write.begin_sessions(self._database, self._season, phase, begun, now_ms(), first)
        self._tell(records)
        return are_begun

    def _take(self) -> tuple[list[MatchRecord], Hosts, Texts]:
        """Return the finished matches, to be stored now, with their hosts and texts as far as known."""
        finished, self._finished = self._finished, []
        hosts = {record.key: host for record, host, _ in finished if host}
        texts = {record.key: text for record, _, text in finished if text}
        return [record for record, _, _ in finished], hosts, texts

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
