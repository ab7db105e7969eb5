"""Why no sandbox can be made here, and what to do about it: from what bubblewrap said, one line each.

It looks at nothing itself, except in `kernel_settings`: `KernelSettings` is what it must know of the machine.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from protocol.refusal import visible

__all__ = ["Failure", "KernelSettings", "explain", "kernel_settings", "not_installed", "old_kernel"]

_APPARMOR = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
_CLONE = Path("/proc/sys/kernel/unprivileged_userns_clone")
_MOST = Path("/proc/sys/user/max_user_namespaces")
_CONTAINER = (Path("/.dockerenv"), Path("/run/.containerenv"))


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

    def __str__(self) -> str:
        return f"{self.why}; {self.cure}"


@dataclass(frozen=True, slots=True)
class KernelSettings:
    """The settings that decide between causes that look alike.

    A switch that this kernel does not have is None.
    """

    apparmor_restricts: bool = False
    userns_clone: int | None = None
    most_userns: int | None = None
    container: bool = False


def kernel_settings() -> KernelSettings:
    """Return the settings of this machine."""
    return KernelSettings(
        apparmor_restricts=_number(_APPARMOR) == 1,
        userns_clone=_number(_CLONE),
        most_userns=_number(_MOST),
        container=any(path.exists() for path in _CONTAINER),
    )


def _number(path: Path) -> int | None:
    try:
        return int(path.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None


def not_installed() -> Failure:
    """Return the failure that there is no bubblewrap."""
    return Failure("bubblewrap is not installed", "install it: apt install bubblewrap, or dnf, apk, pacman")


def old_kernel(release: str) -> Failure:
    """Return the failure of a kernel that counts the processes of all bots together.

    One bot could keep the others from starting processes.
    """
    return Failure(
        f"this kernel ({release}) cannot limit the processes of each bot separately",
        "use Linux 5.14 or newer",
    )


_APPARMOR_FAILURE = Failure(
    "AppArmor forbids ordinary users the namespaces that a sandbox is made of (as in Ubuntu from 23.10 on)",
    "give bwrap a profile with `userns,` (docs/sandbox.md), or: "
    "sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0",
)
_CONTAINER_FAILURE = Failure(
    "the container's rules forbid new namespaces",
    "start it with: --security-opt seccomp=unconfined --security-opt systempaths=unconfined "
    "(as root inside also --cap-add SYS_ADMIN)",
)
_CLONE_FAILURE = Failure(
    "this kernel allows user namespaces to root only", "sudo sysctl kernel.unprivileged_userns_clone=1"
)
_MOST_FAILURE = Failure(
    "user namespaces are switched off on this machine", "sudo sysctl user.max_user_namespaces=15000"
)
_NO_NAMESPACES = re.compile(
    r"No permissions to creat|Creating new namespace failed|ENOSPC|\(unshare\)|\(uid_map\)|\(gid_map\)"
)
_NO_NETWORK = re.compile(r"setting up [ug]id map|loopback: Failed|error writing to [ug]id_map")

_TABLE: tuple[tuple[str, Failure], ...] = (
    (
        r"Unknown option",
        Failure(
            "this bubblewrap is older than 0.7", "install bubblewrap 0.8 or newer (Debian 12, Ubuntu 24.04)"
        ),
    ),
    (
        r"setuid mode|Unexpected capabilities",
        Failure(
            "this bubblewrap runs with root's rights, and then refuses what the sandbox needs",
            "sudo chmod u-s $(command -v bwrap) && sudo setcap -r $(command -v bwrap)",
        ),
    ),
    (
        r"Can't mount proc",
        Failure(
            "parts of /proc are masked here, as containers do, and so the kernel allows no other /proc",
            "start it with: --security-opt systempaths=unconfined (Podman: --security-opt unmask=ALL)",
        ),
    ),
    (
        r"Failed to make / slave|Failed to mount tmpfs|pivot_root|Failed to mount",
        Failure(
            "the container's security profile forbids mounts",
            "start it with: --security-opt apparmor=unconfined (with SELinux: --security-opt label=disable)",
        ),
    ),
    (
        r"\(seccomp\)",
        Failure("this kernel cannot filter system calls", "use a kernel with CONFIG_SECCOMP_FILTER"),
    ),
    (
        r"(?:execvp|cannot be (?:started|closed):) .*Permission denied|PermissionError",
        Failure(
            "the user that bots run as may not read Python or the arena",
            "make their folders readable for all, or give another [sandbox] user",
        ),
    ),
    (
        r"^open: ",
        Failure("the sandbox does not keep what it should", "do not rely on it here; please report this"),
    ),
)


def explain(said: str, machine: KernelSettings) -> Failure:
    """Return the cause and the cure of what a start in the sandbox said.

    It never raises: words that are not known are quoted.
    """
    lines = [line for line in said.split("\n") if line.strip()]
    last = visible(lines[-1].strip()[:200]) if lines else "nothing was said"
    # The same words have several causes, so the machine's switches decide.
    if _NO_NETWORK.search(said):
        found = _APPARMOR_FAILURE if machine.apparmor_restricts else _CONTAINER_FAILURE
    elif _NO_NAMESPACES.search(said):
        found = _no_namespaces(machine)
    else:
        unknown = Failure("bubblewrap cannot make a sandbox here", "docs/sandbox.md says what it needs")
        found = next((failure for pattern, failure in _TABLE if re.search(pattern, said, re.M)), unknown)
    return Failure(found.cause, found.cure, last)


def _no_namespaces(machine: KernelSettings) -> Failure:
    if machine.most_userns == 0:
        return _MOST_FAILURE
    if machine.userns_clone == 0:
        return _CLONE_FAILURE
    if machine.apparmor_restricts and not machine.container:
        return _APPARMOR_FAILURE
    return _CONTAINER_FAILURE
