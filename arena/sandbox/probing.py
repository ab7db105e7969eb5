"""Finds out, once, whether a sandbox works on this machine, by starting the running interpreter in one.

It decides nothing: the caller is given a `Sandbox`, or a `Failure` with its cure.
"""

from __future__ import annotations

import os
import platform
import pwd
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from arena.errors import UsageError
from arena.sandbox.cures import Failure, explain, kernel_settings, not_installed, old_kernel
from arena.sandbox.guards import GUARDS
from arena.sandbox.sandbox import CLAIMS, Level, Limits, Sandbox, wrap

__all__ = ["USER", "probe", "user_of"]

USER = "nobody"
"""The user of builds, and of bots without one of their own, where root starts the arena."""

_CHECK = Path(__file__).with_name("check.py")
_SECONDS = 20.0
_CLOSED = "closed"
_OLDEST_KERNEL = (5, 14)
"""From this kernel on processes are counted for each user namespace.

Before, they are counted for each user.
"""


def probe(
    limits: Limits, user: str = USER, read_only: Iterable[str] = (), hidden: Iterable[str] = ()
) -> Sandbox | Failure:
    """Return the sandbox that works here, tried in full, or why there is none. Takes some tenths of a second.

    It is the one that keeps bots furthest apart from each other. From then on this process holds the guards.
    `user`: the user that bots run as, if this is root. `read_only`: further paths to show. `hidden`: folders
    that must not be seen. Raises UsageError for a user or a path that does not exist.
    """
    for path in read_only:
        if not Path(path).exists():
            raise UsageError(f"[sandbox] read_only: {path}: there is no such file or folder")
    ids = user_of(user) if os.geteuid() == 0 else None
    program = shutil.which("bwrap")
    if program is None:
        return not_installed()
    release = platform.release()
    if tuple(map(int, re.findall(r"\d+", release)[:2])) < _OLDEST_KERNEL:
        return old_kernel(release)
    sandbox = Sandbox(
        bwrap=program,
        user=ids,
        # Asked of the program itself, because the option is missing before bubblewrap 0.8.
        disable_userns="--disable-userns" in _said([program, "--help"]),
        limits=limits,
        read_only=tuple(read_only),
        hidden=tuple(hidden),
    )
    return _furthest(sandbox)


def _furthest(sandbox: Sandbox) -> Sandbox | Failure:
    """Return the sandbox at the highest level that works here, with the reason why no higher one does."""
    levels = [Level.OWN_FILES] if sandbox.user is None else [Level.OWN_USERS, Level.OWN_FILES]
    GUARDS.hold()
    weaker = ""
    for level in levels:
        tried = replace(sandbox, level=level, weaker=weaker)
        said = _try(tried)
        if said == _CLOSED:
            return tried
        weaker = weaker or explain(said, kernel_settings()).said
    said = _try(sandbox)
    return replace(sandbox, weaker=weaker) if said == _CLOSED else explain(said, kernel_settings())


def user_of(name: str) -> tuple[int, int]:
    """Return the ids of an ordinary user.

    Raises UsageError when there is none of that name, or it is root.
    """
    try:
        entry = pwd.getpwnam(name)
    except KeyError:
        raise UsageError(f'bots run as the user "{name}", who is not there on this machine') from None
    if entry.pw_uid == 0:
        raise UsageError(f'bots run as the user "{name}", who is root; it must be an ordinary user')
    return entry.pw_uid, entry.pw_gid


def _try(sandbox: Sandbox) -> str:
    """Return what the check said in the sandbox, or what went wrong before it could say anything."""
    # The check needs a few processes of its own. A league's stricter limit says nothing about the sandbox.
    roomy = replace(sandbox, limits=replace(sandbox.limits, processes=max(8, sandbox.limits.processes)))
    with tempfile.TemporaryDirectory(prefix="papayoo-arena-") as name:
        folder = Path(name).resolve()
        # A temporary folder is for its owner only, and the check may run as another user.
        folder.chmod(0o755)
        shared = "-" if sandbox.level is Level.SHARED else ",".join(map(str, _outside(folder)))
        if sandbox.level is Level.OWN_USERS:
            try:
                _open_claims()
            except OSError as error:
                return str(error)
        started = wrap(roomy, ("{python}", "-I", "-B", str(_CHECK), shared, *sandbox.hidden), folder, {})
        return _said(started.argv, started.env)


def _open_claims() -> None:
    """Make the file of the claims of users. Whoever else could read it could lock it."""
    Path(CLAIMS).touch(mode=0o600)
    Path(CLAIMS).chmod(0o600)


def _outside(folder: Path) -> set[int]:
    """Return the numbers of the devices and namespaces that a sandbox must not have in common with us."""
    # The guards hold the namespace of clocks.
    spaces = [path for path in Path("/proc/self/ns").iterdir() if not path.name.startswith("time")]
    files = {folder.stat().st_dev, Path(sys.executable).stat().st_dev}
    return files | {path.stat().st_ino for path in spaces}


def _said(argv: Iterable[str], env: dict[str, str] | None = None) -> str:
    """Return standard output of a program that ends well, else standard error."""
    try:
        done = subprocess.run(
            tuple(argv),
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            start_new_session=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"nothing came within {_SECONDS:g} s"
    except OSError as error:
        return str(error)
    return (done.stdout if done.returncode == 0 else done.stderr or done.stdout).strip()
