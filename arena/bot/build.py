"""Builds bots: `build` is run once for each copy of a bot's folder, in a folder of its own. Plays nothing.

The snapshot stays as it was digested, for the digest of a bot is that of its sources. What is run is
`built/<key>/`. The key follows from that digest and the command. A mark beside the folder holds the
fingerprint of what the build left. A folder that has no mark, or does not match it, is built again.

A build runs in the sandbox like the bot. But it may write in its folder, and may use more than a bot while it
plays. Nothing is downloaded: the sandbox has no network for a build either. What it leaves must keep the
bounds of a bot's folder (`arena.bot.snapshot.BOT_BOUNDS`).
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import subprocess
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import trio

from arena.bot.launch import BotCommand, check_room, plan_launch
from arena.bot.limits import Watchdog
from arena.bot.output_log import OutputLog
from arena.bot.process import StartFailure
from arena.bot.snapshot import BOT_BOUNDS, copy_folder, too_much
from arena.bot.waits import Meter, Reading, waited_us
from arena.linux.family import Family
from arena.linux.folders import Found, TooMuchError, remove_tree, walk
from arena.linux.namespace import FULL, error_of_full
from arena.linux.process_tree import signal_name
from arena.linux.scheduling import placed
from arena.match.fault_wording import FaultSentence
from arena.sandbox import Limits

MOST_TIMES = 10
"""The longest time of a build by the clock on the wall, as a multiple of the time that it may take."""

_ROOM = Limits(processes=512, open_files=1024, file_size_mib=1024, tmp_mib=1024)
_MOST_MEMORY_MIB = 2048
"""The most memory for the processes of a build."""
_FIRST_LOOK_SECONDS = 0.05
"""The time after which a build is looked at first, so that it gives way almost from its beginning."""
_LOG_BYTES = 512 << 10
"""The bytes that are kept of the beginning of what a build prints, and of the end."""
_DRAIN_SECONDS = 1.0
_TOLD = 4000


class Builder:
    """Builds bots in folders below `store`. `say` is told before each build.

    `at_once`: the most builds that run side by side. Bots with the same sources and the same build share a
    folder, so one of them waits for the other.
    """

    def __init__(self, store: Path, say: Callable[[str], object], at_once: int = 1) -> None:
        self._store = store
        self._say = say
        self._room = trio.CapacityLimiter(at_once)
        self._places: defaultdict[Path, trio.Lock] = defaultdict(trio.Lock)

    async def build_all(
        self, commands: Sequence[BotCommand]
    ) -> tuple[tuple[BotCommand, ...], dict[str, StartFailure]]:
        """Build what is not built yet, one bot after another.

        Returns the commands, those with a `build` now in their built folders, and the failures by bot. Raises
        what `build` raises.
        """
        ready: list[BotCommand] = []
        failed: dict[str, StartFailure] = {}
        for command in commands:
            built = await self.build(command)
            if isinstance(built, StartFailure):
                failed[command.bot] = built
                built = command
            ready.append(built)
        return tuple(ready), failed

    def folder_of(self, command: BotCommand) -> str:
        """Return the folder that a bot is started in when it is built."""
        return str(_Place.of(command, self._store).folder) if command.build else command.folder

    async def is_built(self, command: BotCommand) -> bool:
        """Return whether nothing has to be built before a bot can be started."""
        place = _Place.of(command, self._store)
        return not command.build or await trio.to_thread.run_sync(place.is_good)

    async def build(self, command: BotCommand) -> BotCommand | StartFailure:
        """Build a bot unless it is built. Return its command in the built folder, or why it failed.

        The build runs on the command's cores, and gives way to others as its `nice` says. Raises OSError when
        the store cannot be written or this machine is too full, BotFolderError where its sources are damaged.
        """
        if not command.build:
            return command
        place = _Place.of(command, self._store)
        async with self._places[place.folder]:
            if not await trio.to_thread.run_sync(place.is_good):
                async with self._room:
                    self._say(f"building {command.bot}: {' '.join(command.build)}")
                    if failure := await _build(command, place):
                        return failure
        return replace(command, folder=str(place.folder))


@dataclass(frozen=True, slots=True)
class _Place:
    """The place where a bot is built. The mark and the build's output stand beside its folder."""

    folder: Path
    mark: Path
    log: Path

    @classmethod
    def of(cls, command: BotCommand, store: Path) -> _Place:
        """Return the place of these sources with this command.

        The folder of `command` must be a snapshot, whose name is its digest.
        """
        sources = [Path(command.folder).name, command.build]
        key = hashlib.sha256(json.dumps(sources).encode()).hexdigest()
        store = store.resolve()
        return cls(store / key, store / f"{key}.mark", store / f"{key}.log")

    def is_good(self) -> bool:
        """Return whether the bot was built to the end here and the folder is as it was then."""
        try:
            return self.mark.read_text(encoding="ascii") == fingerprint(self.folder)
        except (OSError, TooMuchError):
            return False


