"""Who plays in the next phase of an open season: which versions are new, which wait, which are left.

Pure: it is told which bots are there, what is stored and what time it is. It starts and stores nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from arena.conduct.exclusion import Ruling, disqualified, whole_bots_out
from arena.league.house import house_bot, is_house
from arena.league.model import BotSection
from arena.league.versions import version_text
from arena.standings.entry_ids import bot_of, entry_id, shown_name
from arena.store.acts import FailedStart
from arena.store.planned import playing
from arena.store.views import Entry, Role, SeasonView

__all__ = [
    "CHANGING",
    "LEAST_RANKED",
    "MOST_FAILURES",
    "Candidate",
    "NextField",
    "Waiting",
    "described",
    "house_entries",
    "next_field",
]

LEAST_RANKED = 2
"""The fewest ranked bots with which a phase is played. House bots fill the table beside them."""
MOST_FAILURES = 3
"""The failures to start in a row after which a version that has played before is tried no more."""
CHANGING = "its folder is being changed; it is taken when it rests"
"""Why a bot waits whose folder was not the same at two looks."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A bot that is there now. `folder_digest`: that of its files."""

    bot: BotSection
    folder_digest: str

    @property
    def version(self) -> str:
        """Return what makes this version of the bot."""
        return version_text(self.bot, self.folder_digest)

    def entry(self, version: int, number: int, at: int) -> Entry:
        """Return the entry of this version of the bot: its number among them, its own, and when it came."""
        bot = self.bot
        entry = Entry(
            bot=entry_id(bot.id, version),
            number=number,
            name=shown_name(bot.name, version),
            digest=self.folder_digest,
            folder=bot.folder,
            command=bot.command,
            role=Role(bot.role),
            version=self.version,
            entered_at=at,
        )
        return described(entry, bot)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A bot, or a version, that does not play in the next phase, and why."""

    bot: str
    reason: str


@dataclass(frozen=True, slots=True)
class NextField:
    """The versions that are to play in the next phase, if they start.

    `entries`: all of them, by their numbers. `new`: those of them that are not stored yet. `instead`: by a
    version, the one of the same bot that plays on where it does not start.
    """

    entries: tuple[Entry, ...]
    new: tuple[Entry, ...]
    instead: Mapping[str, Entry] = field(default_factory=dict)
    waiting: tuple[Waiting, ...] = ()

    def without(self, failed: Iterable[str]) -> tuple[Entry, ...]:
        """Return who plays where these versions did not start: the versions that they were to replace."""
        gone = set(failed)
        kept = [entry for entry in self.entries if entry.bot not in gone]
        others = [self.instead[entry] for entry in sorted(gone & self.instead.keys())]
        kept += [entry for entry in others if entry.bot not in gone]
        return tuple(sorted(kept, key=lambda entry: entry.number))

    def changes(self, before: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return which versions come and which leave, after a phase in which `before` played; sorted.

        House bots neither come nor leave: they fill what seats there are.
        """
        then = {entry.bot for entry in self.entries}
        known = {entry for entry in before if not is_house(bot_of(entry))}
        return tuple(sorted(then - known)), tuple(sorted(known - then))

    def without_unready(self, gone: Collection[str]) -> NextField:
        """Return the field without versions that cannot be started now.

        New ones of them are not stored after all, nor are their numbers.
        """
        first = len(self.new) and self.new[0].number
        kept = [entry for entry in self.new if entry.bot not in gone]
        new = {entry.bot: replace(entry, number=first + place) for place, entry in enumerate(kept)}
        entries = [new.get(entry.bot, entry) for entry in self.without(gone)]
        ordered = sorted(entries, key=lambda entry: entry.number)
        instead = {
            entry: other for entry, other in self.instead.items() if not {entry, other.bot} & set(gone)
        }
        return replace(self, entries=tuple(ordered), new=tuple(new.values()), instead=instead)


def next_field(
    season: SeasonView,
    candidates: Sequence[Candidate],
    rulings: Sequence[Ruling],
    failures: Mapping[str, Sequence[FailedStart]],
    when: tuple[int, float],
    unready: Iterable[str] = (),
) -> NextField:
    """Return who is to play in the next phase.

    `failures`: how each version failed to start, each time in a row, see `failed_starts`. `when`: the time
    now in milliseconds, and the hours that pass between two new versions of a bot. `unready`: bots whose
    folder is there and cannot be taken as it is now; the version that plays stays, for only who removes a
    folder withdraws its bot. A version that is out for its conduct, or whose bot the organiser took out, does
    not play.
    """
    chooser = _Chooser(season, rulings, failures, when)
    for candidate in candidates:
        chooser.choose(candidate)
    for bot in sorted(set(unready).difference(candidate.bot.id for candidate in candidates)):
        chooser.keep(bot)
    return chooser.result()


