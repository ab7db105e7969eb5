"""Plays well, and tries once to get at what is not its own; notes "got ..." or "refused: ...".

reads PATH, writes PATH, connects PORT, abstract NAME, environment, processes, network, userns, terminal,
link PATH (a symbolic link in its folder or /tmp), kill_parent, kill_all, ptrace_parent, fill FOLDER,
many_files FOLDER, descriptors, big_file FOLDER."""

import contextlib
import ctypes
import os
import signal
import socket
import sys
from pathlib import Path

from speak import good_answer, note, play

HOW = sys.argv[1]
WHAT = sys.argv[2] if len(sys.argv) > 2 else ""
_PTRACE_ATTACH = 16
_NEW_USER = 0x10000000


def reads() -> str:
    return Path(WHAT).read_text()[:20]


def writes() -> str:
    Path(WHAT).write_text("hostile")
    return "it written"


def connects() -> str:
    with socket.create_connection(("127.0.0.1", int(WHAT)), 2):
        return "a connection"


def abstract() -> str:
    with socket.socket(socket.AF_UNIX) as sock:
        sock.connect("\0" + WHAT)
        return "a connection"


def environment() -> str:
    if WHAT not in os.environ and all(WHAT.encode() not in each for each in _environments()):
        raise PermissionError("it is nowhere")
    return WHAT


def _environments() -> list[bytes]:
    found = []
    for folder in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            found.append((folder / "environ").read_bytes())
    return found


def processes() -> str:
    pids = [path.name for path in Path("/proc").iterdir() if path.name.isdecimal()]
    if len(pids) < 8:
        raise PermissionError(f"{len(pids)} processes seen")
    return " ".join(pids)


def network() -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.connect(("192.0.2.1", 9))
        return "a route"


def userns() -> str:
    if ctypes.CDLL(None, use_errno=True).unshare(_NEW_USER):
        raise OSError(ctypes.get_errno(), "unshare")
    return "a namespace"


def terminal() -> str:
    os.close(os.open("/dev/tty", os.O_RDWR))
    return "a terminal"


def link() -> str:
    place = Path("/tmp/link")
    place.symlink_to(WHAT)
    return place.read_text()[:20]


def kill_parent() -> str:
    os.kill(os.getppid(), signal.SIGKILL)
    raise PermissionError("nothing came of it")


def kill_all() -> str:
    os.kill(-1, signal.SIGKILL)
    raise PermissionError("nobody else was there")


def ptrace_parent() -> str:
    if ctypes.CDLL(None, use_errno=True).ptrace(_PTRACE_ATTACH, os.getppid(), 0, 0):
        raise OSError(ctypes.get_errno(), "ptrace")
    return "the parent"


def fill() -> str:
    for number in range(200):
        Path(WHAT, f"part{number}").write_bytes(bytes(8 << 20))
    return "1600 MiB"


def many_files() -> str:
    for number in range(5_000):
        Path(WHAT, f"file{number}").write_bytes(b"")
    return "5000 files"


def descriptors() -> str:
    for _ in range(5000):
        os.open("/dev/null", os.O_RDONLY)
    return "5000 descriptors"


def big_file() -> str:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with Path(WHAT, "big").open("wb") as file:
        for _ in range(64):
            file.write(bytes(1 << 20))
    return "a file of 64 MiB"


def attempt() -> None:
    try:
        note(f"got {globals()[HOW]()}")
    except OSError as error:
        note(f"refused: {error}")


def decide_once(number: int, question: dict) -> dict:
    if number == 1:
        attempt()
    return good_answer(question)


play(decide_once)
