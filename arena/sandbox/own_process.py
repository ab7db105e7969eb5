"""A process of the arena's own that talks to strangers over the network, kept from the files of this machine.

It sees its Python, the arena and what it is shown, and no process but its own. It has the network, which it
is there for. Bots are started otherwise (`sandbox`): they have no network.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

from arena.sandbox.view import interpreter_paths, mounts

__all__ = ["bare_environment", "confinement"]

_NETWORK = ("resolv.conf", "hosts", "nsswitch.conf", "host.conf", "gai.conf", "services")
"""What of /etc a program needs to find others by their names."""
_TLS = ("ssl/certs", "ssl/openssl.cnf")
"""What of /etc TLS needs. Beside it lie this machine's private keys, which root may read."""
_KEPT = ("PATH", "LANG", "LC_ALL", "TZ", "PYTHONPATH")
_TRY_SECONDS = 10.0


def confinement(shown: Iterable[Path]) -> tuple[str, ...]:
    """Return the words to put before a command, so that it sees `shown` and little else; none if none works.

    It is tried in full, which takes some hundredths of a second.
    """
    program = shutil.which("bwrap")
    if program is None:
        return ()
    etc = [Path("/etc", name) for name in (*_NETWORK, *_TLS)]
    paths = [*interpreter_paths(), *(path.resolve() for path in etc if path.exists()), *shown]
    words = [program, "--unshare-pid", "--unshare-ipc", "--unshare-cgroup-try", "--die-with-parent"]
    if os.geteuid() != 0:
        words.append("--unshare-user")
    words += ["--cap-drop", "ALL", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]  # noqa: S108 (its own)
    for mount in mounts(paths, ()):
        words += [mount.kind, mount.source, str(mount.path)]
    for path in etc:
        if path.is_symlink():
            words += ["--symlink", str(path.resolve()), str(path)]
    words += ["--remount-ro", "/", "--"]
    try:
        tried = subprocess.run([*words, "/bin/true"], capture_output=True, timeout=_TRY_SECONDS, check=False)
    except (OSError, subprocess.SubprocessError):
        return ()
    return tuple(words) if tried.returncode == 0 else ()


def bare_environment(environment: Mapping[str, str], *prefixes: str) -> dict[str, str]:
    """Return of an environment what a Python needs, and the variables that begin with one of the prefixes.

    What is left out may hold passwords, as that of a database does.
    """
    return {name: value for name, value in environment.items() if name in _KEPT or name.startswith(prefixes)}
