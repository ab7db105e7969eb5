"""Finds out, once, whether a sandbox works on this machine, by starting the running interpreter in one.

It decides nothing: the caller is given a `Sandbox`, or a `Failure` with its cure. From then on this process
holds the locks by which sandboxes could talk through files that no sandbox can have for itself (`Locks`).
"""

from __future__ import annotations

import errno
import fcntl
import os
import platform
import pwd
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Thread

from arena.errors import NoSandbox, UsageError
from arena.linux.namespace import try_out
from arena.sandbox.failure import NOT_INSTALLED, Failure, explain, facts, old_kernel
from arena.sandbox.sandbox import CLAIMS, DEVICES, Level, Limits, Sandbox, wrap

_CHECK = Path(__file__).with_name("check.py")
_SECONDS = 20.0
_CLOSED = "closed"
_OLDEST_KERNEL = (5, 14)
"""From this kernel on processes are counted for each user namespace.

Before, they are counted for each user.
"""
_CLOCKS = "/proc/self/ns/time"
"""The namespace of clocks: sandboxes have their own from Linux 6.2 on. Nobody can open it for writing."""


class Locks:
    """The locks of one process, which has to live as long as its bots.

    All eventfd, epoll, timerfd and signalfd descriptors of a machine are one file to the kernel, and so locks
    on them are seen everywhere. Runtimes need these calls, and SQLite needs locks, so a filter cannot refuse
    either. An ordinary user's sandboxes share the machine's devices in the same way. Therefore the arena
    locks these files wholly, before it starts the first bot: every attempt of a bot then fails, whatever
    others do. Nobody else locks such files, because it means nothing.

    One process of a machine can hold them. Another arena waits and takes over when the first has ended.
    """

    def __init__(self) -> None:
        self._held: list[int] = []

    def hold(self) -> None:
        """Take the locks, or wait for them in the background. A second call does nothing."""
        if self._held:
            return
        self._held.append(os.eventfd(0))
        for name in DEVICES:
            # Root's sandboxes have devices of their own, but those of another user may run at the same time.
            with suppress(OSError):
                self._held.append(os.open(f"/dev/{name}", os.O_RDWR))
        for descriptor in self._held:
            _take(descriptor, _whole_file(fcntl.F_WRLCK))
        # A file that is open for reading has locks for reading only. Others may hold them too, but whoever
        # asks what is locked is told of the first lock, and that is this one.
        with suppress(FileNotFoundError):  # a kernel without such namespaces
            self._held.append(os.open(_CLOCKS, os.O_RDONLY))
            _take(self._held[-1], _whole_file(fcntl.F_RDLCK))

    def release(self) -> None:
        """Give the locks back, for a process that outlives its bots."""
        for descriptor in self._held:
            os.close(descriptor)
        self._held.clear()


LOCKS = Locks()
"""Those of this process."""


def _whole_file(kind: int) -> bytes:
    """Return a struct flock: type, whence, start, length (0 is to the end), process."""
    return struct.pack("hhqqi", kind, os.SEEK_SET, 0, 0, 0)


def _take(descriptor: int, lock: bytes) -> None:
    try:
        # Of an open file: a lock of a process is gone as soon as that closes any other eventfd.
        fcntl.fcntl(descriptor, fcntl.F_OFD_SETLK, lock)
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        waiting = Thread(target=_wait, args=(os.dup(descriptor), lock), daemon=True, name="lock")
        try:
            waiting.start()
        except RuntimeError as error:
            raise OSError(errno.EAGAIN, str(error)) from None


def _wait(descriptor: int, lock: bytes) -> None:
    """Wait in the kernel, which hands a lock over without delay. `descriptor`: a duplicate, closed after."""
    with suppress(OSError):
        fcntl.fcntl(descriptor, fcntl.F_OFD_SETLKW, lock)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    os.close(descriptor)


