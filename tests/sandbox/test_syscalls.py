"""The filter of system calls: its numbers against the kernel's headers, its program as the kernel runs it."""

from __future__ import annotations

import errno
import platform
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
    assert {name: numbers[column] for name, numbers in NUMBERS.items()} == {
        name: listed.get(name) for name in NUMBERS
    }


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_each_call_is_refused_on_each_machine(machine: str) -> None:
    arch, column = ARCHITECTURES[machine]
    program = refused(machine)
    inspected = {"clone", "clone3", "unshare", "socket", "ioctl"}
    for name, numbers in NUMBERS.items():
        number = numbers[column]
        if number is not None and name not in inspected:
            assert run(program, number, arch=arch) == ERRNO | errno.EPERM, name


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
    ("internet socket", 41, (2, 1), ALLOW),
    ("packet socket", 41, (17, 3), ERRNO | errno.EAFNOSUPPORT),
    ("vsock", 41, (40, 1), ERRNO | errno.EAFNOSUPPORT),
    ("isatty", 16, (1, 0x5401), ALLOW),
    ("typing", 16, (0, 0x5412), ERRNO | errno.EPERM),
    ("typing with rubbish above", 16, (0, 0xFF00005412), ERRNO | errno.EPERM),
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


def test_an_unknown_machine_has_no_filter() -> None:
    assert refused("vax") == b""
    if platform.machine() in ARCHITECTURES:
        assert refused() == refused(platform.machine())


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_every_jump_stays_inside(machine: str) -> None:
    steps = list(struct.iter_unpack("=HBBI", refused(machine)))
    assert len(steps) < 4096
    assert steps[-1][0] == 0x06
    for at, (code, then, otherwise, _) in enumerate(steps):
        if code in (0x15, 0x35, 0x45):
            assert at + 1 + max(then, otherwise) < len(steps)
