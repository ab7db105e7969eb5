"""Which processes belong to a bot: those below the one that was started, and what they use. Decides nothing.

Everything is read from /proc, from outside, so that it holds for a bot behind a sandbox's
own processes too. psutil is not used: it finds descendants by reading the whole of /proc, where the kernel
lists the children of each process; a look costs some 70 us a process. Linux only.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable
from dataclasses import dataclass

_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICK_US = 1_000_000 // os.sysconf("SC_CLK_TCK")
MOST_BELOW = 4096
"""The most processes that are listed below one. A look at so many takes a third of a second."""
_ROUNDS = 8
"""How often to look for children that were forked while their parents were being stopped."""


@dataclass(frozen=True, slots=True)
class Member:
    """One process at one moment. `started` tells it from a later one with the same number.

    `session`: the leader of its session. `own_us`: its processor time in microseconds. `waited_us`: that of
    the ended children that it has waited for. Both are exact to a hundredth of a second. `resident`: bytes of
    memory.
    """

    pid: int
    started: int
    session: int
    own_us: int
    waited_us: int
    resident: int

    @property
    def key(self) -> tuple[int, int]:
        """Return the key of this process, which no earlier or later process has."""
        return self.pid, self.started


def tree(root: int) -> list[Member]:
    """Return the process `root` and all processes below it, parents before their children.

    The list is empty when there is no such process. Of more than `MOST_BELOW` processes below `root` the rest
    is left out.
    """
    pids = [root]
    members: list[Member] = []
    seen = {root}
    while pids and len(members) <= MOST_BELOW:
        member = look_up(pids.pop())
        if member is None:
            continue
        members.append(member)
        its_children = [pid for pid in children(member.pid) if pid not in seen]
        seen.update(its_children)
        pids += its_children
    return members


def below(first: int) -> list[Member]:
    """Return the processes below the first of a family, without itself."""
    return tree(first)[1:]


def children(pid: int | None = None) -> list[int]:
    """Return the ids of the processes directly below `pid`, or below this process; zombies included."""
    found: list[int] = []
    # A child belongs to the thread that forked it, and the kernel lists children for each thread.
    of = "self" if pid is None else str(pid)
    for thread in threads(pid):
        found += map(int, read_file(f"/proc/{of}/task/{thread}/children").split())
    return found


def signal_member(member: Member, number: signal.Signals) -> bool:
    """Send a signal to this process. Return False when it is gone."""
    try:
        # A number can go to another process at any moment. The descriptor stays with one process, so it is
        # opened first and the process behind it compared then.
        pidfd = os.pidfd_open(member.pid)
    except OSError:
        return False
    try:
        now = look_up(member.pid)
        if now is None or now.key != member.key:
            return False
        signal.pidfd_send_signal(pidfd, number)
    except OSError:
        return False
    finally:
        os.close(pidfd)
    return True


def stop_below(first: int) -> list[Member]:
    """Stop all that is below the first process of a family, and return it. The first one goes on."""
    return stop_all(lambda: below(first))


def stop_all(find: Callable[[], Iterable[Member]]) -> list[Member]:
    """Stop the processes that `find` finds, and return them. It is asked again until it finds nobody new."""
    stopped: dict[tuple[int, int], Member] = {}
    for _ in range(_ROUNDS):
        new = [member for member in find() if member.key not in stopped]
        if not new:
            break
        for member in new:
            signal_member(member, signal.SIGSTOP)
            stopped[member.key] = member
    return list(stopped.values())


def signal_name(number: int) -> str:
    """Return the name of a signal, such as "SIGKILL"; real-time signals have only a number."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def threads(pid: int | None = None) -> list[int]:
    """Return the threads of a process, or of this process; none when it is gone."""
    try:
        return [int(entry.name) for entry in os.scandir(f"/proc/{'self' if pid is None else pid}/task")]
    except OSError:
        return []


def look_up(pid: int) -> Member | None:
    """Return one process as it is now, or None when there is none.

    The fields are those of proc_pid_stat(5).
    """
    # The second field is the program's name in brackets and may hold spaces and brackets itself. So fields
    # are counted from the last bracket.
    fields = read_file(f"/proc/{pid}/stat").rpartition(b")")[2].split()
    if len(fields) < 22:
        return None
    own = int(fields[11]) + int(fields[12])
    waited = int(fields[13]) + int(fields[14])
    return Member(
        pid=pid,
        started=int(fields[19]),
        session=int(fields[3]),
        own_us=own * _TICK_US,
        waited_us=waited * _TICK_US,
        resident=int(fields[21]) * _PAGE or _resident_of_threads(pid),
    )


def proportional_bytes(members: Iterable[Member]) -> int:
    """Return the resident memory of all members together, in proportional shares (PSS).

    A page that n processes share counts 1/n in each. Where the kernel does not tell PSS, the plain resident
    memory counts. This is expensive: some milliseconds for a large process.
    """
    return sum(_proportional(member) for member in members)


def _proportional(member: Member) -> int:
    for line in read_file(f"/proc/{member.pid}/smaps_rollup").splitlines():
        if line.startswith(b"Pss:"):
            return int(line.split()[1]) * 1024
    return member.resident


def _resident_of_threads(pid: int) -> int:
    """Return the memory as the first living thread tells it.

    Where the first thread of a process has ended and others live, the process itself says that it has none.
    """
    for thread in threads(pid):
        fields = read_file(f"/proc/{pid}/task/{thread}/statm").split()
        if len(fields) > 1 and int(fields[1]):
            return int(fields[1]) * _PAGE
    return 0


def read_file(path: str) -> bytes:
    """Return all of a file of /proc; empty when the process is gone or this user may not read it."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        data = b""
        while part := os.read(descriptor, 1 << 16):
            data += part
        return data
    except OSError:  # it ended meanwhile
        return b""
    finally:
        os.close(descriptor)
