"""The filter of system calls: its numbers against the kernel's headers, its program as the kernel runs it."""

from __future__ import annotations

import errno
import re
import struct
from pathlib import Path

import pytest

from arena.sandbox.syscalls import ARCHITECTURES, NUMBERS, refused

HEADERS = {
    0: Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    1: Path("/usr/include/asm-generic/unistd.h"),
}
ALLOW, KILL, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
X86, ARM = ARCHITECTURES["x86_64"][0], ARCHITECTURES["aarch64"][0]


def run(program: bytes, number: int, *arguments: int, arch: int = X86) -> int:
    """What the program answers for a call: an interpreter of the instructions that it uses."""
    padded = (*arguments, *[0] * (6 - len(arguments)))
    data = struct.pack("=IIQ6Q", number, arch, 0, *padded)
    steps = list(struct.iter_unpack("=HBBI", program))
    at, loaded = 0, 0
    while True:
        code, then, otherwise, value = steps[at]
        at += 1
        match code:
            case 0x20:
                loaded = struct.unpack_from("=I", data, value)[0]
            case 0x06:
                return int(value)
            case 0x15:
                at += then if loaded == value else otherwise
            case 0x35:
                at += then if loaded >= value else otherwise
            case 0x45:
                at += then if loaded & value else otherwise
            case _:
                raise AssertionError(hex(code))


