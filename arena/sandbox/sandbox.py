"""How a bot's command is started in the sandbox: the command line of bubblewrap. It starts nothing.

As root, bubblewrap makes the mounts with root's rights (so that an interpreter in a private home can be
shown), without a user namespace; `inside` then leaves root for good. As an ordinary user, bubblewrap
makes a user namespace and forbids any below it. Either way `inside` runs before the bot.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import TypeAlias

from arena.linux.namespace import HIDE_PIPES
from arena.sandbox.syscalls import refused
from arena.sandbox.view import (
    Mount,
    MountKind,
    find_program,
    interpreter_paths,
    mounts,
    program_paths,
    seen_path,
)

HOME = "/home"
"""The home of a bot. It is empty and cannot be written."""
TMP = "/tmp"  # noqa: S108 - the sandbox's own
_INSIDE = Path(__file__).with_name("inside.py")
_MIB = 1 << 20
_MOST_SHM_MIB = 16
_UNSHARED = ("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try")
CLAIMS = "/run/papayoo-arena.users"
"""The file of the claims of users, one byte for each. All runs on this machine share it."""
FIRST_USER, USERS = 1_900_000_000, 1 << 16
"""The users that bots run as: a range that neither systems nor containers hand out to others."""
_CLAIMING_SHELL = f'3<&0 4>&1 5<>{CLAIMS} 6<&5 </dev/null >/dev/null exec "$@"'
"""Opens the file of the claims too: 5 for bubblewrap, which holds it until the sandbox has ended, and 6 for
`inside`."""


DEVICES = ("null", "zero", "full", "random", "urandom")
"""The devices of the machine that sandboxes of an ordinary user share. No other may be shown to them."""
NONE = "off"
"""The level without a sandbox, as it is stored with each match. With one it is a `Level`."""


class Level(StrEnum):
    """How far sandboxes are kept apart from each other. The value is stored with each match."""

    SHARED = "bubblewrap"
    """Each sees the machine's own files, and all are one user. Bots that work together can talk."""
    OWN_FILES = "own-files"
    """Files, devices and /proc are each sandbox's own, but all are one user."""
    OWN_USERS = "own-users"
    """And each is a user of its own."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one bot: processes and threads, open files of a process, MiB of a file and of /tmp."""

    processes: int = 64
    open_files: int = 64
    file_size_mib: int = 16
    tmp_mib: int = 64


@dataclass(frozen=True, slots=True)
class Sandbox:
    """A sandbox that works on this machine, as `probing` found it, with what the league file asks of it.

    `bwrap`: the program. `user`: the ids to become when started by root, else None; where each sandbox has a
    user of its own, only builds become it. `disable_userns`: whether this bubblewrap can forbid further user
    namespaces (unknown before 0.8). `read_only`: further paths to show. `hidden`: folders that must not be
    seen even below what is shown. `level`: how far sandboxes are kept apart. `weaker`: why no further, empty
    if nothing is missing.
    """

    bwrap: str
    user: tuple[int, int] | None
    disable_userns: bool
    limits: Limits = Limits()
    read_only: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    level: Level = Level.SHARED
    weaker: str = ""

    @property
    def warning(self) -> str:
        """Return the warning that bots can talk to each other, for the terminal; "" if nothing is missing."""
        if not self.weaker:
            return ""
        return (
            f"WARNING: bots that work together can signal to each other: sandbox at level {self.level}.\n"
            f"  why:  {self.weaker}\n"
            "  cure: see docs/sandbox.md, levels"
        )


Launch: TypeAlias = tuple[tuple[str, ...], dict[str, str]]
"""What is executed: a command line, and its whole environment."""