async def _build(command: BotCommand, place: _Place) -> StartFailure | None:
    why = await _try_to_build(command, place)
    # As for a bot's start: what stands around the build may have had no room.
    if why and error_of_full(place.log.read_text(encoding="utf-8")) is not None:
        check_room(command)
        why = await _try_to_build(command, place)
    return await trio.to_thread.run_sync(_finish, command, place, why)


async def _try_to_build(command: BotCommand, place: _Place) -> str | None:
    # Whatever reads or writes folders is done in a thread: a run plays matches meanwhile.
    await trio.to_thread.run_sync(_prepare, command, place)
    return await _run(command, place)


def _finish(command: BotCommand, place: _Place, why: str | None) -> StartFailure | None:
    """Close the folder and mark it as built. `why` is why the build has failed, if it has."""
    too_much_of_it = _close(place.folder)
    if too_much_of_it:
        # Nothing else can do anything with such a folder, and it may fill the disk.
        remove_tree(place.folder)
    why = why or too_much_of_it
    if why:
        said = place.log.read_text(encoding="utf-8")
        reason = FaultSentence.NOT_BUILT.say(command=" ".join(command.build), why=why)
        return StartFailure(reason, stderr_head=said[:_TOLD], stderr_tail=said[_TOLD:][-_TOLD:])
    place.mark.write_text(fingerprint(place.folder), encoding="ascii")
    return None


def _prepare(command: BotCommand, place: _Place) -> None:
    """Copy the snapshot to the bot's place, so that the build's user may write there."""
    place.folder.parent.mkdir(parents=True, exist_ok=True)
    place.mark.unlink(missing_ok=True)
    remove_tree(place.folder)
    copy_folder(Path(command.folder), place.folder)
    owner = None if command.sandbox is None else command.sandbox.user
    for path in (place.folder, *(place.folder / found.path for found in walk(place.folder, BOT_BOUNDS))):
        if not path.is_symlink():
            path.chmod(path.stat().st_mode | stat.S_IWUSR)
        if owner is not None:
            os.chown(path, *owner, follow_symlinks=False)


async def _run(command: BotCommand, place: _Place) -> str | None:
    """Run the command to its end, and write its log. Return why it has failed, or None."""
    sandbox = command.sandbox and replace(command.sandbox, limits=_ROOM)
    step = replace(command, argv=command.build, folder=str(place.folder), sandbox=sandbox)
    # A build may print without end, and a file of its own would fill the disk.
    log = OutputLog(_LOG_BYTES, _LOG_BYTES)
    try:
        return await _run_step(step, log)
    finally:
        left_out = log.size - 2 * _LOG_BYTES
        remark = f"\n[the arena left out {left_out:,} bytes here]\n" if left_out > 0 else ""
        place.log.write_text(f"{log.head}{remark}{log.tail}", encoding="utf-8")


async def _run_step(step: BotCommand, log: OutputLog) -> str | None:
    """Run a build and keep what it prints. Return why it has failed, or None."""
    reading, writing = os.pipe2(os.O_CLOEXEC)
    async with trio.lowlevel.FdStream(reading) as output:
        try:
            process = _start(step, writing)
        except OSError as error:
            if error.errno in FULL:  # which is not the bot's doing
                raise
            return FaultSentence.CANNOT_START.say(what=error.filename, why=error.strerror)
        finally:
            os.close(writing)
        family = Family(process, namespace=step.in_namespace)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_keep, output, log)
            try:
                why = await _wait(family, step)
            finally:
                await family.end()
            # Who still holds the pipe open then is no part of the build.
            nursery.cancel_scope.deadline = trio.current_time() + _DRAIN_SECONDS
    return why


async def _keep(output: trio.lowlevel.FdStream, log: OutputLog) -> None:
    async for piece in output:
        log.add(piece)


