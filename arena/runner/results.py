"""What came of the matches of one phase: stored soon, and always before it is reported. Plays nothing.

Finished matches are gathered and stored together: a transaction costs a few milliseconds, because it waits
for the disk, and a quick match takes hardly longer. Only the coordinator has such an object, so only the
coordinator writes to the database while a league is played.

Beside faults the log has remarks on bots: limits passed, cores left and waited for. What is remarked on
changes no match: a bot that was ended between two matches begins the next match with a new process.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.conduct.exclusion import Ruling
from arena.deals import MatchKey
from arena.match.record import MatchRecord
from arena.match.times import CoreWaits
from arena.referee.jobs import Met
from arena.runner.cluster import ClusterState
from arena.runner.seasons import OpenSeason
from arena.score.paired import Answer
from arena.score.verdicts import NoLook
from arena.season.agenda import Agenda
from arena.season.opening import now_ms
from arena.store import write
from arena.store.database import Database
from arena.store.history import LogLine
from arena.store.playing import Begun
from arena.store.views import MatchState, PhaseView, Reported

SAVE_SECONDS = 0.2
"""The longest time that a finished match waits to be stored. A match that was not stored when the run is
killed is played again, so this is also what `kill -9` can cost."""
_FROZEN = "used more than 20 % of a core while it had no question: from now on it is stopped then"
_LEFT_CORE = "left the core that it shares with its referee: it was put back, and its matches are marked"


class RunWatcher:
    """The observer of a run. Every method may be overridden; none may block, since the coordinator waits."""

    def opened(self, season: OpenSeason) -> None:
        """Take note that the season is open and its bots are copied."""

    def phase(self, phase: PhaseView, planned: int, matches_left: int) -> None:
        """Take note that this phase is played now; its deals were committed to before.

        `planned`: its matches. `matches_left`: the matches that are not over.
        """

    def cluster(self, state: ClusterState) -> None:
        """Take note of how the cluster is on which the league is played."""

    def compared(self, answer: Answer | NoLook) -> None:
        """Take note of a gauntlet's answer after one more cycle."""

    def finished(self, record: MatchRecord, matches_left: int) -> None:
        """Take note that a match was played and is stored."""

    def left_out(self) -> None:
        """Take note that a session is left out of the league."""

    def say(self, text: str) -> None:
        """Tell the organiser a sentence."""

    def remark(self, text: str) -> None:
        """Tell the organiser what was remarkable about a match, in a sentence."""
        self.say(text)


class Remarks:
    """The remarks of one run. Remembers what was said, so that nothing is said too often.

    A bot can do this every time, so the log says it only once.
    """

    def __init__(self) -> None:
        self._marked: set[tuple[str, str]] = set()
        self._waits = CoreWaits()

    def on(self, record: MatchRecord) -> Iterator[str]:
        """Yield the remarks on a match's bots, each remark once a bot: the matches show it every time.

        That all bots together wait too long for a core is said once.
        """
        for seat in record.seats:
            for mark, there in ((_FROZEN, seat.frozen), (_LEFT_CORE, seat.left_core)):
                if there and (seat.bot, mark) not in self._marked:
                    self._marked.add((seat.bot, mark))
                    yield f"{seat.bot} {mark}"
        said = self._waits.too_long
        self._waits += CoreWaits.of(record)
        if self._waits.too_long and not said:
            yield f"{self._waits.text}; `arena status` shows how it goes on"


class Results:
    """The results of one phase, on their way to the database, the league's log and the watcher.

    Every method that stores raises StoreError when that cannot be done.
    """

    def __init__(
        self, season: int, database: Database, watcher: RunWatcher, agenda: Agenda, remarks: Remarks
    ) -> None:
        self._watcher = watcher
        self._season = season
        self._database = database
        self._agenda = agenda
        self._finished: list[tuple[MatchRecord, int, str]] = []
        """The matches that are not stored yet; see `add`."""
        self._remarks = remarks
        self._met: set[str] = set()

    def say(self, text: str, subject: str = "run") -> None:
        """Tell the organiser a sentence, which stays in the league's log as a warning."""
        self._log(text, subject)
        self._watcher.say(text)

    def _log(self, text: str, subject: str = "run") -> None:
        write.log(self._database, LogLine(now_ms(), "warning", subject, text))

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
        are_begun = write.begin_sessions(
            self._database, self._season, phase, begun, now_ms(), rulings, records, hosts, texts
        )
        self._tell(records)
        return are_begun

    def _take(self) -> tuple[list[MatchRecord], dict[MatchKey, int], dict[MatchKey, str]]:
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

    def _tell(self, saved: Sequence[MatchRecord]) -> None:
        # The agenda knows of all of them already; the watcher hears of one after another.
        for left, record in zip(reversed(range(len(saved))), saved, strict=True):
            for remark in self._remarks.on(record):
                self._log(remark)
                self._watcher.remark(remark)
            self._watcher.finished(record, self._agenda.matches_left + left)
