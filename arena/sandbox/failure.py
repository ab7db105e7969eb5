"""Why no sandbox can be made here, and what to do about it: a table of words, causes and cures.

It looks at nothing itself, except in `facts`, which tells what it must know of the machine.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from protocol.refusal import visible


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a sandbox does not work.

    `cause`: the reason. `cure`: what the organiser can do. `said`: the program's own words.
    """

    cause: str
    cure: str
    said: str = ""

    @property
    def why(self) -> str:
        """Return the cause, with the program's own words."""
        return f"{self.cause} ({self.said})" if self.said else self.cause

    @property
    def warning(self) -> str:
        """Return the warning that bots run without a sandbox, for the terminal."""
        return (
            "WARNING: bots run WITHOUT A SANDBOX, with your rights: they can read and change your files.\n"
            f"  why:  {self.why}\n"
            f"  cure: {self.cure}\n"
            "  To play only in a sandbox: --sandbox require"
        )

    def __str__(self) -> str:
        return f"{self.why}; {self.cure}"


_SWITCHES = {
    "AppArmor restricts": ("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1"),
    "for root only": ("/proc/sys/kernel/unprivileged_userns_clone", "0"),
    "switched off": ("/proc/sys/user/max_user_namespaces", "0"),
}
_CONTAINER = (Path("/.dockerenv"), Path("/run/.containerenv"))


def facts() -> frozenset[str]:
    """Return what is true of this machine of all that decides between causes that look alike."""
    found = {name for name, (path, value) in _SWITCHES.items() if _text(Path(path)) == value}
    return frozenset(found | ({"container"} if any(path.exists() for path in _CONTAINER) else set()))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii").strip()
    except OSError:  # a switch that this kernel does not have
        return ""


class _Row(NamedTuple):
    """A cause and its cure: those of a machine that said these words and of which this fact is true."""

    words: str
    cause: str
    cure: str
    fact: str = ""


_NO_NETWORK = r"setting up [ug]id map|loopback: Failed|error writing to [ug]id_map"
_NO_NAMESPACES = (
    r"No permissions to creat|Creating new namespace failed|ENOSPC|\(unshare\)|\(uid_map\)|\(gid_map\)"
)
_APPARMOR_ROW = (
    "AppArmor forbids ordinary users the namespaces that a sandbox is made of (as in Ubuntu from 23.10 on)",
    "give bwrap a profile with `userns,` (docs/sandbox.md), or: "
    "sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0",
)
_CONTAINER_ROW = (
    "the container's rules forbid new namespaces",
    "start it with: --security-opt seccomp=unconfined --security-opt systempaths=unconfined "
    "(as root inside also --cap-add SYS_ADMIN)",
)
_TABLE = (
    _Row(_NO_NETWORK, *_APPARMOR_ROW, "AppArmor restricts"),
    _Row(_NO_NETWORK, *_CONTAINER_ROW),
    _Row(
        _NO_NAMESPACES,
        "user namespaces are switched off on this machine",
        "sudo sysctl user.max_user_namespaces=15000",
        "switched off",
    ),
    _Row(
        _NO_NAMESPACES,
        "this kernel allows user namespaces to root only",
        "sudo sysctl kernel.unprivileged_userns_clone=1",
        "for root only",
    ),
    _Row(_NO_NAMESPACES, *_CONTAINER_ROW, "container"),
    _Row(_NO_NAMESPACES, *_APPARMOR_ROW, "AppArmor restricts"),
    _Row(_NO_NAMESPACES, *_CONTAINER_ROW),
    _Row(
        r"Unknown option",
        "this bubblewrap is older than 0.7",
        "install bubblewrap 0.8 or newer (Debian 12, Ubuntu 24.04)",
    ),
    _Row(
        r"setuid mode|Unexpected capabilities",
        "this bubblewrap runs with root's rights, and then refuses what the sandbox needs",
        "sudo chmod u-s $(command -v bwrap) && sudo setcap -r $(command -v bwrap)",
    ),
    _Row(
        r"Can't mount proc",
        "parts of /proc are masked here, as containers do, and so the kernel allows no other /proc",
        "start it with: --security-opt systempaths=unconfined (Podman: --security-opt unmask=ALL)",
    ),
    _Row(
        r"Failed to make / slave|Failed to mount|pivot_root",
        "the container's security profile forbids mounts",
        "start it with: --security-opt apparmor=unconfined (with SELinux: --security-opt label=disable)",
    ),
    _Row(
        r"\(seccomp\)",
        "this kernel cannot filter system calls",
        "use a kernel with CONFIG_SECCOMP_FILTER",
    ),
    _Row(
        r"(?:execvp|cannot be (?:started|closed):) .*Permission denied|PermissionError",
        "the user that bots run as may not read Python or the arena",
        "make their folders readable for all",
    ),
    _Row(
        r"^open: ",
        "the sandbox does not keep what it should",
        "do not rely on it here; please report this",
    ),
    _Row("", "bubblewrap cannot make a sandbox here", "docs/sandbox.md says what it needs"),
)
"""The first row counts whose words were said."""

NOT_INSTALLED = Failure(
    "bubblewrap is not installed", "install it: apt install bubblewrap, or dnf, apk, pacman"
)


def old_kernel(release: str) -> Failure:
    """Return the failure of a kernel that counts the processes of all bots together.

    One bot could keep the others from starting processes.
    """
    return Failure(
        f"this kernel ({release}) cannot limit the processes of each bot separately",
        "use Linux 5.14 or newer",
    )


def explain(said: str, machine: frozenset[str]) -> Failure:
    """Return the cause and the cure of what a start in the sandbox said. `machine`: see `facts`.

    It never raises: words that are not known are quoted.
    """
    lines = [line for line in said.split("\n") if line.strip()]
    last = visible(lines[-1].strip()[:200]) if lines else "nothing was said"
    row = next(
        row for row in _TABLE if re.search(row.words, said, re.M) and (not row.fact or row.fact in machine)
    )
    return Failure(row.cause, row.cure, last)
