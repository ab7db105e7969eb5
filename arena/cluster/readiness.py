"""Makes the bots of an order ready, once a host: builds them and calls the roll. Plays nothing.

The first process of the host does it while it holds a lock, and leaves what it found in a file. The others
read that. If the first one is killed the next does it again.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import trio

from arena.bot.build import Builder
from arena.bot.launch import BotCommand
from arena.bot.process import StartFailure
from arena.bot.roll_call import call_the_roll
from arena.bot.snapshot import Snapshot, is_intact
from arena.cluster.host_folder import HostFolder, Lock
from arena.linux.folders import remove_tree
from arena.match.fault_wording import FaultSentence
from arena.referee.jobs import MessageLines

__all__ = ["Readied", "make_ready"]

FAILURE_SECONDS = 60.0
"""A failure that was found before is believed for so long: by all who waited for it, not by a later try."""
_POLL_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class Readied:
    """The commands to play with, and why some bots are not ready, by bot id."""

    commands: tuple[BotCommand, ...]
    failed: Mapping[str, StartFailure]


@dataclass(frozen=True, slots=True)
class _Note:
    """What the first process leaves for the others: the failures, and which of them were of builds."""

    failed: dict[str, StartFailure]
    unbuilt: tuple[str, ...]


_NOTES: Final[MessageLines[_Note]] = MessageLines("processes of a host", _Note)


async def make_ready(
    folder: HostFolder, order: bytes, commands: Sequence[BotCommand], arena: str, tables: int
) -> Readied:
    """Have every bot of an order built and started once on this host, by this process or another.

    `commands`: with the copies of this host as their folders. Raises OSError when the folder cannot be
    written.
    """
    builder = Builder(folder.built, lambda said: None)
    note = folder.rolls / hashlib.sha256(order).hexdigest()
    async with _held(folder.lock("ready")):
        # Whoever removes what is old must find this.
        folder.note_use(Path(where) for one in commands for where in (one.folder, builder.folder_of(one)))
        found = _read(note)
        if found is None or not all(_is_there(builder, one, found) for one in commands):
            found = await _find_out(builder, commands, arena, tables)
            _write(note, found)
            await trio.to_thread.run_sync(folder.remove_unused)
    ready = tuple(
        one if one.bot in found.unbuilt else replace(one, folder=builder.folder_of(one)) for one in commands
    )
    return Readied(ready, found.failed)


async def _find_out(builder: Builder, commands: Sequence[BotCommand], arena: str, tables: int) -> _Note:
    lost = await trio.to_thread.run_sync(_not_intact, commands)
    built, unbuilt = await builder.build_all([one for one in commands if one.bot not in lost])
    roll = await call_the_roll(built, arena, {**lost, **unbuilt}, tables)
    return _Note(dict(roll.failed), (*lost, *unbuilt))


def _not_intact(commands: Sequence[BotCommand]) -> dict[str, StartFailure]:
    """Return the bots whose copy is not here as it was sent. It is removed, so that it is sent again."""
    lost = {}
    for command in commands:
        place = Path(command.folder)
        if not is_intact(Snapshot(place.name, place)):
            remove_tree(place)
            why = "its files are not on this host, or were changed here"
            lost[command.bot] = StartFailure(FaultSentence.CANNOT_START.say(what=command.folder, why=why))
    return lost


def _is_there(builder: Builder, command: BotCommand, found: _Note) -> bool:
    """Return whether a bot still is where it was found. What is in its folder was checked for this order."""
    return command.bot in found.unbuilt or Path(builder.folder_of(command)).is_dir()


def _read(note: Path) -> _Note | None:
    """Return what another process has found, or None if nothing is known that still holds."""
    try:
        age = time.time() - note.stat().st_mtime
        found = _NOTES.read(note.read_bytes())
    except (OSError, ValueError):
        return None
    return None if found.failed and age > FAILURE_SECONDS else found


def _write(note: Path, found: _Note) -> None:
    made = note.with_suffix(f".{os.getpid()}")
    try:
        made.write_bytes(_NOTES.write(found))
        made.rename(note)
    except OSError:
        with suppress(OSError):
            made.unlink(missing_ok=True)
        raise


@asynccontextmanager
async def _held(lock: Lock) -> AsyncGenerator[None]:
    while True:
        if lock.try_to_take():
            break
        await trio.sleep(_POLL_SECONDS)
    try:
        yield
    finally:
        lock.release()
