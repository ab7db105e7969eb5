"""Stands between a referee and one bot where there are no process namespaces, and ends all of its family.

    python -I -S -B supervisor.py PARENT PROGRAM ARGUMENT ...

PARENT: the number of the process that starts it. When that is gone, or on SIGTERM, or when the program has
ended, everything below the supervisor is ended: it adopts what has left its parent, and stops everything
before it kills anything, because a stopped process starts no other. It ends last, as the program has ended.
A bot that breeds without end may outrun it, and a bot with the arena's rights may kill it; then the kernel
kills the bot, and the referee ends what is left.

It is a program and not to be imported.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
from pathlib import Path
from typing import NoReturn

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from arena.linux.reaper import die_with_parent, kill_children, set_subreaper

_CANNOT_RUN = 127
_HEARD = {signal.SIGCHLD, signal.SIGTERM}


def main(words: list[str]) -> NoReturn:
    """Start the program, end what it has started, and end as it has ended."""
    parent, argv = int(words[0]), words[1:]
    before = set(map(int, signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())))
    # Nobody can be waited for where a caller has had it ignored.
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    set_subreaper(True)
    die_with_parent(signal.SIGTERM)
    if os.getppid() != parent:
        os._exit(_CANNOT_RUN)
    supervisor = os.getpid()
    bot = os.fork()
    if bot == 0:
        _become(argv, before, supervisor)
    # The bot's input and output must end when the bot closes them.
    os.closerange(0, 3)
    status = _wait_for(bot)
    if status is None:
        os.kill(bot, signal.SIGKILL)
        status = os.waitpid(bot, 0)[1]
    while not kill_children():
        time.sleep(0)
    _end_like(status)


def _become(argv: list[str], mask: set[int], supervisor: int) -> NoReturn:
    """Become the program. It is killed when its supervisor is gone."""
    try:
        os.setsid()
        die_with_parent(signal.SIGKILL)
        if os.getppid() != supervisor:
            os._exit(_CANNOT_RUN)
        for ignored in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(ignored, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        os.execvp(argv[0], argv)  # noqa: S606 - to become a program is the point
    except OSError as error:
        os.write(2, f"cannot be started: {argv[0]}: {error.strerror}\n".encode(errors="replace"))
    os._exit(_CANNOT_RUN)


def _wait_for(bot: int) -> int | None:
    """Wait until the bot has ended, and return its status, or None when all is to be ended."""
    while signal.sigwait(_HEARD) != signal.SIGTERM:
        while (found := _next_ended())[0]:
            if found[0] == bot:
                return found[1]
    return None


def _next_ended() -> tuple[int, int]:
    try:
        return os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return 0, 0


def _end_like(status: int) -> NoReturn:
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if number not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
    os._exit(os.WEXITSTATUS(status))


if __name__ == "__main__":
    main(sys.argv[1:])
