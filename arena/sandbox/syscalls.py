"""Which system calls a bot is refused, as a program for seccomp. It installs nothing.

Namespaces alone leave gaps: keyrings belong to the session that started the arena, vsock reaches the
host of a virtual machine through every network namespace, memory of System V outlives what was measured,
and a process may move itself to another core. Other calls let one sandbox feel what another does with a
file that both are shown, or with a number that the kernel counts for all: two bots could talk that way. An
honest bot needs none of these calls. On a processor that the tables do not know, the sandbox works without
the filter (`refused` is empty).

A refused call fails as if it were not permitted, or as on a kernel that does not have it where libraries
then do without. What is only advice to the kernel is not passed on, and the answer is that all is well.
Programs for another processor family than the machine's own (32 bit) are ended by the first call they make.

Sources: linux/filter.h, linux/seccomp.h, linux/audit.h; numbers as in asm/unistd_64.h (x86-64) and
asm-generic/unistd.h (all newer families). The choice follows the lists of Docker and Flatpak.
"""

from __future__ import annotations

import errno
import platform
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

NUMBERS: dict[str, tuple[int | None, int | None]] = {
    # keyrings of the organiser's session
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    # shared memory and queues that belong to no process
    "shmget": (29, 194),
    "semget": (64, 190),
    "msgget": (68, 186),
    "mq_open": (240, 180),
    # another core than that of its referee
    "sched_setaffinity": (203, 122),
    # other processes, also of the sandbox itself
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    # namespaces and mounts
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    # parts of the kernel that are large, young or for its administrators
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "userfaultfd": (323, 282),
    "perf_event_open": (298, 241),
    "bpf": (321, 280),
    "fanotify_init": (300, 262),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "acct": (163, 89),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "reboot": (169, 142),
    "syslog": (103, 116),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "modify_ldt": (154, None),
    "iopl": (172, None),
    "ioperm": (173, None),
    # what others do with a file that all are shown, and what is in the page cache
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    "inotify_add_watch": (254, 27),
    "mincore": (27, 232),
    "cachestat": (451, 451),
    # requests of asynchronous IO are counted for the whole machine
    "io_setup": (206, 0),
    # advice about the page cache, and waiting for everybody's disk
    "fadvise64": (221, 223),
    "readahead": (187, 213),
    "sync": (162, 81),
    "syncfs": (306, 267),
    "sync_file_range": (277, 84),
    # looked at more closely below
    "clone": (56, 220),
    "clone3": (435, 435),
    "unshare": (272, 97),
    "socket": (41, 198),
    "socketpair": (53, 199),
    "ioctl": (16, 29),
    "fcntl": (72, 25),
    "preadv2": (327, 286),
    "pwritev2": (328, 287),
    "madvise": (28, 233),
    "prctl": (157, 167),
}
"""The number of each call on x86-64 and on the newer families; None where there is no such call."""
_UNKNOWN = ("inotify_init", "inotify_init1", "inotify_add_watch", "mincore", "cachestat", "io_setup")
"""The calls that this kernel seems not to have, so that libraries do without them."""
_IDLE = ("fadvise64", "readahead", "sync", "syncfs", "sync_file_range")
"""The calls that seem to succeed. They have no effect that a program could count on."""

ARCHITECTURES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1), "riscv64": (0xC00000F3, 1)}
"""The name of a machine with its AUDIT_ARCH and its column of the numbers."""

_NAMESPACES = 0x7E020000
"""The flags CLONE_NEWNS, -CGROUP, -UTS, -IPC, -USER, -PID and -NET."""
_CLONE_NEWTIME = 0x80
"""A flag of `unshare` only: in `clone` this bit is part of a signal's number."""
_FAMILIES = (1,)
"""AF_UNIX. There is no network inside, and memory of internet sockets is counted for the whole machine."""
_FILE_COMMANDS = (*range(12), 15, 16, 36, 37, 38, 1030, 1032, 1033, 1034)
"""The commands of `fcntl` that work: those for descriptors and flags, owners and locks, duplicates
(F_DUPFD_CLOEXEC), the size of a pipe (to ask, not to set: a user's pipes share one account) and seals.
Leases, directory notification and hints are not among them."""
_READ_WRITE_FLAGS = 0x02 | 0x04 | 0x10
"""RWF_DSYNC, RWF_SYNC and RWF_APPEND. RWF_NOWAIT would tell what is in the page cache."""
_IDLE_ADVICE = (12, 20, 21)
"""MADV_MERGEABLE, MADV_COLD and MADV_PAGEOUT."""
_PR_SET_MEMORY_MERGE = 67
_TIOCSTI, _TIOCLINUX = 0x5412, 0x541C
_LATEST = 453
"""The number of the latest call whose effects are known here (map_shadow_stack). Numbers from 424 on are the
same for all families. Among the later ones are those that number the machine's mounts."""
_X32 = 0x40000000
"""The bit in the numbers of x32 programs, which share the AUDIT_ARCH of x86-64."""