@pytest.mark.parametrize("column", HEADERS)
def test_the_numbers_are_those_of_the_kernel(column: int) -> None:
    if not HEADERS[column].exists():
        pytest.skip("no kernel headers here")
    text = HEADERS[column].read_text()
    listed = {name: int(number) for name, number in re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", text)}
    ours = {name: numbers[column] for name, numbers in NUMBERS.items()}
    listed.pop("syscalls", None)  # how many there are
    latest = max(listed.values())
    # Older headers lack the latest calls.
    assert {name: number for name, number in ours.items() if (number or 0) <= latest} == {
        name: listed.get(name) for name, number in ours.items() if (number or 0) <= latest
    }


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_each_call_is_refused_on_each_machine(machine: str) -> None:
    arch, column = ARCHITECTURES[machine]
    program = refused(machine)
    inspected = {"clone", "clone3", "unshare", "socket", "socketpair", "ioctl"}
    inspected |= {"fcntl", "preadv2", "pwritev2", "madvise", "prctl"}
    answers = dict.fromkeys(NUMBERS, errno.EPERM)
    answers |= dict.fromkeys(("inotify_init", "inotify_init1", "inotify_add_watch"), errno.ENOSYS)
    answers |= dict.fromkeys(("mincore", "cachestat", "io_setup"), errno.ENOSYS)
    answers |= dict.fromkeys(("fadvise64", "readahead", "sync", "syncfs", "sync_file_range"), 0)
    for name, numbers in NUMBERS.items():
        number = numbers[column]
        if number is not None and name not in inspected:
            assert run(program, number, arch=arch) == ERRNO | answers[name], name


CALLS = [
    ("read", 0, (), ALLOW),
    ("write", 1, (), ALLOW),
    ("execve", 59, (), ALLOW),
    ("setsid", 112, (), ALLOW),
    ("fork by clone", 56, (0x01200011,), ALLOW),
    ("thread by clone", 56, (0x003D0F00,), ALLOW),
    ("user namespace by clone", 56, (0x10000011,), ERRNO | errno.EPERM),
    ("network namespace by clone", 56, (0x40000011,), ERRNO | errno.EPERM),
    ("clone3", 435, (), ERRNO | errno.ENOSYS),
    ("unshare files", 272, (0x400,), ALLOW),
    ("unshare user", 272, (0x10000000,), ERRNO | errno.EPERM),
    ("unshare time", 272, (0x80,), ERRNO | errno.EPERM),
    ("unix socket", 41, (1, 1), ALLOW),
    ("pair of unix sockets", 53, (1, 1), ALLOW),
    ("internet socket", 41, (2, 1), ERRNO | errno.EAFNOSUPPORT),
    ("internet socket 6", 41, (10, 1), ERRNO | errno.EAFNOSUPPORT),
    ("netlink", 41, (16, 3), ERRNO | errno.EAFNOSUPPORT),
    ("pair of tipc sockets", 53, (30, 1), ERRNO | errno.EAFNOSUPPORT),
    ("packet socket", 41, (17, 3), ERRNO | errno.EAFNOSUPPORT),
    ("vsock", 41, (40, 1), ERRNO | errno.EAFNOSUPPORT),
    ("isatty", 16, (1, 0x5401), ALLOW),
    ("typing", 16, (0, 0x5412), ERRNO | errno.EPERM),
    ("typing with rubbish above", 16, (0, 0xFF00005412), ERRNO | errno.EPERM),
    ("lock", 72, (3, 6), ALLOW),
    ("asking for a lock", 72, (3, 5), ALLOW),
    ("lock of an open file", 72, (3, 37), ALLOW),
    ("close on exec", 72, (3, 2, 1), ALLOW),
    ("duplicate", 72, (3, 1030), ALLOW),
    ("seals", 72, (3, 1033), ALLOW),
    ("lease", 72, (3, 1024, 0), ERRNO | errno.EINVAL),
    ("asking for a lease", 72, (3, 1025), ERRNO | errno.EINVAL),
    ("directory notification", 72, (3, 1026), ERRNO | errno.EINVAL),
    ("size of a pipe", 72, (3, 1031), ERRNO | errno.EINVAL),
    ("hint", 72, (3, 1036), ERRNO | errno.EINVAL),
    ("a command of a later kernel", 72, (3, 1050), ERRNO | errno.EINVAL),
    ("read", 327, (3, 0, 1, 0, 0, 0), ALLOW),
    ("read without waiting", 327, (3, 0, 1, 0, 0, 8), ERRNO | errno.EOPNOTSUPP),
    ("read past the cache", 327, (3, 0, 1, 0, 0, 0x80), ERRNO | errno.EOPNOTSUPP),
    ("write at the end", 328, (3, 0, 1, 0, 0, 0x10), ALLOW),
    ("give memory back", 28, (0, 4096, 4), ALLOW),
    ("call memory cold", 28, (0, 4096, 20), ERRNO),
    ("page memory out", 28, (0, 4096, 21), ERRNO),
    ("merge memory", 28, (0, 4096, 12), ERRNO),
    ("merge all memory", 157, (67, 1), ERRNO | errno.EINVAL),
    ("a call that no program knows yet", 900, (), ERRNO | errno.ENOSYS),
    ("the machine's mounts", 458, (), ERRNO | errno.ENOSYS),
    ("name of a thread", 157, (15, 0), ALLOW),
]


@pytest.mark.parametrize(
    ("number", "arguments", "answer"), [call[1:] for call in CALLS], ids=[c[0] for c in CALLS]
)
def test_what_it_answers(number: int, arguments: tuple[int, ...], answer: int) -> None:
    assert run(refused("x86_64"), number, *arguments) == answer


def test_programs_of_another_family_are_ended() -> None:
    assert run(refused("x86_64"), 0, arch=0x40000003) == KILL  # i386
    assert run(refused("x86_64"), 0x40000000 | 1) == KILL  # x32
    assert run(refused("aarch64"), 63, arch=ARM) == ALLOW
    assert run(refused("aarch64"), 63) == KILL


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_every_jump_stays_inside(machine: str) -> None:
    steps = list(struct.iter_unpack("=HBBI", refused(machine)))
    assert len(steps) < 4096
    assert steps[-1][0] == 0x06
    for at, (code, then, otherwise, _) in enumerate(steps):
        if code in (0x15, 0x35, 0x45):
            assert at + 1 + max(then, otherwise) < len(steps)