def probe(limits: Limits, read_only: Iterable[str] = (), hidden: Iterable[str] = ()) -> Sandbox | Failure:
    """Return the sandbox that works here, tried in full, or why there is none. Takes some tenths of a second.

    It is the one that keeps bots furthest apart from each other. From then on this process holds the locks.
    `read_only`: further paths to show. `hidden`: folders that must not be seen. Raises UsageError for a path
    that does not exist; OSError and NoSandbox where nothing can be said now (see `_said`).
    """
    for path in read_only:
        if not Path(path).exists():
            raise UsageError(f"[sandbox] read_only: {path}: there is no such file or folder")
    ids = nobody() if os.geteuid() == 0 else None
    program = shutil.which("bwrap")
    if program is None:
        return NOT_INSTALLED
    release = platform.release()
    if tuple(map(int, re.findall(r"\d+", release)[:2])) < _OLDEST_KERNEL:
        return old_kernel(release)
    sandbox = Sandbox(
        bwrap=program,
        user=ids,
        # Asked of the program itself, because the option is missing before bubblewrap 0.8.
        disable_userns="--disable-userns" in _said([program, "--help"]),
        limits=limits,
        read_only=tuple(read_only),
        hidden=tuple(hidden),
    )
    return _furthest(sandbox)


def _furthest(sandbox: Sandbox) -> Sandbox | Failure:
    """Return the sandbox at the highest level that works here, with the reason why no higher one does."""
    levels = [Level.OWN_FILES] if sandbox.user is None else [Level.OWN_USERS, Level.OWN_FILES]
    LOCKS.hold()
    weaker = ""
    for level in levels:
        tried = replace(sandbox, level=level, weaker=weaker)
        said = _try(tried)
        if said == _CLOSED:
            return tried
        weaker = weaker or explain(said, facts()).said
    said = _try(sandbox)
    return replace(sandbox, weaker=weaker) if said == _CLOSED else explain(said, facts())


def nobody() -> tuple[int, int]:
    """Return the ids of who builds, and of bots without a user of their own, where root starts the arena."""
    try:
        entry = pwd.getpwnam("nobody")
    except KeyError:
        return 65534, 65534  # what the kernel calls so
    return entry.pw_uid, entry.pw_gid


def _try(sandbox: Sandbox) -> str:
    """Return what the check said in the sandbox, or what went wrong before it could say anything."""
    # The check needs a few processes of its own. A league's stricter limit says nothing about the sandbox.
    roomy = replace(sandbox, limits=replace(sandbox.limits, processes=max(8, sandbox.limits.processes)))
    with tempfile.TemporaryDirectory(prefix="papayoo-arena-") as name:
        folder = Path(name).resolve()
        # A temporary folder is for its owner only, and the check may run as another user.
        folder.chmod(0o755)
        shared = "-" if sandbox.level is Level.SHARED else ",".join(map(str, _outside(folder)))
        if sandbox.level is Level.OWN_USERS:
            try:
                _open_claims()
            except OSError as error:
                return str(error)
        return _said(*wrap(roomy, ("{python}", "-I", "-B", str(_CHECK), shared, *sandbox.hidden), folder))


def _open_claims() -> None:
    """Make the file of the claims of users. Whoever else could read it could lock it."""
    Path(CLAIMS).touch(mode=0o600)
    Path(CLAIMS).chmod(0o600)


def _outside(folder: Path) -> set[int]:
    """Return the numbers of the devices and namespaces that a sandbox must not have in common with us."""
    # The namespace of clocks is locked.
    spaces = [path for path in Path("/proc/self/ns").iterdir() if not path.name.startswith("time")]
    files = {folder.stat().st_dev, Path(sys.executable).stat().st_dev}
    return files | {path.stat().st_ino for path in spaces}


def _said(argv: Iterable[str], env: dict[str, str] | None = None) -> str:
    """Return standard output of a program that ends well, else standard error.

    Raises OSError when this machine is too full to start it, NoSandbox when it takes too long: neither says
    that there is no sandbox here, and bots are not to play without one for a moment's trouble.
    """
    try:
        return try_out(argv, env, _SECONDS)
    except subprocess.TimeoutExpired:
        raise NoSandbox(
            f"the sandbox was tried, and nothing came within {_SECONDS:g} s: this machine is too busy, or "
            "bubblewrap hangs (docs/sandbox.md); to play programs that you trust without one: --sandbox off"
        ) from None