_LOAD, _JUMP_EQUAL, _JUMP_AT_LEAST, _JUMP_ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCH, _ARGUMENTS = 0, 4, 16
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000


@dataclass(frozen=True, slots=True)
class _Step:
    code: int
    value: int
    then: int = 0
    otherwise: int = 0

    def packed(self) -> bytes:
        return struct.pack("=HBBI", self.code, self.then, self.otherwise, self.value)


_ALLOWED = _Step(_RETURN, _ALLOW)


@cache
def refused(machine: str = "") -> bytes:
    """Return the program for a machine as `platform.machine` names it; "" is this machine.

    It is empty for a machine that is not known.
    """
    found = ARCHITECTURES.get(machine or platform.machine())
    if found is None:
        return b""
    arch, column = found
    # The numbers of calls differ between processor families, so the family is checked before any number.
    steps = [_load(_ARCH), _Step(_JUMP_EQUAL, arch, 1), _Step(_RETURN, _KILL), _load(_NUMBER)]
    if column == 0:
        # x32 programs would reach the same calls by other numbers.
        steps += [_Step(_JUMP_AT_LEAST, _X32, 0, 1), _Step(_RETURN, _KILL)]
    steps += [_Step(_JUMP_AT_LEAST, _LATEST + 1, 0, 1), _fail(errno.ENOSYS)]
    for name, numbers in NUMBERS.items():
        number = numbers[column]
        if number is not None and name not in _CLOSER:
            steps += [_Step(_JUMP_EQUAL, number, 0, 1), _verdict(name)]
    for name, body in _CLOSER.items():
        number = NUMBERS[name][column]
        assert number is not None, "every family has those calls"
        steps += [_Step(_JUMP_EQUAL, number, 0, len(body)), *body]
    steps.append(_Step(_RETURN, _ALLOW))
    return b"".join(step.packed() for step in steps)


def _verdict(name: str) -> _Step:
    """Return the answer to a call that is refused, whatever its arguments."""
    if name in _IDLE:
        return _fail(0)
    return _fail(errno.ENOSYS if name in _UNKNOWN else errno.EPERM)


def _only(argument: int, values: Iterable[int], error: int) -> list[_Step]:
    """Return the steps that allow a call when an argument is one of these values."""
    steps = [_load(_argument(argument))]
    for value in values:
        steps += [_Step(_JUMP_EQUAL, value, 0, 1), _ALLOWED]
    return [*steps, _fail(error)]


def _unless(argument: int, values: Iterable[int], error: int) -> list[_Step]:
    """Return the steps that allow a call unless an argument is one of these values."""
    steps = [_load(_argument(argument))]
    for value in values:
        steps += [_Step(_JUMP_EQUAL, value, 0, 1), _fail(error)]
    return [*steps, _ALLOWED]


def _unless_any_bit(argument: int, bits: int, error: int) -> list[_Step]:
    """Return the steps that allow a call unless an argument has one of these bits."""
    return [_load(_argument(argument)), _Step(_JUMP_ANY_BIT, bits, 0, 1), _fail(error), _ALLOWED]


def _load(offset: int) -> _Step:
    return _Step(_LOAD, offset)


def _argument(index: int) -> int:
    """Return the place of the lower half of an argument; all families here put it first."""
    return _ARGUMENTS + 8 * index


def _fail(number: int) -> _Step:
    """Return the verdict that a call fails with this error; with 0 it seems to succeed."""
    return _Step(_RETURN, _ERRNO | number)


_CLOSER: dict[str, list[_Step]] = {
    "clone": _unless_any_bit(0, _NAMESPACES, errno.EPERM),
    # Its flags lie in memory, out of reach. On ENOSYS libraries use clone.
    "clone3": [_fail(errno.ENOSYS)],
    "unshare": _unless_any_bit(0, _NAMESPACES | _CLONE_NEWTIME, errno.EPERM),
    "socket": _only(0, _FAMILIES, errno.EAFNOSUPPORT),
    "socketpair": _only(0, _FAMILIES, errno.EAFNOSUPPORT),
    # Writing into a terminal as if its user had typed it.
    "ioctl": _unless(1, (_TIOCSTI, _TIOCLINUX), errno.EPERM),
    # As a kernel that does not know the command.
    "fcntl": _only(1, _FILE_COMMANDS, errno.EINVAL),
    "preadv2": _unless_any_bit(5, 0xFFFFFFFF ^ _READ_WRITE_FLAGS, errno.EOPNOTSUPP),
    "pwritev2": _unless_any_bit(5, 0xFFFFFFFF ^ _READ_WRITE_FLAGS, errno.EOPNOTSUPP),
    "madvise": _unless(2, _IDLE_ADVICE, 0),
    "prctl": _unless(0, (_PR_SET_MEMORY_MERGE,), errno.EINVAL),
}
"""The calls that are not refused as such: their arguments decide. Every way through ends in a verdict."""