def wrap(
    sandbox: Sandbox, argv: Sequence[str], folder: Path, *, nice: int = 0, writable: bool = False
) -> Launch:
    """Return the launch of `argv` in `folder` in the sandbox.

    `argv` is as in the league file. `writable`: the folder may be written, as when a bot is built; builds
    know no cards, and share the machine's files. Nothing is checked: a program that cannot be started says so
    on standard error, and ends with exit code 126.
    """
    sandbox = replace(sandbox, level=Level.SHARED) if writable else sandbox
    path = os.environ.get("PATH", os.defpath)
    command = [part.replace("{python}", sys.executable) for part in argv]
    program = find_program(command[0], folder, path)
    outside = program is not None and not program.is_relative_to(folder)
    view = _view(sandbox, program if outside else None)
    bot = Mount(MountKind.WRITE if writable else MountKind.SHOW, folder, str(folder))
    seen = {
        "PATH": seen_path(path, view),
        "HOME": TMP if writable else HOME,
        "TMPDIR": TMP,
        "LANG": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    own_user = sandbox.level is Level.OWN_USERS
    shell, held = (_CLAIMING_SHELL, ("--sync-fd", "5")) if own_user else (HIDE_PIPES, ())
    start = ("/bin/sh", "-c", shell, "sh", sandbox.bwrap, *held, *_namespaces(sandbox))
    tree = (*_memory_disks(sandbox), *(part for mount in (*view, bot) for part in _one(mount)))
    inside = (*_inside(sandbox, folder, nice), str(program or command[0]), *command)
    variables = {f"BOT_ENV_{name}": value for name, value in seen.items()}
    # Only PATH reaches the shell and bubblewrap; the bot's variables pass by them under other names.
    return (*start, *tree, *inside), {"PATH": os.defpath, **variables}


@cache
def _view(sandbox: Sandbox, program: Path | None) -> tuple[Mount, ...]:
    """Return what is shown beside the bot's own folder. `program` is not in that folder, or None."""
    shown = [*interpreter_paths(), *map(Path, sandbox.read_only)]
    if program is not None:
        shown += program_paths(program)
    return tuple(mounts(shown, map(Path, sandbox.hidden)))


def _namespaces(sandbox: Sandbox) -> list[str]:
    flags = [*_UNSHARED, "--die-with-parent", "--new-session", "--hostname", "arena"]
    if sandbox.user is not None:
        # `inside` needs these to make what is the sandbox's own and the bot's user namespace, and to become
        # its user; then it drops them.
        rights = ("SETUID", "SETGID", "SETPCAP", "SYS_ADMIN", "MKNOD")
        return [*flags, "--cap-drop", "ALL", *_with_capabilities(*rights)]
    flags += ["--unshare-user", "--uid", "65534", "--gid", "65534"]
    if sandbox.level is not Level.SHARED:
        # `inside` makes mounts, and then forbids further user namespaces itself. Bubblewrap would forbid them
        # by a second namespace, whose mounts belong to the first.
        return [*flags, *_with_capabilities("SYS_ADMIN", "SYS_RESOURCE", "SETPCAP")]
    return [*flags, "--disable-userns"] if sandbox.disable_userns else flags


def _with_capabilities(*names: str) -> list[str]:
    return [part for name in names for part in ("--cap-add", f"CAP_{name}")]


def _memory_disks(sandbox: Sandbox) -> list[str]:
    tmp = sandbox.limits.tmp_mib
    home = [*_memory_disk(TMP, tmp), "--perms", "0755", "--dir", HOME]
    if sandbox.level is Level.SHARED:
        shm = _memory_disk("/dev/shm", _shm_mib(sandbox))  # noqa: S108
        return ["--proc", "/proc", "--dev", "/dev", *shm, "--remount-ro", "/dev", *home]
    # `inside` makes another /dev. Only root can make devices, so an ordinary user needs those of the machine.
    theirs = DEVICES if sandbox.user is None else ()
    devices = [part for name in theirs for part in ("--dev-bind-try", f"/dev/{name}", f"/dev/{name}")]
    return ["--proc", "/proc", "--perms", "0755", "--dir", "/dev", *devices, *home]


def _shm_mib(sandbox: Sandbox) -> int:
    return min(sandbox.limits.tmp_mib, _MOST_SHM_MIB)


def _memory_disk(path: str, mib: int) -> list[str]:
    return ["--perms", "1777", "--size", str(mib * _MIB), "--tmpfs", path]


def _one(mount: Mount) -> list[str]:
    """Return the arguments for a mount, after those for the folders above it.

    Bubblewrap makes these folders too, but for root alone.
    """
    arguments: list[str] = []
    for parent in reversed(mount.path.parents):
        arguments += ["--perms", "0755", "--dir", str(parent)] if parent != Path("/") else []
    if mount.kind is MountKind.HIDE:
        return [*arguments, "--perms", "0555", "--size", str(_MIB), mount.kind, str(mount.path)]
    return [*arguments, mount.kind, mount.source, str(mount.path)]


def _inside(sandbox: Sandbox, folder: Path, nice: int) -> list[str]:
    limits = sandbox.limits
    settings = {
        "folder": folder,
        "nice": nice,
        "processes": limits.processes,
        "files": limits.open_files,
        "file_bytes": limits.file_size_mib * _MIB,
        "filter": refused().hex(),
    }
    if sandbox.level is not Level.SHARED:
        settings["own"] = _shm_mib(sandbox) * _MIB
    if sandbox.level is Level.OWN_USERS:
        settings["users"] = f"{FIRST_USER}:{USERS}"
    elif sandbox.user is not None:
        settings["user"] = f"{sandbox.user[0]}:{sandbox.user[1]}"
    return [
        # Bubblewrap works through its arguments in order, so this stands after all mounts.
        "--remount-ro", "/", "--", sys.executable, "-I", "-S", "-B", str(_INSIDE),
        *(f"{key}={value}" for key, value in settings.items()), "--",
    ]  # fmt: skip
