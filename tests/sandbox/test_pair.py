"""Two programs that try to talk by every channel that a sandbox closes: between two sandboxes, and without.

docs/sandbox.md names those that stay open.

What is sent is random, so that what is felt agrees by chance in half of the bits. A channel counts as one
when more bits agree, or fewer, than chance gives once in a thousand million tries.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from math import comb
from pathlib import Path

import pytest

from arena.sandbox import Level, probing
from tests.sandbox.starting import (
    ENVIRONMENT,
    INMATES,
    STARTERS,
    Cell,
    as_ordinary_user,
    is_locked,
    needs_sandbox,
)

BITS = 64
NOBODY = 65534


def beyond_chance() -> int:
    """The fewest bits that agree by chance once in 2e9 tries; and as few as the others, just as rarely."""
    tail, right = 0.0, BITS + 1
    while tail + comb(BITS, right - 1) / 2**BITS < 0.5e-9:
        right -= 1
        tail += comb(BITS, right) / 2**BITS
    return right


BEYOND = beyond_chance()
LOCKS = ("posix", "ofd", "flock")
ONE_USER = {"memory of pipes", "descriptors in flight"}
"""What the kernel counts for a user stays open where all sandboxes are the same one."""
GUARDED = {
    f"{how} on {what}"
    for how in LOCKS
    for what in ("an event", "a watcher", "/dev/null", "/dev/urandom", "/dev/zero", "the clocks' namespace")
}
"""What no program can use while any arena of this machine plays."""
OPEN_WITHOUT = {
    *(f"{how} on {what}" for how in LOCKS for what in ("a shown program", "the bot's file", "/usr")),
    *(f"{how} on {what}" for how in LOCKS for what in ("/proc/version", "/tmp")),
    *("lease", "inotify on a shown file", "times of /dev/null", "abstract socket", "file in /tmp"),
    *("waiting signals", "descriptors in flight", "file in /dev/shm"),
}
"""What gets through on any machine if nothing hinders it. Numbers of a busy machine are not among it."""


class Talker:
    """One of the two programs."""

    def __init__(self, argv: list[str], folder: Path) -> None:
        self._popen = subprocess.Popen(
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
            cwd=folder,
            env=ENVIRONMENT,
        )
        self.channels: list[str] = self._answer()

    def asked(self, word: str, channel: str, bit: int = 0) -> object:
        assert self._popen.stdin is not None
        self._popen.stdin.write(f"{word}\t{channel}\t{bit}\n")
        self._popen.stdin.flush()
        return self._answer()

    def _answer(self) -> object:
        assert self._popen.stdout is not None
        line = self._popen.stdout.readline()
        assert line, f"it ended with code {self._popen.wait()}"
        return json.loads(line)

    def close(self) -> None:
        self._popen.communicate(timeout=30)


@dataclass(frozen=True)
class Pair:
    first: Talker
    second: Talker

    def gets_through(self, channel: str) -> bool:
        """Whether the second feels what the first sends."""
        try:
            return self._gets_through(channel)
        finally:
            for one in (self.first, self.second):
                said = one.asked("close", channel)
                assert said is None, said

    def _gets_through(self, channel: str) -> bool:
        for one in (self.first, self.second):
            said = one.asked("ready", channel)
            assert "Too many open files" not in str(said)
            if isinstance(said, str):
                return False
        sent = secrets.randbits(BITS)
        agree = differ = 0
        for place in range(BITS):
            if min(agree, differ) > BITS - BEYOND:
                return False  # whatever follows
            bit = sent >> place & 1
            said = self.first.asked("send", channel, bit)
            felt = self.second.asked("look", channel)
            for one in (self.first, self.second):
                one.asked("calm", channel)
            if isinstance(said, str) or isinstance(felt, str):
                return False
            agree, differ = agree + (felt == bit), differ + (felt != bit)
        return not BITS - BEYOND < agree < BEYOND

    def open(self, channels: set[str] | None = None) -> set[str]:
        return {channel for channel in channels or self.first.channels if self.gets_through(channel)}


def bots_folder(path: Path) -> Path:
    """A folder with the program and a file, which belong to the user that ordinary bots are."""
    path.mkdir()
    shutil.copy(INMATES / "pair.py", path / "bot.py")
    for name in ("shared", "leased"):
        (path / name).write_bytes(os.urandom(1 << 18))
    for entry in (path, *path.iterdir()):
        entry.chmod(0o755)
        if os.geteuid() == 0:
            os.chown(entry, NOBODY, NOBODY)
    return path


def paired(stack: ExitStack, commands: list[tuple[list[str], Path]]) -> Pair:
    return Pair(*(stack.enter_context(closing(Talker(argv, folder))) for argv, folder in commands))


@pytest.mark.slow
@pytest.mark.parametrize("starter", STARTERS)
def test_nothing_gets_from_one_sandbox_to_another(starter: str, tmp_path: Path) -> None:
    """Two replicas of a bot, which share a folder, started by an ordinary user; two bots, started by root."""
    needs_sandbox(starter)
    one = bots_folder(tmp_path / "one")
    folders = one, bots_folder(tmp_path / "other") if starter == "root" else one
    probing.LOCKS.hold()
    with ExitStack() as stack:
        pair = paired(stack, [(Cell(starter, folder).argv(), folder) for folder in folders])
        stays = set() if starter == "root" else ONE_USER
        assert pair.open() - stays == set()


@pytest.mark.slow
def test_sandboxes_that_are_not_kept_apart_can_talk(tmp_path: Path) -> None:
    """The weakest level, under the same limits: so it is not a limit that silences the pair above."""
    needs_sandbox("root" if os.geteuid() == 0 else "ordinary")
    folder = bots_folder(tmp_path / "one")
    cell = Cell("root" if os.geteuid() == 0 else "ordinary", folder)
    with ExitStack() as stack:
        pair = paired(stack, [(cell.argv(level=Level.SHARED), folder)] * 2)
        expected = {f"{how} on {what}" for how in LOCKS for what in ("a shown program", "Python", "/usr")}
        expected |= {*ONE_USER, "times of /dev/null", "terminals"}
        # Bots of other tests run as the same user, and what they hold drowns a bit now and then.
        silent = expected - pair.open()
        assert not {channel for channel in silent if not any(pair.gets_through(channel) for _ in range(5))}


@pytest.fixture
def unguarded() -> Iterator[None]:
    """Without the locks of this process. Others may have theirs, as an arena that plays meanwhile."""
    probing.LOCKS.release()
    yield
    probing.LOCKS.hold()


def fails_unhindered(pair: Pair, channel: str) -> bool:
    """Whether nothing gets through although no arena of this machine hinders it."""
    # One may begin and end at any moment.
    return not any(is_locked() or pair.gets_through(channel) for _ in range(5))


@pytest.mark.slow
@pytest.mark.usefixtures("unguarded")
def test_without_a_sandbox_the_same_pair_does_get_through_what_is_not_guarded(tmp_path: Path) -> None:
    folder = bots_folder(tmp_path / "one")
    argv = [sys.executable, "bot.py"]
    if os.geteuid() == 0:
        # Root is above many of the limits that tell the two of each other.
        argv = [*as_ordinary_user(folder), *argv]
    with ExitStack() as stack:
        pair = paired(stack, [(argv, folder)] * 2)
        assert OPEN_WITHOUT - pair.open(OPEN_WITHOUT) == set()
        assert [channel for channel in sorted(GUARDED) if fails_unhindered(pair, channel)] == []
        probing.LOCKS.hold()
        assert pair.open(GUARDED) == set()
        missing = (OPEN_WITHOUT | GUARDED | ONE_USER) - set(pair.first.channels)
        assert missing == set()
