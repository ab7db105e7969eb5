"""Who plays in the next phase of an open season: which versions are new, which wait, which are left.

Pure, but for `look`, which reads the folders: it is told which bots are there, what is stored and what time
it is. It starts and stores nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from arena.bot.snapshot import folder_digest
from arena.conduct.exclusion import disqualified, whole_bots_out
from arena.errors import BotFolderError
from arena.league.entries import Waiting, sections
from arena.league.house import house_bot, is_house
from arena.league.model import BotSection, League
from arena.league.reader import LoadedLeague
from arena.league.versions import version_text
from arena.score.entry_ids import bot_of, entry_id, shown_name
from arena.store.stored_season import StoredSeason, playing
from arena.store.views import Entry, Role, SeasonView

Version: TypeAlias = tuple[str, str]
"""A version of a bot, stored or not: the bot's id, and the text of the version."""

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
class Seen:
    """What is known of the folders. `candidates`: the bots that can be taken as they are.

    `refused`: those that cannot, and why. `resting`: the ids of those of which that is not known yet. A bot
    of either kind that plays already plays on, for only who removes a folder withdraws its bot.
    """

    candidates: Sequence[Candidate] = ()
    refused: Sequence[Waiting] = ()
    resting: Collection[str] = ()


def look(loaded: LoadedLeague, season: SeasonView) -> Seen:
    """Read the folders of the bots that are there now. Who has an entry in the season keeps its name."""
    known = {bot_of(entry.bot) for entry in season.entries}
    found, waiting = sections(loaded.league, loaded.root, known)
    candidates = []
    for bot in found:
        try:
            candidates.append(Candidate(bot, folder_digest(loaded.root / bot.folder)))
        except BotFolderError as error:
            waiting.append(Waiting(bot.id, str(error)))
    return Seen(candidates, waiting)


def version_of(entry: Entry) -> Version:
    """Return which version of which bot an entry is."""
    return bot_of(entry.bot), entry.version


def unknown(season: SeasonView, league: League, candidates: Iterable[Candidate]) -> list[Candidate]:
    """Return those of the candidates that came by a folder, with a version that was never stored."""
    stored = {version_of(entry) for entry in season.entries}
    given = {bot.id for bot in league.bots}
    return [one for one in candidates if one.bot.id not in given and (one.bot.id, one.version) not in stored]


def ranked(entries: Iterable[Entry]) -> int:
    """Return how many of these entries are ranked."""
    return sum(entry.role is Role.ENTRANT for entry in entries)


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

    @property
    def tried(self) -> tuple[Entry, ...]:
        """Return all that are started: those that play, and those that play on where one does not start."""
        return (*self.entries, *self.instead.values())

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


def next_field(stored: StoredSeason, seen: Seen, when: tuple[int, float]) -> NextField:
    """Return who is to play in the next phase.

    `when`: the time now in milliseconds, and the hours that pass between two new versions of a bot. A version
    that is out for its conduct, or whose bot the organiser took out, does not play.
    """
    chooser = _Chooser(stored, when)
    for candidate in seen.candidates:
        chooser.choose(candidate)
    unready = {one.bot for one in seen.refused}.union(seen.resting)
    for bot in sorted(unready.difference(candidate.bot.id for candidate in seen.candidates)):
        # A folder may have the id of a house bot, and is refused; that bot fills seats in the end.
        if not is_house(bot):
            chooser.keep(bot)
    return chooser.result()


@dataclass(frozen=True, slots=True)
class Ahead:
    """The field of the next phase if nobody changes anything.

    `waiting`: who does not play in it; those whose folders are `refused` wait as well. `come`, `gone`: the
    entries that play in it and not in the newest phase, and the other way round.
    """

    field: NextField
    waiting: tuple[Waiting, ...]
    refused: tuple[Waiting, ...]
    come: tuple[str, ...]
    gone: tuple[str, ...]


def ahead(stored: StoredSeason, seen: Seen, when: tuple[int, float]) -> Ahead:
    """Return what is ahead of a season; `when` as `next_field` takes it."""
    found = next_field(stored, seen, when)
    come, gone = found.changes(playing(stored.view))
    return Ahead(found, (*seen.refused, *found.waiting), tuple(seen.refused), come, gone)


def changed_field(stored: StoredSeason, found: NextField) -> str:
    """Return which versions come and go with the next field, in words; empty if none does."""
    failures, (newcomers, left) = stored.failures, found.changes(playing(stored.view))
    # One that did not start is tried again with the next phase, but does not end this one.
    come = [entry for entry in newcomers if entry not in failures]
    replaced = {bot_of(entry) for entry in come}
    gone = [entry for entry in left if bot_of(entry) not in replaced]
    return "; ".join([f"{entry} has come" for entry in come] + [f"{entry} has left" for entry in gone])


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
    def __init__(self, stored: StoredSeason, when: tuple[int, float]) -> None:
        self._stored = stored.view.entries
        self._playing = set(playing(stored.view))
        self._out = disqualified(stored.rulings)
        self._bots_out = whole_bots_out(stored.rulings)
        self._failures = stored.failures
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


def moved(before: Iterable[str], now: Iterable[str], ever: Collection[str]) -> tuple[str, ...]:
    """Return in words who left the field, whom another version replaced, and who is back.

    `before`, `now`: the entries of a phase and of the next; `ever`: all that were in any field before it.
    House bots fill seats and are not told of.
    """
    then, here = ([one for one in field if not is_house(bot_of(one))] for field in (before, now))
    by_bot = {bot_of(entry): entry for entry in here}
    gone = [entry for entry in then if entry not in here]
    back = [entry for entry in here if entry in ever and entry not in then]
    left = [entry for entry in gone if bot_of(entry) not in by_bot]
    replaced = [entry for entry in gone if bot_of(entry) in by_bot]
    return (
        *(f"{entry} has left" for entry in left),
        *(f"{entry} is replaced by {by_bot[bot_of(entry)]}" for entry in replaced),
        *(f"{entry} is back" for entry in back),
    )