def _start(step: BotCommand, output: int) -> subprocess.Popen[bytes]:
    """Start the build on the main thread, because it ends with the thread (see `process`)."""
    argv, env = plan_launch(step, writable=True)
    # The build inherits the cores of the thread that starts it.
    with placed(step.cores):
        return subprocess.Popen(
            argv,
            cwd=step.folder,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


async def _wait(family: Family, step: BotCommand) -> str | None:
    """Wait for the end of the build, or until it takes too much. Return why it has failed, or None."""
    watchdog = Watchdog(family.pid, replace(step, memory_mib=_MOST_MEMORY_MIB, cpu_ms=0))
    meter = Meter(watchdog.cpu_us, watchdog.threads, watchdog.find_all)
    clock = BuildClock(step.build_ms / 1000, trio.current_time())
    wait = _FIRST_LOOK_SECONDS
    while (status := await family.wait(min(wait, clock.left(trio.current_time())))) is None:
        # It takes long where there are many processes or files.
        why = await trio.to_thread.run_sync(_too_much, watchdog, Path(step.folder))
        clock.take(meter.read(trio.current_time()))
        if why or clock.why:
            return why or clock.why
        wait = watchdog.interval
    number = family.signal_in(status)
    if number is not None:
        return f"killed by {signal_name(number)}"
    return f"exit code {status}" if status else None


def _too_much(watchdog: Watchdog, folder: Path) -> str:
    """Return what a build has too much of at this moment, if anything, and have new processes give way."""
    if wrong := watchdog.look():
        return wrong.reason
    try:
        for _ in walk(folder, BOT_BOUNDS, moving=True):
            pass
    except TooMuchError as error:
        return _beyond(folder, error)
    return ""


class BuildClock:
    """The clock of one build, which may take `seconds` and began at `began`, in seconds of any clock.

    Time in which other programs have its core does not count: builds give way to matches, so on a busy
    machine a build may get a tenth of a core or less. A build that nobody can get a core for must end too, so
    its time is also over after `MOST_TIMES` times as long by the clock on the wall.
    """

    def __init__(self, seconds: float, began: float) -> None:
        self._seconds = seconds
        self._began = began
        self._before = Reading(began, 0, {})
        self._spent = 0.0

    def take(self, reading: Reading) -> None:
        """Add what has gone by since the reading before."""
        before, self._before = self._before, reading
        self._spent += reading.at - before.at - (waited_us(before, reading) or 0) / 1e6

    def left(self, now: float) -> float:
        """Return after how many seconds the time can be over at the earliest; 0 if it is over."""
        counted = self._seconds - self._spent - (now - self._before.at)
        most = MOST_TIMES * self._seconds - (now - self._began)
        return max(0.0, min(counted, most))

    @property
    def why(self) -> str:
        """Return in words that the build was not done in its time; empty while it has time."""
        if self._spent >= self._seconds:
            return f"not done within {self._seconds:g} s"
        if self._before.at - self._began < MOST_TIMES * self._seconds:
            return ""
        most = f"{MOST_TIMES * self._seconds:g} s"
        return f"not done within {most}, {MOST_TIMES} times its time, for other programs had its core"


def _beyond(folder: Path, error: TooMuchError) -> str:
    return f"what it wrote is too much: {too_much(folder, error)}"


def _close(folder: Path) -> str:
    """Take the folder from the build's user: make it read-only, without special files or set-id bits.

    Returns why it cannot be used if there is more in it than a bot's folder may hold, else an empty text.
    """
    folder.chmod(0o755)
    os.chown(folder, os.geteuid(), os.getegid())
    try:
        for found in walk(folder, BOT_BOUNDS, open_up=True):
            _close_one(folder / found.path, found)
    except TooMuchError as error:
        return _beyond(folder, error)
    return ""


def _close_one(path: Path, found: Found) -> None:
    os.chown(path, os.geteuid(), os.getegid(), follow_symlinks=False)
    if stat.S_ISREG(found.mode):
        path.chmod(0o555 if found.mode & stat.S_IXUSR else 0o444)
    elif not found.is_folder and not stat.S_ISLNK(found.mode):
        path.unlink()


def fingerprint(folder: Path) -> str:
    """Return what identifies a built folder, in hexadecimal.

    It is the SHA-256 over the paths, kinds, targets of links and contents of files. Unlike a digest of
    sources it covers every file, and accepts links that lead elsewhere, as those of a Python environment do:
    they were made here. Raises OSError when something cannot be read, TooMuchError for more than a bot's
    folder may hold.
    """
    total = hashlib.sha256()
    for path, mode in sorted((folder / found.path, found.mode) for found in walk(folder, BOT_BOUNDS)):
        total.update(os.fsencode(path.relative_to(folder)))
        total.update(f"\0{stat.S_IFMT(mode):o}\0{mode & 0o111:o}\0".encode())
        if stat.S_ISLNK(mode):
            total.update(os.fsencode(path.readlink()))
        elif stat.S_ISREG(mode):
            with path.open("rb") as file:
                total.update(hashlib.file_digest(file, "sha256").digest())
    return total.hexdigest()
