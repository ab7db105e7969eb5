"""Holds the locks by which sandboxes could talk through files that no sandbox can have for itself.

All eventfd, epoll, timerfd and signalfd descriptors of a machine are one file to the kernel, and so locks on
them are seen everywhere. Runtimes need these calls, and SQLite needs locks, so a filter cannot refuse either.
An ordinary user's sandboxes share the machine's devices in the same way. Therefore the arena locks these
files wholly, before it starts the first bot: every attempt of a bot then fails, whatever others do. Nobody
else locks such files, because it means nothing.

One process of a machine can hold them. Another arena waits and takes over when the first has ended.
"""

from __future__ import annotations

import fcntl
import os
import struct
from contextlib import suppress
from threading import Thread

__all__ = ["DEVICES", "GUARDS", "Guards"]

DEVICES = ("null", "zero", "full", "random", "urandom")
"""The devices of the machine that sandboxes of an ordinary user share. No other may be shown to them."""
_CLOCKS = "/proc/self/ns/time"
"""The namespace of clocks: sandboxes have their own from Linux 6.2 on. Nobody can open it for writing."""


class Guards:
    """The locks of one process, which has to live as long as its bots."""

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


GUARDS = Guards()
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
        Thread(target=_wait, args=(os.dup(descriptor), lock), daemon=True, name="guard").start()


def _wait(descriptor: int, lock: bytes) -> None:
    """Wait in the kernel, which hands a lock over without delay. `descriptor`: a duplicate, closed after."""
    with suppress(OSError):
        fcntl.fcntl(descriptor, fcntl.F_OFD_SETLKW, lock)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    os.close(descriptor)