def house_entries(season: SeasonView, field_: Sequence[Entry], digest: str, at: int) -> Iterator[Entry]:
    """Yield the house bots for the seats that these entries leave empty; those that are new, too.

    `digest`: that of the house bot's files. `at`: when new ones come, in milliseconds.
    """
    free = 1 + max((entry.number for entry in (*season.entries, *field_)), default=-1)
    for number in range(1, season.seats - len(field_) + 1):
        candidate = Candidate(house_bot(number), digest)
        versions = [entry for entry in season.entries if bot_of(entry.bot) == candidate.bot.id]
        known = next((entry for entry in versions if entry.version == candidate.version), None)
        if known is None:
            known = candidate.entry(len(versions) + 1, free, at)
            free += 1
        yield known


class _Chooser:
    def __init__(
        self,
        season: SeasonView,
        rulings: Sequence[Ruling],
        failures: Mapping[str, Sequence[FailedStart]],
        when: tuple[int, float],
    ) -> None:
        self._stored = season.entries
        self._playing = set(playing(season))
        self._out = disqualified(rulings)
        self._bots_out = whole_bots_out(rulings)
        self._failures = failures
        self._now, hours = when
        self._wait_ms = hours * 3_600_000
        self._entries: list[Entry] = []
        self._new: list[Entry] = []
        self._instead: dict[str, Entry] = {}
        self._waiting: list[Waiting] = []

    def result(self) -> NextField:
        ordered = sorted(self._entries, key=lambda entry: entry.number)
        return NextField(tuple(ordered), tuple(self._new), self._instead, tuple(self._waiting))

    def choose(self, candidate: Candidate) -> None:
        """Find the version of a bot that is to play, if any."""
        bot, text = candidate.bot.id, candidate.version
        if why := self._out_as_a_whole(bot):
            self._waiting.append(Waiting(bot, why))
            return
        versions = [entry for entry in self._stored if bot_of(entry.bot) == bot]
        current = next(filter(self._plays, versions), None)
        wanted = next((entry for entry in versions if entry.version == text), None)
        if wanted is None and (why := self._too_soon(versions)):
            self._waiting.append(Waiting(bot, why))
            wanted = current
        elif wanted is None:
            wanted = candidate.entry(len(versions) + 1, len(self._stored) + len(self._new), self._now)
            self._new.append(wanted)
        if wanted is not None and (why := self._cannot(wanted)):
            self._waiting.append(Waiting(wanted.bot, why))
            wanted = current if current is not None and not self._cannot(current) else None
        if wanted is None:
            return
        self._entries.append(described(wanted, candidate.bot))
        if current is not None and current.bot != wanted.bot and not self._cannot(current):
            self._instead[wanted.bot] = current

    def keep(self, bot: str) -> None:
        """Let the version of a bot that plays now play on, if it may."""
        current = next(
            (entry for entry in self._stored if bot_of(entry.bot) == bot and self._plays(entry)), None
        )
        if current is not None and not self._out_as_a_whole(bot) and not self._cannot(current):
            self._entries.append(current)

    def _plays(self, entry: Entry) -> bool:
        return entry.bot in self._playing

    def _out_as_a_whole(self, bot: str) -> str:
        ruling = self._bots_out.get(bot)
        if ruling is None:
            return ""
        back = "; it plays again when it is reinstated" if ruling.by_limits else ""
        return f"{ruling.word}: {ruling.reason}{back}"

    def _too_soon(self, versions: Sequence[Entry]) -> str:
        """Return why no new version of a bot is taken yet; empty if it is.

        A version that never started is no reason to wait: its author is mending it. Nor is one that came in
        the future: the machine's clock was wrong then, and nobody knows when that was.
        """
        taken = (one.entered_at for one in versions if one.reported is not None)
        last = max((at for at in taken if at <= self._now), default=None)
        if last is None or self._now >= last + self._wait_ms:
            return ""
        hours = (last + self._wait_ms - self._now) / 3_600_000
        return f"a new version is taken in {hours:.1f} hours, for one was taken not long ago (version_hours)"

    def _cannot(self, entry: Entry) -> str:
        """Return why a version does not play; empty if it may."""
        if (ruling := self._out.get(entry.bot)) is not None:
            return f"{ruling.word}: {ruling.reason}"
        failed = self._failures.get(entry.bot, ())
        if failed and entry.reported is None:
            return f"it did not start; it is tried again when it has changed ({failed[-1].reason})"
        if len(failed) >= MOST_FAILURES:
            times = f"{len(failed)} times in a row"
            return f"it did not start {times}; it is tried again when it has changed ({failed[-1].reason})"
        return ""


def described(entry: Entry, bot: BotSection) -> Entry:
    """Return the entry with what may change at any time and makes no new version."""
    return replace(entry, author=bot.author)
